"""Whether drawn words fit beside the words that stand there: a dog, but an owl."""

from __future__ import annotations

from collections.abc import Callable

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.sandhi import Sandhi, Surface
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import mask, numbers, put, take, whole

# How often a word that does not fit is drawn again.
_ROUNDS = 8
# A form that is less likely than this beside its neighbours does not fit.
_LIKELY = 0.5


class Donors:
    """How words that may replace others are written: from the tables `donors` and `kinds`, see `described`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        kinds = connection.sql("select plain_form, lemma, cover_form, kind from kinds order by kind").to_arrow_table()
        donors = connection.sql("select row, kind from donors order by row").to_arrow_table()
        self._row = numbers(donors["row"])
        self._kind = np.searchsorted(numbers(kinds["kind"]), numbers(donors["kind"]))
        self._written = {name: whole(kinds[name]) for name in ("plain_form", "lemma", "cover_form")}

    def written(self, row: np.ndarray, name: str) -> pa.StringArray:
        """Return the `plain_form`, `lemma` or `cover_form` of donors by their rows."""
        return take(self._written[name], self._kind[np.searchsorted(self._row, row)])


class Neighbours:
    """What stands beside the content words of some sentences, and what may stand there instead."""

    def __init__(self, sandhi: Sandhi, part: Treebank, row: np.ndarray, donors: Donors) -> None:
        """Take the words of `part` in the rows `row`, which are to be replaced."""
        self._sandhi, self._donors = sandhi, donors
        self._surface = Surface.of(part.tokens)
        self._row = row
        self._cover = self._surface.cover[np.searchsorted(self._surface.row, row)]
        self._likely, _ = self._likelihood(self._surface.words())

    def unfit(self, donor: np.ndarray) -> np.ndarray:
        """Tell which words' donors (rows, -1 for none) make a form less likely than what stands in the treebank."""
        surface = self._surface
        replaced = donor >= 0
        row, cover = self._row[replaced], self._cover[replaced]
        hidden = cover >= 0
        forms, covers, lemmas = (
            self._donors.written(donor[replaced], name) for name in ("plain_form", "cover_form", "lemma")
        )
        covers = take(covers, np.flatnonzero(hidden))
        changed = {
            "form": put(put(surface.columns["form"], row, forms), cover[hidden], covers),
            "lemma": put(surface.columns["lemma"], row, lemmas),
        }
        new = np.zeros(len(surface.columns["form"]) + 1, dtype=bool)
        new[row], new[cover[hidden]] = True, True
        beside = np.flatnonzero(new[surface.row] | new[surface.previous] | new[surface.following])
        likely, following = self._likelihood(surface.words(beside, **changed))
        wrong = (likely < _LIKELY) & (likely < self._likely[beside])
        blamed, next_word = beside[wrong], following[wrong]
        other = np.where(next_word, surface.following[blamed], surface.previous[blamed])
        rows = np.concatenate([surface.row[blamed], other])
        return replaced & (np.isin(self._row, rows) | np.isin(self._cover, rows[rows >= 0]))

    def _likelihood(self, words: pa.Table) -> tuple[np.ndarray, np.ndarray]:
        """Return how likely forms are, 1 for those that do not alternate, and whether the next word counts."""
        table = self._sandhi.likelihood(words)
        return numbers(table["likely"].fill_null(1.0)), mask(whole(table["following"].fill_null(False)))


def fitted(
    donor: np.ndarray, draw: Callable[[np.ndarray, int], np.ndarray], neighbours: Neighbours | None
) -> np.ndarray:
    """Return donors that fit beside one another and beside what stands there: those that do not are drawn again.

    `draw` gives the donors of some words (truth values) in a round; a word that gets none that fits gets none.
    """
    if neighbours is None:
        return donor
    donor = donor.copy()
    for again in range(_ROUNDS):
        unfit = neighbours.unfit(donor)
        if not unfit.any():
            return donor
        donor[unfit] = draw(unfit, again)
    while (unfit := neighbours.unfit(donor)).any():
        donor[unfit] = -1
    return donor
