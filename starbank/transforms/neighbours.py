"""Whether drawn words fit beside the words that stand there: a dog, but an owl."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.sandhi import Sandhi, Surface
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import mask, numbers, take, whole

# How often a word that does not fit is drawn again.
_ROUNDS = 4
# A form that is less likely than this beside its neighbours does not fit.
_LIKELY = 0.5


class Donors:
    """How words that may replace others are written: from the tables `donors` and `kinds`, see `described`.

    `plain_form`, `lemma` and `cover_form` have an entry for each kind of them.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Read the tables."""
        kinds = connection.sql("select plain_form, lemma, cover_form, kind from kinds order by kind").to_arrow_table()
        donors = connection.sql("select row, kind from donors order by row").to_arrow_table()
        self._row = numbers(donors["row"])
        self._kind = np.searchsorted(numbers(kinds["kind"]), numbers(donors["kind"]))
        self.plain_form, self.lemma, self.cover_form = (
            whole(kinds[name]) for name in ("plain_form", "lemma", "cover_form")
        )

    def kinds(self, row: np.ndarray) -> np.ndarray:
        """Return the kinds of donors by their rows."""
        kinds: np.ndarray = self._kind[np.searchsorted(self._row, row)]
        return kinds


class Neighbours:
    """What stands beside the content words of some sentences, and what may stand there instead."""

    def __init__(self, sandhi: Sandhi, part: Treebank, row: np.ndarray, donors: Donors) -> None:
        """Take the words of `part` in the rows `row`, which are to be replaced."""
        self._sandhi, self._donors, self._row = sandhi, donors, row
        self._surface = Surface.of(part.tokens)
        own = self._surface.columns
        self._forms = pa.concat_arrays([own["form"], donors.plain_form, donors.cover_form])
        self._lemmas = pa.concat_arrays([own["lemma"], donors.lemma])
        self._cover = self._surface.cover[np.searchsorted(self._surface.row, row)]
        words = len(self._surface.row)
        self._asked = np.zeros(words, dtype=bool)
        self._likely, self._avoids = np.full(words, np.nan), np.zeros((2, words), dtype=bool)

    def fitted(
        self, drawings: Sequence[np.ndarray], draw: Callable[[int, np.ndarray, int], np.ndarray]
    ) -> list[np.ndarray]:
        """Return drawings of donors (rows, -1 for none) that fit beside one another and beside what stands there.

        Those that do not are drawn again: `draw` gives the donors of some words (truth values) of one of the drawings
        in a round. A word that gets none that fits gets none.
        """
        donors = [drawing.copy() for drawing in drawings]
        drawn = [donor >= 0 for donor in donors]
        for again in count():
            unfit = self._unfit([self._columns(donor) for donor in donors], drawn)
            drawn = [(donor >= 0) & wrong for donor, wrong in zip(donors, unfit, strict=True)]
            if not any(which.any() for which in drawn):
                break
            for number, which in enumerate(drawn):
                donors[number][which] = draw(number, which, again) if again < _ROUNDS else -1
        return donors

    def _columns(self, donor: np.ndarray) -> dict[str, pa.StringArray]:
        """Return the forms and lemmas of the tokens where donors stand."""
        own, kinds = len(self._surface.columns["form"]), len(self._donors.lemma)
        replaced = donor >= 0
        row, cover, kind = self._row[replaced], self._cover[replaced], self._donors.kinds(donor[replaced])
        form, lemma = np.arange(own), np.arange(own)
        form[row] = lemma[row] = own + kind
        form[cover[cover >= 0]] = own + kinds + kind[cover >= 0]
        return {"form": take(self._forms, form), "lemma": take(self._lemmas, lemma)}

    def _unfit(self, columns: Sequence[dict[str, pa.StringArray]], drawn: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Tell which words fit less than those of the treebank do, looking beside those that were drawn.

        All drawings are asked about at once: a question costs more than the words in it.
        """
        surface = self._surface
        near = [self._beside(which) for which in drawn]
        words = pa.concat_tables([surface.words(beside, **new) for beside, new in zip(near, columns, strict=True)])
        beside, drawing = np.concatenate(near), np.repeat(np.arange(len(near)), [len(each) for each in near])
        wrong, following = self._worse(words, beside)
        other = np.where(following, surface.following[beside[wrong]], surface.previous[beside[wrong]])
        return [
            self._are(np.concatenate([surface.row[beside[wrong[of_drawing]]], other[of_drawing]]))
            for number in range(len(near))
            for of_drawing in [drawing[wrong] == number]
        ]

    def _worse(self, words: pa.Table, beside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which of some words fit less than their own ones did, and if it is what follows that they do not fit.

        They have a form that is less likely, avoid what is beside them, or are what follows them.
        """
        new = self._sandhi.judge(words)
        doubtful = np.flatnonzero((new.likely < _LIKELY) | new.avoids.any(axis=0))
        likely, avoids = self._own(beside[doubtful])
        unlikely = doubtful[(new.likely[doubtful] < _LIKELY) & ~(new.likely[doubtful] >= likely)]
        side, avoiding = np.nonzero(new.avoids[:, doubtful] & ~avoids)
        twice = np.flatnonzero(mask(pc.equal(words["form"], words["following"]).combine_chunks()))
        wrong = np.concatenate([unlikely, doubtful[avoiding], twice])
        return wrong, np.concatenate([new.following[unlikely], side.astype(bool), np.ones(len(twice), dtype=bool)])

    def _own(self, number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how likely the treebank's own words are, by their numbers, and what they avoid: each is asked once."""
        unknown = np.unique(number[~self._asked[number]])
        if len(unknown):
            judgement = self._sandhi.judge(self._surface.words(unknown))
            self._likely[unknown], self._avoids[:, unknown] = judgement.likely, judgement.avoids
            self._asked[unknown] = True
        return self._likely[number], self._avoids[:, number]

    def _beside(self, drawn: np.ndarray) -> np.ndarray:
        """Return the numbers of the words that were drawn, and of those beside them."""
        new = np.zeros(len(self._surface.columns["form"]) + 1, dtype=bool)
        new[self._row[drawn]], new[self._cover[drawn & (self._cover >= 0)]] = True, True
        surface = self._surface
        return np.flatnonzero(new[surface.row] | new[surface.previous] | new[surface.following])

    def _are(self, rows: np.ndarray) -> np.ndarray:
        """Tell which words stand in some rows, or are covered by them."""
        are: np.ndarray = np.isin(self._row, rows) | np.isin(self._cover, rows[rows >= 0])
        return are
