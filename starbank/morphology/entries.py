"""The forms of a lexicon in columns, and the examples that they are of how forms are made."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.letters import Words
from starbank.treebanks.arrays import answer, code, integers, numbers, take, text, texts, whole

# Enough examples of one transition, or of one cell, to tell what is regular.
_EXAMPLES = 2000


@dataclass(frozen=True)
class Examples:
    """Forms, `target`, by what they are made from, `source`: numbers of words, as `lemma` is, in `Entries.words`.

    Those of one number `wide` are alike, and those of one `exact` of the very cells. What is `sampled` stands for all
    that is alike, whatever is asked for; the rest is of cells that are. An example has its `weight` and its `fold`.
    """

    exact: np.ndarray
    wide: np.ndarray
    lemma: np.ndarray
    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    fold: np.ndarray
    sampled: np.ndarray


class Entries:
    """Forms with their lemmas and cells, from a table `entries`; lemmas and forms are numbers in `words`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, cells: int) -> None:
        """Take the table and how many cells it may be of."""
        self._connection = connection
        table = answer(
            connection,
            "select lemma, form, cell, weight, fold from entries order by lemma, cell, form",
        )
        found, distinct = code(pa.concat_arrays([whole(table["lemma"]), whole(table["form"])]))
        # Words are in alphabetical order, so that numbers sort as they do.
        order = sorted(range(len(distinct)), key=distinct.__getitem__)
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        self.words = Words([distinct[at] for at in order])
        self.texts = texts(self.words.texts)
        self._lemma, self._form = number[found].reshape(2, -1)
        self._cell, self._weight, self._fold = (numbers(table[name]) for name in ("cell", "weight", "fold"))
        self._by_cell = np.argsort(self._cell, kind="stable")
        self._start = np.searchsorted(self._cell[self._by_cell], np.arange(cells + 1))
        self._keys = self._key(self._cell, self._lemma)[self._by_cell]

    def _key(self, first: np.ndarray, word: np.ndarray) -> np.ndarray:
        """Return numbers that sort as the first column does and then as words do."""
        key: np.ndarray = first * len(self.words.texts) + word
        return key

    def of_lemmas(self, cells: np.ndarray, wide: np.ndarray, asked: np.ndarray) -> Examples:
        """Return the forms of some cells, in order, as made from their lemmas; which of the cells is `asked` for.

        The examples are in the order of cell, lemma and form.
        """
        size = self._start[cells + 1] - self._start[cells]
        place = np.repeat(np.arange(len(cells)), size)
        row = self._by_cell[spread(self._start[cells], size)]
        words = self._lemma[row], self._form[row]
        sampled = self._drawn(wide[place], *words)
        kept = sampled | self._drawn(np.where(asked[place], place, -1), *words)
        row, place, sampled = row[kept], place[kept], sampled[kept]
        lemma = self._lemma[row]
        columns = (lemma, lemma, self._form[row], self._weight[row], self._fold[row])
        return Examples(cells[place], wide[place], *columns, sampled)

    def of_forms(self, one: np.ndarray, other: np.ndarray, wide: np.ndarray, asked: np.ndarray) -> Examples:
        """Return forms as made from the lemmas' forms in another cell, for pairs of cells, which are in order.

        The examples are in the order of the pairs, forms and lemma; `exact` has the number of the pair.
        """
        size = self._start[one + 1] - self._start[one]
        pair = np.repeat(np.arange(len(one)), size)
        source = self._by_cell[spread(self._start[one], size)]
        sought = self._key(other[pair], self._lemma[source])
        start = np.searchsorted(self._keys, sought)
        size = np.searchsorted(self._keys, sought, side="right") - start
        pair, source = np.repeat(pair, size), np.repeat(source, size)
        target = self._by_cell[spread(start, size)]
        lemma = self._lemma[source]
        order = np.lexsort((self._key(self._form[target], lemma), self._key(pair, self._form[source])))
        pair, source, target, lemma = pair[order], source[order], target[order], lemma[order]
        words = lemma, self._form[source], self._form[target]
        sampled = self._drawn(wide[pair], *words)
        kept = sampled | self._drawn(np.where(asked[pair], pair, -1), *words)
        weight = (self._weight[source] * self._weight[target])[kept]
        pair, words = pair[kept], tuple(column[kept] for column in words)
        return Examples(pair, wide[pair], *words, weight, self._fold[target][kept], sampled[kept])

    def _drawn(self, group: np.ndarray, *words: np.ndarray) -> np.ndarray:
        """Tell which rows are among the `_EXAMPLES` of their group that a draw has first; none is of the group -1."""
        drawn = group >= 0
        large = np.flatnonzero(drawn & (np.bincount(group + 1) > _EXAMPLES)[group + 1])
        if len(large):
            order = large[np.lexsort((self._draws(*(column[large] for column in words)), group[large]))]
            rank = np.arange(len(order)) - np.searchsorted(group[order], group[order])
            drawn[order] = rank < _EXAMPLES
        return drawn

    def _draws(self, *words: np.ndarray) -> np.ndarray:
        """Return a number for the words of each row that is the same whatever the other rows."""
        joined = pc.binary_join_element_wise(*(take(self.texts, column) for column in words), text(""))
        self._connection.register("joined", pa.table({"text": joined, "row": integers(np.arange(len(joined)))}))
        draws = answer(self._connection, "select md5_number_lower(text) as draw from joined order by row")
        return numbers(draws["draw"])


def spread(start: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return the numbers from each `start`, so many as its `size`, one after the other."""
    return np.repeat(start - np.cumsum(size) + size, size) + np.arange(size.sum())
