"""Learned inflection: the form of a lemma in a cell where none is attested, with a confidence.

Forms are proposed by edit rules that the lexicon's own paradigms show, from the lemma and from the form at hand, and
ranked by how regular those rules are where the words end alike or are inflected alike, by vowel harmony, and by what
looks like a word. It is an affix classifier as in the baselines of the SIGMORPHON shared tasks (Cotterell et al. 2017,
CoNLL–SIGMORPHON), with interpolated contexts in place of the longest one, several sources (Kann et al. 2017), and a
confidence that is calibrated for each UPOS.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from threadpoolctl import threadpool_limits

from starbank.morphology.evidence import Evidence, Seen, without_given
from starbank.morphology.letters import Vowels, find_vowels
from starbank.morphology.paradigms import Paradigms, Queries, sample_queries
from starbank.morphology.ranking import Ranking, fit
from starbank.treebanks.arrays import integers, numbers

THRESHOLD = 0.90
# Of forms predicted at 0.7 to 0.9 that the lemma has in another cell 18 in 100 were wrong when read, most of them where
# the two cells are not alike in so large a share of the words that show both.
KNOWN_WORD = 0.7
ALIKE = 0.8
FEWEST_ALIKE = 10
# Where a lexicon's metadata holds its weights: {language: weights}.
METADATA_KEY = b"inflection_by_upos"
# A word without gender in the plural has no neuter plural, and slips of annotation make cells, too.
FEWEST_LEMMAS = 3
# From fewer answers no confidence can be learned.
_FEWEST = 100
_MOST = 4000
# How many steps from cell to cell are learned at once: each has thousands of examples.
_STEPS_AT_ONCE = 100


@dataclass(frozen=True)
class Weights:
    """All that a model is beside its lexicon: how it ranks with a given form, with the lemma alone, and the vowels."""

    given: Ranking
    lemma: Ranking
    vowels: str

    @staticmethod
    def from_dict(value: Mapping[str, Any]) -> Weights:
        """Read weights as JSON has them."""
        return Weights(Ranking(**value["given"]), Ranking(**value["lemma"]), value["vowels"])


def stored_weights(lexicon: pa.Table) -> Weights | None:
    """Return the weights that a lexicon's metadata holds for its (first) language."""
    stored = json.loads((lexicon.schema.metadata or {}).get(METADATA_KEY, b"{}"))
    languages = lexicon["language"].unique().to_pylist()
    # Weights of older versions do not say what they were learned from.
    weights = [stored[language] for language in languages if "answers" in stored.get(language, {}).get("given", {})]
    return Weights.from_dict(weights[0]) if weights else None


def learn(paradigms: Paradigms) -> Weights | None:
    """Learn to inflect from the attested forms of one language; None where there are too few.

    Each form that teaches is predicted without the forms of its own lemma and a fifth of all others.
    """
    # No form is asked for twice.
    if paradigms.size < _FEWEST:
        return None
    queries, answers = sample_queries(paradigms, _MOST)
    if len(queries) < _FEWEST:
        return None
    # Matrices are small: threads would only wait for each other, and sums would depend on how many there are.
    with threadpool_limits(1, user_api="blas"):
        return _weigh(paradigms, queries, answers)


def _weigh(paradigms: Paradigms, queries: Queries, answers: Sequence[Collection[str]]) -> Weights:
    vowels = find_vowels(paradigms.forms()["form"].to_pylist())
    evidence = Evidence(Seen(paradigms, Vowels(vowels)), queries)
    row, texts, of_lemma = evidence.candidates()
    right = np.array([text.lower() in answers[at] for at, text in zip(row.tolist(), texts, strict=True)], dtype=bool)
    weighed, upos = evidence.weigh(row, texts), _upos(paradigms, queries)
    given = fit(row, *weighed, upos, right)
    # What the lemma says is the same with a given form and without.
    lemma = fit(row[of_lemma], *without_given(*(column[of_lemma] for column in weighed)), upos, right[of_lemma])
    return Weights(given, lemma, "".join(sorted(vowels)))


def _upos(paradigms: Paradigms, queries: Queries) -> list[str]:
    return [paradigms.cells.keys[cell][0] for cell in queries.cell.tolist()]


class Inflection:
    """A model of how the words of a language inflect."""

    def __init__(self, paradigms: Paradigms, weights: Weights) -> None:
        self._paradigms, self._weights = paradigms, weights

    @cached_property
    def _seen(self) -> Seen:
        return Seen(self._paradigms, Vowels(self._weights.vowels))

    def predict(self, queries: Queries) -> tuple[list[str | None], np.ndarray]:
        """Return the best form for each query, None where no rule fits, and the probability that it is right.

        Cells that fewer than `FEWEST_LEMMAS` show get none. An answer does not depend on what else is asked.
        """
        forms: list[str | None] = [None] * len(queries)
        confidence = np.zeros(len(queries))
        rows = np.flatnonzero(self._paradigms.lemmas(queries.cell) >= FEWEST_LEMMAS)
        with_given = queries.given_cell[rows] >= 0
        for ranking, chosen in ((self._weights.given, rows[with_given]), (self._weights.lemma, rows[~with_given])):
            for part in self._parts(queries, chosen):
                for row, form, sure in self._choose(ranking, queries.take(part)):
                    forms[part[row]], confidence[part[row]] = form, sure
        return forms, confidence

    def _parts(self, queries: Queries, rows: np.ndarray) -> list[np.ndarray]:
        """Divide queries by what leads to their cells, so that what there is to learn from is never too much."""
        given_cell, cell = queries.given_cell[rows], queries.cell[rows]
        # Without a given form they may all be asked at once.
        change = self._paradigms.cells.changes(np.where(given_cell < 0, cell, given_cell), cell)
        part = numbers(integers(change).dictionary_encode().indices) // _STEPS_AT_ONCE
        return [rows[part == place] for place in range(part.max(initial=-1) + 1)]

    def _choose(self, ranking: Ranking, queries: Queries) -> Iterator[tuple[int, str, float]]:
        """Yield the row of each query that a rule fits, with the form and the probability."""
        evidence = Evidence(self._seen, queries)
        row, texts, _ = evidence.candidates()
        if not len(row):
            return
        best, sure = ranking.choose(row, *evidence.weigh(row, texts), _upos(self._paradigms, queries))
        # Only what is attested is certain.
        sure = np.minimum(np.round(sure, 4), 0.9999)
        yield from zip(row[best].tolist(), (texts[choice] for choice in best.tolist()), sure.tolist(), strict=True)


def confirmed(
    forms: Sequence[str | None], confidence: np.ndarray, others: Sequence[str | None], other_confidence: np.ndarray
) -> np.ndarray:
    """Return how sure predictions are where another form of the lemma leads to `others`, None where there is none.

    Where both lead to one form, the odds are in between if those of the other are higher; where they do not, the
    other's probability is taken away.
    """
    same = np.array([form == other for form, other in zip(forms, others, strict=True)], dtype=bool)
    contradicted = ~same & np.array([other is not None for other in others], dtype=bool)
    odds, other_odds = (
        probability / (1 - probability) for probability in np.clip([confidence, other_confidence], 1e-4, 1 - 1e-4)
    )
    between = 1 / (1 + 1 / np.sqrt(odds * other_odds))
    sure = np.where(same & (other_confidence > confidence), between, confidence)
    return np.round(np.where(contradicted, sure * (1 - other_confidence), sure), 4)
