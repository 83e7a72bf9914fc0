"""Texts that people bring, in files of text or columns of tables -> passages, which a model reads as wholes."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from starbank.errors import UsageError, nearest
from starbank.scoring.conditions import Text

STANDARD_INPUT = Path("-")
LINE, PARAGRAPH, DOCUMENT = "line", "paragraph", "document"
PASSAGES = (LINE, PARAGRAPH, DOCUMENT)
DELIMITERS = (",", "\t", ";")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Columns:
    """Which columns of a table are read: that of the `text`, of what tells which rows are one passage, in their order,
    and of the `context` of a passage (that of its first row)."""

    text: str
    passage: str | None = None
    context: str | None = None


@dataclass(frozen=True)
class Passage:
    """A text in lines. `name` is that of the passage in its `file`; `numbers` are those of its `lines`: of a text the
    lines of the file, of a table its rows, from 1. `between` any two stands the same."""

    file: str
    name: str
    numbers: tuple[int, ...]
    lines: tuple[str, ...]
    between: str
    context: str = ""

    @property
    def before(self) -> str:
        """The context and a space, or nothing."""
        return f"{self.context} " if self.context else ""

    @property
    def text(self) -> str:
        """What a model is shown: the context, and the lines."""
        return self.before + self.between.join(self.lines)

    @property
    def starts(self) -> np.ndarray:
        """The characters of `text` that the lines begin with (int64)."""
        lengths = np.array([len(line) + len(self.between) for line in self.lines], np.int64)
        starts: np.ndarray = len(self.before) + np.cumsum(lengths) - lengths
        return starts

    @property
    def words(self) -> np.ndarray:
        """The characters of `text` that its words begin with and end before (int64, words × 2), context and all.

        A word is whatever has no white space in it.
        """
        return np.array([match.span() for match in _WORD.finditer(self.text)], np.int64).reshape(-1, 2)


def to_text(passage: Passage) -> Text:
    """Return a passage as a model is asked about it: each word with the space before it is a region."""
    return Text(passage.text, (*passage.words[:-1, 1].tolist(), len(passage.text)), None)


def read_passages(
    files: Sequence[Path], *, passage: str = LINE, columns: Columns | None = None, context: str = ""
) -> list[Passage]:
    """Return the passages of `files`, less those without a word; `-` is standard input.

    Without `columns` a file is text, and each of its lines, paragraphs (lines without an empty one between them) or
    the whole document is one `passage`, as it stands. With them it is a table (CSV; tabs or semicolons are found out),
    and a row is one, or all rows that have the same in a column: a space stands between them. `context` stands before
    every passage that has no other.
    Raises `UsageError` for what cannot be read, with its line.
    """
    passages: list[Passage] = []
    for file in files:
        content = _read(file)
        if columns is None:
            passages += _of_text(content, str(file), passage, context)
        else:
            passages += _of_table(content, file, columns, context)
    passages = [one for one in passages if any(map(str.strip, one.lines))]
    if not passages:
        raise UsageError("there is no word", file=", ".join(map(str, files)), hint="Nothing can be scored.")
    return passages


def _read(file: Path) -> str:
    try:
        content = sys.stdin.buffer.read() if file == STANDARD_INPUT else file.read_bytes()
    except OSError as error:
        hint = "Give a folder with suites, a file of text, or `-` for standard input."
        raise UsageError(f"cannot be read: {error.strerror}", file=file, hint=hint) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError("not UTF-8 text", file=file, line=line, hint="Save it as UTF-8.") from error


def _of_text(content: str, file: str, passage: str, context: str) -> Iterator[Passage]:
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(content.split("\n"), start=1)]
    groups = {
        LINE: ([line] for line in lines),
        PARAGRAPH: (list(group) for blank, group in groupby(lines, lambda line: not line[1].strip()) if not blank),
        DOCUMENT: iter([lines]),
    }[passage]
    for group in groups:
        numbers, texts = zip(*group, strict=True)
        yield Passage(file, str(numbers[0]), numbers, texts, "\n", context)


def _of_table(content: str, file: Path, columns: Columns, context: str) -> Iterator[Passage]:
    """Yield the passages of a table in the order of their first rows."""
    groups: dict[str, list[tuple[int, str, str]]] = {}
    for number, (text, name, before) in enumerate(_rows(content, file, columns), start=1):
        groups.setdefault(str(number) if name is None else name, []).append((number, text, before or context))
    for name, group in groups.items():
        numbers, texts, contexts = zip(*group, strict=True)
        yield Passage(str(file), name, numbers, texts, " ", contexts[0])


def _rows(content: str, file: Path, columns: Columns) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield what each row of a table has in the columns, None in those that are not asked for."""
    asked = (columns.text, columns.passage, columns.context)
    header = content.partition("\n")[0]
    names = {sign: _cells(header, sign) for sign in DELIMITERS}
    delimiter = max(names, key=lambda sign: (columns.text in names[sign], len(names[sign])))
    rows = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
    try:
        heading = next(rows, [])
        places = [None if name is None else heading.index(name) for name in asked]
        for row in rows:
            if row and len(row) != len(heading):
                message = f"the row has {len(row)} cells, and the header {len(heading)}"
                raise UsageError(message, file=file, line=rows.line_num)
            if row:
                text, *others = (None if place is None else row[place] for place in places)
                yield text or "", others[0], others[1]
    except csv.Error as error:
        raise UsageError(f"not a table: {error}", file=file, line=rows.line_num) from error
    except ValueError:
        absent = next(name for name in asked if name not in (None, *heading))
        message = f"the table has no column {absent!r}"
        raise UsageError(message, file=file, line=1, hint=nearest(str(absent), heading)) from None


def _cells(header: str, delimiter: str) -> list[str]:
    return next(csv.reader([header.rstrip("\r")], delimiter=delimiter), [])
