"""How likely each of two forms is beside a word: counts by its spelling, from coarse to fine.

A neighbour is seen through windows: whether its first letter is a vowel, that letter without marks, its first letters,
the whole word, the word with its part of speech (of one before: the last letters). In each window the pair of forms has
its own counts, and all pairs have counts together in which the same letters alternate. A probability is interpolated
from coarse windows to fine ones, each outweighing the coarser with its count (Witten and Bell 1991).
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.casing import lower, upper
from starbank.morphology.letters import distinct, mix
from starbank.treebanks.arrays import answer, numbers, whole

# How much the coarser windows count against those that were seen.
_PRIOR = 0.5

_FOLLOWING = (
    *("''", "classes[1]", "strip_accents(word[1])", "word[1]", "word[1] || classes[2]", "word[:2]", "word[:3]"),
    *("word", "word || '/' || upos"),
)
_PREVIOUS = (
    *("''", "classes[1]", "strip_accents(word[-1])", "word[-1]", "classes[2] || word[-1]", "word[-2:]"),
    *("word[-3:]", "word", "word || '/' || upos"),
)
# Columns of windows, one for pairs whose letters are alike and one for the pair: all, and those of two letters at most,
# which seldom are words.
WINDOWS = 2 * len(_FOLLOWING)
LETTERS = WINDOWS - 6

# Made anew at each place where a query names it, which takes milliseconds: `classes` names it once.
CLASS = """
    create or replace temp macro class(letter) as case
        when letter <> '' and contains({vowels}, letter) then 'V'
        when regexp_matches(letter, '\\p{{L}}') then 'C'
        else letter
    end
"""

_SEEN = """
    with neighbours as (
        select *,
            if(length(neighbour) > 1 and neighbour = {capital} and neighbour <> {small}, neighbour, {small}) as bare,
            if(side = 'following', bare || ' ', ' ' || bare) as word,
            list_transform(if(side = 'following', [word[1], word[2]], [word[-1], word[-2]]),
                lambda letter: class(letter)) as classes
        from (select distinct side, neighbour, neighbour_upos, neighbour_upos as upos from {table})
    ),
    spelt as (
        select side, neighbour, neighbour_upos, [{following}] as seen from neighbours where side = 'following'
        union all
        select side, neighbour, neighbour_upos, [{previous}] from neighbours where side = 'previous'
    )
    select {table}.*, hash(kind, side) as of_kind, hash(pair, side) as of_pair, seen
    from {table} join spelt using (side, neighbour, neighbour_upos)
"""


def see(connection: duckdb.DuckDBPyConnection, table: str, language: str | None, vowels: str) -> pa.Table:
    """Return the columns of `table` (kind, pair, side, neighbour, neighbour_upos, …), and those `windows_of` takes.

    A word that is all in capitals may be read letter by letter.
    """
    connection.execute(CLASS.format(vowels=f"'{vowels}'"))
    following, previous = (", ".join(f"hash({window})" for window in windows) for windows in (_FOLLOWING, _PREVIOUS))
    small, capital = lower("neighbour", language), upper("neighbour", language)
    query = _SEEN.format(table=table, following=following, previous=previous, small=small, capital=capital)
    return answer(connection, query)


def windows_of(table: pa.Table) -> np.ndarray:
    """Return the windows of rows that `see` gives, from coarse to fine: hashes, rows by windows."""
    kind, pair = (numbers(table[name])[:, None] for name in ("of_kind", "of_pair"))
    seen = numbers(whole(table["seen"]).flatten()).reshape(len(table), WINDOWS // 2)
    window = np.arange(WINDOWS // 2)
    return np.stack([mix(kind, seen, window), mix(pair, seen, window)], axis=2).reshape(len(table), WINDOWS)


def tally(windows: np.ndarray, firsts: np.ndarray, seconds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how often either form stood in the windows of examples, in all: two arrays of rows by windows."""
    evidence, number = _count(windows, firsts, seconds)
    return evidence.firsts[number], evidence.seconds[number]


@dataclass(frozen=True)
class Evidence:
    """How often the first and the second form of pairs stood in windows, whose hashes are in order."""

    windows: np.ndarray
    firsts: np.ndarray
    seconds: np.ndarray

    @classmethod
    def count(cls, windows: np.ndarray, firsts: np.ndarray, seconds: np.ndarray) -> Evidence:
        """Count examples: so many of either form in the windows of a row."""
        return _count(windows, firsts, seconds)[0]

    def seen(self, windows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how often either form stood in windows, as two arrays of their shape."""
        place = np.minimum(np.searchsorted(self.windows, windows), max(len(self.windows) - 1, 0))
        if not len(self.windows):
            return np.zeros(windows.shape), np.zeros(windows.shape)
        found = self.windows[place] == windows
        return np.where(found, self.firsts[place], 0), np.where(found, self.seconds[place], 0)


def probability(firsts: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Return how likely the second form is, from counts (rows by windows, from coarse to fine)."""
    likely = np.full(len(firsts), 0.5)
    for first, second in zip(firsts.T, seconds.T, strict=True):
        likely = (second + _PRIOR * likely) / (first + second + _PRIOR)
    return likely


def _count(windows: np.ndarray, firsts: np.ndarray, seconds: np.ndarray) -> tuple[Evidence, np.ndarray]:
    """Return the counts, and which of them are those of each window."""
    hashes, _, number = distinct(windows.ravel())
    first, second = (
        np.bincount(number, np.repeat(form, windows.shape[1]), minlength=len(hashes)) for form in (firsts, seconds)
    )
    return Evidence(hashes, first, second), number.reshape(windows.shape)
