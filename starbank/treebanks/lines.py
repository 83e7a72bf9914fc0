"""CoNLL-U bytes -> lines grouped into sentences, without a loop over lines.

The format is https://universaldependencies.org/format.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np
import pyarrow as pa

BLOCK_BYTES = 1 << 22, 1 << 23
LINE_FEED, HASH = b"\n#"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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

    def text(self) -> bytes:
        """Return the lines as they are, one after the other, each with its line feed."""
        if not len(self.start):
            return b""
        gaps = np.flatnonzero(self.start[1:] != self.end[:-1] + 1)
        starts, ends = self.start[np.append(0, gaps + 1)], self.end[np.append(gaps, -1)] + 1
        view = memoryview(self.data)
        return b"".join([view[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)])

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


def read_blocks(stream: BinaryIO, watch: Callable[[bytes], object] = len) -> Iterator[tuple[bytes, int]]:
    """Cut a file between sentences into pieces of some megabytes, each with the number of its first line.

    They are without a byte-order mark and with line feeds for CRLF; `watch` is given the file as it is, bit by bit.
    """
    line = 1
    for piece in _pieces(_normalised(stream, watch)):
        yield piece, line
        line += int(np.count_nonzero(np.frombuffer(piece, dtype=np.uint8) == LINE_FEED))


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    # A few pieces for each of a few cores; their number must not depend on the machine, since the products do on it.
    least, most = BLOCK_BYTES
    text, size = b"", 0
    for chunk in chunks:
        text += chunk
        size = most if len(text) >= 4 * most else size
        if size:
            *pieces, text = _divide(text, size)
            yield from pieces
    yield from _divide(text, size or max(len(text) // 4, least))


def _divide(text: bytes, size: int) -> list[bytes]:
    """Cut `text` between sentences into pieces of `size` or a little more, and what is left."""
    pieces, begin = [], 0
    while (end := text.find(b"\n\n", begin + size) + 2) > 1:
        pieces.append(text[begin:end])
        begin = end
    return [*pieces, text[begin:]]


def _normalised(stream: BinaryIO, watch: Callable[[bytes], object]) -> Iterator[bytes]:
    begin, carriage_return = True, b""
    while chunk := stream.read(BLOCK_BYTES[1]):
        watch(chunk)
        text = carriage_return + (chunk.removeprefix(BYTE_ORDER_MARK) if begin else chunk)
        # The line feed may come with the next chunk.
        carriage_return = b"\r" if text.endswith(b"\r") else b""
        text = text.removesuffix(carriage_return)
        yield text.replace(b"\r\n", b"\n") if b"\r" in text else text
        begin = False
    yield carriage_return


def split_lines(data: bytes, first_line: int) -> Lines:
    """Find the lines of a block and group them into sentences, which blank lines separate."""
    data = data if data.endswith(b"\n") else data + b"\n"
    array = np.frombuffer(data, dtype=np.uint8)
    end = np.flatnonzero(array == LINE_FEED)
    start = np.append(0, end[:-1] + 1)
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
