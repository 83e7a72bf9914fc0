"""How often what is seen where, with and without each fold."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from starbank.morphology.entries import spread
from starbank.morphology.letters import distinct, mix
from starbank.morphology.paradigms import FOLDS


class Counts:
    """How often (by weight) what is seen where: in all folds but one, or in all (fold -1)."""

    def __init__(self, context: np.ndarray, seen: np.ndarray, weight: np.ndarray, fold: np.ndarray) -> None:
        self._keys, place, key = distinct(mix(context, seen))
        self._counts = _by_fold(key, weight, fold, len(self._keys))
        self._seen = seen[place]
        self._contexts, _, self._owner = distinct(context[place])
        totals = [np.bincount(self._owner, column, len(self._contexts)) for column in self._counts.T]
        self._totals = np.stack(totals, axis=1)

    def count(self, context: np.ndarray, seen: np.ndarray, fold: np.ndarray) -> np.ndarray:
        """Return how often each is seen in its context."""
        return _look_up(self._keys, self._counts, mix(context, seen), fold)

    def total(self, context: np.ndarray, fold: np.ndarray) -> np.ndarray:
        """Return how often each context occurs."""
        return _look_up(self._contexts, self._totals, context, fold)

    def frequent(self, context: np.ndarray, fold: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what is most frequent in each context, at most so many: the context's row, and what is seen.

        What only the context's own fold has seen is left out.
        """
        if not len(self._contexts):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)
        place = np.minimum(np.searchsorted(self._contexts, context), len(self._contexts) - 1)
        start, ranked = self._ranked
        known = self._contexts[place] == context
        size = np.where(known, np.minimum(start[place + 1] - start[place], most), 0)
        rows = np.repeat(np.arange(len(context)), size)
        seen = ranked[spread(start[place], size)]
        shown = self._counts[seen, fold[rows]] > 0
        return rows[shown], self._seen[seen[shown]]

    @cached_property
    def _ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """Where each context begins in the second array: what is seen there, by number, the most frequent first."""
        order = np.lexsort((self._seen, -self._counts[:, -1], self._owner))
        return np.searchsorted(self._owner[order], np.arange(len(self._contexts) + 1)), order


def _by_fold(key: np.ndarray, weight: np.ndarray, fold: np.ndarray, keys: int) -> np.ndarray:
    """Sum weights by key: columns for all folds but the first, all but the second, …, and for all of them."""
    sums = np.bincount(key * FOLDS + fold, weight, keys * FOLDS).reshape(keys, FOLDS)
    total = sums.sum(axis=1, keepdims=True)
    counts = np.append(total - sums, total, axis=1)
    return np.where(counts < 1e-9, 0, counts)


def _look_up(keys: np.ndarray, values: np.ndarray, sought: np.ndarray, fold: np.ndarray) -> np.ndarray:
    if not len(keys):
        return np.zeros(sought.shape)
    place = np.minimum(np.searchsorted(keys, sought), len(keys) - 1)
    return np.where(keys[place] == sought, values[place, fold], 0)
