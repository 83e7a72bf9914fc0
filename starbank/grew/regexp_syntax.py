r"""Grew's two dialects of regular expressions -> a tree, whose `text` is the same expression for RE2.

`re"…"` follows OCaml's Str library: `. * + ? [..] [^..] ^ $ \b`, groups `\( \)`, alternation `\|`, back references.
`/…/` follows the Perl syntax of OCaml's Re library: no look-around, no back references, no `\p`. Classes such as `\w`
and the flag `i` know ASCII letters only, in both libraries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

LAST = 0x10FFFF
DEEPEST = 50
Ranges = tuple[tuple[int, int], ...]


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
        signs = {(0, None): "*", (1, None): "+", (0, 1): "?"}
        most = "" if self.most is None else self.most
        return f"(?:{self.part.text}){signs.get((self.least, self.most), f'{{{self.least},{most}}}')}{'?' * self.lazy}"


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


class Reader:
    """What the two dialects share: a place in the text, and how deep it is nested."""

    def __init__(self, pattern: str) -> None:
        """Begin at the beginning of `pattern`."""
        self.pattern = pattern
        self.at = 0
        self.depth = 0
        self.lazy = False
        self.refers = False

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

    def deeper(self) -> None:
        """Enter a group."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise ValueError(f"its groups nest more than {DEEPEST} deep")


def one(character: str) -> Character:
    """Return the set of one character."""
    return Character(((ord(character), ord(character)),))


def points(characters: str) -> list[tuple[int, int]]:
    """Return a run for each of `characters`."""
    return [(ord(character), ord(character)) for character in characters]


def joined(runs: Iterable[tuple[int, int]]) -> Ranges:
    """Return runs of code points in order and without overlaps; one that ends before it begins is empty."""
    runs_in_order: list[tuple[int, int]] = []
    for first, last in sorted(run for run in runs if run[0] <= run[1]):
        if runs_in_order and first <= runs_in_order[-1][1] + 1:
            runs_in_order[-1] = (runs_in_order[-1][0], max(last, runs_in_order[-1][1]))
        else:
            runs_in_order.append((first, last))
    return tuple(runs_in_order)


def complement(runs: Iterable[tuple[int, int]]) -> Ranges:
    """Return the code points that are in none of the runs."""
    bounds = [-1, *(end for run in joined(runs) for end in run), LAST + 1]
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return tuple((before + 1, after - 1) for before, after in pairs if before + 1 <= after - 1)


def _spelled(point: int) -> str:
    return chr(point) if chr(point).isascii() and chr(point).isalnum() else f"\\x{{{point:x}}}"
