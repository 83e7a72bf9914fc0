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
    sent = np.searchsorted(roots, source, side="right")
    inside = np.isin(sent, sent[new])
    above, below = _closure(source[inside], target[inside], len(head))
    listed = (first[below] < first[above]) | (first[below] > last[above])
    return Dominance(first, last, above[listed], below[listed])


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


def _closure(source: np.ndarray, target: np.ndarray, nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all pairs of a node and one that can be reached from it."""
    if not len(source):
        return source, target
    from scipy.sparse import csr_array  # slow to import

    reach = csr_array((np.ones(len(source), bool), (source, target)), shape=(nodes, nodes))
    while (further := reach + reach @ reach).nnz > reach.nnz:
        reach = further
    above, below = reach.nonzero()
    return above.astype(np.int64), below.astype(np.int64)
