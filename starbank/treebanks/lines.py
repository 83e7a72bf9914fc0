"""CoNLL-U bytes -> lines grouped into sentences, and the ten columns of the lines that hold tokens.

Nothing here loops over lines in Python: positions of tabs and line feeds are found in the bytes at once, and columns
are cut out of the same buffer. The format is https://universaldependencies.org/format.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
BLOCK_BYTES = 1 << 24
TAB, LINE_FEED, HASH = 9, 10, 35


@dataclass(frozen=True)
class Problem:
    """What makes a sentence unreadable: `line` is its number in the file, from 1."""

    line: int
    message: str
    hint: str


@dataclass
class BadSentences(Exception):
    """Raised by each step of reading with the problems it found, at least one."""

    problems: list[Problem]


@dataclass(frozen=True)
class Lines:
    """Lines that are not blank: bytes `data[start:end]`, their `number` in the file, their sentence's `rank` there.

    `rank` counts from 0 within the block; `comment` tells comments from tokens. All arrays have one entry per line.
    """

    data: bytes
    start: np.ndarray
    end: np.ndarray
    number: np.ndarray
    rank: np.ndarray
    comment: np.ndarray

    def select(self, mask: np.ndarray) -> Lines:
        """Return the lines for which `mask` is true."""
        arrays = ("start", "end", "number", "rank", "comment")
        return replace(self, **{name: getattr(self, name)[mask] for name in arrays})

    def first_problems(self, problems: list[Problem]) -> list[Problem]:
        """Return the first problem of each sentence that has any."""
        problems = sorted(problems, key=lambda problem: problem.line)
        _, first = np.unique(self._ranks(problems), return_index=True)
        return [problems[index] for index in first.tolist()]

    def without(self, problems: list[Problem]) -> Lines:
        """Return the lines of the sentences in which no problem lies."""
        return self.select(~np.isin(self.rank, self._ranks(problems)))

    def _ranks(self, problems: list[Problem]) -> np.ndarray:
        return self.rank[np.searchsorted(self.number, [problem.line for problem in problems])]

    def strings(self) -> pa.StringArray:
        """Return the lines as text."""
        return spans(self.data, self.start, self.end)


def spans(data: bytes | pa.Buffer, start: np.ndarray, end: np.ndarray) -> pa.StringArray:
    """Return the strings `data[start[i]:end[i]]`; spans must not overlap and must be in order."""
    # An Arrow string array over the buffer as it is: every other string is a span, the rest is what lies between.
    count = len(start)
    offsets = np.empty(2 * count + 1, dtype=np.int32)
    offsets[0:-1:2] = start
    offsets[1::2] = end
    offsets[-1] = end[-1] if count else 0
    return _every(pa.py_buffer(data), offsets, np.arange(0, 2 * count, 2, dtype=np.int32))


def _every(buffer: pa.Buffer, offsets: np.ndarray, indices: np.ndarray) -> pa.StringArray:
    strings = pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), buffer)
    return strings.take(pa.array(indices))


def problems_at(lines: Lines, mask: np.ndarray, message: str | Callable[[int], str], hint: str) -> Iterator[Problem]:
    """Yield a problem for each line where `mask` is true; `message` may be a function of the line's index."""
    for index in np.flatnonzero(mask).tolist():
        yield Problem(int(lines.number[index]), message if isinstance(message, str) else message(index), hint)


def normalise(data: bytes) -> bytes:
    """Return `data` without a byte-order mark and with line feeds for CRLF."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data.replace(b"\r\n", b"\n") if b"\r\n" in data else data


def blocks(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Cut `data` between sentences into pieces of about 16 MB, each with the number of its first line."""
    begin, line = 0, 1
    while begin < len(data):
        cut = data.find(b"\n\n", begin + BLOCK_BYTES)
        end = cut + 2 if cut >= 0 else len(data)
        piece = data[begin:end]
        yield piece, line
        begin, line = end, line + piece.count(b"\n")


def split_lines(data: bytes, first_line: int) -> Lines:
    """Find the lines of a block and group them into sentences, which blank lines separate."""
    array = np.frombuffer(data, dtype=np.uint8)
    feeds = np.flatnonzero(array == LINE_FEED)
    start = np.concatenate(([0], feeds + 1))
    end = np.concatenate((feeds, [len(data)]))
    filled = end > start
    rank = np.cumsum(filled & ~np.concatenate(([False], filled[:-1]))) - 1
    index = np.flatnonzero(filled)
    start = start[index]
    return Lines(data, start, end[index], index + first_line, rank[index], array[start] == HASH)


def check_text(lines: Lines) -> None:
    """Raise `BadSentences` where a line is not UTF-8."""
    try:
        lines.data.decode()
    except UnicodeDecodeError:
        bad = np.array([not _is_utf8(lines.data[s:e]) for s, e in zip(lines.start, lines.end, strict=True)], dtype=bool)
        problems = list(problems_at(lines, bad, "the line is not valid UTF-8", "Save the file in UTF-8."))
        if problems:
            raise BadSentences(problems) from None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_groups(lines: Lines) -> None:
    """Raise `BadSentences` where comments and tokens are out of order."""
    same = lines.rank[1:] == lines.rank[:-1]
    late = np.concatenate(([False], same & lines.comment[1:] & ~lines.comment[:-1]))
    lonely = lines.comment & ~np.concatenate((same, [False])) & ~late
    found = [
        *problems_at(lines, late, "a comment inside a sentence", "Is the blank line between two sentences missing?"),
        *problems_at(lines, lonely, "comments without a sentence", "Remove them, or the blank line after them."),
    ]
    if found:
        raise BadSentences(found)


def split_columns(lines: Lines) -> list[pa.StringArray]:
    """Return the ten columns of token lines as text.

    Raises `BadSentences` where a line has not ten columns or an empty one.
    """
    array = np.frombuffer(lines.data, dtype=np.uint8)
    tabs = np.flatnonzero(array == TAB)
    first, last = np.searchsorted(tabs, lines.start), np.searchsorted(tabs, lines.end)
    counts = last - first + 1
    wrong = counts != len(COLUMNS)
    if wrong.any():
        hint = "A line holds ten columns with one tab between two; a sentence ends with a line that is quite empty."
        raise BadSentences(list(problems_at(lines, wrong, lambda row: f"{counts[row]} columns instead of 10", hint)))
    inner = tabs[(first[:, None] + np.arange(9)).ravel()].reshape(-1, 9)
    offsets = np.empty((len(inner), 20), dtype=np.int32)
    offsets[:, 0] = lines.start
    offsets[:, 1:19:2] = inner
    offsets[:, 2:19:2] = inner + 1
    offsets[:, 19] = lines.end
    _check_filled(lines, offsets)
    flat = np.append(offsets.ravel(), offsets[-1, -1]) if len(inner) else np.zeros(1, dtype=np.int32)
    buffer = pa.py_buffer(lines.data)
    return [_every(buffer, flat, np.arange(2 * j, offsets.size, 20, dtype=np.int32)) for j in range(len(COLUMNS))]


def _check_filled(lines: Lines, offsets: np.ndarray) -> None:
    empty = offsets[:, 0::2] == offsets[:, 1::2]
    if empty.any():

        def message(row: int) -> str:
            return f"the column {COLUMNS[int(empty[row].argmax())]} is empty"

        raise BadSentences(list(problems_at(lines, empty.any(axis=1), message, "Write _ where there is nothing.")))
