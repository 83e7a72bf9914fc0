"""The columns ID, HEAD and DEPS: CoNLL-U numbers within a sentence -> numbers of rows, checked."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.arrays import code, filled, integers, numbers, take
from starbank.treebanks.lines import Lines, require

WORD, MULTIWORD, EMPTY = 0, 1, 2
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
        node: np.ndarray = np.arange(1, len(self.sent) + 1, dtype=np.int64) + self.sent
        return node

    @property
    def root(self) -> np.ndarray:
        """Number of each sentence's root node."""
        root: np.ndarray = np.arange(len(self.first), dtype=np.int64) + self.first
        return root

    @property
    def word_start(self) -> np.ndarray:
        """Index into `word_row` of each sentence's first word."""
        return np.append(0, np.cumsum(self.words)[:-1])


@dataclass(frozen=True)
class Edges:
    """Enhanced edges of a block: how many each row has (-1 where DEPS is `_`), and their heads' nodes and labels."""

    count: np.ndarray
    head: np.ndarray
    label: pa.DictionaryArray


def read_ids(lines: Lines, column: pa.DictionaryArray) -> Rows:
    """Read the ID column; raises `BadSentences` where IDs are malformed, out of order or out of range."""
    codes, distinct = filled(column.indices, len(column.dictionary)), [*column.dictionary.to_pylist(), "_"]
    parsed = np.array([_parse_id(text) for text in distinct], dtype=np.int32).reshape(-1, 3)
    kind, major, minor = (column.take(codes) for column in np.ascontiguousarray(parsed.T))
    require(lines, kind < 0, lambda row: f"{distinct[codes[row]]!r} is not an ID", "An ID is like 7, 7-8 or 7.1.")
    first = lines.first()
    sent = np.repeat(np.arange(len(first)), np.diff(first, append=len(kind)))
    word = kind == WORD
    total = np.cumsum(word, dtype=np.int32)
    before = np.append(0, total)[first]
    words = np.diff(before, append=total[-1:])
    rank = total - before[sent]
    rows = Rows(lines, kind, major, minor, sent, rank, first, words, np.flatnonzero(word))
    _check_order(rows, codes, distinct)
    return rows


def _parse_id(text: str) -> tuple[int, int, int]:
    match = ID.fullmatch(text)
    if not match:
        return -1, 0, 0
    major, mark, minor = match.groups()
    return {None: WORD, "-": MULTIWORD, ".": EMPTY}[mark], int(major), int(minor or 0)


def _check_order(rows: Rows, codes: np.ndarray, distinct: list[str]) -> None:
    kind, major, minor, rank = rows.kind, rows.major, rows.minor, rows.rank
    words = rows.words[rows.sent]
    multiword, empty = kind == MULTIWORD, kind == EMPTY
    same = np.concatenate(([False], rows.sent[1:] == rows.sent[:-1]))
    previous_empty = same & np.concatenate(([False], empty[:-1]))
    expected_minor = np.where(previous_empty, np.concatenate(([0], minor[:-1])), 0) + 1
    gap = (kind == WORD) & (major != rank)
    gap |= empty & ((major != rank) | (minor != expected_minor))
    require(
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
    require(
        rows.lines,
        unfit,
        lambda row: f"the multiword token {distinct[codes[row]]} does not fit the words of its sentence",
        "Its line stands before its first word; its words exist; two multiword tokens share no word.",
    )
    require(
        rows.lines,
        np.isin(np.arange(len(kind)), rows.first[rows.words == 0]),
        "a sentence without words",
        "Remove it, or give it the words that are missing.",
    )


def read_heads(rows: Rows, column: pa.DictionaryArray) -> np.ndarray:
    """Return the node of each word's head, -1 where HEAD is null.

    Raises `BadSentences` for a HEAD that is not written as the ID of a word or 0, and for one that is missing.
    """
    codes, distinct = filled(column.indices, len(column.dictionary)), column.dictionary.to_pylist()
    parsed = [(kind, number) for kind, number, _ in map(_parse_id, distinct)]
    kind, number = np.array([*parsed, (WORD, -1)], dtype=np.int64).T
    require(
        rows.lines,
        kind[codes] != WORD,
        lambda row: f"HEAD is {distinct[codes[row]]!r}, not a number",
        "HEAD is the ID of a word, 0 for the root, or _.",
    )
    head = number[codes]
    words = rows.words[rows.sent]
    require(
        rows.lines,
        head > words,
        lambda row: f"head {head[row]} does not exist: the sentence ends at word {words[row]}",
        "HEAD is the ID of a word of the same sentence, 0 for the root, or _.",
    )
    require(
        rows.lines,
        (head >= 0) & (rows.kind != WORD),
        "only words have a HEAD, multiword tokens and empty nodes have not",
        "Write _ there; an empty node's edges belong in DEPS.",
    )
    return np.where(head < 0, -1, _nodes(rows, rows.sent, head))


def _nodes(rows: Rows, sent: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Return the nodes of the words with these numbers in these sentences; the root's for 0 and below."""
    index = rows.word_start[sent] + np.maximum(number, 1) - 1
    node: np.ndarray = np.where(number > 0, rows.word_row[index] + sent + 1, rows.root[sent])
    return node


def read_edges(rows: Rows, column: pa.DictionaryArray) -> Edges | None:
    """Read the DEPS column, None where it is empty; raises `BadSentences` for an edge without head or label."""
    if column.null_count == len(column):
        return None
    # The same few texts stand in many rows: split each once, then give each row the edges of its text.
    lists = pc.split_pattern(column.dictionary, "|")
    edges = lists.flatten().dictionary_encode()
    major, minor, labels = _split_edges(edges.dictionary)
    coded = labels.dictionary_encode()
    sizes, codes = numbers(pc.list_value_length(lists)), filled(column.indices, -1)
    count = np.append(sizes, -1)[codes]
    copies = np.maximum(count, 0)
    row = np.repeat(np.arange(len(codes)), copies)
    start = np.append(np.cumsum(sizes) - sizes, 0)[codes] - np.cumsum(copies) + copies
    edge = numbers(edges.indices)[np.repeat(start, copies) + np.arange(len(row))]
    head, existing = _resolve(rows, rows.sent[row], major[edge], minor[edge])
    if not existing.all():
        wrong = {int(row[place]): edges.dictionary[int(edge[place])].as_py() for place in np.flatnonzero(~existing)}
        require(
            rows.lines,
            np.isin(np.arange(len(codes)), list(wrong)),
            lambda row: f"the enhanced edge {wrong[row]!r} has no head in its sentence",
            "DEPS is like 2:nsubj|4.1:conj:and; a head is the ID of a word or empty node of the same sentence, or 0.",
        )
    label = pa.DictionaryArray.from_arrays(take(coded.indices, edge), coded.dictionary)
    return Edges(count, head, label)


def _split_edges(edges: pa.StringArray) -> tuple[np.ndarray, np.ndarray, pa.StringArray]:
    """Return the two numbers of the head, and the label, of edges like `4.1:conj:and`; the first is -1 for others."""
    parts = pc.split_pattern(edges, ":", max_splits=1)
    size = numbers(pc.list_value_length(parts))
    start = np.cumsum(size) - size
    codes, heads = code(take(parts.flatten(), start))
    parsed = [(-1, 0) if kind not in (WORD, EMPTY) else (major, minor) for kind, major, minor in map(_parse_id, heads)]
    major, minor = np.array(parsed, dtype=np.int64).T[:, codes]
    return np.where(size == 2, major, -1), minor, take(parts.flatten(), start + size - 1)


def _resolve(rows: Rows, sent: np.ndarray, major: np.ndarray, minor: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes `major` or `major.minor` of these sentences, and whether they exist."""
    existing = (major >= 0) & (major <= rows.words[sent])
    head = _nodes(rows, sent, np.where(existing, major, 0))
    inner = np.flatnonzero(minor > 0)
    if len(inner):
        head[inner], existing[inner] = _empty_nodes(rows, sent[inner], major[inner], minor[inner])
    return head, existing


def _empty_nodes(rows: Rows, sent: np.ndarray, major: np.ndarray, minor: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes of the empty nodes `major.minor`, and whether they exist."""
    index = np.flatnonzero(rows.kind == EMPTY)
    existing = _keys(rows.sent[index], rows.major[index], rows.minor[index])
    place = filled(pc.index_in(_keys(sent, major, minor), value_set=existing), -1)
    return np.append(rows.node[index], 0)[place], place >= 0


def _keys(sent: np.ndarray, major: np.ndarray, minor: np.ndarray) -> pa.Array:
    # Rows of a block stay far below 2**24, so the three numbers fit one integer.
    limit = 1 << 20
    return integers((sent * limit + np.clip(major, 0, limit - 1)) * limit + np.clip(minor, 0, limit - 1))


def cycles_and_rootless(rows: Rows, head: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sentences that hold a cycle, and the others in which no word has the root as its head."""
    at_root = head == rows.root[rows.sent]
    dependent = (head >= 0) & ~at_root
    # Rows are their own ancestors where a chain ends; following chains twice as far each time finds the rest.
    row = np.arange(len(head))
    ancestor = np.where(dependent, head - rows.sent - 1, row)
    for _ in range(int(rows.words.max(initial=1)).bit_length()):
        ancestor = ancestor[ancestor]
    cyclic = np.zeros(len(rows.first), dtype=bool)
    cyclic[rows.sent[dependent[ancestor]]] = True
    rooted = cyclic.copy()
    rooted[rows.sent[at_root]] = True
    return np.flatnonzero(cyclic), np.flatnonzero(~rooted)
