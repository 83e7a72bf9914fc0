"""CoNLL-U bytes -> lines grouped into sentences, and the ten columns of the lines that hold tokens.

Nothing here loops over lines in Python: positions of tabs and line feeds are found in the bytes at once, and columns
are cut out of the same buffer. The format is https://universaldependencies.org/format.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from starbank.treebanks.arrays import interleaved, spans

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
NULLABLE = ("LEMMA", "UPOS", "XPOS", "DEPREL", "DEPS", "MISC")
BLOCK_BYTES = 1 << 21
TAB, LINE_FEED, HASH, UNDERSCORE = b"\t\n#_"


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

    def first(self) -> np.ndarray:
        """Return the index of each sentence's first line."""
        return np.flatnonzero(np.diff(self.rank, prepend=-1))


def require(lines: Lines, bad: np.ndarray, message: str | Callable[[int], str], hint: str) -> None:
    """Raise `BadSentences` where `bad` is true; `message` may be a function of the line's index."""
    if bad.any():
        raise BadSentences(
            [
                Problem(int(lines.number[index]), message if isinstance(message, str) else message(index), hint)
                for index in np.flatnonzero(bad).tolist()
            ]
        )


def normalise(data: bytes) -> bytes:
    """Return `data` without a byte-order mark and with line feeds for CRLF."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def split_blocks(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Cut `data` between sentences into pieces of some megabytes, each with the number of its first line."""
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
    end = np.append(feeds, len(data))
    filled = end > start
    rank = np.cumsum(filled & ~np.append(False, filled[:-1])) - 1
    index = np.flatnonzero(filled)
    start = start[index]
    return Lines(data, start, end[index], index + first_line, rank[index], array[start] == HASH)


def check_encoding(lines: Lines) -> None:
    """Raise `BadSentences` where a line is not UTF-8."""
    if not _is_utf8(lines.data):
        bad = [not _is_utf8(lines.data[start:end]) for start, end in zip(lines.start, lines.end, strict=True)]
        require(lines, np.array(bad, dtype=bool), "the line is not valid UTF-8", "Save the file in UTF-8.")


def _is_utf8(data: bytes) -> bool:
    borders = np.array([0, len(data)], dtype=np.int32)
    binary = pa.Array.from_buffers(pa.binary(), 1, [None, pa.py_buffer(borders), pa.py_buffer(data)])
    try:
        binary.cast(pa.string())
    except pa.ArrowInvalid:
        return False
    return True


def check_order(lines: Lines) -> None:
    """Raise `BadSentences` where comments and tokens are out of order."""
    same = lines.rank[1:] == lines.rank[:-1]
    late = np.append(False, same & lines.comment[1:] & ~lines.comment[:-1])[: len(lines.rank)]
    require(lines, late, "a comment inside a sentence", "Is the blank line between two sentences missing?")
    lonely = lines.comment & ~np.append(same, False)[: len(lines.rank)]
    require(lines, lonely, "comments without a sentence", "Remove them, or the blank line after them.")


def split_columns(lines: Lines) -> dict[str, pa.StringArray]:
    """Return the ten columns of token lines as text; in those that are `NULLABLE`, `_` is null.

    Raises `BadSentences` where a line has not ten columns or an empty one.
    """
    array = np.frombuffer(lines.data, dtype=np.uint8)
    borders = _borders(lines, np.flatnonzero(array == TAB))
    start, end = borders[:, 0::2], borders[:, 1::2]
    length = end - start
    if not length.all():

        def message(row: int) -> str:
            return f"the column {COLUMNS[int(length[row].argmin())]} is empty"

        require(lines, ~length.all(axis=1), message, "Write _ where there is nothing.")
    columns = {}
    for place, name in enumerate(COLUMNS):
        null = (length[:, place] == 1) & (array[start[:, place]] == UNDERSCORE) if name in NULLABLE else None
        indices = np.arange(2 * place, borders.size, 20, dtype=np.int32)
        columns[name] = interleaved(lines.data, borders, indices, null)
    return columns


def _borders(lines: Lines, tabs: np.ndarray) -> np.ndarray:
    """Return the start and the end of each of the ten columns, twenty numbers per line."""
    first = np.searchsorted(tabs, lines.start)
    # The nine tabs after a line's start are its own, and the tenth is not, or else the line is wrong.
    padded = np.append(tabs, np.full(10, len(lines.data)))
    inner = padded[first[:, None] + np.arange(9)]
    wrong = (inner[:, 8] >= lines.end) | (padded[first + 9] < lines.end)
    if wrong.any():
        counts = np.searchsorted(tabs, lines.end) - first + 1
        hint = "A line holds ten columns with one tab between two; a sentence ends with a line that is quite empty."
        require(lines, wrong, lambda row: f"10 columns expected, {counts[row]} found", hint)
    borders = np.empty((len(inner), 20), dtype=np.int32)
    borders[:, 0] = lines.start
    borders[:, 1:19:2] = inner
    borders[:, 2:19:2] = inner + 1
    borders[:, 19] = lines.end
    return borders


def strings(lines: Lines) -> pa.StringArray:
    """Return whole lines as text."""
    return spans(lines.data, lines.start, lines.end)
