"""What decides agreement: the noun that a relative pronoun stands for, and no other noun on the way."""

import pytest

from tests.generators.clauses import KEY

KEYS = """
    The keys which {noun} rattle sing
    1 The the DET _ 2 det
    2 keys key NOUN Number=Plur 6 nsubj
    3 which which PRON PronType=Rel 5 nsubj
    4 {noun} {noun} {upos} {feats} 5 obj
    5 rattle rattle VERB Number=Plur|VerbForm=Fin 2 acl:relcl
    6 sing sing VERB VerbForm=Inf 0 root
"""
RELATIVE = {
    "language": "eng",
    "target": "V",
    "vary": "{Number: [Sing, Plur]}",
    "pattern": "V [upos=VERB, Number]; V -[nsubj]-> SUBJ; SUBJ [PronType=Rel]",
    "settings": "% controller: SUBJ\n",
}


def test_a_relative_pronoun_has_the_number_of_its_noun(generate):
    (item,), _ = generate(KEYS.format(noun="here", upos="ADV", feats="_"), known=[KEY], **RELATIVE)
    assert [condition["form"] for condition in item["conditions"]] == ["rattle", "rattles"]


LOCK = """
    The keys of the lock which rattle sing
    1 The the DET _ 2 det
    2 keys key NOUN Number=Plur 8 nsubj
    3 of of ADP _ 5 case
    4 the the DET _ 5 det
    5 lock lock NOUN Number=Sing 2 nmod
    6 which which PRON PronType=Rel 7 nsubj
    7 rattle rattle VERB Number=Plur|VerbForm=Fin 2 acl:relcl
    8 sing sing VERB VerbForm=Inf 0 root
"""


def test_a_noun_of_the_other_number_on_the_way_may_be_meant(generate):
    _, (rejected,) = generate(LOCK, known=[KEY], **RELATIVE)
    assert (rejected["reason"], rejected["detail"]) == ("another noun fits", "lock is near")


OLD = {
    "language": "pol",
    "target": "M",
    "vary": "{Gender: [Masc, Fem]}",
    "pattern": "N -[amod]-> M",
    "settings": "% controller: N\n",
}
STARA = """
    stara chata
    1 stara stary ADJ Case=Nom|Gender=Fem|Number=Sing 2 amod
    2 chata chata NOUN Case=Nom|Gender=Fem|Number=Sing 0 root
"""
HOUSE_AND_HUT = """
    stary dom i chata
    1 stary stary ADJ Case=Nom|Gender=Masc|Number=Sing 2 amod
    2 dom dom NOUN Case=Nom|Gender=Masc|Number=Sing 0 root
    3 i i CCONJ _ 4 cc
    4 chata chata NOUN Case=Nom|Gender=Fem|Number=Sing 2 conj
"""


def test_a_modifier_before_a_coordination_goes_with_its_first_noun(generate):
    (item, *_), _ = generate(HOUSE_AND_HUT, STARA, **OLD)
    assert "".join(item["conditions"][1]["regions"]) == "stara dom i chata"


@pytest.mark.parametrize(("number", "items"), [("Sing", 0), ("Plur", 1)])
def test_a_singular_before_several_nouns_may_be_a_plural_for_all(generate, number, items):
    sentence = HOUSE_AND_HUT.replace("Number=Sing 2 amod", f"Number={number} 2 amod").replace(
        "Number=Sing 0 root", f"Number={number} 0 root"
    )
    opposite = {"Sing": "Plur", "Plur": "Sing"}[number]
    other = STARA.replace("stara stary", "starzy stary").replace("Fem", "Masc").replace("Sing", opposite)
    made, rejected = generate(sentence, known=[other], **OLD | {"vary": "{Number: [Sing, Plur]}"})
    assert [row["reason"] for row in rejected] == ["coordinated controller"] * (1 - items)
    assert len(made) == items
