"""Subjects that may be what somebody does something to: texts show, or say, that their verb may have an object."""

import duckdb
import pytest
from statsmodels.stats.proportion import proportion_confint

from starbank.guards.common import UPPER

AGREEMENT = {
    "pattern": "V -[nsubj]-> S",
    "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S",
    "language": "hye",
}
# The canal passes.
CANAL_PASSES = """Ջրանցքը անցնում
1 Ջրանցքը ջրանցք NOUN Case=Nom|Number=Sing 2 nsubj
2 անցնում անցնել VERB Number=Sing|Person=3|VerbForm=Fin|Voice=Mid 0 root"""
# They pass; Ani sees the canal; they see the canal.
THEY_PASS = """անցնումեն
1 անցնումեն անցնել VERB Number=Plur|Person=3|VerbForm=Fin|Voice=Mid 0 root"""
ANI_SEES = """Անի ջրանցքը տեսնում
1 Անի անի NOUN Case=Nom|Number=Sing 3 nsubj
2 ջրանցքը ջրանցք NOUN Case=Nom|Number=Sing 3 obj
3 տեսնում տեսնել VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
MAY_BE_OBJECT = ("subject could be the object", "Ջրանցքը may be the object of անցնել")


def test_a_middle_verb_may_have_an_object_where_texts_show_it_with_one(reasons):
    assert MAY_BE_OBJECT not in reasons(CANAL_PASSES, THEY_PASS, ANI_SEES, **AGREEMENT)
    they_pass_the_road = """Ճանապարհը անցնումեն
1 Ճանապարհը ճանապարհ NOUN Case=Nom|Number=Sing 2 obj
2 անցնումեն անցնել VERB Number=Plur|Person=3|VerbForm=Fin|Voice=Mid 0 root"""
    assert MAY_BE_OBJECT in reasons(CANAL_PASSES, THEY_PASS, ANI_SEES, they_pass_the_road, **AGREEMENT)


def test_a_verb_that_is_called_transitive_may_have_an_object(reasons):
    transitive = [sentence.replace("Voice=Mid", "Subcat=Tran") for sentence in (CANAL_PASSES, THEY_PASS)]
    assert MAY_BE_OBJECT in reasons(*transitive, ANI_SEES, **AGREEMENT)
    intransitive = [sentence.replace("Voice=Mid", "Subcat=Intr") for sentence in (CANAL_PASSES, THEY_PASS)]
    assert MAY_BE_OBJECT not in reasons(*intransitive, ANI_SEES, **AGREEMENT)


# The change brings to a loss; they bring the canal.
THE_CHANGE_BRINGS_TO_A_LOSS = """Փոփոխությունը բերում կորստի
1 Փոփոխությունը փոփոխություն NOUN Animacy=Nhum|Case=Nom|Number=Sing 2 nsubj
2 բերում բերել VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 կորստի կորուստ NOUN Animacy=Nhum|Case=Dat|Number=Sing 2 obj"""
THEY_BRING_THE_CANAL = """Ջրանցքը բերումեն
1 Ջրանցքը ջրանցք NOUN Animacy=Nhum|Case=Nom|Number=Sing 2 obj
2 բերումեն բերել VERB Number=Plur|Person=3|VerbForm=Fin 0 root"""


def test_an_object_in_a_case_that_hardly_any_thing_is_in_leaves_a_place_free(reasons):
    may_be_object = ("subject could be the object", "Փոփոխությունը may be the object of բերել")
    brought = (THE_CHANGE_BRINGS_TO_A_LOSS, THEY_BRING_THE_CANAL)
    ani_sees = ANI_SEES.replace("ջրանցք NOUN Case=Nom", "ջրանցք NOUN Animacy=Nhum|Case=Nom")
    assert may_be_object in reasons(*brought, *20 * [ani_sees], **AGREEMENT)
    ani_sees_to = ani_sees.replace("Case=Nom|Number=Sing 3 obj", "Case=Dat|Number=Sing 3 obj")
    assert may_be_object not in reasons(*brought, *10 * [ani_sees], *10 * [ani_sees_to], **AGREEMENT)


@pytest.mark.parametrize(("part", "total"), [(8, 207), (1, 289), (0, 49), (49, 49)])
def test_the_upper_end_of_a_share_is_that_of_wilson(part, total):
    [(upper,)] = duckdb.sql(f"select {UPPER.format(part=part, total=total)}").fetchall()
    assert upper == pytest.approx(proportion_confint(part, total, method="wilson")[1], abs=1e-4)


# He waits; they wait; they wait for the bus; the man buys the house; the man takes him along.
TA_WAITS = """Ootab ta
1 Ootab ootama VERB Number=Sing|Person=3|VerbForm=Fin 0 root
2 ta tema PRON Case=Nom|Number=Sing|Person=3 1 nsubj"""
THEY_WAIT = """Ootavad
1 Ootavad ootama VERB Number=Plur|Person=3|VerbForm=Fin 0 root"""
THEY_WAIT_FOR_THE_BUS = """Ootavad bussi
1 Ootavad ootama VERB Number=Plur|Person=3|VerbForm=Fin 0 root
2 bussi buss NOUN Case=Par|Number=Sing 1 obj"""
THE_MAN_BUYS_THE_HOUSE = """Mees ostab maja
1 Mees mees NOUN Case=Nom|Number=Sing 2 nsubj
2 ostab ostma VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 maja maja NOUN Case=Gen|Number=Sing 2 obj"""
THE_MAN_TAKES_TA = """Mees viib ta
1 Mees mees NOUN Case=Nom|Number=Sing 2 nsubj
2 viib viima VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 ta tema PRON Case=Gen|Number=Sing|Person=3 2 obj"""


def test_an_object_may_stand_in_any_case_that_objects_do(reasons):
    may_be_object = ("subject could be the object", "ta may be the object of ootama")
    estonian = AGREEMENT | {"language": "est"}
    shown = (TA_WAITS, THEY_WAIT, THE_MAN_BUYS_THE_HOUSE, THE_MAN_TAKES_TA)
    assert may_be_object in reasons(*shown, THEY_WAIT_FOR_THE_BUS, **estonian)
    assert may_be_object not in reasons(*shown, **estonian)


def test_a_pronoun_may_be_somebody_to_whom_something_is_done(reasons):
    you_think = """Ти мислиш
1 Ти ти PRON Case=Nom|Number=Sing|Person=2 2 nsubj
2 мислиш мисля VERB Number=Sing|Person=2|VerbForm=Fin 0 root"""
    you_all_think = """Мислите
1 Мислите мисля VERB Number=Plur|Person=2|VerbForm=Fin 0 root"""
    i_tell_you = """Казвам ти
1 Казвам казвам VERB Number=Sing|Person=1|VerbForm=Fin 0 root
2 ти ти PRON Case=Dat|Number=Sing|Person=2 1 iobj"""
    may_be_object = ("subject could be the object", "Ти may be the object of мисля")
    bulgarian = AGREEMENT | {"language": "bul"}
    assert may_be_object in reasons(you_think, you_all_think, i_tell_you, **bulgarian)
    i_see_you = i_tell_you.replace("iobj", "vocative")
    assert may_be_object not in reasons(you_think, you_all_think, i_see_you, **bulgarian)
