r"""Grew's two dialects of regular expressions -> a tree, whose `text` is the same expression for RE2.

`re"…"` follows OCaml's Str library: `. * + ? [..] [^..] ^ $ \b`, groups `\( \)`, alternation `\|`, back references.
`/…/` follows the Perl syntax of OCaml's Re library: no look-around, no back references, no `\p`. Classes such as `\w`
and the flag `i` know ASCII letters only, in both libraries.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

LAST = 0x10FFFF
DEEPEST = 50
# How often a part comes, at least and at most, that one of these signs follows.
TIMES: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
SIGNS = {times: sign for sign, times in TIMES.items()}
Run = tuple[int, int]
Ranges = tuple[Run, ...]


@dataclass(frozen=True)
class Character:
    """One character of a set."""

    ranges: Ranges

    @property
    def text(self) -> str:
        """The class in RE2's syntax."""
        runs = "".join(_spelled(first) + (f"-{_spelled(last)}" if last > first else "") for first, last in self.ranges)
        return f"[{runs}]" if runs else r"[^\x00-\x{10ffff}]"

    def has(self, character: str) -> bool:
        """Tell whether `character` belongs to the set; the empty string does not."""
        return any(first <= ord(character) <= last for first, last in self.ranges) if character else False


@dataclass(frozen=True)
class Border:
    r"""A place between two characters: `^`, `$`, `\b`."""

    text: str


@dataclass(frozen=True)
class Series:
    """One part after another."""

    parts: tuple[Tree, ...]

    @property
    def text(self) -> str:
        """The parts in RE2's syntax."""
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True)
class Choice:
    """One of several branches; `number` is that of the group that holds them, 0 where nothing refers to it."""

    branches: tuple[Tree, ...]
    number: int = 0

    @property
    def text(self) -> str:
        """The branches in RE2's syntax."""
        return f"(?:{'|'.join(branch.text for branch in self.branches)})"


@dataclass(frozen=True)
class Repeated:
    """A part so many times; `most` is None where there is no limit."""

    part: Tree
    least: int
    most: int | None
    lazy: bool = False

    @property
    def text(self) -> str:
        """The repetition in RE2's syntax."""
        most = "" if self.most is None else self.most
        return f"(?:{self.part.text}){SIGNS.get((self.least, self.most), f'{{{self.least},{most}}}')}{'?' * self.lazy}"


@dataclass(frozen=True)
class Reference:
    r"""`\1`: what the group of this number has matched."""

    number: int

    @property
    def text(self) -> str:
        """Anything: RE2 cannot tell what the group has matched."""
        return "(?s:.*)"


Tree: TypeAlias = Character | Border | Series | Choice | Repeated | Reference
ANY_BUT_NEWLINE = Character(((0, 9), (11, LAST)))


class Reader(ABC):
    """Reads an expression by recursive descent; what a dialect adds is its signs and what stands between them."""

    OPEN, CLOSE, OR = "(", ")", "|"

    def __init__(self, pattern: str) -> None:
        """Begin at the beginning of `pattern`."""
        self.pattern = pattern
        self.at = 0
        self.depth = 0
        self.lazy = False
        self.refers = False

    def read(self) -> Tree:
        """Return the tree; raise `ValueError` where the expression is malformed or uses what its dialect lacks."""
        tree = self.choice()
        if self.at < len(self.pattern):
            raise ValueError(f"{self.CLOSE} without {self.OPEN}")
        return tree

    def choice(self, number: int = 0) -> Choice:
        """Return the branches, which belong to the group `number`."""
        branches = [self.series()]
        while self.accept(self.OR):
            branches.append(self.series())
        return Choice(tuple(branches), number)

    def series(self) -> Series:
        """Return one branch."""
        parts = []
        while self.at < len(self.pattern) and not self.peek(self.OR) and not self.peek(self.CLOSE):
            parts.append(self.repeated())
        return Series(tuple(parts))

    def group(self, number: int = 0) -> Choice:
        """Return the group `number`, which is open."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise ValueError(f"its groups nest more than {DEEPEST} deep")
        group = self.choice(number)
        if not self.accept(self.CLOSE):
            raise ValueError(f"{self.OPEN} without {self.CLOSE}")
        self.depth -= 1
        return group

    @abstractmethod
    def repeated(self) -> Tree:
        """Return an atom and how often it comes."""

    def peek(self, text: str) -> bool:
        """Tell whether `text` comes next."""
        return self.pattern.startswith(text, self.at)

    def accept(self, text: str) -> bool:
        """Go past `text` if it comes next, and tell whether it does."""
        comes = self.peek(text)
        self.at += len(text) * comes
        return comes

    def take(self, missing: str) -> str:
        """Return the next character and go past it; raise `ValueError(missing)` at the end."""
        if self.at == len(self.pattern):
            raise ValueError(missing)
        self.at += 1
        return self.pattern[self.at - 1]


def points(characters: str) -> list[Run]:
    """Return a run for each of `characters`."""
    return [(ord(character), ord(character)) for character in characters]


def joined(runs: Iterable[Run]) -> Ranges:
    """Return runs of code points in order and without overlaps; one that ends before it begins is empty."""
    in_order: list[Run] = []
    for first, last in sorted(run for run in runs if run[0] <= run[1]):
        if in_order and first <= in_order[-1][1] + 1:
            first, end = in_order.pop()
            last = max(last, end)
        in_order.append((first, last))
    return tuple(in_order)


def complement(runs: Iterable[Run]) -> Ranges:
    """Return the code points that are in none of the runs."""
    bounds = [-1, *(end for run in joined(runs) for end in run), LAST + 1]
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return tuple((before + 1, after - 1) for before, after in pairs if before + 1 <= after - 1)


def _spelled(point: int) -> str:
    return chr(point) if chr(point).isascii() and chr(point).isalnum() else f"\\x{{{point:x}}}"
