"""Log-probabilities of tokens -> log-probabilities of regions.

Every model, whatever its tokens are, says which characters each token covers; all that follows is done here, once.
A token belongs to the region that holds the first visible character at or after the token's beginning, so a
leading space (`Ġword`, `▁word`, or a `▁` alone) goes with the word that it introduces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import pyarrow as pa

from starbank.scoring.conditions import WORD, Text

_Place = TypeVar("_Place", int, np.ndarray)


@dataclass(frozen=True)
class TokenScores:
    """Log-probabilities of tokens of several texts, in flat columns.

    `text` (int64) is the number of the text, `start` and `end` (int64) the token's characters in it, counted from
    its first visible one; `logprob` (float64) is in nats, NaN where the model gives the token no probability. `broken`
    (int64) are the texts for which the model failed to give numbers: they have no score at all.
    """

    text: np.ndarray
    start: np.ndarray
    end: np.ndarray
    logprob: np.ndarray
    broken: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))


def overlaps(start: np.ndarray, end: np.ndarray, span: tuple[_Place, _Place]) -> np.ndarray:
    """Tell which tokens share a character with `span`: a pair of integers, or of arrays with one span per token."""
    return np.asarray((start < span[1]) & (end > span[0]) & (span[0] < span[1]))


def find_regions(texts: Sequence[Text], scores: TokenScores) -> np.ndarray:
    """Return the region of each token (int64), the regions of all texts counted through."""
    # All texts end to end, one character apart, so that a single search finds every token's region.
    lengths = np.fromiter((len(text.text) for text in texts), np.int64, len(texts))
    base = np.concatenate([[0], np.cumsum(lengths + 1)])
    ends = np.array([end for text in texts for end in text.ends], np.int64)
    ends += np.repeat(base[:-1], [len(text.ends) for text in texts])
    # A token that is all space at the very end of its text belongs to the last character's region.
    start = base[scores.text] + np.minimum(scores.start, lengths[scores.text] - 1)
    regions: np.ndarray = np.searchsorted(ends, start, side="right")
    return regions


def by_region(texts: Sequence[Text], scores: TokenScores, level: str) -> tuple[pa.ListArray, ...]:
    """Return `logprobs` (list of double) and `tokens` (list of int32) by region for each of `texts` at `level`, and
    `token_logprobs` (list of double), `token_starts` and `token_ends` (lists of int32) of the tokens behind them.

    `sentence`: each region's sum over its tokens; tokens without a probability are neither summed nor counted. All
    regions of a broken text are null.
    `word` and its kin: the target's is the sum over all tokens that share a character with its word
    (`Text.word_span`), null where one of them has no probability; null for the other regions.
    """
    regions = np.fromiter((len(text.ends) for text in texts), np.int64, len(texts))
    first = np.concatenate([[0], np.cumsum(regions)])
    words = level.startswith(WORD)
    scores = _in_words(texts, scores) if words else scores
    values, counts = (_targets if words else _all_regions)(texts, scores, first)
    offsets = pa.array(first, pa.int32())
    logprobs = pa.ListArray.from_arrays(offsets, pa.array(values, pa.float64(), from_pandas=True))
    tokens = pa.ListArray.from_arrays(offsets, pa.array(counts, pa.int32()))
    # Tokens are read text by text.
    offsets = pa.array(np.searchsorted(scores.text, np.arange(len(texts) + 1)), pa.int32())
    token_logprobs = pa.array(scores.logprob, pa.float64(), from_pandas=True)
    columns = (token_logprobs, pa.array(scores.start, pa.int32()), pa.array(scores.end, pa.int32()))
    return logprobs, tokens, *(pa.ListArray.from_arrays(offsets, column) for column in columns)


def _in_words(texts: Sequence[Text], scores: TokenScores) -> TokenScores:
    """Return the scores of the tokens that share a character with the target's word."""
    spans = np.array([text.word_span for text in texts], np.int64).reshape(-1, 2)[scores.text]
    inside = overlaps(scores.start, scores.end, (spans[:, 0], spans[:, 1]))
    return TokenScores(*(column[inside] for column in (scores.text, scores.start, scores.end, scores.logprob)))


def _all_regions(texts: Sequence[Text], scores: TokenScores, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scored = ~np.isnan(scores.logprob)
    region = find_regions(texts, scores)[scored]
    values = np.bincount(region, weights=scores.logprob[scored], minlength=first[-1])
    values[np.isin(np.repeat(np.arange(len(texts)), np.diff(first)), scores.broken)] = np.nan
    return values, np.bincount(region, minlength=first[-1])


def _targets(texts: Sequence[Text], scores: TokenScores, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    tokens = np.bincount(scores.text, minlength=len(texts))
    sums = np.bincount(scores.text, weights=scores.logprob, minlength=len(texts))
    sums[tokens == 0] = np.nan
    tokens[np.isnan(sums)] = 0
    values, counts = np.full(first[-1], np.nan), np.zeros(first[-1], np.int64)
    for number, place in ((number, text.target) for number, text in enumerate(texts) if text.target is not None):
        values[first[number] + place], counts[first[number] + place] = sums[number], tokens[number]
    return values, counts
