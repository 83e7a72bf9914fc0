"""Two sentences -> what they begin with, what differs, what they end with, for columns of pairs at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.arrays import numbers, offsets, whole

# So many pairs are compared at a time, character by character.
_PAIRS = 1 << 16
# What stands inside a word, beside letters, digits and their marks.
_INSIDE = frozenset("'’ʼ-‐‑־׳״\u200c\u200d")
# Scripts whose words are not written apart: there every letter is a word.
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
# What stands alone, what is written together with its like, what is written together with anything.
_ALONE, _WORD, _MARK = 0, 1, 2


def cut(good: pa.ChunkedArray, bad: pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many characters both sentences of each pair share at their beginning and at their end.

    The cuts are where words begin and end, so that what differs is whole words. Where that leaves one of the two
    without any (a word is left out, not changed), nothing is shared: what is left does not stand for one another.
    """
    parts = [_cut(whole(a), whole(b)) for a, b in _slices(good, bad)]
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    first, last = zip(*parts, strict=True)
    return np.concatenate(first), np.concatenate(last)


def _slices(good: pa.ChunkedArray, bad: pa.ChunkedArray) -> Iterator[tuple[pa.ChunkedArray, pa.ChunkedArray]]:
    for start in range(0, len(good), _PAIRS):
        yield good.slice(start, _PAIRS), bad.slice(start, _PAIRS)


def _cut(good: pa.StringArray, bad: pa.StringArray) -> tuple[np.ndarray, np.ndarray]:
    one, other = _Texts(good), _Texts(bad)
    shortest = np.minimum(one.lengths, other.lengths)
    first = _shared(one, other, shortest, from_end=False)
    last = _shared(one, other, shortest - first, from_end=True)
    first = np.minimum(one.word_before(first), other.word_before(first))
    last = np.minimum(one.word_after(last), other.word_after(last))
    whole_words = (first + last < one.lengths) & (first + last < other.lengths)
    return np.where(whole_words, first, 0), np.where(whole_words, last, 0)


def _shared(one: _Texts, other: _Texts, longest: np.ndarray, *, from_end: bool) -> np.ndarray:
    """Return how many characters the texts share, from the beginning or the end, at most `longest`."""
    ends = np.cumsum(longest)
    places = np.arange(longest.sum()) - np.repeat(ends - longest, longest)
    apart = np.flatnonzero(one.characters(places, longest, from_end) != other.characters(places, longest, from_end))
    found, first = np.unique(np.searchsorted(ends, apart, side="right"), return_index=True)
    shared = longest.copy()
    shared[found] = places[apart[first]]
    return shared


class _Texts:
    """Texts as one array of characters; a border is a place between two of a text's, counted from its beginning."""

    def __init__(self, texts: pa.StringArray) -> None:
        self.lengths = numbers(pc.utf8_length(texts)).astype(np.int64)
        self._starts = np.cumsum(self.lengths) - self.lengths
        borders = offsets(texts)
        joined = bytes(texts.buffers()[2] or b"")[borders[0] : borders[-1]].decode()
        self._codes = np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32)

    def characters(self, places: np.ndarray, counts: np.ndarray, from_end: bool) -> np.ndarray:
        """Return so many characters of each text, `places` being theirs, counted from its beginning or its end."""
        begin = np.repeat(self._starts + self.lengths - 1 if from_end else self._starts, counts)
        characters: np.ndarray = self._codes[begin - places if from_end else begin + places]
        return characters

    def word_before(self, first: np.ndarray) -> np.ndarray:
        """Return the last border up to these that is not inside a word."""
        borders: np.ndarray = np.maximum.accumulate(np.where(self._inside, 0, np.arange(len(self._inside))))
        before: np.ndarray = borders[self._starts + first] - self._starts
        return before

    def word_after(self, last: np.ndarray) -> np.ndarray:
        """Return, counted from the end, the first border from these on that is not inside a word."""
        places = np.where(self._inside, len(self._inside), np.arange(len(self._inside)))
        borders = np.minimum.accumulate(places[::-1])[::-1]
        end = self._starts + self.lengths
        after: np.ndarray = end - borders[end - last]
        return after

    @cached_property
    def _inside(self) -> np.ndarray:
        """Tell of each border, of all texts in a row, whether the characters beside it are of one word."""
        kinds = np.zeros(int(self._codes.max(initial=0)) + 1, dtype=np.int8)
        for code in np.flatnonzero(np.bincount(self._codes)):
            kinds[code] = _kind(chr(code))
        kind = kinds[self._codes]
        inside = np.zeros(len(self._codes) + 1, dtype=bool)
        inside[1:-1] = ((kind[1:] >= _WORD) & (kind[:-1] >= _WORD)) | (kind[1:] == _MARK)
        inside[self._starts] = False
        return inside


def _kind(character: str) -> int:
    category = unicodedata.category(character)[0]
    if category == "M":
        return _MARK
    alone = unicodedata.name(character, "").startswith(_UNSPACED)
    return _WORD if (category in "LN" and not alone) or character in _INSIDE else _ALONE
