"""A block of CoNLL-U sentences -> what it says, with rows and sentences numbered from 0."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa

from starbank.errors import ConlluError
from starbank.treebanks.arrays import filled
from starbank.treebanks.columns import Columns, split_fields
from starbank.treebanks.features import canonical_features
from starbank.treebanks.lines import (
    BadSentences,
    Lines,
    Problem,
    check_encoding,
    check_order,
    require,
    split_lines,
)
from starbank.treebanks.offsets import Alignment, align
from starbank.treebanks.sentences import Comments, read_comments
from starbank.treebanks.trees import MULTIWORD, Edges, Rows, cycles_and_rootless, read_edges, read_heads, read_ids


@dataclass(frozen=True)
class Cut:
    """A block of sentences cut into fields, before anything is made of them but FEATS.

    `tokens` are those of its lines that have `columns`; `feats` are the distinct texts of FEATS in their canonical
    spelling; `count` counts all sentences of the block, also those `skipped`.
    """

    path: Path
    lines: Lines
    tokens: Lines
    columns: Columns
    feats: list[str | None]
    count: int
    skipped: list[Problem]


@dataclass(frozen=True)
class Block:
    """What the sentences of a block say: `head` is a node or -1.

    `line` and `rank` are those of each sentence in its file; `notes` are (line, what) to
    warn of.
    """

    cut: Cut
    rows: Rows
    head: np.ndarray
    edges: Edges | None
    comments: Comments
    line: np.ndarray
    rank: np.ndarray
    notes: list[tuple[int, str]]

    @cached_property
    def alignment(self) -> Alignment:
        """Where words stand in the texts of their sentences."""
        return align(self.rows, self.cut.columns["FORM"], self.cut.columns["MISC"], self.comments.text)

    @property
    def position(self) -> np.ndarray:
        """Each row's place in its sentence, from 1, or -1 for a multiword token, which has none."""
        placed = self.rows.kind != MULTIWORD
        total = np.cumsum(placed, dtype=np.int32)
        before = np.append(0, total)[self.rows.first].astype(np.int32)
        return np.where(placed, total - before[self.rows.sent], np.int32(-1))


def cut_block(data: bytes, first_line: int, path: Path, skip_bad: bool) -> Cut:
    """Cut a block of whole sentences into fields; raises `ConlluError` for the first problem unless `skip_bad`."""
    lines = split_lines(data, first_line)
    count = int(lines.rank[-1]) + 1 if len(lines.rank) else 0
    skipped: list[Problem] = []
    while True:
        try:
            return _cut(path, lines, skipped, count)
        except BadSentences as bad:
            lines, skipped = _skip(bad, path, lines, skipped, skip_bad)


def read_block(cut: Cut, skip_bad: bool) -> Block:
    """Read trees and comments of a block; raises `ConlluError` for the first problem unless `skip_bad`."""
    while True:
        try:
            return _read(cut)
        except BadSentences as bad:
            cut = _cut(cut.path, *_skip(bad, cut.path, cut.lines, cut.skipped, skip_bad), cut.count)


def _skip(
    bad: BadSentences, path: Path, lines: Lines, skipped: list[Problem], skip_bad: bool
) -> tuple[Lines, list[Problem]]:
    problems = lines.first_problems(bad.problems)
    if not skip_bad:
        first = problems[0]
        raise ConlluError(first.message, file=path, line=first.line, hint=first.hint) from None
    return lines.without(problems), skipped + problems


def _cut(path: Path, lines: Lines, skipped: list[Problem], count: int) -> Cut:
    check_encoding(lines)
    check_order(lines)
    tokens = lines.select(~lines.comment)
    columns = split_fields(tokens)
    return Cut(path, lines, tokens, columns, _features(tokens, columns["FEATS"]), count, skipped)


def _read(cut: Cut) -> Block:
    lines, columns = cut.lines, cut.columns
    rows = read_ids(cut.tokens, columns["ID"])
    head = read_heads(rows, columns["HEAD"])
    comments = read_comments(lines)
    first = lines.first()
    return Block(
        cut,
        rows,
        head,
        read_edges(rows, columns["DEPS"]),
        comments,
        lines.number[first],
        lines.rank[first],
        _notes(rows, head, lines.number[first]),
    )


def _features(lines: Lines, column: pa.DictionaryArray) -> list[str | None]:
    canonical, wrong = canonical_features(column.dictionary)
    if wrong:
        codes = filled(column.indices, -1)
        require(
            lines,
            np.isin(codes, list(wrong)),
            lambda row: f"the feature {wrong[int(codes[row])]!r} is not Name=Value",
            "FEATS is a list like Case=Nom|Number=Sing, or _.",
        )
    return canonical


def _notes(rows: Rows, head: np.ndarray, line: np.ndarray) -> list[tuple[int, str]]:
    cyclic, rootless = cycles_and_rootless(rows, head)
    notes = [(number, "the heads form a cycle") for number in line[cyclic].tolist()]
    return notes + [(number, "no word has the head 0") for number in line[rootless].tolist()]
