r"""Grew's two dialects of regular expressions -> Python's `re`.

`re"…"` follows OCaml's Str library: `. * + ? [..] [^..] ^ $ \b`, groups `\( \)`, alternation `\|`, back references.
`/…/` follows the Perl syntax of OCaml's Re library: no look-around, no back references, no `\p`.

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


@lru_cache(maxsize=1024)
def compile_regexp(regexp: Regexp) -> Callable[[str], bool]:
    """Return the test whether a whole value matches `regexp`.

    Raises `ValueError`, with the reason, where the expression is malformed or uses what its dialect lacks.
    """
    translate = _translate_str if regexp.dialect == "str" else _translate_perl
    pattern, lazy = translate(regexp.pattern)
    flags = re.ASCII | (re.IGNORECASE if regexp.ignore_case else 0)
    try:
        compiled = re.compile(pattern, flags)
    except re.error as error:
        raise ValueError(error.msg) from None
    if lazy:
        return lambda value: (found := compiled.search(value)) is not None and found.span() == (0, len(value))
    return lambda value: compiled.fullmatch(value) is not None


def _translate_str(pattern: str) -> tuple[str, bool]:
    r"""Rewrite the Str dialect: `\(a\|b\)+.c|` -> `(a|b)+.c\|`."""
    pieces: list[str] = []
    depth = at = 0
    repeatable = False
    while at < len(pattern):
        character, following = pattern[at], pattern[at + 1 : at + 2]
        at += 1
        if character == "\\":
            if not following:
                raise ValueError("it ends with a backslash")
            at += 1
            if following == ")" and depth == 0:
                raise ValueError(r"\) without \(")
            depth += {"(": 1, ")": -1}.get(following, 0)
            if following in "(|)":
                pieces.append(following)
            elif following in "123456789":
                pieces.append(f"(?:\\{following})")
            else:
                pieces.append(r"\b" if following == "b" else re.escape(following))
            repeatable = following not in "(|"
        elif character == "[":
            body, at = _str_class(pattern, at)
            pieces.append(body)
            repeatable = True
        elif character in "*+?":
            # A second quantifier, or one with nothing before it, would mean something else in Python.
            if repeatable:
                pieces[-1:] = _quantified(pieces, character)
            else:
                pieces.append(re.escape(character))
                repeatable = True
        else:
            pieces.append(character if character in ".^$" else re.escape(character))
            repeatable = True
    if depth:
        raise ValueError(r"\( without \)")
    return "".join(pieces), False


def _quantified(pieces: list[str], quantifier: str) -> list[str]:
    last = pieces[-1]
    if last[-1:] in "*+?" and not last.startswith("\\"):
        return [f"(?:{last}){quantifier}"] if len(last) > 1 else [last]
    return [last + quantifier] if last != ")" else [")" + quantifier]


def _str_class(pattern: str, at: int) -> tuple[str, int]:
    """Rewrite the class whose `[` stands before `at`; return it and the place behind its `]`."""
    negated = pattern[at : at + 1] == "^"
    start = at + negated
    end = pattern.find("]", start + 1)
    if end < 0:
        raise ValueError("[ without ]")
    body = re.sub(r"[\\\[\]^&~|]", lambda found: "\\" + found[0], pattern[start:end])
    return f"[{'^' if negated else ''}{body}]", end + 1


def _translate_perl(pattern: str) -> tuple[str, bool]:
    """Check the Perl dialect and rewrite its POSIX classes."""
    if re.search(r"(?<!\\)(?:\\\\)*\\(?:[1-9]|[pPAzZGKRX])", pattern) is None:
        pass
    else:
        raise ValueError(r"/…/ has no back references and no \p; re\"…\" has \1")
    if re.search(r"(?<!\\)(?:\\\\)*\(\?(?![:#])", pattern):
        raise ValueError("/…/ has no look-around and no flags inside")
    pattern = re.sub(r"\[:(\^?)(\w+):\]", _posix_class, pattern)
    lazy = re.search(r"(?<!\\)(?:\\\\)*[*+?}]\?", pattern) is not None
    return pattern, lazy


def _posix_class(found: re.Match[str]) -> str:
    if found[1] or found[2] not in POSIX_CLASSES:
        raise ValueError(f"unknown class {found[0]}; known are {', '.join(sorted(POSIX_CLASSES))}")
    return POSIX_CLASSES[found[2]]
