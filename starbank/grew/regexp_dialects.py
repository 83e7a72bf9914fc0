r"""The readers of Grew's two dialects of regular expressions: of OCaml's Str library and of the Perl syntax of Re."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from starbank.grew.regexp_syntax import (
    ANY_BUT_NEWLINE,
    TIMES,
    Border,
    Character,
    Reader,
    Reference,
    Repeated,
    Run,
    Series,
    Tree,
    complement,
    joined,
    points,
)

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
MOST_TIMES = 1000  # as in RE2


class StrReader(Reader):
    r"""Reads the Str dialect by recursive descent: `\(a\|b\)+.c|`."""

    OPEN, CLOSE, OR = r"\(", r"\)", r"\|"
    opened = 0

    def repeated(self) -> Tree:
        """Return an atom and how often it comes."""
        part = self.atom()
        least: int = 1
        most: int | None = 1
        start = self.at
        while self.at < len(self.pattern) and self.pattern[self.at] in TIMES:
            fewest, limit = TIMES[self.pattern[self.at]]
            least, most = least * fewest, None if limit is None else most
            self.at += 1
        return part if self.at == start else Repeated(part, least, most)

    def atom(self) -> Tree:
        """Return a group, a class, a place or a character."""
        if self.accept(self.OPEN):
            self.opened += 1
            return self.group(self.opened)
        if self.accept("["):
            return self.character_class()
        character = self.take("")
        if character in "^$":
            return Border(f"(?m:{character})")
        if character != "\\":
            return ANY_BUT_NEWLINE if character == "." else Character(tuple(points(character)))
        escaped = self.take("it ends with a backslash")
        if escaped in "123456789":
            self.refers = True
            return Reference(int(escaped))
        return Border(r"\b") if escaped == "b" else Character(tuple(points(escaped)))

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
        return Character(complement(runs) if negated else joined(runs))


class PerlReader(Reader):
    """Reads the Perl dialect by recursive descent: `(?:a|b){2,}?[[:alpha:]]`; `ignore_case` is its flag `i`."""

    BORDERS = {"b": r"\b", "B": r"\B", "A": r"\A", "z": r"\z", "Z": r"\z", "G": r"\A"}  # noqa: RUF012

    def __init__(self, pattern: str, ignore_case: bool) -> None:
        """Begin at the beginning of `pattern`."""
        super().__init__(pattern)
        self.ignore_case = ignore_case

    def repeated(self) -> Tree:
        """Return an atom and how often it comes."""
        part = self.atom()
        sign = self.pattern[self.at : self.at + 1]
        if sign not in TIMES and sign != "{":
            return part
        self.at += 1
        least, most = self.bounds() if sign == "{" else TIMES[sign]
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
        digits = "".join(takewhile("0123456789".__contains__, self.pattern[self.at :]))
        self.at += len(digits)
        if len(digits) > 9:
            raise ValueError("a number of times is too large")
        return int(digits) if digits else None

    def atom(self) -> Tree:
        """Return a group, a class, a place or a character."""
        if self.accept("(?#"):
            while not self.accept(")"):
                self.take("( without )")
            return Series(())
        if self.accept("("):
            if self.peek("?") and not self.accept("?:"):
                raise ValueError("/…/ has no look-around and no flags inside")
            return self.group()
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
        return self.character(points(character))

    def escape(self) -> Tree:
        r"""Return what `\` and the next character stand for."""
        escaped = self.take("it ends with a backslash")
        if escaped in self.BORDERS:
            return Border(self.BORDERS[escaped])
        return self.character(self.escaped(escaped))

    def escaped(self, escaped: str) -> Iterable[Run]:
        r"""Return what `\` and a letter or sign stand for, in a class or outside."""
        if escaped.lower() in LETTERS:
            letters = CLASSES[LETTERS[escaped.lower()]]
            return complement(letters) if escaped.isupper() else letters
        if escaped in "0123456789":
            raise ValueError('/…/ has no back references; re"…" has them')
        if escaped.isascii() and escaped.isalpha():
            raise ValueError(f"\\{escaped} has no meaning in /…/")
        return points(escaped)

    def bracket(self) -> Character:
        """Return the class whose bracket is open."""
        negated = self.accept("^")
        runs: list[Run] = []
        start = self.at
        while self.at == start or not self.accept("]"):
            member = self.member()
            if isinstance(member, str) and self.peek("-") and not self.peek("-]"):
                self.at += 1
                last = self.member()
                ends = sorted((ord(member), ord(last))) if isinstance(last, str) else None
                runs += [(ends[0], ends[1])] if ends else [*points(member + "-"), *last]
            else:
                runs += points(member) if isinstance(member, str) else member
        character = self.character(runs)
        return Character(complement(character.ranges)) if negated else character

    def member(self) -> str | Iterable[Run]:
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
            return complement(CLASSES[name]) if negated else CLASSES[name]
        return character

    def character(self, runs: Iterable[Run]) -> Character:
        """Return the set of `runs`, with both cases of its ASCII letters where case is ignored."""
        runs = list(runs)
        for first, last in list(runs) if self.ignore_case else ():
            for low, shift in ((0x41, 32), (0x61, -32)):
                begin, end = max(first, low), min(last, low + 25)
                if begin <= end:
                    runs.append((begin + shift, end + shift))
        return Character(joined(runs))
