"""Which nodes dominate which: the reflexive and transitive closure of all edges, enhanced ones too.

Trees need no list of pairs: in a walk through the basic trees, the nodes below a node are a stretch that begins with
it. What enhanced edges and cycles add to that is listed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from starbank.grew.trees import from_leaves, is_acyclic


@dataclass(frozen=True)
class Dominance:
    """X dominates Y where `first[X] <= first[Y] <= last[X]`, or (X, Y) is among (`source`, `target`)."""

    first: np.ndarray
    last: np.ndarray
    source: np.ndarray
    target: np.ndarray


def dominance(head: np.ndarray, source: np.ndarray, target: np.ndarray, roots: np.ndarray) -> Dominance:
    """Compute dominance from the basic heads, all edges (`source`, `target`) and the first node of each sentence."""
    parent = np.where(is_acyclic(head), head, -1)
    first, last = _stretches(parent)
    new = (first[target] < first[source]) | (first[target] > last[source])
    ends = np.append(roots[1:], len(head))
    sentences = np.unique(np.searchsorted(roots, source[new], side="right") - 1)
    inside = np.isin(np.searchsorted(roots, source, side="right") - 1, sentences)
    pairs = _closure(source[inside], target[inside], roots[sentences], ends[sentences])
    listed = (first[pairs[1]] < first[pairs[0]]) | (first[pairs[1]] > last[pairs[0]])
    return Dominance(first, last, pairs[0][listed], pairs[1][listed])


def _stretches(parent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the nodes so that every node comes right before the nodes below it; return (first, last)."""
    size = np.ones(len(parent), np.int64)
    for children, heads in from_leaves(parent):
        np.add.at(size, heads, size[children])
    # A node comes after its head, and after its earlier siblings with all that is below them.
    order = np.lexsort((np.arange(len(parent)), parent))
    before = np.cumsum(size[order]) - size[order]
    group = np.searchsorted(parent[order], parent[order])
    offset = np.empty_like(size)
    offset[order] = before - before[group] + (parent[order] >= 0)
    top = len(parent)
    jump, first = np.append(np.where(parent < 0, top, parent), top), np.append(offset, 0)
    while (jump != top).any():
        first = first + first[jump]
        jump = jump[jump]
    return first[:-1], first[:-1] + size - 1


def _closure(source: np.ndarray, target: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return all pairs (2 × n) of a node and one that can be reached from it, in the sentences given."""
    found = [np.zeros((2, 0), np.int64)]
    lengths = ends - starts
    place = np.searchsorted(starts, source, side="right") - 1
    words = (lengths + 63) // 64
    for count in np.unique(words):
        members = np.flatnonzero(words == count)
        for some in np.array_split(members, max(1, int(len(members) * count * count // 4000))):
            if len(some) == 0:
                continue
            among = np.isin(place, some)
            row = np.searchsorted(some, place[among])
            a, b = source[among] - starts[place[among]], target[among] - starts[place[among]]
            found.append(_sets(row, a, b, len(some), int(lengths[some].max()), int(count), starts[some]))
    return np.concatenate(found, axis=1)


def _sets(
    row: np.ndarray, a: np.ndarray, b: np.ndarray, rows: int, nodes: int, words: int, starts: np.ndarray
) -> np.ndarray:
    """Close the edges a -> b of `rows` sentences (Warshall), each node's reach being a set of 64-bit words."""
    reach = np.zeros((rows, nodes, words), np.uint64)
    np.bitwise_or.at(reach, (row, a, b // 64), np.uint64(1) << (b % 64).astype(np.uint64))
    for middle in range(nodes):
        passes = (reach[:, :, middle // 64] >> np.uint64(middle % 64)) & np.uint64(1)
        reach |= reach[:, middle : middle + 1, :] * passes[:, :, None]
    bits = np.unpackbits(reach.view(np.uint8), axis=2, bitorder="little")
    sentence, start, end = np.nonzero(bits)
    return np.stack([start + starts[sentence], end + starts[sentence]])
