"""What a model knows of words: forms, lemmas and n-grams, counted in what it learns from, as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.files import read_parquet, write_parquet
from starbank.probing.learning.recipes import Learning
from starbank.treebanks.arrays import code, filled, numbers, texts, whole

SCHEMA = "vocabulary/1"
_KINDS = ("form", "lemma", "ngram")


@dataclass(frozen=True)
class Words:
    """The words of some rows as numbers: those that differ, and where they stand.

    `word` (int64) is by place, end to end, and counts in the different words, which have `form` and `lemma` (int64,
    1 and up, 0 for unknown) and n-grams (int64, 0 and up): word i has `ngrams[borders[i]:borders[i + 1]]`.
    """

    word: np.ndarray
    form: np.ndarray
    lemma: np.ndarray
    ngrams: np.ndarray
    borders: np.ndarray

    def some(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the n-grams of some words, end to end, and where each word's begin."""
        begins, counts = self.borders[words], np.diff(self.borders)[words]
        first = np.cumsum(counts) - counts
        return self.ngrams[np.repeat(begins - first, counts) + np.arange(counts.sum())], first


@dataclass(frozen=True)
class Vocabulary:
    """Forms, lemmas and n-grams that a model has embeddings for, in the order of these."""

    form: tuple[str, ...]
    lemma: tuple[str, ...]
    ngram: tuple[str, ...]
    shortest: int
    longest: int
    _known: dict[str, list[int]] = field(default_factory=dict, compare=False)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {ngram: number for number, ngram in enumerate(self.ngram)}

    @cached_property
    def _arrays(self) -> dict[str, pa.StringArray]:
        return {"form": texts(self.form), "lemma": texts(self.lemma)}

    def read(self, tokens: pa.ListArray, lemmas: pa.ListArray) -> Words:
        """Return the words of rows as numbers."""
        form, forms = code(tokens.flatten())
        lemma, known = code(pc.fill_null(lemmas.flatten(), ""))
        pair, word = np.unique(form.astype(np.int64) * len(known) + lemma, return_inverse=True)
        of_form, of_lemma = np.divmod(pair, len(known))
        lists = [self._ngrams(forms[number]) for number in of_form.tolist()]
        borders = np.append(0, np.cumsum([len(ngrams) for ngrams in lists]))
        flat = np.fromiter((ngram for ngrams in lists for ngram in ngrams), np.int64, int(borders[-1]))
        return Words(word, self._number("form", forms)[of_form], self._number("lemma", known)[of_lemma], flat, borders)

    def _number(self, kind: str, words: list[str]) -> np.ndarray:
        return filled(pc.index_in(texts(words), self._arrays[kind]), -1).astype(np.int64) + 1

    def _ngrams(self, form: str) -> list[int]:
        if form not in self._known:
            if len(self._known) > 1 << 20:
                self._known.clear()
            numbers = map(self._numbers.get, ngrams(form, self.shortest, self.longest))
            self._known[form] = [number for number in numbers if number is not None]
        return self._known[form]

    def write(self, file: Path) -> None:
        """Write the vocabulary to a file."""
        columns = {kind: getattr(self, kind) for kind in _KINDS}
        kinds = [kind for kind, values in columns.items() for _ in values]
        table = pa.table({"kind": kinds, "text": [value for values in columns.values() for value in values]})
        write_parquet(table, file, SCHEMA)


def read_vocabulary(file: Path, recipe: Learning) -> Vocabulary:
    """Return the vocabulary in a file."""
    table = read_parquet(file)
    form, lemma, ngram = (tuple(table.filter(pc.equal(table["kind"], kind))["text"].to_pylist()) for kind in _KINDS)
    return Vocabulary(form, lemma, ngram, recipe.shortest, recipe.longest)


def count_vocabulary(stretches: Iterable[pa.Table], recipe: Learning) -> Vocabulary:
    """Return the most frequent forms, lemmas and n-grams of rows, as many of each as `recipe` has."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in _KINDS}
    for rows in stretches:
        for kind, column in (("form", "tokens"), ("lemma", "lemmas")):
            found = pc.value_counts(whole(rows[column]).flatten().drop_null())
            counts[kind].update(
                dict(zip(found.field("values").to_pylist(), numbers(found.field("counts")).tolist(), strict=True))
            )
    for form, count in counts["form"].items():
        for ngram in ngrams(form, recipe.shortest, recipe.longest):
            counts["ngram"][ngram] += count
    forms, lemmas, pieces = (_most_frequent(found, recipe) for found in counts.values())
    return Vocabulary(forms, lemmas, pieces, recipe.shortest, recipe.longest)


def _most_frequent(counts: Counter[str], recipe: Learning) -> tuple[str, ...]:
    # The order of those that are equally frequent is that of their letters.
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(word for word, count in ordered[: recipe.vocabulary] if count >= recipe.least)


def ngrams(form: str, shortest: int, longest: int) -> list[str]:
    """Return the n-grams of a form between marks of its ends.

    >>> ngrams("du", 1, 3)
    ['<', 'd', 'u', '>', '<d', 'du', 'u>', '<du', 'du>']
    """
    marked = f"<{form}>"
    return [marked[at : at + size] for size in range(shortest, longest + 1) for at in range(len(marked) - size + 1)]
