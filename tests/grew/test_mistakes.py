"""A mistake is told with the line, a caret under the place, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from starbank.errors import RequestError
from starbank.grew import Engine, parse_request
from tests.grew.conftest import treebank_of


def refusal(text: str, file: Path | None = None) -> RequestError:
    with pytest.raises(RequestError) as caught:
        parse_request(text, file)
    return caught.value


def test_message_names_file_line_place_and_remedy() -> None:
    text = "% subjects\npattern {\n  V [upos=VERB];\n  V -[nsubj]-> S\n  S [Case=Erg]\n}"
    assert str(refusal(text, Path("subjects.grew"))) == (
        "subjects.grew:5: a semicolon is missing between two clauses\n"
        "      S [Case=Erg]\n"
        "      ^\n"
        "Clauses are separated by ;."
    )


@pytest.mark.parametrize(
    ("request_text", "message", "hint"),
    [
        ("pattern ▸V [upos=VERB]", "a block opens with a brace: {", "A request consists of the blocks"),
        ("▸patern { V [upos=VERB] }", "unknown block patern", "Did you mean pattern?"),
        ("pattern { V [upos=VERB]▸", "the request ends too early", "A } is missing."),
        ("pattern { V [upos=VERB]▸, S [] }", "clauses are separated by semicolons", "Put ;"),
        ("pattern { V ▸-nsubj-> S }", "the label of an edge stands in -[…]->", "Write -[nsubj]->."),
        ("pattern { V -[nsubj▸] -> S }", "a label ends with ]->", "Write X -[nsubj]-> Y."),
        ("pattern { V -[nsubj.▸*]-> S }", "a label is taken literally", 'Write -[re"nsubj.*"]->'),
        ("pattern { V <▸-[nsubj]- S }", "edges point from the head to the dependent", "Write Y -[…]-> X."),
        ("pattern { X [Number▸[psor]=Sing] }", "layered features have no brackets", "Number__psor"),
        ("pattern { X []; Y []; ▸X = Y }", "= compares features, not nodes", "X.lemma = Y.lemma"),
        ("pattern { X [form=▸ქალი] }", "the value ქალი needs quotes", '"ქალი"'),
        ("pattern { X [form=▸“a”] }", "“ is not a quotation mark here", "straight quotes"),
        ("pattern { X [lemma=▸with] }", "“with” is a word of Grew's rule language", '"with"'),
        ("pattern { X [upos=VERB ▸Mood=Imp] }", "a comma is missing before Mood", "separated by commas"),
        ("pattern { X [upos▸!=VERB] }", "“different” is written <>", "Write f<>v."),
        ("pattern { X [upos<>▸*] }", "a feature that is not there is written !f", "with another value"),
        ('pattern { X [form=re"a"▸|re"b"] }', "a regular expression cannot stand in a list", "Put the"),
        ('pattern { X [form=▸"a] }', "this string is not closed", 'A string ends with "'),
        ('pattern { X [form=▸re"\\(a"] }', "this regular expression cannot be read", "None"),
        ("pattern { X [upos=VERB]; X.upos = A▸|B }", "a constraint takes one value", "X [upos=VERB|AUX]"),
        ("pattern { X []; ▸S << X } without { S -> X }", "unknown node S", "The without block of line 1"),
        ("pattern { Subj [upos=NOUN]; ▸Sbj.Case = Nom }", "unknown node Sbj", "Did you mean Subj?"),
        ("pattern { e: X -> Y; X << e; ▸e << X }", "an edge cannot stand before a node", "X << e"),
        ("pattern { X []; Y []; ▸X <> Y }", "X is a node; a named edge is needed here", "different anyway"),
        ("pattern { X [Case=Nom]; ▸X [!Case] }", "the clauses about X contradict one another", "None"),
        ("pattern { X []; Y []; X.▸form < Y.form }", "form is text, and text cannot be ordered", "Only Align"),
        ("pattern { X []; ▸size(X) > 2 }", "unknown operator size", "Known are delta, length, proj_size"),
        ("▸V [upos=VERB]; V -> S", "the clauses stand outside of any block", "pattern { … }"),
        ("pattern { X [] } ▸where { Y [] }", "unknown block where", "with { … }"),
        ("pattern { X [lemma=▸.*ly] }", "a value is taken literally", 'f=re".*…"'),
        ("pattern { X [upos=VERB|upos▸=AUX] }", "| separates values of one feature", "[upos=VERB]|[Mood=Imp]"),
        ("pattern { X [upos=NOUN ▸and Case=Nom] }", "and is written as a comma", "[upos=VERB, Mood=Imp]"),
        ("pattern { X [upos=NOUN ▸or upos=PRON] }", "or is written |", "[upos=VERB|AUX]"),
        ("pattern { X [not ▸Case] }", "a feature that is not there is written !f", "!Case"),
        ("pattern { X ▸!-[nsubj]-> Y }", "an edge that is not there", "without { X -[nsubj]-> Y }"),
        ("pattern { X -[nsubj]-> Y ▸-[det]-> Z }", "a clause has one edge", "X -> Y; Y -> Z"),
        ("pattern { e: X ▸[upos=VERB] -> Y }", "without describing them", "X [upos=VERB]; e: X -> Y"),
        ("pattern { X -> Y ▸[upos=VERB] }", "without describing them", "X -> Y; Y [upos=NOUN]"),
        ("pattern { ▸meta [upos=VERB] }", "meta is the sentence", "meta.key"),
        ("pattern { ▸meta: X -> Y }", "meta is the sentence", "meta.key"),
        ("pattern { X []; X.▸AlignBegin }", "AlignBegin is a number", "X [AlignBegin]"),
        ("pattern { X []; X.▸Duration = * }", "Duration is a number", "X [Duration]"),
        ("global { ▸is_flat }", "unknown property of a sentence: is_flat", "is_projective"),
        ("global { X ▸[upos=VERB] }", "global is about the sentence", "pattern { … }"),
    ],
)  # fmt: skip
def test_mistakes_of_every_kind(request_text: str, message: str, hint: str) -> None:
    before, _, after = request_text.partition("▸")
    error = refusal(before + after)
    assert message in error.message
    assert error.source == before + after
    assert error.column == len(before) + 1
    assert hint in str(error.hint)


def test_alternatives_that_multiply_beyond_measure_are_refused() -> None:
    clauses = [f"X [Feature{n}=a]|[Feature{n}=b]" for n in range(25)]
    error = refusal(f"pattern {{ {'; '.join(clauses)} }}")
    assert error.message == "the clauses about X have too many alternatives, each with each of the others"


def test_what_the_treebank_lacks_is_a_warning() -> None:
    treebank = treebank_of("1 ქალმა ქალი NOUN Case=Erg|Number=Sing 2 nsubj\n2 თქვა თქმა VERB _ 0 root")
    request = parse_request("pattern { V [upos=VRB]; V -[nsubject]-> S;\n S [Case=Ergative, Numbr=Sing, lemma=xyz] }")
    assert Engine(treebank).warnings(request) == [
        "line 1: no word has upos=VRB; the closest are VERB",
        "line 2: no word has Case=Ergative; the closest are Erg",
        "line 2: no word has the feature Numbr; the closest are Number",
        "line 1: no edge has the label nsubject; the closest are nsubj",
    ]


@pytest.mark.parametrize(
    ("request_text", "warnings"),
    [
        ("pattern { V -[nsubj|csubj]-> S }", []),
        ("pattern { V -[nsubj|nsubj:pass]-> S }", []),
        ("pattern { V -[csubj]-> S }", ["line 1: no edge has the label csubj; the closest are nsubj"]),
        ("pattern { V [upos=VERB|AUX, !Abbr] } without { V -[expl]-> E; E [upos=PRON, Number__psor] }", []),
        ("pattern { V [!Abr] }", ["line 1: no word has the feature Abr"]),
        ("pattern { V -[1=nsbj]-> S }", ["line 1: no edge has the relation nsbj; the closest are nsubj"]),
        ("pattern { e: V -> S; e.label = nsbj }", ["line 1: no edge has the label nsbj; the closest are nsubj"]),
        ("pattern { V -> S } without { V -[1=expl|obj]-> S }", []),
        ("pattern { V -> S } without { S [Case=Gen] }", []),
        ("pattern { V -> S } without { S [Case=Ergg] }", ["line 1: no word has Case=Ergg; the closest are Erg"]),
    ],
)
def test_a_name_that_ud_defines_is_no_slip_where_the_request_can_hold_without_it(
    request_text: str, warnings: list[str]
) -> None:
    treebank = treebank_of("1 ქალმა ქალი NOUN Case=Erg|Number=Sing 2 nsubj\n2 თქვა თქმა VERB _ 0 root")
    assert Engine(treebank).warnings(parse_request(request_text)) == warnings


def test_without_that_contradicts_itself_is_a_warning() -> None:
    request = parse_request("pattern { X [] }\nwithout { X [Case=Nom]; X [Case=Erg] }")
    assert request.warnings == ("line 2: this without block contradicts itself and refuses nothing",)
