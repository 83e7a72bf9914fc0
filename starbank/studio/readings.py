"""Surprisals of words, from the log-probabilities that a model gives its tokens."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from starbank.scoring.words import split_words


@dataclass(frozen=True)
class Word:
    """A word with what follows it, and its surprisal in bits, None where the model gives it none."""

    text: str
    bits: float | None


def by_word(text: str, starts: Sequence[int], nats: Sequence[float | None]) -> Iterator[Word]:
    """Yield the words of a text in which tokens begin, with the sum of their surprisals.

    `starts` has the first character of each token, in order. What no token begins in goes with the word before.
    """
    borders = [start for start, _, _ in split_words(text)]
    places = (max(bisect_right(borders, start) - 1, 0) for start in starts)
    tokens = zip(places, nats, strict=True)
    words = {place: [nat for _, nat in group] for place, group in groupby(tokens, key=lambda token: token[0])}
    cuts = [0, *(borders[place] for place in list(words)[1:]), len(text)]
    for (start, end), of_word in zip(pairwise(cuts), words.values(), strict=True):
        yield Word(text[start:end], surprisal(of_word))


def surprisal(nats: Iterable[float | None]) -> float | None:
    """Return the surprisal in bits of the log-probabilities of tokens, None where one of them has none."""
    values = [math.nan if nat is None else nat for nat in nats]
    total = -sum(values) / math.log(2)
    return total if values and math.isfinite(total) else None
