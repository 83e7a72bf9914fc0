r"""The dialect of OCaml's Str library, `re"…"`: groups `\( \)`, alternation `\|`, back references."""

from __future__ import annotations

from starbank.grew.regexp_syntax import (
    ANY_BUT_NEWLINE,
    TIMES,
    Border,
    Character,
    Reader,
    Reference,
    Repeated,
    Tree,
    complement,
    joined,
    points,
)


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
