"""Schemes that are tables: a letter, or several, and the Latin letters that stand for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_TABLES = Path(__file__).with_name("alphabets.yaml")
# Letters, digits and marks, which `\w` has not; a word goes on after the sign of an abbreviation (צה"ל).
_OF_WORDS = "(?:[^\\W_]|[\u0300-\u036f\u0591-\u05c7])"
_GOES_ON = f"[\"'’״׳]?{_OF_WORDS}"


class Alphabet:
    """The letters of a script in Latin letters, and back: the longest piece that the table has goes first."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.script: str = table["script"]
        letters = _decomposed(table["letters"] + table.get("beyond", "")).split()
        self.letters = dict(zip(letters[::2], letters[1::2], strict=True))
        final = table.get("final", "").split()
        self._final: dict[str, str] = dict(zip(final[::2], final[1::2], strict=True))
        self._first, self._second = table.get("swap", ("(?!)", "(?!)"))
        # Of letters that are written alike, the first is the one that is read.
        latin = {written: letter for letter, written in reversed(self.letters.items())}
        self._exchange, self._exchange_back = _exchange(self.letters), _exchange(latin)

    def write(self, word: str) -> str:
        """Return a word in Latin letters, composed (NFC); what the table lacks stays."""
        swapped = _swapped(_decomposed(word), self._first, self._second)
        return _composed(self._exchange(swapped))

    def read(self, word: str) -> str:
        """Return a word in the letters of the script, composed: what was written, where the table tells it apart."""
        text = self._exchange_back(_decomposed(word))
        for usual, last in self._final.items():
            text = re.sub(f"(?<={_OF_WORDS}){usual}(?!{_GOES_ON})", last, text)
        return _composed(_swapped(text, self._second, self._first))


@cache
def alphabets() -> dict[str, Alphabet]:
    """Return the tables that there are, by the names of their schemes."""
    tables = yaml.load(_TABLES.read_text(encoding="utf-8"), yaml.BaseLoader)
    return {name: Alphabet(table) for name, table in tables.items()}


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _swapped(text: str, first: str, second: str) -> str:
    return re.sub(f"({first})({second})", r"\2\1", text)


def _exchange(table: Mapping[str, str]) -> Callable[[str], str]:
    """Return what exchanges the pieces of decomposed words that a table has, in capitals where these were."""
    known = sorted(table, key=len, reverse=True)
    variants = [variant for piece in known for variant in dict.fromkeys((piece, piece.upper(), _titled(piece)))]
    pattern = re.compile("|".join(re.escape(variant) for variant in variants if variant.lower() in table))

    def made(match: re.Match[str]) -> str:
        piece = match.group()
        written = table[piece.lower()]
        if _is_among_capitals(match) and (piece != piece.lower() or piece == piece.upper()):
            return written.upper()
        return written if piece == piece.lower() else _titled(written)

    return lambda word: pattern.sub(made, word)


def _titled(piece: str) -> str:
    return piece[:1].upper() + piece[1:]


def _is_among_capitals(match: re.Match[str]) -> bool:
    """Tell whether a piece of a word stands beside letters that have case, all of them capitals."""
    beside = (_last_letter(match.string[: match.start()]), _last_letter(match.string[match.end() :][::-1]))
    cased = [letter for letter in beside if letter.lower() != letter.upper()]
    return bool(cased) and all(letter.isupper() for letter in cased)


def _last_letter(text: str) -> str:
    return next((letter for letter in reversed(text) if not unicodedata.combining(letter)), "")
