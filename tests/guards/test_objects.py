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
