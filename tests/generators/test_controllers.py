"""Agreement: what the word that rules it must be like, and what the covariates say of the two."""

import pyarrow.parquet as pq
import pytest

from starbank.pipeline.generate import generate as generate_suites
from tests.generators.clauses import KEY

KEYS = """
    The keys to the old cabinet rattle.
    1 The the DET _ 2 det
    2 keys key NOUN Number=Plur 7 nsubj
    3 to to ADP _ 6 case
    4 the the DET _ 6 det
    5 old old ADJ _ 6 amod
    6 cabinet cabinet NOUN Number=Sing 2 nmod
    7 rattle rattle VERB Number=Plur|VerbForm=Fin 0 root SpaceAfter=No
    8 . . PUNCT _ 7 punct
"""
AGREEMENT = {
    "language": "eng",
    "target": "V",
    "vary": "{Number: [Sing, Plur]}",
    "pattern": "V [upos=VERB]; V -[nsubj]-> SUBJ",
    "settings": "% controller: SUBJ\n",
}


def test_the_covariates_of_an_attractor_between_subject_and_verb(generate):
    (item,), _ = generate(KEYS, known=[KEY], **AGREEMENT | {"pattern": "SUBJ [Number=Plur]; V -[nsubj]-> SUBJ"})
    names = ("length", "position", "distance", "tree_distance", "attractors", "lemma_count", "readings")
    assert {name: item[name] for name in names} == {
        "length": 8,
        "position": 7,
        "distance": 5,
        "tree_distance": 1,
        "attractors": 1,
        "lemma_count": 2,
        "readings": 1,
    }


def test_words_whose_heads_form_a_cycle_hang_from_the_root(generate):
    cycle = "The keys rattle.\n1 The the DET _ 2 det\n2 keys key NOUN Number=Plur 3 nsubj\n"
    cycle += "3 rattle rattle VERB Number=Plur|VerbForm=Fin 2 dep SpaceAfter=No\n4 . . PUNCT _ 3 punct"
    (item,), _ = generate(cycle, known=[KEY], **AGREEMENT | {"pattern": "SUBJ [Number=Plur]; V -[nsubj]-> SUBJ"})
    assert (item["distance"], item["tree_distance"]) == (1, 2)


def test_a_named_request_is_a_covariate(generate):
    covariates = '%   modified: "SUBJ -[nmod]-> M"\n%   negated: "V -[advmod]-> N"\n'
    settings = f"% controller: SUBJ\n% covariates:\n{covariates}"
    items, _ = generate(KEYS, KEY, **AGREEMENT | {"settings": settings})
    assert [item["covariates"] for item in items] == [
        [{"name": "modified", "value": 1}, {"name": "negated", "value": 0}],
        [{"name": "modified", "value": 0}, {"name": "negated", "value": 0}],
    ]


REJECTED = {
    # Mary and the keys rattle / rattles.
    "coordinated controller": (
        KEYS.replace("old old ADJ _ 6 amod", "old old NOUN Number=Sing 2 conj"),
        "keys stands beside old",
    ),
    "quantified controller": (KEYS.replace("1 The the DET _ 2 det", "1 The 40 NUM _ 2 nummod"), "The keys"),
    "controller does not agree": (KEYS.replace("key NOUN Number=Plur", "key NOUN Number=Sing"), "keys (Number=Sing)"),
}


def test_a_verb_that_is_annotated_in_another_person_than_its_subject_is_no_test(generate):
    # Armenian-ArmTDP has the first person ենք as a third one.
    we = KEYS.replace("key NOUN Number=Plur", "key PRON Number=Plur|Person=1")
    we = we.replace("rattle VERB Number=Plur|", "rattle VERB Number=Plur|Person=3|")
    _, rejected = generate(we, known=[KEY], **AGREEMENT)
    assert [(row["reason"], row["detail"]) for row in rejected] == [("controller does not agree", "keys has Person=1")]


@pytest.mark.parametrize("reason", REJECTED)
def test_agreement_that_is_open_is_no_test(generate, reason):
    sentence, detail = REJECTED[reason]
    items, rejected = generate(sentence, known=[KEY], **AGREEMENT)
    assert items == []
    assert [(row["reason"], row["detail"]) for row in rejected] == [(reason, detail)]


def test_a_controller_with_one_form_for_both_values_shows_nothing(generate):
    sheep = KEYS.replace("keys key NOUN", "sheep sheep NOUN").replace("keys", "sheep")
    one_sheep = KEY.replace("key key NOUN", "sheep sheep NOUN").replace("key", "sheep")
    _, rejected = generate(sheep, known=[one_sheep], **AGREEMENT)
    assert [(row["reason"], row["detail"]) for row in rejected] == [
        ("ambiguous controller", "sheep is also sheep (Number=Sing)")
    ]


def test_a_form_of_another_case_does_not_make_a_controller_ambiguous(generate):
    girl = KEYS.replace("key NOUN Number=Plur", "key NOUN Case=Nom|Number=Plur")
    of_the_girl = KEY.replace("key key NOUN Number=Sing", "keys key NOUN Case=Gen|Number=Sing").replace(
        "A key", "A keys"
    )
    items, _ = generate(girl, known=[of_the_girl], **AGREEMENT)
    assert len(items) == 1


BIRDS = """
    Kuşlar uçuyor.
    1 Kuşlar kuş NOUN Number=Plur 2 nsubj
    2 uçuyor uç VERB Number={number}|VerbForm=Fin 0 root SpaceAfter=No
    3 . . PUNCT _ 2 punct
"""


def test_where_the_treebank_often_does_not_agree_the_other_form_is_no_mistake(generate):
    plural, singular = BIRDS.format(number="Plur").replace("uçuyor", "uçuyorlar"), BIRDS.format(number="Sing")
    items, rejected = generate(plural, singular, **AGREEMENT | {"language": "tur"})
    assert items == []
    assert [(row["reason"], row["detail"]) for row in rejected] == [
        ("agreement is not firm", "Kuşlar: of 2 such controllers 1 agree"),
        ("controller does not agree", "Kuşlar (Number=Plur)"),
    ]


KING = """
    राजा आया
    1 राजा राजा {upos} Gender=Masc|Number=Sing 2 nsubj
    2 आया आ VERB Gender=Masc|Number=Sing 0 root
"""
KINGS = """
    लड़के आए
    1 लड़के लड़का NOUN Number=Plur 2 nsubj
    2 आए आ VERB Gender=Masc|Number=Plur 0 root
"""


def test_a_plural_may_honour_a_person(generate):
    items, rejected = generate(KING.format(upos="NOUN"), KINGS, **AGREEMENT | {"language": "hin"})
    assert [item["conditions"][0]["form"] for item in items] == ["आए"]
    assert [(row["reason"], row["detail"]) for row in rejected] == [
        ("honorific agreement", "राजा may be honoured by a plural")
    ]


def test_so_may_a_form_that_is_another_gender_in_the_singular(generate):
    house = (
        KING.format(upos="NOUN")
        .replace("राजा राजा", "घर घर")
        .replace("आया आ VERB Gender=Masc", "आए आ VERB Gender=Neut")
    )
    gender = {"language": "mar", "vary": "{Gender: [Masc, Neut]}"}
    _, rejected = generate(KING.format(upos="NOUN"), known=[KINGS, house], **AGREEMENT | gender)
    assert [row["reason"] for row in rejected] == ["honorific form"]


def test_a_controller_that_is_likely_its_own_plural_shows_nothing(sample, tmp_path):
    query = sample.parents[1] / "queries" / "universal" / "adjective-noun-number.grew"
    generate_suites([query], [sample / "UD_Hindi-Sample"], tmp_path)
    rejected = pq.read_table(tmp_path / query.stem / "rejected.parquet")
    assert "घर is likely Case=Nom|Gender=Masc|Number=Plur, too" in rejected["detail"].to_pylist()
