"""Georgian: the case of a subject or object changes, and that of all that agrees with it; nothing else does."""

import pytest

# What the treebank has to know: the man in three cases, and the house.
THE_MAN_GOES = """
    კაცი მიდის
    1 კაცი კაცი NOUN Case=Nom|Number=Sing 2 nsubj
    2 მიდის მიდის VERB Tense=Pres|VerbForm=Fin 0 root
"""
FOR_THE_MAN = """
    კაცს
    1 კაცს კაცი NOUN Case=Dat|Number=Sing 0 root
"""


def built(*modifiers):
    """Return "the man built a house", with words before the man: form, lemma, UPOS, features, head and relation."""
    text = " ".join([modifier.split()[0] for modifier in modifiers] + ["კაცმა", "სახლი", "ააშენა"])
    man, house, verb = (len(modifiers) + place for place in (1, 2, 3))
    words = [f"{place} {modifier.format(man)}" for place, modifier in enumerate(modifiers, 1)]
    words += [
        f"{man} კაცმა კაცი NOUN Case=Erg|Number=Sing {verb} nsubj",
        f"{house} სახლი სახლი NOUN Case=Nom|Number=Sing {verb} obj",
        f"{verb} ააშენა ააშენებს VERB Person[obj]=3|Tense=Past|VerbForm=Fin 0 root",
    ]
    return "\n".join([text, *words])


THIS = "ამ ეს PRON Case=Erg|PronType=Dem {} det"
MY = "ჩემმა ჩემი PRON Case=Erg|Person=1|Poss=Yes {} det:poss"
GOOD = "კარგმა კარგი ADJ Case=Erg|Degree=Pos {} amod"
OLD = "ბებერმა ბებერი ADJ Case=Erg 1 conj"
AND = "და და CCONJ _ 3 cc"
LEARNED = "სწავლული სწავლული ADJ Case=Nom {} amod"
OTHER = "სხვა სხვა PRON Case=Erg {} det"
SAME = "იმავე იგი PRON Case=Erg|PronType=Dem {} det"


@pytest.mark.parametrize(
    ("modifiers", "nominative", "dative"),
    [
        ([], "კაცი", "კაცს"),
        ([THIS, GOOD], "ეს კარგი კაცი", "ამ კარგ კაცს"),
        ([MY], "ჩემი კაცი", "ჩემს კაცს"),
        ([SAME], "იგივე კაცი", "იმავე კაცს"),
        ([GOOD, AND, OLD], "კარგი და ბებერი კაცი", "კარგ და ბებერ კაცს"),
        # A stem in a vowel does not change.
        ([OTHER], "სხვა კაცი", "სხვა კაცს"),
    ],
)
def test_modifiers_that_agree_change_along(starred, modifiers, nominative, dative):
    found = starred("kat/transitive-erg-nom-subj", built(*modifiers), THE_MAN_GOES, FOR_THE_MAN)
    assert found == [f"{subject} სახლი ააშენა" for subject in (nominative, dative)]


def test_a_modifier_in_another_case_would_give_the_star_away(starred):
    assert starred("kat/transitive-erg-nom-subj", built(LEARNED), THE_MAN_GOES, FOR_THE_MAN) == []


BUILT_AND_SAID = """
    {} ააშენა თქვა
    1 {}
    2 {}
    3 სახლი სახლი NOUN Case=Nom|Number=Sing 4 obj
    4 ააშენა ააშენებს VERB Person[obj]=3|Tense=Past|VerbForm=Fin 5 advcl
    5 თქვა იტყვის VERB Person[subj]=3|Tense=Past|VerbForm=Fin 0 root
"""
BUILDER, WHEN = "კაცმა კაცი NOUN Case=Erg|Number=Sing 4 nsubj", "რომ რომ SCONJ _ 4 mark"


@pytest.mark.parametrize(("words", "stars"), [((WHEN, BUILDER), 2), ((BUILDER, WHEN), 0)])
def test_what_stands_before_its_conjunction_may_be_of_the_clause_around_it(starred, words, stars):
    # "When the man had built the house, he said", and "the man, when he had built the house, said".
    text = " ".join([*(word.split()[0] for word in words), "სახლი"])
    sentence = BUILT_AND_SAID.format(text, *words)
    assert len(starred("kat/transitive-erg-nom-subj", sentence, THE_MAN_GOES, FOR_THE_MAN)) == stars
