"""Random draws from pools of words that are alike, many at once."""

from __future__ import annotations

from functools import cached_property

import numpy as np


class Pools:
    """Donors by key, those of the same form side by side.

    `key`, `form` and `row` (int64, one entry per donor) are the number of what donors must share, the number of the
    donor's form, and the row it stands in.
    """

    def __init__(self, key: np.ndarray, form: np.ndarray, row: np.ndarray) -> None:
        order = np.lexsort((row, form, key))
        self.row = row[order]
        self._forms = int(form.max(initial=0)) + 1
        self._key = key[order]
        self._both = self._key * self._forms + form[order]

    def only(self, rows: np.ndarray) -> Pools:
        """Return the pools with those donors alone that stand in some rows."""
        chosen = np.isin(self.row, rows)
        key = self._key[chosen]
        return Pools(key, self._both[chosen] - key * self._forms, self.row[chosen])

    def rows(self, keys: np.ndarray) -> np.ndarray:
        """Return the rows of all donors in the pools of some keys."""
        return self.row[np.isin(self._key, keys)]

    def forms(self, rows: np.ndarray) -> np.ndarray:
        """Return the numbers of the forms of some donors, -1 for the row -1, which is none."""
        order = self._by_row
        place = order[np.minimum(np.searchsorted(self.row, rows, sorter=order), max(len(order) - 1, 0))]
        return np.where(rows < 0, -1, self._both[place] - self._key[place] * self._forms)

    @cached_property
    def _by_row(self) -> np.ndarray:
        return np.argsort(self.row, kind="stable")

    def find(self, key: np.ndarray, form: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the pool of each key, from `first` to before `last`, and the part of it that has the form itself."""
        both = np.where(form < self._forms, key * self._forms + form, -1)
        bounds = [np.searchsorted(self._key, key, side) for side in ("left", "right")]
        same_form = [np.searchsorted(self._both, both, side) for side in ("left", "right")]
        return bounds[0], bounds[1], same_form[0], same_form[1]

    def count(self, keys: np.ndarray, form: np.ndarray) -> np.ndarray:
        """Return how many donors of other forms there are for each word in its pool."""
        first, last, low, high = self.find(keys, form)
        others: np.ndarray = last - first - (high - low)
        return others

    def draw(self, keys: np.ndarray, form: np.ndarray, random: np.ndarray, itself: np.ndarray) -> np.ndarray:
        """Return a donor's row for each word, -1 where there is none.

        `keys` (int64) are the pools of words; -1 is no pool. `form` is the word's own, which is not drawn unless
        `itself` is true; `random` is uniform from 0 to below 1.
        """
        first, last, low, high = self.find(keys, form)
        high = np.where(itself, low, high)
        count = last - first - (high - low)
        donor = first + np.floor(random * count).astype(np.int64)
        donor = np.where(donor >= low, donor + (high - low), donor)
        result = np.full(len(keys), -1, dtype=np.int64)
        result[count > 0] = self.row[donor[count > 0]]
        return result
