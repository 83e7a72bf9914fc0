"""Lexicons of rules: tables of words, in a file or after the rule (https://grew.fr/doc/lexicon)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from starbank.errors import RequestError

_BEGIN = re.compile(r"^#BEGIN[ \t]+(\S+)[ \t]*$", re.MULTILINE)
_HINT = "The first line has the names of the fields, each other line as many values, all separated by tabs."

Row = dict[str, str]


@dataclass(frozen=True)
class Lexicon:
    """Rows of values by field; each row stands there once."""

    fields: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def values(self, field: str, rows: Iterable[Sequence[str]] | None = None) -> tuple[str, ...]:
        """Return the different values of a field, in all rows or in some."""
        place = self.fields.index(field)
        return tuple(dict.fromkeys(row[place] for row in (self.rows if rows is None else rows)))

    def keep(self, rows: Sequence[tuple[str, ...]], field: str, value: str, negated: bool) -> Sequence[tuple[str, ...]]:
        """Return those of some rows that have a value in a field, or another one where `negated`."""
        if rows is self.rows and not negated:
            return self._by_value[field].get(value, ())
        place = self.fields.index(field)
        return [row for row in rows if (row[place] == value) != negated]

    @cached_property
    def _by_value(self) -> dict[str, dict[str, list[tuple[str, ...]]]]:
        """The rows by the value of each field."""
        fields: dict[str, dict[str, list[tuple[str, ...]]]] = {field: {} for field in self.fields}
        for row in self.rows:
            for field, value in zip(self.fields, row, strict=True):
                fields[field].setdefault(value, []).append(row)
        return fields


def cut_lexicons(text: str, file: Path | None) -> tuple[str, dict[str, Lexicon]]:
    """Return the text before the lexicons of a rule, and these by name; blocks of one name are one lexicon.

    Raises `RequestError` with the line of what is wrong.
    """
    begins = list(_BEGIN.finditer(text))
    if not begins:
        return text, {}
    ends = [begin.start() for begin in begins[1:]] + [len(text)]
    lexicons: dict[str, Lexicon] = {}
    for begin, end in zip(begins, ends, strict=True):
        body = re.split(r"^#END[ \t]*$", text[begin.end() + 1 : end], maxsplit=1, flags=re.MULTILINE)[0]
        lexicon = read_lexicon(body, file, text.count("\n", 0, begin.end()) + 2)
        name = begin[1]
        lexicons[name] = _united(lexicons[name], lexicon, file) if name in lexicons else lexicon
    return text[: begins[0].start()], lexicons


def read_lexicon(text: str, file: Path | None, first_line: int = 1) -> Lexicon:
    """Read a table: the names of its fields, then its rows; empty lines and those that begin with `%` do not count."""

    def error(number: int, message: str) -> RequestError:
        source = text.splitlines()[number - first_line]
        return RequestError(message, file=file, line=number, source=source, hint=_HINT)

    rows = []
    for number, line in enumerate(text.splitlines(), first_line):
        if line.strip() and not line.startswith("%"):
            plain = unicodedata.normalize("NFC", line.replace("\\%", "%"))
            rows.append((number, tuple(value for value in plain.split("\t") if value)))
    if len(rows) < 2:
        raise RequestError("a lexicon must not be empty", file=file, line=first_line, hint=_HINT)
    (first, fields), *entries = rows
    for place, field in enumerate(fields):
        if field in fields[:place]:
            raise error(first, f"the lexicon has two fields {field}")
    for number, values in entries:
        if len(values) != len(fields):
            raise error(number, f"the lexicon has {len(fields)} fields, and this row has {len(values)}")
    return Lexicon(fields, tuple(dict.fromkeys(values for _, values in entries)))


def _united(one: Lexicon, other: Lexicon, file: Path | None) -> Lexicon:
    if set(one.fields) != set(other.fields):
        raise RequestError("two lexicons of one name have different fields", file=file, hint=_HINT)
    order = [other.fields.index(field) for field in one.fields]
    added = (tuple(row[place] for place in order) for row in other.rows)
    return Lexicon(one.fields, tuple(dict.fromkeys([*one.rows, *added])))
