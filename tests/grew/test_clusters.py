"""Matches are counted by keys, as Grew-match clusters them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from starbank.errors import StarbankError, UsageError
from starbank.grew import Engine, clusters, parse_request
from starbank.grew.clusters import add_up, cluster
from starbank.grew.counts import to_json_lines, to_table
from starbank.grew.keys import split_keys
from starbank.treebanks import read_conllu
from tests.grew.conftest import load, treebank_of

# “The woman saw the house”, “And she sleeps”, “It hurts today”: two with enhanced edges, one without.
SENTENCES = (
    """1 ქალმა ქალი NOUN Case=Erg|Number=Sing 2 nsubj 2:nsubj Gloss=woman
    2 ნახა ნახვა VERB Tense=Past 0 root 0:root
    3 სახლი სახლი NOUN Case=Nom|Number=Sing 2 obj 2:obj Gloss=house""",
    """1 სძინავს ძილი VERB _ 0 root 0:root
    2 მას ის PRON Case=Dat|Number=Sing 1 nsubj:dat 1:nsubj:dat""",
    """1 დღეს დღეს ADV _ 2 advmod
    2 სტკივა ტკივილი VERB AlignBegin=120 0 root
    3 მას ის PRON Case=Dat 2 nsubj""",
)
SUBJECTS = "pattern { e: V -[1=nsubj, !enhanced]-> S }"


def counts(request: str, *keys: str) -> list[tuple[str | int | None, ...]]:
    """Return the rows of the counts."""
    table = cluster(load(*SENTENCES)[1], parse_request(request), keys)
    assert table.column_names == [*keys, "count"]
    return [tuple(row.values()) for row in table.to_pylist()]


def test_a_value_that_a_match_lacks_is_null() -> None:
    assert counts("pattern { X [upos] }", "X.Case") == [(None, 4), ("Dat", 2), ("Erg", 1), ("Nom", 1)]


def test_a_lone_node_need_not_be_named() -> None:
    assert counts("pattern { X [Number] }", "Case") == [("Dat", 1), ("Erg", 1), ("Nom", 1)]


@pytest.mark.parametrize(
    ("key", "rows"),
    [
        ("S.lemma", [("ის", 2), ("ქალი", 1)]),
        ("S.Gloss", [(None, 2), ("woman", 1)]),
        ("S.Gloss/upos", [("PRON", 2), ("woman", 1)]),
        ("e.label", [("nsubj", 2), ("nsubj:dat", 1)]),
        ("e.1", [("nsubj", 3)]),
        ("e.2", [(None, 2), ("dat", 1)]),
        ("e.length", [("1", 3)]),
        ("e.delta", [("1", 2), ("-1", 1)]),
        ("delta(S,V)", [("-1", 2), ("1", 1)]),
        ("height(V)", [("2", 3)]),
        ("V#S", [("V << S", 2), ("S << V", 1)]),
        ("V -> S", [("__multi__", 2), ("nsubj", 1)]),
        ("S -> V", [("__none__", 3)]),
        ("V <-> S", [("__multi__", 2), ("nsubj", 1)]),
        ("S <-> V", [("__multi__", 2), ("-nsubj", 1)]),
        ("V.AlignBegin", [(None, 2), ("120", 1)]),
        ("V.AlignBegin[gap=50]", [(None, 2), ("[100, 150[", 1)]),
        ("V.AlignBegin[gap=50, max=100]", [(None, 2), ("[100, +∞[", 1)]),
        ("e.delta[gap=2, min=0]", [("[0, 2[", 2), ("]-∞, 0[", 1)]),
        ("meta.text", [(None, 3)]),
        ("{ V [!Tense] }", [("Yes", 2), ("No", 1)]),
        ("{ A << S; V -[advmod|obj]-> A % a comment }", [("No", 2), ("Yes", 1)]),
    ],
)
def test_every_kind_of_key(key: str, rows: list[tuple[str | int | None, ...]]) -> None:
    assert counts(SUBJECTS, key) == rows


def test_several_keys_count_combinations() -> None:
    assert counts(SUBJECTS, "S.upos", "{ V -> O; O << S }", "e.2") == [
        ("NOUN", "No", None, 1),
        ("PRON", "No", "dat", 1),
        ("PRON", "Yes", None, 1),
    ]


def test_treebanks_are_a_key_and_add_up() -> None:
    request, keys = parse_request("pattern { X [upos=PRON] }"), ["treebank", "Number"]
    one, two = (Engine(treebank_of(sentence)) for sentence in SENTENCES[1:])
    tables = [cluster(one, request, keys, "one"), cluster(two, request, keys, "two")]
    assert list(to_json_lines(add_up(tables, keys))) == [
        '{"treebank": "one", "Number": "Sing", "count": 1}',
        '{"treebank": "two", "Number": null, "count": 1}',
    ]
    assert list(to_json_lines(add_up([table.select(["Number", "count"]) for table in tables * 2], ["Number"]))) == [
        '{"Number": "Sing", "count": 2}',
        '{"Number": null, "count": 2}',
    ]


def test_two_keys_are_a_cross_table_with_the_frequent_first() -> None:
    table = cluster(load(*SENTENCES)[1], parse_request("pattern { X [upos] }"), ["upos", "Case"])
    assert list(to_table(table)) == [
        "upos \\ Case  __undefined__  Dat  Erg  Nom  total",
        "VERB                     3    ·    ·    ·      3",
        "NOUN                     ·    ·    1    1      2",
        "PRON                     ·    2    ·    ·      2",
        "ADV                      1    ·    ·    ·      1",
        "total                    4    2    1    1      8",
    ]


def test_other_counts_are_a_list_with_shares() -> None:
    table = cluster(load(*SENTENCES)[1], parse_request("pattern { X [Number] }"), ["upos"])
    assert list(to_table(table)) == ["upos  count  share", "NOUN      2  66.7%", "PRON      1  33.3%"]


def test_commas_inside_a_key_do_not_divide_it() -> None:
    text = 'V.Case, delta(V, S), e.length[gap=5, min=0],{ S [form="a,}", lemma=b] }'
    assert split_keys(text) == ["V.Case", "delta(V, S)", "e.length[gap=5, min=0]", '{ S [form="a,}", lemma=b] }']


@pytest.mark.parametrize(
    ("key", "message", "hint"),
    [
        ("Case", "the key Case does not say of which node", "The nodes are V, S: write V.Case, for example."),
        ("W.Case", "the pattern has no node or edge W", "It has V, S, e."),
        ("V#Subj", "the pattern has no node Subj", "It has V, S."),
        ("V -> v", "the pattern has no node v", "It has V, S."),
        ("heigth(V)", "the pattern has no operator heigth", "Did you mean height?"),
        ("delta(V)", "delta takes 2 nodes, not 1", "None"),
        ("S.Number[psor]", "the key S.Number[psor] cannot be read", "Write the layer as __psor."),
        ("S.lemma[gap=5]", "the key S.lemma[gap=5] makes stretches of text", "Only one feature that is a number"),
        ("e.length[gap=0]", "the key e.length[gap=0] has no gap", "Write [gap=100]"),
        ("{ V -> O", "the key { V -> O has no closing brace", "A sub-request is { clause; clause }."),
        ("{ W.Case = Nom }", "in the key { W.Case = Nom }: unknown node W", "Declare it with a clause of its own"),
        ("", "the key (empty) cannot be read", "Keys are X.f"),
        ("count", "the key count would be a second column of that name", "Write X.count."),
    ],
)
def test_a_key_that_makes_no_sense_is_refused(key: str, message: str, hint: str) -> None:
    with pytest.raises(StarbankError) as refusal:
        counts(SUBJECTS, key)
    assert refusal.value.message == message
    assert hint in str(refusal.value.hint)


def test_a_feature_that_no_word_has_is_told(caplog: pytest.LogCaptureFixture) -> None:
    assert counts(SUBJECTS, "S.Csae") == [(None, 3)]
    assert caplog.messages == ["warning: the key S.Csae: no word has the feature Csae; the closest are Case"]


def test_counts_are_those_of_the_listed_matches(sample: Path) -> None:
    treebank = read_conllu([sample / "UD_Hindi-Sample"])
    engine, request = Engine(treebank), parse_request("pattern { H -> D; D [Case] } without { D -[case]-> P }")
    words = {row["node"]: row for row in treebank.tokens.select(["node", "upos", "Case", "deprel"]).to_pylist()}
    listed = Counter(
        (words.get(head, {}).get("upos"), words[word]["Case"], words[word]["deprel"])
        for head, word in zip(*(engine.match(request)[name].to_pylist() for name in ("H", "D")), strict=True)
    )
    rows = cluster(engine, request, ["H.upos", "D.Case", "H -> D"]).to_pylist()
    assert {(row["H.upos"], row["D.Case"], row["H -> D"]): row["count"] for row in rows} == listed


def test_too_many_combinations_of_values_are_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "MOST_ROWS", 2)
    assert counts("pattern { X [Number] }", "X.Number") == [("Sing", 3)]
    with pytest.raises(UsageError, match=r"X\.lemma have more than 2 combinations"):
        counts("pattern { X [upos] }", "X.lemma")
