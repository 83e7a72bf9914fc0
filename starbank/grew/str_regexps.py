r"""The dialect of OCaml's Str library, `re"…"`: groups `\( \)`, alternation `\|`, back references."""

from __future__ import annotations

from starbank.grew.regexp_syntax import (
    ANY_BUT_NEWLINE,
    Border,
    Character,
    Choice,
    Reader,
    Reference,
    Repeated,
    Series,
    Tree,
    complement,
    joined,
    one,
)


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
            return ANY_BUT_NEWLINE if character == "." else one(character)
        escaped = self.take("it ends with a backslash")
        if escaped in "123456789":
            self.refers = True
            return Reference(int(escaped))
        return Border(r"\b") if escaped == "b" else one(escaped)

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
