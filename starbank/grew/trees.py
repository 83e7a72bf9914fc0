"""Numbers about basic trees, for all sentences at once.

A forest is an array `head`: for each node the id of its head, -1 where it has none. Cycles are allowed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

# Dependents that a constituent leaves out at its top, beside punctuation.
LOOSE = frozenset({"discourse", "vocative", "parataxis", "conj", "appos", "orphan", "list", "reparandum"})


def is_acyclic(head: np.ndarray) -> np.ndarray:
    """Tell for each node whether the way up from it ends."""
    top = len(head)
    jump = np.append(np.where(head < 0, top, head), top)
    for _ in range(max(top, 1).bit_length()):
        jump = jump[jump]
        if (jump == top).all():
            break
    return np.asarray(jump[:-1] == top)


def from_leaves(head: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (children, heads) in rounds, a node only after all its own children; nodes on a cycle never."""
    waiting = np.bincount(head[head >= 0], minlength=len(head))
    ready = np.flatnonzero(waiting == 0)
    while len(ready):
        children = ready[head[ready] >= 0]
        heads = head[children]
        yield children, heads
        np.subtract.at(waiting, heads, 1)
        ready = np.unique(heads[waiting[heads] == 0])


def shapes(head: np.ndarray, counted: np.ndarray, loose: np.ndarray, chunks: list[slice]) -> dict[str, np.ndarray]:
    """Measure every node's subtree: Grew's operators (float64, NaN on or below a cycle, where it overflows its stack).

    `counted` tells which nodes count as dependents of their head (punctuation does not), `loose` which ones a
    constituent leaves out at its top. `chunks` cuts the nodes at sentence boundaries, to bound the memory.
    """
    parent = np.where(counted, head, -1)
    size = np.ones(len(head))
    height = np.ones(len(head))
    constituent = np.ones(len(head))
    cyclic = ~is_acyclic(head)
    for children, heads in from_leaves(parent):
        np.add.at(size, heads, size[children])
        np.maximum.at(height, heads, height[children] + 1)
        tight = ~loose[children]
        np.add.at(constituent, heads[tight], size[children[tight]])
    above = np.where(cyclic, -1, head)
    contiguous = np.concatenate([np.ones(0), *(_contiguous(above, counted, chunk) for chunk in chunks)])
    for numbers in (size, height, constituent, contiguous):
        numbers[cyclic] = np.nan
    return {"proj_size": size, "cont_proj_size": contiguous, "constituent_size": constituent, "height": height}


def _contiguous(head: np.ndarray, counted: np.ndarray, chunk: slice) -> np.ndarray:
    """Count for each node the descendants in the unbroken stretch around it.

    Punctuation that hangs on a descendant bridges the stretch without being counted; that of the node itself does not.
    """
    nodes = np.arange(chunk.start, chunk.stop)
    tops, members, inside = [nodes], [nodes], [np.ones(len(nodes), bool)]
    # Climb from every node at once. `bridging`: punctuation lies on the way; `fresh`: it hangs on the present top.
    top, member = nodes, nodes
    bridging = np.zeros(len(nodes), bool)
    while len(top):
        alive = head[top] >= 0
        top, member, bridging = top[alive], member[alive], bridging[alive]
        fresh = ~counted[top]
        bridging = bridging | fresh
        top = head[top]
        tops.append(top[~fresh])
        members.append(member[~fresh])
        inside.append(~bridging[~fresh])
    top, member, counts = map(np.concatenate, (tops, members, inside))
    order = np.lexsort((member, top))
    top, member, counts = top[order], member[order], counts[order]
    breaks = np.ones(len(top), bool)
    breaks[1:] = (top[1:] != top[:-1]) | (member[1:] != member[:-1] + 1)
    stretch = np.cumsum(breaks) - 1
    sizes = np.bincount(stretch, weights=counts)
    return np.asarray(sizes[stretch[top == member]])


def structure(head: np.ndarray, sent: np.ndarray, sentences: int) -> dict[str, np.ndarray]:
    """Tell for each sentence whether its basic tree, node 0 included, is projective, a tree, a forest, cyclic."""
    cyclic = np.zeros(sentences, bool)
    cyclic[sent[~is_acyclic(head)]] = True
    tops = np.bincount(sent[head < 0], minlength=sentences)
    crossing = np.zeros(sentences, bool)
    crossing[sent[_crossed(head)]] = True
    return {"projective": ~crossing, "tree": ~cyclic & (tops == 1), "forest": ~cyclic, "cyclic": cyclic}


def _crossed(head: np.ndarray) -> np.ndarray:
    """Return the dependents of edges that cross another edge."""
    nodes = np.flatnonzero(head >= 0)
    heads = head[nodes]
    # The farthest neighbour of each node on either side.
    lowest, highest = np.arange(len(head)), np.arange(len(head))
    for node, neighbour in ((nodes, heads), (heads, nodes)):
        np.minimum.at(lowest, node, neighbour)
        np.maximum.at(highest, node, neighbour)
    low, high = np.minimum(nodes, heads), np.maximum(nodes, heads)
    lengths = np.maximum(high - low - 1, 0)
    edge = np.repeat(np.arange(len(nodes)), lengths)
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths) + low[edge] + 1
    crossed = (lowest[within] < low[edge]) | (highest[within] > high[edge])
    return np.take(nodes, np.unique(edge[crossed]))
