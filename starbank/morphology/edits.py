"""What leads from one form to another: drop and add letters at either end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from starbank.morphology.letters import Letters, Words, distinct, mix

# As many letters as a prefix may have: Georgian preverbs, Swahili noun classes.
_REACH = 4


@dataclass(frozen=True)
class Edits:
    """One edit per row: `dropped` and `added` letters at the beginning, `common` letters, and the rest differs."""

    source: Words
    word: np.ndarray
    target: Words
    goal: np.ndarray
    dropped: np.ndarray
    added: np.ndarray
    common: np.ndarray

    def rules(self, source: Letters | None = None, target: Letters | None = None) -> np.ndarray:
        """Return a hash of what each edit drops and adds, in these words or in others with as many letters."""
        start = np.zeros(len(self.word), dtype=np.int64)
        parts: list[np.ndarray] = []
        sides = (source or self.source, self.word, self.dropped), (target or self.target, self.goal, self.added)
        for words, word, first in sides:
            last = first + self.common
            parts += [words.part(word, start, first), first]
            parts += [words.part(word, last, words.length[word]), words.length[word] - last]
        return mix(*parts)


def find_edits(source: Words, word: np.ndarray, target: Words, goal: np.ndarray) -> Edits:
    """Return the edits from `source.texts[word]` to `target.texts[goal]`, each with as much kept as can be.

    Letters change at the beginning only if more than they are can be kept thereby.
    """
    dropped, added = np.zeros(len(word), dtype=np.int64), np.zeros(len(word), dtype=np.int64)
    common = _shared(source, word, target, goal, 0, 0)
    gain = common.copy()
    unlike = np.flatnonzero(2 * common < np.minimum(source.length[word], target.length[goal]))
    offsets = [(drop, add) for drop in range(_REACH + 1) for add in range(_REACH + 1) if drop + add]
    for drop, add in offsets if len(unlike) else ():
        shared = _shared(source, word[unlike], target, goal[unlike], drop, add)
        better = shared - drop - add > gain[unlike]
        rows = unlike[better]
        gain[rows], common[rows] = shared[better] - drop - add, shared[better]
        dropped[rows], added[rows] = drop, add
    return Edits(source, word, target, goal, dropped, added, common)


def _shared(source: Words, word: np.ndarray, target: Words, goal: np.ndarray, drop: int, add: int) -> np.ndarray:
    """Return how many letters are the same after so many at the beginning."""
    width = min(source.codes.shape[1] - drop, target.codes.shape[1] - add)
    if width <= 0:
        return np.zeros(len(word), dtype=np.int64)
    letters = source.codes[word, drop : drop + width]
    unlike = (letters != target.codes[goal, add : add + width]) | (letters == 0)
    shared: np.ndarray = np.append(unlike, np.ones((len(word), 1), dtype=bool), axis=1).argmax(axis=1)
    return shared


class Rules:
    """What edits do, by the hash that `Edits.rules` gives them."""

    def __init__(self, edits: Edits, rules: np.ndarray) -> None:
        """Take edits with their hashes."""
        self._hashes, first, _ = distinct(rules)
        word, goal = edits.word[first], edits.goal[first]
        start = np.zeros(len(first), dtype=np.int64)
        length = edits.source.length[word]
        self._first, self._last = edits.dropped[first], length - (edits.dropped + edits.common)[first]
        self._first_letters = edits.source.part(word, start, self._first)
        self._last_letters = edits.source.part(word, length - self._last, length)
        added = (edits.added[first], (edits.added + edits.common)[first])
        self._added = [
            (edits.target.texts[text][:start], edits.target.texts[text][end:])
            for text, start, end in zip(goal.tolist(), *(border.tolist() for border in added), strict=True)
        ]

    def __len__(self) -> int:
        return len(self._hashes)

    def numbers(self, rules: np.ndarray) -> np.ndarray:
        """Return the numbers of rules, -1 for those that no edit has shown."""
        if not len(self._hashes):
            return np.full(len(rules), -1, dtype=np.int64)
        number = np.minimum(np.searchsorted(self._hashes, rules), len(self._hashes) - 1)
        return np.where(self._hashes[number] == rules, number, -1)

    def apply(self, words: Words, word: np.ndarray, rules: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """Return which rows have a rule, given by its number, that fits the word and leaves a text, and those texts."""
        length, first, last = words.length[word], self._first[rules], self._last[rules]
        long = length >= first + last
        first, last = np.where(long, first, 0), np.where(long, last, 0)
        start = np.zeros(len(word), dtype=np.int64)
        fits = long & (words.part(word, start, first) == self._first_letters[rules])
        fits &= words.part(word, length - last, length) == self._last_letters[rules]
        rows = np.flatnonzero(fits)
        ends = length - last
        parts = zip(*(column[rows].tolist() for column in (word, rules, first, ends)), strict=True)
        texts = [
            self._added[rule][0] + words.texts[at][start:end] + self._added[rule][1] for at, rule, start, end in parts
        ]
        some = np.array([bool(text) for text in texts], dtype=bool)
        return rows[some], [text for text in texts if text]
