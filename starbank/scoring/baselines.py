"""What frequency alone can do: a unigram and a trigram model of words, and one of characters, trained in a moment.

`docs/metrics.md` has the formulas. To models of words, words that the training text lacks have all the same probability
in the same context, so forms that were never seen tie exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from starbank.errors import UsageError
from starbank.models import BASELINES
from starbank.scoring.characters import Characters
from starbank.scoring.conditions import LEVELS, Text
from starbank.scoring.regions import TokenScores
from starbank.scoring.training import Training
from starbank.scoring.words import split_words

DISCOUNT = 0.75
UNKNOWN, BEGINNING = 0, 1
MOST_WORDS = 2_000_000


class Unigram:
    """Relative frequency; an unknown word counts as half an occurrence."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        """Count the words of `sentences`."""
        self._numbers = _number_words(sentences)
        counts = np.bincount(_to_numbers(sentences, self._numbers), minlength=len(self._numbers)).astype(float)
        counts[UNKNOWN] = 0.5
        with np.errstate(divide="ignore"):  # The beginning of a sentence is no word and never asked for.
            self._logprobs: np.ndarray = np.log(counts / counts.sum())

    def logprobs(self, sentences: Sequence[Sequence[str]]) -> np.ndarray:
        """Return ln p(word) of every word of `sentences`, end to end (float64)."""
        return self._logprobs.take(_to_numbers(sentences, self._numbers))


class Trigram:
    """Interpolated Kneser-Ney with one discount (Kneser & Ney 1995; Chen & Goodman 1999).

    A sentence is preceded by two beginnings; its end is not predicted. The lowest order shares its discount
    evenly among the words of the training text and one unknown word.
    """

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        """Count the words of `sentences`."""
        self._numbers = _number_words(sentences)
        self._size = size = len(self._numbers)
        if size > MOST_WORDS:
            raise UsageError(f"the text has {size} different words; the trigram model holds {MOST_WORDS}")
        u, v, w = _trigrams(sentences, self._numbers)
        self._tokens = _Counts((u * size + v) * size + w)  # c(u v w)
        self._contexts = _Counts(u * size + v)  # c(u v .)
        types = self._tokens.codes
        self._followers = _Counts(types // size)  # N1+(u v .)
        self._bigrams = _Counts(types % size**2)  # N1+(. v w)
        self._middles = _Counts(types // size % size)  # N1+(. v .)
        self._bigram_followers = _Counts(self._bigrams.codes // size)  # N1+(v .)
        self._unigrams = _Counts(self._bigrams.codes % size)  # N1+(. w)

    def logprobs(self, sentences: Sequence[Sequence[str]]) -> np.ndarray:
        """Return ln p(word | the two words before it) of every word of `sentences`, end to end (float64)."""
        u, v, w = _trigrams(sentences, self._numbers)
        size = self._size
        uv, vw = u * size + v, v * size + w
        words = len(self._unigrams.codes)
        p = _interpolate(self._unigrams.of(w), self._unigrams.total, words, 1 / (words + 1))
        p = _interpolate(self._bigrams.of(vw), self._middles.of(v), self._bigram_followers.of(v), p)
        p = _interpolate(self._tokens.of(uv * size + w), self._contexts.of(uv), self._followers.of(uv), p)
        logprobs: np.ndarray = np.log(p)
        return logprobs


WORD_MODELS: dict[str, type[Unigram | Trigram | Characters]] = dict(
    zip(BASELINES, (Unigram, Trigram, Characters), strict=True)
)


class Baseline:
    """A word model as a scorer."""

    kind = "baseline"
    levels: tuple[str, ...] = LEVELS
    revision: str | None = None

    def __init__(self, name: str, training: Training) -> None:
        """Train `name`, one of `BASELINES`."""
        self.name = name
        self.fingerprint = f"{name} {training.fingerprint}"
        self.about: dict[str, Any] = {"training": training.about, "dtype": "float64"}
        self._model = WORD_MODELS[name](training.sentences)

    def work(self, text: Text) -> int:
        """Baselines are quick: all texts are one chunk."""
        return 0

    def ask(self, texts: Sequence[Text], levels: Sequence[str]) -> Callable[[], dict[str, TokenScores]]:
        """Return what gives the scores of the tokens of `texts` by level when it is called."""
        return partial(self.token_scores, texts, levels)

    def token_scores(self, texts: Sequence[Text], levels: Sequence[str]) -> dict[str, TokenScores]:
        """Return the scores of the words of `texts`; all levels read the same ones."""
        split = [split_words(text.text) for text in texts]
        number = np.repeat(np.arange(len(texts)), [len(words) for words in split])
        spans = np.array([(start, end) for words in split for start, end, _ in words], np.int64).reshape(-1, 2)
        logprobs = self._model.logprobs([[word for _, _, word in words] for words in split])
        return dict.fromkeys(levels, TokenScores(number, spans[:, 0], spans[:, 1], logprobs))

    def token_strings(self, texts: Sequence[Text]) -> list[list[str]]:
        """Return the words of each of `texts` as the model compares them."""
        return [[word for _, _, word in split_words(text.text)] for text in texts]


class _Counts:
    """How often each code occurs."""

    def __init__(self, codes: np.ndarray) -> None:
        self.codes, self._counts = np.unique(codes, return_counts=True)
        self.total = len(codes)

    def of(self, codes: np.ndarray) -> np.ndarray:
        """Return the count of each of `codes`, 0 where there is none."""
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return np.where(self.codes[places] == codes, self._counts[places], 0)


def _interpolate(count: Any, total: Any, followers: Any, lower: Any) -> np.ndarray:
    """Discount `count` and give what that frees to `lower`; a context that was never seen leaves `lower` as it is."""
    mixed: np.ndarray = (np.maximum(count - DISCOUNT, 0) + DISCOUNT * followers * lower) / np.maximum(total, 1)
    return np.where(np.asarray(total) > 0, mixed, lower)


def _number_words(sentences: Sequence[Sequence[str]]) -> dict[str, int]:
    words = sorted({word for sentence in sentences for word in sentence})
    return {word: number for number, word in enumerate(words, start=BEGINNING + 1)} | {"": UNKNOWN, " ": BEGINNING}


def _to_numbers(sentences: Sequence[Sequence[str]], numbers: dict[str, int]) -> np.ndarray:
    return np.array([numbers.get(word, UNKNOWN) for sentence in sentences for word in sentence], np.int64)


def _trigrams(sentences: Sequence[Sequence[str]], numbers: dict[str, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each word (w) with the two before it (u, v)."""
    words = _to_numbers(sentences, numbers)
    lengths = np.array([len(sentence) for sentence in sentences], np.int64)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    place = np.arange(len(words)) - starts
    shifted = np.concatenate([[BEGINNING, BEGINNING], words])
    return np.where(place > 1, shifted[:-2], BEGINNING), np.where(place > 0, shifted[1:-1], BEGINNING), words
