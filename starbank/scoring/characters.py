"""A language model of characters, which knows something of the shapes of words; trained in moments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ORDER = 6
# What ends a word, and what stands before a sentence; no word has either.
END, BEGINNING = " ", "\n"


class Characters:
    """Interpolated Witten–Bell of six characters (Witten & Bell 1991; Chen & Goodman 1999).

    A word is its letters and an end, so that the probabilities of all words sum to one; what stands before it in the
    sentence is read, its last letters first. The lowest order is even: all characters of the text, and one unknown.
    """

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        """Count the characters of `sentences`."""
        codes = _codes(sentences)
        self._characters = np.unique(codes)
        self._size = len(self._characters) + 1
        numbers = self._number(codes)
        contexts = np.zeros_like(numbers)
        self._orders: list[_Counts] = []
        for _ in range(ORDER):
            types = contexts * self._size + numbers
            self._orders.append(_Counts(types, codes != ord(BEGINNING), self._size))
            contexts = _after(self._orders[-1].find(types))

    def logprobs(self, sentences: Sequence[Sequence[str]]) -> np.ndarray:
        """Return ln p(word | the words before it) of every word of `sentences`, end to end (float64)."""
        letters = [len(word) + 1 for words in sentences for word in words]
        return np.bincount(np.repeat(np.arange(len(letters)), letters), self.letter_logprobs(sentences))

    def letter_logprobs(self, sentences: Sequence[Sequence[str]]) -> np.ndarray:
        """Return ln p(letter | what stands before it) of every letter of every word, and of its end (float64)."""
        codes = _codes(sentences)
        numbers = self._number(codes)
        contexts = np.zeros_like(numbers)
        # Every character that was seen, and one that was not; a beginning is never asked for.
        probabilities = np.full(len(numbers), 1 / (self._size - 1))
        for counts in self._orders:
            types = counts.find(np.where(contexts < 0, -1, contexts * self._size + numbers))
            probabilities = counts.mix(types, contexts, probabilities)
            contexts = _after(types)
        logprobs: np.ndarray = np.log(probabilities[codes != ord(BEGINNING)])
        return logprobs

    def _number(self, codes: np.ndarray) -> np.ndarray:
        """Return the numbers of characters, 0 for those never seen."""
        places = np.minimum(np.searchsorted(self._characters, codes), len(self._characters) - 1)
        return np.where(self._characters[places] == codes, places + 1, 0)


class _Counts:
    """How often each character stands after each context of one length.

    A type is a context with a character after it, numbered in order; it is the context of what comes next.
    """

    def __init__(self, codes: np.ndarray, asked: np.ndarray, size: int) -> None:
        self._codes, places = np.unique(codes, return_inverse=True)
        self._counts = np.bincount(places, weights=asked)
        contexts = self._codes // size
        # Contexts are at most as many as types, for each but the last has something after it.
        self._totals = np.bincount(contexts, weights=self._counts, minlength=len(self._codes))
        self._followers = np.bincount(contexts, weights=self._counts > 0, minlength=len(self._codes))

    def find(self, codes: np.ndarray) -> np.ndarray:
        """Return the number of each type, -1 where it was never seen."""
        places = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.where(self._codes[places] == codes, places, -1)

    def mix(self, types: np.ndarray, contexts: np.ndarray, lower: np.ndarray) -> np.ndarray:
        """Return the probabilities of types: shares of their contexts, and for as many new ones as these have `lower`.

        A context that was never seen, or after which nothing was predicted, leaves `lower` as it is.
        """
        totals, followers = (np.where(contexts < 0, 0, of[contexts]) for of in (self._totals, self._followers))
        counts = np.where(types >= 0, self._counts[types], 0)
        mixed = (counts + followers * lower) / np.maximum(totals + followers, 1)
        return np.where(totals > 0, mixed, lower)


def _codes(sentences: Sequence[Sequence[str]]) -> np.ndarray:
    """Return the characters of sentences end to end, with beginnings before each and an end after each word."""
    before = BEGINNING * (ORDER - 1)
    text = "".join(before + "".join(f"{word}{END}" for word in words) for words in sentences)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)


def _after(numbers: np.ndarray) -> np.ndarray:
    """Return for each character the number of the type that ends before it."""
    # What stands before the first is never read: a word has five characters before it.
    return np.concatenate([numbers[:1], numbers[:-1]])
