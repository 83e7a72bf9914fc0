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
MOST_TIMES = 1000  # as in RE2
Ranges = tuple[tuple[int, int], ...]

# What the classes hold in ASCII, each a run of first and last characters.
CLASSES = {
    name: tuple((ord(runs[place]), ord(runs[place + 1])) for place in range(0, len(runs), 2))
    for name, runs in {
        "alpha": "azAZ", "digit": "09", "alnum": "azAZ09", "upper": "AZ", "lower": "az", "word": "azAZ09__",
        "space": "\t\r  ", "blank": "\t\t  ", "xdigit": "09afAF", "punct": "!/:@[`{~", "cntrl": "\x00\x1f\x7f\x7f",
        "print": " ~", "graph": "!~", "ascii": "\x00\x7f",
    }.items()
}  # fmt: skip
LETTERS = {"w": "word", "s": "space", "d": "digit"}


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


class StrReader(Reader):
    r"""Reads the Str dialect by recursive descent: `\(a\|b\)+.c|`."""

    def __init__(self, pattern: str) -> None:
        """Begin at the beginning of `pattern`."""
        super().__init__(pattern)
        self.opened = 0

    def read(self) -> Tree:
        """Return the tree; raise `ValueError` where the expression is malformed."""
        tree = self.choice()
        if self.at < len(self.pattern):
            raise ValueError(r"\) without \(")
        return tree

    def choice(self, number: int = 0) -> Choice:
        """Return the branches, which belong to the group `number`."""
        branches = [self.series()]
        while self.accept(r"\|"):
            branches.append(self.series())
        return Choice(tuple(branches), number)

    def series(self) -> Series:
        """Return one branch."""
        parts = []
        while self.at < len(self.pattern) and not self.peek(r"\|") and not self.peek(r"\)"):
            parts.append(self.repeated())
        return Series(tuple(parts))

    def repeated(self) -> Tree:
        """Return an atom and how often it comes."""
        part = self.atom()
        signs: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        least: int = 1
        most: int | None = 1
        start = self.at
        while self.at < len(self.pattern) and self.pattern[self.at] in signs:
            fewest, limit = signs[self.pattern[self.at]]
            least, most = least * fewest, None if limit is None else most
            self.at += 1
        return part if self.at == start else Repeated(part, least, most)

    def atom(self) -> Tree:
        """Return a group, a class, a place or a character."""
        if self.accept(r"\("):
            self.deeper()
            self.opened += 1
            group = self.choice(self.opened)
            if not self.accept(r"\)"):
                raise ValueError(r"\( without \)")
            self.depth -= 1
            return group
        if self.accept("["):
            return self.character_class()
        character = self.take("")
        if character in "^$":
            return Border(f"(?m:{character})")
        if character != "\\":
            return ANY_BUT_NEWLINE if character == "." else _one(character)
        escaped = self.take("it ends with a backslash")
        if escaped in "123456789":
            self.refers = True
            return Reference(int(escaped))
        return Border(r"\b") if escaped == "b" else _one(escaped)

    def character_class(self) -> Character:
        """Return the class whose bracket is open."""
        negated = self.accept("^")
        start, runs = self.at, []
        while self.at == start or not self.peek("]"):
            first = last = ord(self.take("[ without ]"))
            if self.peek("-") and self.at + 1 < len(self.pattern) and self.pattern[self.at + 1] != "]":
                self.at += 1
                last = ord(self.take("[ without ]"))
            runs.append((first, last))
        self.at += 1
        return Character(_complement(runs) if negated else _joined(runs))


class PerlReader(Reader):
    """Reads the Perl dialect by recursive descent: `(?:a|b){2,}?[[:alpha:]]`; `ignore_case` is its flag `i`."""

    BORDERS = {"b": r"\b", "B": r"\B", "A": r"\A", "z": r"\z", "Z": r"\z", "G": r"\A"}  # noqa: RUF012

    def __init__(self, pattern: str, ignore_case: bool) -> None:
        """Begin at the beginning of `pattern`."""
        super().__init__(pattern)
        self.ignore_case = ignore_case

    def read(self) -> Tree:
        """Return the tree; raise `ValueError` where the expression is malformed or uses what Perl has and it lacks."""
        tree = self.choice()
        if self.at < len(self.pattern):
            raise ValueError(") without (")
        return tree

    def choice(self) -> Choice:
        """Return the branches."""
        branches = [self.series()]
        while self.accept("|"):
            branches.append(self.series())
        return Choice(tuple(branches))

    def series(self) -> Series:
        """Return one branch."""
        parts = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            parts.append(self.repeated())
        return Series(tuple(parts))

    def repeated(self) -> Tree:
        """Return an atom and how often it comes."""
        part = self.atom()
        least: int | None
        most: int | None
        if self.accept("*"):
            least, most = 0, None
        elif self.accept("+"):
            least, most = 1, None
        elif self.accept("?"):
            least, most = 0, 1
        elif self.accept("{"):
            least, most = self.bounds()
        else:
            return part
        lazy = self.accept("?")
        self.lazy |= lazy
        return Repeated(part, least, most, lazy)

    def bounds(self) -> tuple[int, int | None]:
        """Return the least and the most of `{2,3}`, whose brace is open."""
        least = self.number()
        if least is None:
            raise ValueError(r"{ opens a number of times, as in a{2,3}; the character is \{")
        most = self.number() if self.accept(",") else least
        if not self.accept("}"):
            raise ValueError("{ without }")
        if most is not None and most < least:
            raise ValueError(f"{{{least},{most}}} asks for more than it allows")
        if max(least, most or 0) > MOST_TIMES:
            raise ValueError(f"a part can be asked for up to {MOST_TIMES} times")
        return least, most

    def number(self) -> int | None:
        """Return a whole number, None where none comes."""
        start = self.at
        while self.at < len(self.pattern) and self.pattern[self.at] in "0123456789":
            self.at += 1
        if self.at - start > 9:
            raise ValueError("a number of times is too large")
        return int(self.pattern[start : self.at]) if self.at > start else None

    def atom(self) -> Tree:
        """Return a group, a class, a place or a character."""
        if self.accept("(?#"):
            while not self.accept(")"):
                self.take("( without )")
            return Series(())
        if self.accept("("):
            if self.peek("?") and not self.accept("?:"):
                raise ValueError("/…/ has no look-around and no flags inside")
            self.deeper()
            group = self.choice()
            if not self.accept(")"):
                raise ValueError("( without )")
            self.depth -= 1
            return group
        if self.accept("["):
            return self.bracket()
        character = self.take("")
        if character in "^$":
            return Border(r"\A" if character == "^" else r"\z")
        if character == ".":
            return ANY_BUT_NEWLINE
        if character == "\\":
            return self.escape()
        if character in "*+?{":
            raise ValueError(rf"{character} has nothing to repeat; the character is \{character}")
        return self.character([(ord(character), ord(character))])

    def escape(self) -> Tree:
        r"""Return what `\` and the next character stand for."""
        escaped = self.take("it ends with a backslash")
        if escaped in self.BORDERS:
            return Border(self.BORDERS[escaped])
        return self.character(self.escaped(escaped))

    def escaped(self, escaped: str) -> Iterable[tuple[int, int]]:
        r"""Return what `\` and a letter or sign stand for, in a class or outside."""
        if escaped.lower() in LETTERS:
            letters = CLASSES[LETTERS[escaped.lower()]]
            return _complement(letters) if escaped.isupper() else letters
        if escaped in "0123456789":
            raise ValueError('/…/ has no back references; re"…" has them')
        if escaped.isascii() and escaped.isalpha():
            raise ValueError(f"\\{escaped} has no meaning in /…/")
        return [(ord(escaped), ord(escaped))]

    def bracket(self) -> Character:
        """Return the class whose bracket is open."""
        negated = self.accept("^")
        runs: list[tuple[int, int]] = []
        start = self.at
        while self.at == start or not self.accept("]"):
            member = self.member()
            if isinstance(member, str) and self.peek("-") and not self.peek("-]"):
                self.at += 1
                last = self.member()
                ends = sorted((ord(member), ord(last))) if isinstance(last, str) else None
                runs += [(ends[0], ends[1])] if ends else [*_points(member + "-"), *last]
            else:
                runs += _points(member) if isinstance(member, str) else member
        character = self.character(runs)
        return Character(_complement(character.ranges)) if negated else character

    def member(self) -> str | Iterable[tuple[int, int]]:
        """Return the next character of a bracket, or the next class."""
        character = self.take("[ without ]")
        if character == "\\":
            escaped = self.take("[ without ]")
            if escaped in "bnrt":
                return {"b": "\b", "n": "\n", "r": "\r", "t": "\t"}[escaped]
            return escaped if escaped not in LETTERS and not escaped.isalnum() else self.escaped(escaped)
        if character == "[" and self.accept("."):
            single = self.take("[. without .]")
            if not self.accept(".]"):
                raise ValueError("[. .] holds one character")
            return single
        if character == "[" and self.accept(":"):
            negated = self.accept("^")
            end = self.pattern.find(":]", self.at)
            name = self.pattern[self.at : end]
            if end < 0 or name not in CLASSES:
                raise ValueError(f"unknown class [:{name}:]; known are {', '.join(sorted(CLASSES))}")
            self.at = end + 2
            return _complement(CLASSES[name]) if negated else CLASSES[name]
        return character

    def character(self, runs: Iterable[tuple[int, int]]) -> Character:
        """Return the set of `runs`, with both cases of its ASCII letters where case is ignored."""
        runs = list(runs)
        for first, last in list(runs) if self.ignore_case else ():
            for low, shift in ((0x41, 32), (0x61, -32)):
                begin, end = max(first, low), min(last, low + 25)
                if begin <= end:
                    runs.append((begin + shift, end + shift))
        return Character(_joined(runs))


def _one(character: str) -> Character:
    return Character(((ord(character), ord(character)),))


def _points(characters: str) -> list[tuple[int, int]]:
    return [(ord(character), ord(character)) for character in characters]


def _joined(runs: Iterable[tuple[int, int]]) -> Ranges:
    """Return runs of code points in order and without overlaps; one that ends before it begins is empty."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(run for run in runs if run[0] <= run[1]):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)


def _complement(runs: Iterable[tuple[int, int]]) -> Ranges:
    """Return the code points that are in none of the runs."""
    bounds = [-1, *(end for run in _joined(runs) for end in run), LAST + 1]
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return tuple((before + 1, after - 1) for before, after in pairs if before + 1 <= after - 1)


def _spelled(point: int) -> str:
    return chr(point) if chr(point).isascii() and chr(point).isalnum() else f"\\x{{{point:x}}}"
