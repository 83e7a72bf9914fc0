"""What each construct of the request language finds. Names and fine print are those of Grew 1.20."""

from __future__ import annotations

import pytest

from starbank.grew import Engine, parse_request
from starbank.treebanks import Treebank
from tests.grew.conftest import Find, treebank_of

# "The dogs that Kim saw bark ."
DOGS = """
# sent_id = dogs
# text = The dogs that Kim saw bark .
# genre = fiction
1 The   the   DET   Definite=Def|PronType=Art 2 det
2 dogs  dog   NOUN  Number=Plur               6 nsubj     _ Gloss=hounds
3 that  that  PRON  PronType=Rel              5 obj
4 Kim   Kim   PROPN Number=Sing               5 nsubj
5 saw   see   VERB  Number=Sing|Tense=Past    2 acl:relcl
6 bark  bark  VERB  Number=Plur|Tense=Pres    0 root      _ SpaceAfter=No
7 .     .     PUNCT _                         6 punct
"""

# "Kim eats fish and Lee rice": an empty node for the second verb, enhanced edges.
GAPPING = """
# sent_id = gapping
1   Kim  Kim  PROPN Number=Sing 2 nsubj  2:nsubj
2   eats eat  VERB  Number=Sing 0 root   0:root
3   fish fish NOUN  Number=Sing 2 obj    2:obj
4   and  and  CCONJ _           5 cc     5.1:cc
5   Lee  Lee  PROPN Number=Sing 2 conj   5.1:nsubj
5.1 _    eat  VERB  _           _ _      2:conj:and
6   rice rice NOUN  Number=Sing 5 orphan 5.1:obj
"""

# "dámelo": one token, three words.
DAMELO = """
# sent_id = damelo
1-3 dámelo _    _    _        _ _
1   da     dar  VERB _        0 root _ wordform=DA
2   me     yo   PRON Case=Dat 1 iobj
3   lo     él   PRON Case=Acc 1 obj
"""


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("X [upos=VERB]", ["X=5", "X=6"]),
        ("X [upos=DET|PRON]", ["X=1", "X=3"]),
        ('X [form="."]', ["X=7"]),
        ("X [upos<>VERB|PUNCT, Number]", ["X=2", "X=4"]),
        ("X [Tense=*]", ["X=5", "X=6"]),
        ("X [upos, !Number]", ["X=1", "X=3", "X=7"]),
        ("X [!upos]", ["X=0"]),
        ("X [Tense, !Tense]", ["X=5", "X=6"]),
        ("X [Tense=Past, !Tense, !Tense]; X [upos]", ["X=5"]),
        ("X [Tense, !Tense]; X [Tense<>Past]", ["X=6"]),
        ("X [!Tense, Tense]", []),
        ("X [!upos, !upos]", ["X=0"]),
        ("X [Tense, Tense=Pres/Number=Sing]", ["X=5"]),
        ('X [form=re"[a-z]+"]', ["X=2", "X=3", "X=5", "X=6"]),
        ("X [form=/THE|DOGS/i]", ["X=1", "X=2"]),
        ('X [lemma<>re".*[a-z]"]', ["X=7"]),
        ("X [upos=VERB, Tense=Past]|[PronType]", ["X=1", "X=3", "X=5"]),
        ("X [PronType=Art/upos=PROPN]", ["X=1", "X=4"]),
        ("X [Gloss=hounds]", ["X=2"]),
        ("X [SpaceAfter=No]|[Gloss=hounds]", ["X=2", "X=6"]),
        ("X [upos=verb]", []),
        ("X [Nonsense]", []),
        ("X [Tense=Past, Tense]", []),
        ("X [Number=Sing|Plur]; X [Number<>Plur]", ["X=4", "X=5"]),
    ],
)
def test_features(find: Find, request_text: str, expected: list[str]) -> None:
    assert find(f"pattern {{ {request_text} }}", DOGS) == expected


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("V -[nsubj]-> S", ["V=5 S=4", "V=6 S=2"]),
        ("V -[obj|det]-> S", ["V=2 S=1", "V=5 S=3"]),
        ("N -[acl]-> V", []),
        ("N -[1=acl]-> V", ["N=2 V=5"]),
        ("N -[2=*]-> V", ["N=2 V=5"]),
        ("N -[1=acl, 2<>relcl]-> V", []),
        ("N -[1<>nsubj|obj|punct, !2]-> V", ["N=0 V=6", "N=2 V=1"]),
        ('N -[re"acl.*"]-> V', ["N=2 V=5"]),
        ('N -["acl:relcl"]-> V', ["N=2 V=5"]),
        ("V -[^nsubj|punct]-> X; V [upos=VERB]", ["V=5 X=3"]),
        ("R -> V; V -> S; S -> A; A -> B", ["R=0 V=6 S=2 A=5 B=3", "R=0 V=6 S=2 A=5 B=4"]),
        ("X [upos=VERB]; X -[obj]-> *", ["X=5"]),
        ("X [upos=VERB]; * -[root]-> X", ["X=6"]),
        ("e: V -[nsubj]-> S; S [upos=NOUN]", ["V=6 S=2 e=6-nsubj-2"]),
        ("__e__: V -[nsubj]-> S; S [upos=NOUN]", ["V=6 S=2"]),
    ],
)
def test_edges(find: Find, request_text: str, expected: list[str]) -> None:
    assert find(f"pattern {{ {request_text} }}", DOGS) == expected


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("X [upos=PRON]; X < Y; Y []", ["X=3 Y=4"]),
        ("X [upos=PRON]; Y [upos=VERB]; Y > X", []),
        ("X [upos=PRON]; Y [upos=VERB]; X << Y", ["X=3 Y=5", "X=3 Y=6"]),
        ("X [upos=PUNCT]; Y [upos=NOUN]; X >> Y", ["X=7 Y=2"]),
        ("X [upos=NOUN]; Y [upos=PROPN]; X ->> Y", ["X=2 Y=4"]),
        ("X [upos=NOUN]; Y$ [upos=NOUN]; X ->> Y$", ["X=2 Y$=2"]),
        ("X [Number]; Y [upos=PROPN]; X.Number = Y.Number", ["X=5 Y=4"]),
        ("X [upos=VERB]; Y [upos=NOUN]; X.Number <> Y.Number", ["X=5 Y=2"]),
        ("X [upos=VERB]; Y [upos=PUNCT]; X.Number <> Y.Number", []),
        ("X [upos]; X.form = X.lemma; X [upos=PROPN]", ["X=4"]),
        ("X [upos=VERB]; X.Tense = Past", ["X=5"]),
        ('X [upos=VERB]; X.form <> re"b.*"', ["X=5"]),
        ("X [upos=VERB]; !X.Mood; X.Tense; X.__id__ > 5", ["X=6"]),
        ('X [upos=DET]; X.Nothing/PronType = "Art"', ["X=1"]),
    ],
)
def test_order_and_comparison(find: Find, request_text: str, expected: list[str]) -> None:
    assert find(f"pattern {{ {request_text} }}", DOGS) == expected


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("e: V -[nsubj]-> S; e.length = 4", ["V=6 S=2 e=6-nsubj-2"]),
        ("e: V -[nsubj]-> S; e.delta > -4", ["V=5 S=4 e=5-nsubj-4"]),
        ('e: V -> S; e.label = re"acl:.*"', ["V=2 S=5 e=2-{'1': 'acl', '2': 'relcl'}-5"]),
        ("e: V -> S; e.2 = relcl", ["V=2 S=5 e=2-{'1': 'acl', '2': 'relcl'}-5"]),
        ("e: V -[obj]-> O; f: V -[nsubj]-> S; f << e", ["V=5 O=3 S=4 e=5-obj-3 f=5-nsubj-4"]),
        ("e: V -[det]-> O; f: W -[obj]-> S; e <> f", ["V=2 O=1 W=5 S=3 e=2-det-1 f=5-obj-3"]),
        ("e: V -[obj]-> O; X [upos=PROPN]; X << e", ["V=5 O=3 X=4 e=5-obj-3"]),
        ("V -[nsubj]-> S; length(V, S) > 1", ["V=6 S=2"]),
        ("V -[nsubj]-> S; delta(V, S) = -1", ["V=5 S=4"]),
        ("X [upos=NOUN]; proj_size(X) = 5", ["X=2"]),
        ("X [upos=VERB]; proj_size(X) = 6", ["X=6"]),
        ("X [upos=VERB]; height(X) = 4", ["X=6"]),
        ("X [upos=VERB]; Y [upos=NOUN]; height(X) < height(Y)", ["X=5 Y=2"]),
        ("X [upos=VERB]; cont_proj_size(X) <> proj_size(X)", []),
    ],
)
def test_spans_and_sizes(find: Find, request_text: str, expected: list[str]) -> None:
    assert find(f"pattern {{ {request_text} }}", DOGS) == expected


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("pattern { V [upos=VERB] } without { V -[obj]-> O }", ["V=6"]),
        ("pattern { V [upos=VERB] } with { V -[obj]-> O }", ["V=5"]),
        ("pattern { V [upos=VERB] } without { V -[obj]-> O } without { V [Number=Plur] }", []),
        ("pattern { V -[nsubj]-> S } without { S [Number=Plur] }", ["V=5 S=4"]),
        ("pattern { V -[nsubj]-> S } without { X [upos=PRON]; V -> X }", ["V=6 S=2"]),
        ("pattern { V -[nsubj]-> S } without { X []; S < X; X < V }", ["V=5 S=4", "V=6 S=2"]),
        ("pattern { V -[nsubj]-> S } without { X []; S << X; X << V }", ["V=5 S=4"]),
        ("pattern { X [upos=VERB] } without { Y [upos=VERB] }", []),
        ("pattern { X$ [upos=NOUN] } without { Y [upos=NOUN] }", []),
        ("pattern { X [upos=NOUN] } without { Y [upos=NOUN] }", ["X=2"]),
        ("pattern { X [upos=NOUN] } without { Y [upos=NOUN]; Y [upos=VERB] }", ["X=2"]),
        ("pattern { X [upos=NOUN] } without { }", []),
        ("pattern { X [upos=NOUN] } with { }", ["X=2"]),
        ("pattern { e: V -[nsubj]-> S } without { f: V -> T; f.length > e.length }", ["V=6 S=2 e=6-nsubj-2"]),
        ("with { X [upos=PROPN] }", [""]),
        ("without { X [upos=PROPN] }", []),
        ("% nothing but a comment", [""]),
    ],
)
def test_with_and_without(find: Find, request_text: str, expected: list[str]) -> None:
    assert find(request_text, DOGS) == expected


def test_with_looks_into_the_same_sentence_only(find: Find) -> None:
    sleep = "1 Kim Kim PROPN _ 2 nsubj\n2 sleeps sleep VERB _ 0 root"
    rain = "1 Rain rain VERB _ 0 root"
    said_twice = "with { V$ -[nsubj|obj]-> S; V$ -[nsubj]-> S }"
    assert find(f"pattern {{ X [upos=VERB] }} {said_twice}", sleep, rain) == ["X=2"]


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("global { genre = fiction|news }", [""]),
        ("global { genre <> fiction }", []),
        ("global { !genre }", []),
        ('global { text = re".*Kim.*"; is_projective; is_tree }', [""]),
        ("global { is_not_projective }", []),
        ("pattern { meta.genre = fiction; X [upos=PROPN] }", ["X=4"]),
        ("pattern { X [upos=PROPN]; X.form = meta.genre }", []),
        ("pattern { X [upos=PROPN]; global.is_not_cyclic }", ["X=4"]),
    ],
)
def test_sentences(find: Find, request_text: str, expected: list[str]) -> None:
    assert find(request_text, DOGS) == expected


def test_nodes_are_different_unless_their_name_ends_in_dollar(find: Find) -> None:
    assert find("pattern { X [upos=VERB]; Y [upos=VERB] }", DOGS) == ["X=5 Y=6", "X=6 Y=5"]
    assert len(find("pattern { X [upos=VERB]; Y$ [upos=VERB] }", DOGS)) == 4


def test_enhanced_edges_are_edges(find: Find) -> None:
    assert find("pattern { V -[nsubj]-> S }", GAPPING) == ["V=2 S=1"]
    assert find("pattern { V -[E:nsubj]-> S }", GAPPING) == ["V=2 S=1", "V=5.1 S=5"]
    assert find("pattern { V -[1=nsubj, !enhanced]-> S }", GAPPING) == ["V=2 S=1"]
    assert find("pattern { V -> S; S [form=Lee] }", GAPPING) == ["V=2 S=5", "V=5.1 S=5"]
    assert find("pattern { e: V -[2=and]-> S }", GAPPING) == [
        "V=2 S=5.1 e=2-{'1': 'conj', '2': 'and', 'enhanced': 'yes'}-5.1"
    ]


def test_an_empty_node_has_a_place_of_its_own(find: Find) -> None:
    assert find("pattern { X [form=Lee]; X < Y; Y [] }", GAPPING) == ["X=5 Y=5.1"]
    assert find('pattern { X [wordform="__EMPTY__"]; X.textform = "_" }', GAPPING) == ["X=5.1"]


def test_dominance_follows_enhanced_edges(find: Find) -> None:
    assert find('pattern { E [wordform="__EMPTY__"]; E ->> X; X [upos=NOUN] }', GAPPING) == ["E=5.1 X=6"]


def test_words_of_a_multiword_token(find: Find) -> None:
    assert find('pattern { X [textform="dámelo"] }', DAMELO) == ["X=1"]
    assert find('pattern { X [textform="_"] }', DAMELO) == ["X=2", "X=3"]
    assert find("pattern { X [wordform=DA] }", DAMELO) == ["X=1"]


def test_matches_stand_in_corpus_order_and_all_of_a_sentence_count(find: Find) -> None:
    found = find("pattern { S []; V -[nsubj]-> S }", GAPPING, DOGS)
    assert found == ["S=1 V=2", "S=2 V=6", "S=4 V=5"]


def test_names_may_be_odd(find: Find) -> None:
    found = find("pattern { sent [upos=NOUN]; V' [upos=VERB]; V' -> sent; select: V' -[nsubj]-> sent }", DOGS)
    assert found == ["sent=2 V'=6 select=6-nsubj-2"]


def test_user_text_never_becomes_sql(find: Find) -> None:
    assert find('pattern { X [form="\'); DROP TABLE nodes; --"] }', DOGS) == []


def test_values_are_compared_in_unicode_nfc(find: Find) -> None:
    word = "1 caf{} x NOUN _ 0 root".format
    assert find('pattern { X [form="cafe\u0301"] }', word("\u00e9"), word("e\u0301")) == ["X=1", "X=1"]


def test_unquoted_numbers_are_numbers(find: Find) -> None:
    digits = """
    1 2004 2004 NUM NumForm=Digit|Person=3 0 root _ AlignBegin=5
    2 03   03   NUM _                      1 dep  _ AlignBegin=100
    """
    assert find("pattern { X [form=2004.0] }", digits) == ["X=1"]
    assert find("pattern { X [Person=03] }", digits) == ["X=1"]
    assert find('pattern { X [form="03"] }', digits) == ["X=2"]
    assert find("pattern { X [AlignBegin=5|100] }", digits) == ["X=1", "X=2"]
    assert find("pattern { X [AlignBegin]; Y [AlignBegin]; X.AlignBegin < Y.AlignBegin }", digits) == ["X=1 Y=2"]


def test_misc_of_a_ud_feature_name_gets_a_prefix(find: Find) -> None:
    word = "1 a a X Case=Nom 0 root _ Case=Dat"
    assert find("pattern { X [__MISC__Case=Dat, Case=Nom] }", word) == ["X=1"]


def test_misc_that_cannot_be_read_is_kept_whole(find: Find) -> None:
    assert find('pattern { X [__RAW_MISC__="note"] }', "1 a a X _ 0 root _ note") == ["X=1"]
    assert find("pattern { X [__RAW_MISC__] }", "1 a a X Odd=1 0 root _ odd=2") == ["X=1"]


def test_cycle_has_no_size_but_ends(find: Find) -> None:
    cycle = """
    1 a a X _ 2 dep
    2 b b X _ 1 dep
    3 c c X _ 0 root
    """
    assert find("pattern { X [upos]; proj_size(X) >= 1 }", cycle) == ["X=3"]
    assert find("global { is_cyclic } pattern { X [form=a]; Y [form=b]; X ->> Y; Y ->> X }", cycle) == ["X=1 Y=2"]


def test_edge_of_a_without_block_may_be_missing_altogether(find: Find) -> None:
    request = "pattern { Z$ [upos]; X [form=b] } without { e: A -[2=t]-> Z$; e.1 = e.2 }"
    assert find(request, "1 a a X _ _ _\n2 b b X _ 0 root") == ["Z$=1 X=2", "Z$=2 X=2"]


def test_a_treebank_may_be_empty() -> None:
    full = treebank_of(DOGS)
    empty = Treebank("empty", None, full.tokens.slice(0, 0), full.sentences.slice(0, 0), {})
    request = (
        "pattern { e: X -> Y; X ->> Y; height(X) > 1; X.form <> meta.text } without { X [Gloss] } global { is_tree }"
    )
    assert Engine(empty).match(parse_request(request)).num_rows == 0


def test_a_condition_that_cannot_hold_takes_its_long_list_of_forms_with_it(find: Find) -> None:
    # Every second form ends in a, so that no few ranges of codes hold them.
    words = "\n".join(f"{at} {at:02}{'ab'[at % 2]} w NOUN _ {'0 root' if at == 1 else '1 dep'}" for at in range(1, 41))
    request = 'pattern { X [form="02a"] } without { X -> Y; Y [form=re".*a", Gender=Masc] }'
    assert find(request, words) == ["X=2"]


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ('e.label = "_"', ["X=1 Y=2 e=1-{}-2", "X=1 Y=3 e=1-{}-3"]),
        ("e.label <> root", ["X=1 Y=2 e=1-{}-2", "X=1 Y=3 e=1-{}-3"]),
        ("!e.label", []),
        ("!e.1", ["X=1 Y=2 e=1-{}-2", "X=1 Y=3 e=1-{}-3"]),
        ("f: X -> Z; e.label = f.label", ["X=1 Y=2 Z=3 e=1-{}-2 f=1-{}-3", "X=1 Y=3 Z=2 e=1-{}-3 f=1-{}-2"]),
        ('X -[re"_"]-> Y', []),
        ("X -[_]-> Y", []),
    ],
)
def test_an_edge_without_a_label_has_the_label_of_conllu_when_asked(
    find: Find, clause: str, expected: list[str]
) -> None:
    sentence = "1 run run VERB _ 0 root\n2 dogs dog NOUN _ 1 _\n3 fast fast ADV _ 1 _"
    assert find(f"pattern {{ e: X -> Y; {clause} }}", sentence) == expected


def test_the_name_of_the_file_is_metadata(find: Find) -> None:
    assert find('global { _filename = "test.conllu" } pattern { X [upos=PROPN] }', DOGS) == ["X=4"]
    assert find('pattern { X [upos=PROPN]; meta._filename = re".*dev.*" }', DOGS) == []
