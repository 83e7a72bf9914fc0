"""How many ways are there to choose one thing per column such that certain columns differ, and which is the n-th?

The columns are NumPy arrays (int64): `column[thing]` tells in how many ways a column can be that thing. Counts are
exact, by inclusion and exclusion over the edges that join columns which are to differ, of which there are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np

Edges = Sequence[tuple[int, int]]


def count(columns: Sequence[np.ndarray], edges: Edges, without: frozenset[int] | None = None) -> Any:
    """Return the number of choices; with `without`, an array: that where those columns must not be each thing.

    >>> count([np.array([1, 1, 1]), np.array([1, 1, 0])], [(0, 1)])
    4
    """
    total: Any = 0
    for size in range(len(edges) + 1):
        for chosen in combinations(edges, size):
            term: Any = (-1) ** size
            for block in _blocks(len(columns), chosen):
                same = reduce(np.multiply, [columns[place] for place in block])
                everywhere = int(same.sum())
                term = term * (everywhere - same if without and without & block else everywhere)
            total = total + term
    return total


def choose(number: int, columns: Sequence[np.ndarray], edges: Edges) -> list[tuple[int, int]]:
    """Return the choice of a number from 0 up to the count: for each column a thing, and which of its ways.

    >>> [choose(number, [np.array([1, 1]), np.array([2, 1])], [(0, 1)]) for number in range(3)]
    [[(0, 0), (1, 0)], [(1, 0), (0, 0)], [(1, 0), (0, 1)]]
    """
    if not columns:
        return []
    near = frozenset(b - 1 for a, b in edges if a == 0)
    later = [(a - 1, b - 1) for a, b in edges if a > 0]
    rest = np.broadcast_to(count(columns[1:], later, near), columns[0].shape)
    borders = np.cumsum(columns[0] * rest)
    thing = int(np.searchsorted(borders, number, side="right"))
    way, number = divmod(number - int(borders[thing - 1] if thing else 0), int(rest[thing]))
    following = list(columns[1:])
    for place in near:
        following[place] = following[place].copy()
        following[place][thing] = 0
    return [(thing, way), *choose(number, following, later)]


def groups(size: int, edges: Edges) -> list[list[int]]:
    """Return the columns that edges join, each group sorted; a column without edges is a group of its own."""
    return sorted(sorted(block) for block in _blocks(size, edges))


def _blocks(size: int, edges: Edges) -> list[frozenset[int]]:
    blocks = [frozenset([place]) for place in range(size)]
    for a, b in edges:
        joined = frozenset[int]().union(*(block for block in blocks if a in block or b in block))
        blocks = [block for block in blocks if not block & joined] + [joined]
    return blocks
