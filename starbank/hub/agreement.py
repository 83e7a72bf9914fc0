"""How far speakers agree beyond chance: Krippendorff's alpha and Fleiss' kappa, with bootstrap intervals.

Alpha is that of nominal data, where speakers may have judged different sentences (Krippendorff 2011, "Computing
Krippendorff's alpha-reliability"); kappa is over the sentences on which all speakers decided (Fleiss 1971, "Measuring
nominal scale agreement among many raters"). `unsure` is no judgement for either.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from starbank.hub.reviews import Judgement, decided

SAMPLES = 1000
LEVEL = 0.95

# From the sums of a sample, (…, terms) of float64, to a measure; NaN where it is not defined.
Measure = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Estimate:
    """A measure with the bounds of its interval, all None where it is not defined."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        """Return it with two digits."""
        if self.value is None or self.low is None or self.high is None:
            return "not defined"
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


@dataclass(frozen=True)
class SpeakerAgreement:
    """The agreement of so many speakers; `shared` counts the sentences on which two or more decided."""

    speakers: int
    shared: int
    alpha: Estimate
    kappa: Estimate

    def __str__(self) -> str:
        """Return it on one line."""
        counted = f"{self.speakers} speaker{'s' * (self.speakers != 1)}, {self.shared} sentences judged by several"
        return f"{counted}: Krippendorff's alpha {self.alpha}, Fleiss' kappa {self.kappa}"


def measure_agreement(judgements: Iterable[Judgement]) -> SpeakerAgreement:
    """Return how far speakers agree on sentences; for an interval items are drawn anew, each with its sentences."""
    judgements = list(filter(decided, judgements))
    speakers = {judgement.reviewer for judgement in judgements}
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for judgement in judgements:
        counts[judgement.item_id, judgement.condition][judgement.judgement] += 1
    items = sorted({item for item, _ in counts})
    alpha, kappa = np.zeros((len(items), 3)), np.zeros((len(items), 4))
    place = {item: number for number, item in enumerate(items)}
    shared = 0
    for (item, _), count in counts.items():
        good, bad = count["good"], count["bad"]
        both = good + bad
        if both < 2:
            continue
        shared += 1
        alpha[place[item]] += (2 * good * bad / (both - 1), good, bad)
        if both == len(speakers):
            agreeing = (good * (good - 1) + bad * (bad - 1)) / (both * (both - 1))
            kappa[place[item]] += (agreeing, 1, good, bad)
    return SpeakerAgreement(len(speakers), shared, _estimate(alpha, _alpha), _estimate(kappa, _kappa))


def _alpha(sums: np.ndarray) -> np.ndarray:
    disagreement, good, bad = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(good * bad > 0, 1 - disagreement * (good + bad - 1) / (2 * good * bad), np.nan)


def _kappa(sums: np.ndarray) -> np.ndarray:
    agreeing, sentences, good, bad = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = (good**2 + bad**2) / (good + bad) ** 2
        return np.where(good * bad > 0, (agreeing / sentences - chance) / (1 - chance), np.nan)


def _estimate(terms: np.ndarray, measure: Measure) -> Estimate:
    """Return a measure of the terms of items, (items, terms), with the percentile interval over items."""
    value = float(measure(terms.sum(axis=0)))
    if np.isnan(value):
        return Estimate(None)
    size = len(terms)
    drawn = np.random.default_rng(0).multinomial(size, np.full(size, 1 / size), SAMPLES)
    samples = measure(drawn @ terms)
    low, high = np.nanquantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(value, float(low), float(high))
