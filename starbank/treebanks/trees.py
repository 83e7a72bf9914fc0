"""The columns ID, HEAD and DEPS: CoNLL-U numbers within a sentence -> numbers of rows, checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.lines import BadSentences, Lines, Problem, problems_at

WORD, MULTIWORD, EMPTY = 0, 1, 2
DEPS_TYPE = pa.list_(pa.struct([("head", pa.int64()), ("deprel", pa.string())]))
ID = re.compile(r"(0|[1-9][0-9]{0,8})(?:([-.])([1-9][0-9]{0,8}))?")


@dataclass(frozen=True)
class Rows:
    """The token lines of a block by their IDs; arrays have one entry per row, those of sentences one per sentence.

    `kind` is `WORD`, `MULTIWORD` or `EMPTY`; `major` and `minor` are the two numbers of the ID (`minor` 0 for words);
    `sent` is the sentence, from 0; `rank` counts the words of the sentence up to and with the row;
    `first` is the first row of a sentence, `words` the number of its words, `word_row` the row of each word.
    """

    lines: Lines
    kind: np.ndarray
    major: np.ndarray
    minor: np.ndarray
    sent: np.ndarray
    rank: np.ndarray
    first: np.ndarray
    words: np.ndarray
    word_row: np.ndarray

    @property
    def node(self) -> np.ndarray:
        """Numbers of the rows where each sentence begins by skipping one."""
        return np.arange(len(self.sent), dtype=np.int64) + self.sent + 1

    @property
    def root(self) -> np.ndarray:
        """Number of each sentence's root node."""
        return self.first + np.arange(len(self.first), dtype=np.int64)

    @property
    def word_start(self) -> np.ndarray:
        """Index into `word_row` of each sentence's first word."""
        return np.cumsum(self.words) - self.words


def code(column: pa.StringArray) -> tuple[np.ndarray, list[str]]:
    """Return the column as indices into the list of its distinct values."""
    encoded = column.dictionary_encode()
    return encoded.indices.to_numpy(), encoded.dictionary.to_pylist()


def read_ids(lines: Lines, column: pa.StringArray) -> Rows:
    """Read the ID column; raises `BadSentences` where IDs are malformed, out of order or out of range."""
    codes, distinct = code(column)
    parsed = np.array([_parse_id(text) for text in distinct], dtype=np.int64).reshape(-1, 3)[codes]
    kind, major, minor = parsed.T
    _check(lines, kind < 0, lambda row: f"{distinct[codes[row]]!r} is not an ID", "An ID is like 7, 7-8 or 7.1.")
    starts = np.concatenate(([True], lines.rank[1:] != lines.rank[:-1])) if len(kind) else np.zeros(0, bool)
    sent = np.cumsum(starts) - 1
    first = np.flatnonzero(starts)
    word = kind == WORD
    total = np.cumsum(word)
    before = (total - word)[first]
    rank = total - before[sent]
    words = np.diff(np.append(before, total[-1:]))
    rows = Rows(lines, kind, major, minor, sent, rank, first, words, np.flatnonzero(word))
    _check_order(rows, codes, distinct)
    return rows


def _parse_id(text: str) -> tuple[int, int, int]:
    match = ID.fullmatch(text)
    if not match:
        return -1, 0, 0
    major, mark, minor = match.groups()
    return {None: WORD, "-": MULTIWORD, ".": EMPTY}[mark], int(major), int(minor or 0)


def _check(lines: Lines, mask: np.ndarray, message: str | Callable[[int], str], hint: str) -> None:
    if mask.any():
        raise BadSentences(list(problems_at(lines, mask, message, hint)))


def _check_order(rows: Rows, codes: np.ndarray, distinct: list[str]) -> None:
    kind, major, minor, rank = rows.kind, rows.major, rows.minor, rows.rank
    words = rows.words[rows.sent]
    multiword, empty = kind == MULTIWORD, kind == EMPTY
    same = np.concatenate(([False], rows.sent[1:] == rows.sent[:-1]))
    previous_empty = same & np.concatenate(([False], empty[:-1]))
    expected_minor = np.where(previous_empty, np.concatenate(([0], minor[:-1])), 0) + 1
    gap = (kind == WORD) & (major != rank)
    gap |= empty & ((major != rank) | (minor != expected_minor))
    _check(
        rows.lines,
        gap,
        lambda row: (
            f"ID {distinct[codes[row]]} is out of order: after word {rank[row] - (kind[row] == WORD)} of the sentence"
        ),
        "Words are numbered 1, 2, 3 … without a gap, empty nodes 7.1, 7.2 … after word 7. "
        "Is the blank line between two sentences missing?",
    )
    index = np.flatnonzero(multiword)
    unfit = np.zeros(len(kind), dtype=bool)
    unfit[index] = (major[index] != rank[index] + 1) | (minor[index] < major[index]) | (minor[index] > words[index])
    overlap = (rows.sent[index[1:]] == rows.sent[index[:-1]]) & (major[index[1:]] <= minor[index[:-1]])
    unfit[index[1:]] |= overlap
    _check(
        rows.lines,
        unfit,
        lambda row: f"the multiword token {distinct[codes[row]]} does not fit the words of its sentence",
        "Its line stands before its first word; its words exist; two multiword tokens share no word.",
    )
    _check(
        rows.lines,
        np.isin(np.arange(len(kind)), rows.first[rows.words == 0]),
        "a sentence without words",
        "Remove it, or give it the words that are missing.",
    )


def read_heads(rows: Rows, column: pa.StringArray) -> pa.Array:
    """Return the `node` of each word's head, null where HEAD is `_`; raises `BadSentences` for one that is missing."""
    codes, distinct = code(column)
    numbers = [_parse_head(text) for text in distinct]
    head = np.array(numbers, dtype=np.int64)[codes]
    words = rows.words[rows.sent]
    _check(
        rows.lines,
        head < -1,
        lambda row: f"HEAD is {distinct[codes[row]]!r}, not a number",
        "HEAD is the ID of a word, 0 for the root, or _.",
    )
    _check(
        rows.lines,
        head > words,
        lambda row: f"head {head[row]} does not exist: the sentence has {words[row]} words",
        "HEAD is the ID of a word of the same sentence, 0 for the root, or _.",
    )
    _check(
        rows.lines,
        (head >= 0) & (rows.kind != WORD),
        "only words have a HEAD, multiword tokens and empty nodes have not",
        "Write _ there; an empty node's edges belong in DEPS.",
    )
    return pa.array(_nodes(rows, rows.sent, head), mask=head < 0)


def _parse_head(text: str) -> int:
    if text == "_":
        return -1
    match = ID.fullmatch(text)
    return int(text) if match and not match[2] else -2


def _nodes(rows: Rows, sent: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Return the nodes of the words with these numbers in these sentences; the root's for 0 and below."""
    index = rows.word_start[sent] + np.maximum(number, 1) - 1
    row = rows.word_row[index]
    return np.where(number > 0, row + sent + 1, rows.root[sent])


def read_edges(rows: Rows, column: pa.StringArray) -> pa.Array:
    """Return the DEPS column as lists of {head, deprel}; raises `BadSentences` for an edge that is not `head:label`."""
    filled = np.flatnonzero(pc.not_equal(column, "_").to_numpy(zero_copy_only=False))
    if not len(filled):
        return pa.nulls(len(column), DEPS_TYPE)
    lists = pc.split_pattern(column.take(pa.array(filled)), "|")
    counts = np.zeros(len(column), dtype=np.int64)
    counts[filled] = pc.list_value_length(lists).to_numpy()
    row = np.repeat(np.arange(len(column)), counts)
    codes, distinct = code(lists.flatten())
    parsed = [_parse_edge(text) for text in distinct]
    major = np.array([edge[0] for edge in parsed])[codes]
    minor = np.array([edge[1] for edge in parsed])[codes]
    labels = pa.array([edge[2] for edge in parsed], pa.string()).take(pa.array(codes))
    sent = rows.sent[row]
    existing = (major >= 0) & (major <= rows.words[sent])
    head = _nodes(rows, sent, np.where(existing, major, 0))
    inner = np.flatnonzero(minor > 0)
    head[inner], found = _empty_nodes(rows, sent[inner], major[inner], minor[inner])
    existing[inner] &= found
    _check_edges(rows, row, codes, distinct, existing)
    offsets = pa.array(np.concatenate(([0], np.cumsum(counts))), pa.int32())
    values = pa.StructArray.from_arrays([pa.array(head), labels], fields=list(DEPS_TYPE.value_type))
    return pa.ListArray.from_arrays(offsets, values, mask=pa.array(counts == 0))


def _parse_edge(text: str) -> tuple[int, int, str]:
    head, colon, label = text.partition(":")
    match = ID.fullmatch(head)
    if not (colon and match) or match[2] == "-":
        return -1, 0, ""
    return int(match[1]), int(match[3] or 0), label


def _empty_nodes(rows: Rows, sent: np.ndarray, major: np.ndarray, minor: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes of the empty nodes `major.minor`, and whether they exist."""
    index = np.flatnonzero(rows.kind == EMPTY)
    known = _keys(rows.sent[index], rows.major[index], rows.minor[index])
    wanted = _keys(sent, major, minor)
    if not len(index):
        return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=bool)
    place = np.minimum(np.searchsorted(known, wanted), len(index) - 1)
    return rows.node[index[place]], known[place] == wanted


def _keys(sent: np.ndarray, major: np.ndarray, minor: np.ndarray) -> np.ndarray:
    # Rows of a block stay far below 2**24, so the three numbers fit one integer in corpus order.
    limit = 1 << 20
    return (sent * limit + np.clip(major, 0, limit - 1)) * limit + np.clip(minor, 0, limit - 1)


def _check_edges(rows: Rows, row: np.ndarray, codes: np.ndarray, distinct: list[str], existing: np.ndarray) -> None:
    bad = np.flatnonzero(~existing).tolist()
    if bad:
        hint = "DEPS is like 2:nsubj|4.1:conj:and; a head is the ID of a word or empty node of the same sentence, or 0."
        raise BadSentences(
            [
                Problem(
                    int(rows.lines.number[row[edge]]),
                    f"the enhanced edge {distinct[codes[edge]]!r} has no head in its sentence",
                    hint,
                )
                for edge in bad
            ]
        )


def cycles_and_rootless(rows: Rows, head: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Return the sentences that hold a cycle, and those in which no word has the root as its head."""
    row = np.arange(len(rows.sent))
    known = head.is_valid().to_numpy(zero_copy_only=False)
    node = head.fill_null(0).to_numpy()
    at_root = known & (node == rows.root[rows.sent])
    # Rows are their own ancestors where a chain ends; following chains twice as far each time finds the rest.
    ancestor = np.where(known & ~at_root, node - rows.sent - 1, row)
    ends = ancestor == row
    self_loop = ends & known & ~at_root
    for _ in range(int(rows.words.max(initial=1)).bit_length()):
        ancestor = ancestor[ancestor]
    cyclic = self_loop | ~ends[ancestor]
    rooted = np.bincount(rows.sent[at_root], minlength=len(rows.first)) > 0
    return np.unique(rows.sent[cyclic]), np.flatnonzero(~rooted)
