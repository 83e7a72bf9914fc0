"""Matched sentences for people: bound words in brackets or colours, and trees."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from starbank.commands.colour import wants_colour
from starbank.grew import Engine, parse_request
from starbank.grew.show import to_sentences, to_trees
from tests.grew.conftest import treebank_of

SPANISH = """# sent_id = s1
# text = Ana quiere dármelo al niño.
1 Ana Ana PROPN _ 2 nsubj 2:nsubj|3:nsubj
2 quiere querer VERB _ 0 root 0:root
3-5 dármelo _ _ _ _ _
3 dar dar VERB _ 2 xcomp 2:xcomp
4 me yo PRON _ 3 iobj 3:iobj
5 lo él PRON _ 3 obj 3:obj
6-7 al _ _ _ _ _
6 a a ADP _ 8 case 8:case
7 el el DET _ 8 det 8:det
8 niño niño NOUN _ 3 obl 3:obl SpaceAfter=No
9 . . PUNCT _ 2 punct 2:punct"""
HEBREW = """# sent_id = h1
# text = הילדה שרה
1 הילדה ילדה NOUN _ 2 nsubj
2 שרה שר VERB _ 0 root"""
GAPPED = """# sent_id = g1
# text = tea or coffee
1 tea tea NOUN _ 0 root 0:root
1.1 have have VERB _ _ _ 1:dep
2 or or CCONJ _ 3 cc 3:cc
3 coffee coffee NOUN _ 1 conj 1:conj"""


def show(request: str, sentence: str, colour: bool = False) -> list[str]:
    treebank = treebank_of(sentence)
    return list(to_sentences(Engine(treebank).match(parse_request(request)), treebank, colour))


def test_bound_words_stand_in_brackets_with_their_names() -> None:
    assert show("pattern { e: V -[nsubj]-> S }", SPANISH) == [
        "s1\tV=2:quiere\tS=1:Ana\te=nsubj",
        "  [S Ana] [V quiere] dármelo al niño.",
        "",
    ]


@pytest.mark.parametrize(
    ("request_text", "sentence", "line"),
    [
        # The forms of dar-me-lo do not make up the token, so the token stands for them.
        ("pattern { V -[obj]-> O }", SPANISH, "  Ana quiere [V O dármelo] al niño."),
        ("pattern { X [lemma=el] }", SPANISH, "  Ana quiere dármelo [X al] niño."),
        ("pattern { X [form=have] }", GAPPED, "  tea[X ∅] or coffee"),
        ('pattern { R -[root]-> X; R [form="__0__"] }', GAPPED, "  [R ∅][X tea] or coffee"),
        (
            "pattern { X [lemma=tea]; Y$ [upos=NOUN]; X -[conj]-> Z$; Y$.lemma = tea }",
            GAPPED,
            "  [X Y$ tea] or [Z$ coffee]",
        ),
    ],
)
def test_what_stands_for_a_node_without_characters_of_its_own(request_text: str, sentence: str, line: str) -> None:
    assert show(request_text, sentence)[1] == line


def test_marks_in_a_right_to_left_text_are_isolated_from_it() -> None:
    assert show("pattern { V -[nsubj]-> S }", HEBREW)[1] == "  \u2068[S הילדה]\u2069 \u2068[V שרה]\u2069"


def test_each_node_has_a_colour_in_the_heading_and_in_the_text() -> None:
    assert show("pattern { V -[nsubj]-> S }", SPANISH, colour=True) == [
        "s1\t\x1b[1;34mV=2:quiere\x1b[0m\t\x1b[1;33mS=1:Ana\x1b[0m",
        "  \x1b[1;33mAna\x1b[0m \x1b[1;34mquiere\x1b[0m dármelo al niño.",
        "",
    ]


@pytest.mark.parametrize(
    ("choice", "environment", "wanted"),
    [
        ("auto", {}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_who_gets_colours(
    choice: str, environment: dict[str, str], wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(choice) == wanted


@pytest.mark.parametrize(
    ("request_text", "bold"),
    [
        ("pattern { e: V -[nsubj]-> S }", ["nsubj"]),
        ("pattern { V -[nsubj]-> S; V -> X; X [upos=VERB] }", ["nsubj", "xcomp"]),
        ("pattern { V -[E:nsubj]-> S; V [lemma=dar] }", ["nsubj"]),
        ("pattern { V [lemma=dar]; S [lemma=Ana] }", []),
    ],
)
def test_edges_of_the_pattern_stand_out_in_the_tree(request_text: str, bold: list[str]) -> None:
    treebank = treebank_of(SPANISH)
    request = parse_request(request_text)
    [(sent_id, svg)] = to_trees(Engine(treebank).match(request), treebank, request)
    labels = [
        text for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text") if text.get("paint-order")
    ]
    assert sent_id == "s1"
    assert sorted(text.text or "" for text in labels if text.get("font-weight") == "700") == bold
