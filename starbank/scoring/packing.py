"""Inputs of a network -> rows that are computed once where inputs begin alike.

Variants of a sentence share all that stands before their first difference. They are laid out as a tree: each token
once, the tokens of a branch behind one another, in the order of a walk through the tree (pre-order). A token sees
exactly its ancestors, so with their depths as positions a causal network gives each the numbers that it would have in
an input of its own (as in the tree attention of speculative decoding, Miao et al. 2024, SpecInfer).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# A tree has at most so many tokens: attention is square in it.
MOST_TOKENS = 512
# Trees share rows of so many tokens, or of the largest tree, so that little is padded.
ROW_TOKENS = 128
# An input joins a row where at least this part of it is there already.
WORTH = 0.25


@dataclass(frozen=True)
class Rows:
    """Rows of tokens, end to end: `ids`, the `depth` of each in its input and the `end` of what descends from it (its
    own place where nothing does, plus one), both counted from the beginning of its row. `first[r]` is where row `r`
    begins, and the last entry where all end. `places[i, p]` is the token at position `p` of input `i`. All int64.
    `shared` tells that rows hold trees, not single inputs."""

    ids: np.ndarray
    depth: np.ndarray
    end: np.ndarray
    first: np.ndarray
    places: np.ndarray
    shared: bool

    @property
    def lengths(self) -> np.ndarray:
        """The number of tokens in each row."""
        return np.diff(self.first)


def pad(values: np.ndarray, lengths: np.ndarray, filling: int | np.ndarray) -> np.ndarray:
    """Return `values`, rows of these `lengths` end to end, as a matrix (int64) that is filled up on the right."""
    filled = np.arange(lengths.max()) < lengths[:, None]
    matrix = np.full(filled.shape, filling, np.int64)
    matrix[filled] = values
    return matrix


def pack(inputs: Sequence[np.ndarray], share: bool, most: int = MOST_TOKENS) -> Rows:
    """Lay out `inputs` (at least one, none empty) in rows: one each, or with `share` as trees, several in a row.

    No row has more than `most` tokens but that of an input that has.
    """
    lengths = np.fromiter(map(len, inputs), np.int64, len(inputs))
    matrix = pad(np.concatenate(inputs), lengths, -1)
    order = np.arange(len(inputs))
    common = np.zeros(len(inputs), np.int64)
    if share:
        order = np.lexsort(matrix.T[::-1])
        matrix, lengths = matrix[order], lengths[order]
        common = _common(matrix, lengths, most)
    new = np.arange(matrix.shape[1]) >= common[:, None]
    base = np.concatenate([[0], np.cumsum(lengths - common)])
    number = np.arange(len(inputs))[:, None]
    # The token at depth d of an input was laid out with the last input, up to this one, that shares less than d + 1.
    owner = np.maximum.accumulate(np.where(new, number, -1), axis=0)
    places = base[owner] + np.arange(matrix.shape[1]) - common[owner]
    # And its descendants end where the next such input begins.
    following = np.where(new, number, len(inputs))
    following = np.concatenate([following[1:], np.full((1, matrix.shape[1]), len(inputs))])
    following = np.minimum.accumulate(following[::-1], axis=0)[::-1]
    added = new & (np.arange(matrix.shape[1]) < lengths[:, None])
    trees = np.concatenate([base[:-1][common == 0], base[-1:]])
    starts = _starts(np.diff(trees), trees[:-1], min(ROW_TOKENS, most)) if share else trees[:-1]
    first = np.concatenate([starts, base[-1:]])
    offset = np.repeat(starts, np.diff(first))
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return Rows(matrix[added], np.nonzero(added)[1], base[following][added] - offset, first, places[back], share)


def _common(matrix: np.ndarray, lengths: np.ndarray, most: int) -> np.ndarray:
    """Return how many tokens each of the sorted inputs shares with the one before it; 0 begins a tree."""
    differs = matrix[1:] != matrix[:-1]
    shared = np.where(differs.any(axis=1), differs.argmax(axis=1), lengths[1:])
    common = np.concatenate([[0], np.minimum(shared, lengths[1:])])
    common[common < WORTH * lengths] = 0
    total = 0
    for number, (length, stem) in enumerate(zip(lengths.tolist(), common.tolist(), strict=True)):
        total = total + length - stem if stem and total + length - stem <= most else 0
        if not total:
            common[number], total = 0, length
    return common


def _starts(sizes: np.ndarray, begins: np.ndarray, tokens: int) -> np.ndarray:
    """Return where rows of so many `tokens` begin: each takes the next of the trees at `begins`, while they fit."""
    starts = [0]
    fitting = max(tokens, int(sizes.max()))
    for begin, size in zip(begins.tolist(), sizes.tolist(), strict=True):
        if begin + size - starts[-1] > fitting:
            starts.append(begin)
    return np.array(starts, np.int64)
