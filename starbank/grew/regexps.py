r"""Grew's two dialects of regular expressions -> Python's `re`.

`re"…"` follows OCaml's Str library: `. * + ? [..] [^..] ^ $ \b`, groups `\( \)`, alternation `\|`, back references.
`/…/` follows the Perl syntax of OCaml's Re library: no look-around, no back references, no `\p`. Classes such as `\w`
and the flag `i` know ASCII letters only, in both libraries.

Two deliberate differences from Grew: an expression is read over characters, where Grew reads bytes; and a value
matches where the whole value fits the expression, where Grew stops at the first alternative that fits a prefix.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from starbank.grew.syntax import Regexp

POSIX_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "word": "a-zA-Z0-9_",
    "space": r" \t\n\r\f\v", "blank": r" \t", "xdigit": "0-9a-fA-F", "punct": r"!-/:-@\[-`{-~",
    "cntrl": r"\x00-\x1f\x7f", "print": r"\x20-\x7e", "graph": r"\x21-\x7e", "ascii": r"\x00-\x7f",
}  # fmt: skip
PERL_ESCAPES = {letter: "\\" + letter for letter in "wWsSdDbBA"} | {"z": r"\Z", "Z": r"(?=\n?\Z)", "G": r"\A"}


@lru_cache(maxsize=1024)
def compile_regexp(regexp: Regexp) -> Callable[[str], bool]:
    """Return the test whether a whole value matches `regexp`.

    Raises `ValueError`, with the reason, where the expression is malformed or uses what its dialect lacks.
    """
    lazy = False
    if regexp.dialect == "str":
        pattern = _Str(regexp.pattern).translate()
    else:
        pattern, lazy = _translate_perl(regexp.pattern)
    try:
        compiled = re.compile(pattern, re.ASCII | (re.IGNORECASE if regexp.ignore_case else 0))
    except re.error as error:
        raise ValueError(error.msg) from None
    if lazy:
        # A lazy quantifier takes as little as it can, so that /wh.*?/ is only "wh", as in Grew.
        return lambda value: (found := compiled.search(value)) is not None and found.span() == (0, len(value))
    return lambda value: compiled.fullmatch(value) is not None


class _Str:
    r"""Rewrites the Str dialect by recursive descent: `\(a\|b\)+.c|` -> `(?:(a|b))+.c\|`."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def peek(self, text: str) -> bool:
        return self.pattern.startswith(text, self.at)

    def accept(self, text: str) -> bool:
        found = self.peek(text)
        self.at += len(text) * found
        return found

    def translate(self) -> str:
        translated = self.alternatives()
        if self.at < len(self.pattern):
            raise ValueError(r"\) without \(")
        return translated

    def alternatives(self) -> str:
        branches = [self.sequence()]
        while self.accept(r"\|"):
            branches.append(self.sequence())
        return "|".join(branches)

    def sequence(self) -> str:
        pieces = []
        while self.at < len(self.pattern) and not self.peek(r"\|") and not self.peek(r"\)"):
            pieces.append(self.repeated())
        return "".join(pieces)

    def repeated(self) -> str:
        piece = self.atom()
        while self.at < len(self.pattern) and self.pattern[self.at] in "*+?":
            piece = f"(?:{piece}){self.pattern[self.at]}"
            self.at += 1
        return piece

    def atom(self) -> str:
        if self.accept(r"\("):
            inside = self.alternatives()
            if not self.accept(r"\)"):
                raise ValueError(r"\( without \)")
            return f"({inside})"
        if self.accept("["):
            return self.character_class()
        character = self.pattern[self.at]
        self.at += 1
        if character != "\\":
            return character if character in ".^$" else re.escape(character)
        if self.at == len(self.pattern):
            raise ValueError("it ends with a backslash")
        escaped = self.pattern[self.at]
        self.at += 1
        if escaped in "123456789":
            return f"(?:\\{escaped})"
        return r"\b" if escaped == "b" else re.escape(escaped)

    def character_class(self) -> str:
        negated = self.accept("^")
        end = self.pattern.find("]", self.at + 1)
        if end < 0:
            raise ValueError("[ without ]")
        body = re.sub(r"[\\\[\]^&~|]", lambda found: "\\" + found[0], self.pattern[self.at : end])
        self.at = end + 1
        return f"[{'^' * negated}{body}]"


def _translate_perl(pattern: str) -> tuple[str, bool]:
    """Check the Perl dialect and rewrite what Python spells otherwise; tell whether a quantifier is lazy."""
    pieces: list[str] = []
    lazy = False
    tokens = re.findall(r"\\.|\[\^?\]?(?:\[:\^?\w*:\]|\\.|[^]\\])*\]|\(\?.?|\{\d*,?\d*\}|.", pattern, re.DOTALL)
    for token, previous in zip(tokens, ["", *tokens], strict=False):
        if token[0] == "\\" and token[1:].isdigit():
            raise ValueError('/…/ has no back references; re"…" has them')
        if token[0] == "\\" and token[1:].isascii() and token[1:].isalpha():
            if token[1] not in PERL_ESCAPES:
                raise ValueError(f"{token} has no meaning in /…/")
            token = PERL_ESCAPES[token[1]]
        elif token.startswith("(?") and token not in ("(?:", "(?#"):
            raise ValueError("/…/ has no look-around and no flags inside")
        elif token[0] == "[" and len(token) > 1:
            token = re.sub(r"\[:(\^?\w*):\]", _posix_class, token)
        lazy |= token == "?" and (previous in ("*", "+", "?") or previous.startswith("{"))
        pieces.append(token)
    return "".join(pieces), lazy


def _posix_class(found: re.Match[str]) -> str:
    if found[1] not in POSIX_CLASSES:
        raise ValueError(f"unknown class {found[0]}; known are {', '.join(sorted(POSIX_CLASSES))}")
    return POSIX_CLASSES[found[1]]
