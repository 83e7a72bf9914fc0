"""What many words of a kind tell of one that is rare: the share of its cases that is to be expected.

Where most adpositions govern one case, a few nouns tell which, and where most are adverbs, too, many are needed to
tell that one is none.
"""

from __future__ import annotations

from collections.abc import Collection
from math import fsum

from starbank.guards.thresholds import ENOUGH_CASES, RARER

# A share of one in so many may be slips of annotation, and so many cases rule out a use of one in twenty.
SLIP = RARER * ENOUGH_CASES


def prior(counts: Collection[tuple[int, int]]) -> tuple[float, float]:
    """Return how many cases that have something, and that do not, the words of a kind are worth for another one.

    `counts` says of each word how many of its cases have it, and of how many. They are the parameters of a beta
    distribution of the words' shares, by its moments (Kleinman 1973, Proportions with extraneous variance).
    """
    mean = _mean([seen / total for seen, total in counts if total])
    # How often two cases of one word differ, of how often two of any do.
    several = [(seen, total) for seen, total in counts if total > 1]
    share = _mean([seen / total for seen, total in several])
    differing = _mean([2 * seen * (total - seen) / (total * (total - 1)) for seen, total in several])
    scatter = min(differing / (2 * share * (1 - share)), 1 - 1 / SLIP)
    worth = scatter / (1 - scatter)
    return mean * worth, (1 - mean) * worth


def _mean(shares: list[float]) -> float:
    """Return the mean of words and of one more, the next, which may have something half of the time."""
    return (fsum(shares) + 0.5) / (len(shares) + 1)  # The same in whatever order they come.


def more_than_slips(seen: int, total: int, expected: tuple[float, float]) -> bool:
    """Tell whether more cases of a word than slips are to be expected to have something, as `prior` has it."""
    having, lacking = expected
    return (seen + having) * SLIP > total + having + lacking
