"""Exact statistics of counts: intervals and tests of proportions, corrections for many of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from starbank.treebanks.arrays import integers, numbers


def with_interval(counts: pa.Table) -> pa.Table:
    """Return `counts` (`accuracy` of `items`) with the bounds `low` and `high` of the exact 95% interval."""
    low, high = clopper_pearson(credit(counts), numbers(counts["items"]))
    return counts.append_column("low", integers(low)).append_column("high", integers(high))


def credit(counts: pa.Table) -> np.ndarray:
    """Return how many of `items` the `accuracy` stands for: whole numbers, but where ties count in part."""
    return np.asarray(np.round(numbers(counts["accuracy"]) * numbers(counts["items"]), 9))


def with_p_values(table: pa.Table, p_values: np.ndarray) -> pa.Table:
    """Return `table` with these values in the column `p_value`, and in `p_holm` corrected for all rows."""
    return table.append_column("p_value", integers(p_values)).append_column("p_holm", integers(holm(p_values)))


def clopper_pearson(correct: np.ndarray, items: np.ndarray, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of the exact binomial interval (Clopper & Pearson 1934) for `correct` of `items`."""
    from scipy.special import betaincinv  # slow to import

    tail = (1 - confidence) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(correct == 0, 0.0, betaincinv(correct, items - correct + 1, tail))
        high = np.where(correct == items, 1.0, betaincinv(correct + 1, items - correct, 1 - tail))
    return low, high


def binomial_test(correct: np.ndarray, items: np.ndarray | int, chance: np.ndarray | float) -> np.ndarray:
    """Return the p-value of `correct` of `items` if each were correct with probability `chance`, in both directions.

    It is twice the smaller tail, at most 1, and so is below 0.05 where the Clopper–Pearson interval excludes `chance`.
    """
    from scipy.special import betainc  # scipy.stats is slower to import

    below, above = betainc(items - correct, correct + 1, 1 - chance), betainc(correct, items - correct + 1, chance)
    p_values: np.ndarray = np.minimum(1.0, 2 * np.minimum(below, above))
    return p_values


def correlation(left: np.ndarray, right: np.ndarray) -> float:
    """Return Pearson's coefficient of two columns of which neither is constant; of ranks it is Spearman's.

    The last bits are left out, so that what lies on a line has 1 or -1.

    >>> correlation(np.array([1, 2, 3]), np.array([4, 4, 7])), correlation(np.array([1, 2, 3]), np.array([3, 2, 1]))
    (0.866025403784, -1.0)
    """
    left, right = left - left.mean(), right - right.mean()
    return round(float(left @ right / np.sqrt(left @ left * (right @ right))), 12)


def p_of_pearson(coefficients: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Return the p-values of coefficients of so many `items` each, by their distribution without correlation: r² of two
    normal variables is a beta variable.
    """
    from scipy.special import betainc  # scipy.stats is slower to import

    half = items / 2 - 1
    p_values: np.ndarray = 2 * betainc(half, half, (1 - np.abs(coefficients)) / 2)
    return p_values


def p_of_spearman(coefficients: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Return the p-values of coefficients of ranks, by Student's t with two degrees of freedom less than `items`."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore"):
        scores = np.abs(coefficients) * np.sqrt((items - 2) / ((1 + coefficients) * (1 - coefficients)))
    p_values: np.ndarray = 2 * stdtr(items - 2, -scores)
    return p_values


def sign_test(leads: np.ndarray) -> float:
    """Return the exact p-value of leads (integers, none 0) if each might as well have gone to the other side.

    A sentence's lead is on how many more of its items the first of two models is right. The items of one sentence are
    not independent, so it is whole leads that change sides. Where all are 1 or -1 this is McNemar's test (1947).

    >>> sign_test(np.array([1, 1, 1, 1, 1])), sign_test(np.array([5]))
    (0.0625, 1.0)
    """
    sizes, counts = np.unique(np.abs(leads), return_counts=True)
    if sizes.tolist() in ([], [1]):
        return float(binomial_test(np.array(sum(leads > 0)), leads.size, 0.5))
    from scipy.stats import binom  # slow to import

    # The distribution of what the first side gets in all, of each size and then of all sizes.
    won = np.ones(1)
    for size, count in zip(sizes, counts, strict=True):
        won_of_size = np.zeros(size * count + 1)
        won_of_size[::size] = binom.pmf(np.arange(count + 1), count, 0.5)
        won = np.convolve(won, won_of_size)
    total = int(np.abs(leads).sum())
    balance = np.abs(2 * np.arange(total + 1) - total)
    return float(min(1.0, won[balance >= abs(int(leads.sum()))].sum()))


def holm(p_values: np.ndarray) -> np.ndarray:
    """Return p-values corrected for their number by Holm's method (1979); what is not a number stays so.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    corrected = np.full(len(p_values), np.nan)
    order = np.argsort(p_values, kind="stable")[: np.count_nonzero(~np.isnan(p_values))]
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p_values[order] * np.arange(len(order), 0, -1)))
    return corrected
