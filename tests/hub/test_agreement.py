"""Agreement beyond chance, beside values worked out by others."""

import numpy as np
import pytest
from statsmodels.stats.inter_rater import fleiss_kappa

from starbank.hub.agreement import Estimate, measure_agreement
from starbank.hub.reviews import Judgement

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section A: two observers, twelve units, 0 and 1.
MEG = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
OWEN = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]


def judged(speakers):
    """Judgements of the condition `A` of an item for each place of a speaker's list; None is unsure."""
    words = {0: "bad", 1: "good", None: "unsure"}
    return [
        Judgement(f"item{place}", "A", speaker, words[value])
        for speaker, values in speakers.items()
        for place, value in enumerate(values)
    ]


def test_alpha_is_that_of_krippendorffs_example():
    agreement = measure_agreement(judged({"meg": MEG, "owen": OWEN}))
    assert agreement.alpha.value == pytest.approx(0.095, abs=0.0005)
    assert agreement.alpha.low < 0 < agreement.alpha.high


def test_kappa_is_that_of_statsmodels():
    eka = [1, 1, 0, 0, 0, 1, 0, 1, 1, 0]
    good = np.array([MEG, OWEN, eka]).sum(axis=0)
    agreement = measure_agreement(judged({"meg": MEG, "owen": OWEN, "eka": eka}))
    assert agreement.kappa.value == pytest.approx(fleiss_kappa(np.column_stack([good, 3 - good])))


def test_speakers_who_say_the_same_agree_wholly():
    agreement = measure_agreement(judged({"nino": [0, 1, 0, 1], "gio": [0, 1, 0, 1]}))
    assert (agreement.alpha.value, agreement.kappa.value) == (1, 1)


def test_who_is_unsure_has_not_judged():
    agreement = measure_agreement(judged({"nino": [0, 1, None], "gio": [0, 1, 1]}))
    assert (agreement.speakers, agreement.shared, agreement.alpha.value) == (2, 2, 1)


def test_one_speaker_agrees_with_nobody():
    agreement = measure_agreement(judged({"nino": [0, 1]}))
    assert (agreement.alpha, agreement.kappa) == (Estimate(None), Estimate(None))
    assert str(agreement.alpha) == "not defined"
