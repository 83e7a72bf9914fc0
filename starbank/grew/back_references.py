r"""Expressions with back references, `\(.\)\1`, which no linear engine has.

All ways to read a value are followed side by side, not one after another, so that none is tried twice: the time is a
power of the length of the value, never exponential. Where it would be too long all the same, that is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from starbank.grew.regexp_syntax import Border, Character, Choice, Reference, Repeated, Series, Tree

# A way to read a value: how far it has come, and what each group has matched, from where to where.
Reading = tuple[int, tuple[tuple[int, int, int], ...]]
MOST_READINGS = 100_000, 5_000  # in all, and for each value


class TooManyReadings(Exception):
    """Values can be read in so many ways that trying them would take too long."""


def accepted(tree: Tree, values: Sequence[str]) -> list[bool]:
    """Tell which of `values` match `tree` as a whole; raise `TooManyReadings`."""
    in_all, for_each = MOST_READINGS
    follower = _Follower(in_all + for_each * len(values))
    return [follower.accepts(tree, value) for value in values]


class _Follower:
    def __init__(self, most: int) -> None:
        self.value = ""
        self.budget = most

    def accepts(self, tree: Tree, value: str) -> bool:
        self.value = value
        return any(end == len(value) for end, _ in self.after(tree, {(0, ())}))

    def after(self, tree: Tree, readings: set[Reading]) -> set[Reading]:
        """Return the readings that are left when `tree` has been read after each of `readings`."""
        self.budget -= len(readings)
        if self.budget < 0:
            raise TooManyReadings
        match tree:
            case Character():
                return {(at + 1, groups) for at, groups in readings if tree.has(self.value[at : at + 1])}
            case Border():
                border = re.compile(tree.text, re.ASCII)
                return {reading for reading in readings if border.match(self.value, reading[0])}
            case Series():
                for part in tree.parts:
                    readings = self.after(part, readings) if readings else readings
                return readings
            case Choice(branches, 0):
                return {after for branch in branches for after in self.after(branch, readings)}
            case Choice(branches, number):
                ways = ((start, branch) for start in readings for branch in branches)
                return {_closed(end, number, start[0]) for start, branch in ways for end in self.after(branch, {start})}
            case Repeated():
                return self.repeated(tree, readings)
            case Reference():
                return {after for reading in readings for after in self.again(tree.number, reading)}

    def repeated(self, tree: Repeated, readings: set[Reading]) -> set[Reading]:
        """Return the readings after no, one or more of the part; Str has only `*`, `+` and `?`."""
        reached = set(readings) if tree.least == 0 else set()
        new = self.after(tree.part, readings) - reached
        reached |= new
        while new and tree.most is None:
            new = self.after(tree.part, new) - reached
            reached |= new
        return reached

    def again(self, number: int, reading: Reading) -> list[Reading]:
        """Return the reading after the text of the group `number`; none where the group has not matched yet."""
        at, groups = reading
        texts = [self.value[start:end] for group, start, end in groups if group == number]
        return [(at + len(text), groups) for text in texts if self.value.startswith(text, at)]


def _closed(reading: Reading, number: int, start: int) -> Reading:
    """Return the reading with what the group `number` has matched since `start`."""
    at, groups = reading
    return at, tuple(sorted([*(group for group in groups if group[0] != number), (number, start, at)]))
