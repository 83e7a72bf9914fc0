"""What looks like a word of the language."""

from __future__ import annotations

import numpy as np

from starbank.morphology.counts import Counts
from starbank.morphology.letters import Vowels, Words, mix
from starbank.morphology.paradigms import FOLDS, Paradigms
from starbank.treebanks.arrays import numbers


class LetterModel:
    """An n-gram model of letters, for what looks like a word of the language."""

    def __init__(self, words: Words, fold: np.ndarray, order: int) -> None:
        self._order = order
        row, contexts, letter = self._grams(words)
        self._counts = [Counts(context, letter, np.ones(len(letter)), fold[row]) for context in contexts]
        self._unseen = 1 / max(len(np.unique(letter)), 1)

    def log_probability(self, words: Words, fold: np.ndarray) -> np.ndarray:
        """Return the natural logarithm of each word's probability."""
        row, contexts, letter = self._grams(words)
        # Words are many, letters in their contexts few.
        _, first, gram = np.unique(mix(contexts[-1], letter, fold[row]), return_index=True, return_inverse=True)
        letter, of_fold = letter[first], fold[row[first]]
        probability = np.full(len(letter), self._unseen)
        for context, counts in zip(contexts, self._counts, strict=True):
            count, total = counts.count(context[first], letter, of_fold), counts.total(context[first], of_fold)
            probability = (count + probability) / (total + 1)
        return np.bincount(row, np.log(probability)[gram], len(words.texts))

    def _grams(self, words: Words) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
        """Return for each letter, and each word's end, its word, what goes before it, and the letter."""
        places = words.length + 1
        row = np.repeat(np.arange(len(places)), places)
        place = np.arange(len(row)) - np.repeat(np.cumsum(places) - places, places)
        width = max(words.codes.shape[1], 1)
        letter = np.where(place < words.length[row], words.codes[row, np.minimum(place, width - 1)], 0)
        contexts = [
            mix(words.part(row, np.maximum(place - size, 0), place), np.minimum(place, size), size)
            for size in range(self._order)
        ]
        return row, contexts, letter.astype(np.uint64)


class Harmony:
    """Which vowels a word may have together: front or back ones, round or spread ones."""

    def __init__(self, vowels: Vowels, words: Words, fold: np.ndarray) -> None:
        self._vowels = vowels
        present = vowels.present(words).astype(float)
        count = np.stack(
            [present[fold != part].T @ present[fold != part] for part in range(FOLDS)] + [present.T @ present]
        )
        alone = np.diagonal(count, axis1=1, axis2=2)
        total = np.array([(fold != part).sum() for part in range(FOLDS)] + [len(fold)])[:, None, None]
        # Pointwise mutual information, held towards none by one word of each kind.
        self._bonds = np.log((count + 1) * (total + 1) / ((alone[:, :, None] + 1) * (alone[:, None, :] + 1)))

    def weakest(self, words: Words, fold: np.ndarray) -> np.ndarray:
        """Return for each word how badly its worst pair of vowels goes together: 0 or less."""
        present = self._vowels.present(words)
        worst = np.zeros(len(words.texts))
        for first in range(present.shape[1]):
            for second in range(first):
                both = present[:, first] & present[:, second]
                worst[both] = np.minimum(worst[both], self._bonds[fold[both], first, second])
        return worst


class Likeness:
    """What looks like a word of the language: its letters, and which vowels go together."""

    def __init__(self, paradigms: Paradigms, vowels: Vowels) -> None:
        attested = paradigms.forms()
        words, fold = Words(attested["form"].to_pylist()), numbers(attested["fold"])
        self._letters = LetterModel(words, fold, order=4)
        self._harmony = Harmony(vowels, words, fold)

    def weigh(self, words: Words, fold: np.ndarray) -> list[np.ndarray]:
        """Return what speaks for each word: two columns."""
        return [self._letters.log_probability(words, fold) / 3, self._harmony.weakest(words, fold)]
