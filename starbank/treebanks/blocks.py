"""A block of CoNLL-U sentences -> its columns, with rows and sentences numbered from 0."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import ConlluError
from starbank.treebanks.arrays import filled, texts
from starbank.treebanks.columns import read_columns
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
class Block:
    """What some sentences of a file say, and what went wrong.

    `text` are the columns that stay as they are; `head` is a node or -1, `position` a place or -1; `feats` are indices
    into the FEATS texts `distinct_feats`, or -1. `line` and `rank` are those of each sentence in its file; `count`
    counts all sentences of the block, also those `skipped`; `notes` are (line, what) to warn of.
    """

    rows: Rows
    text: dict[str, pa.StringArray]
    feats: np.ndarray
    distinct_feats: list[str | None]
    head: np.ndarray
    edges: Edges | None
    position: np.ndarray
    alignment: Alignment
    comments: Comments
    line: np.ndarray
    rank: np.ndarray
    count: int
    skipped: list[Problem]
    notes: list[tuple[int, str]]


def read_block(data: bytes, first_line: int, path: Path, skip_bad: bool) -> Block:
    """Read a block of whole sentences; raises `ConlluError` for the first problem unless `skip_bad`."""
    lines = split_lines(data, first_line)
    count = int(lines.rank[-1]) + 1 if len(lines.rank) else 0
    skipped: list[Problem] = []
    while True:
        try:
            return _read_good(lines, count, skipped)
        except BadSentences as bad:
            problems = lines.first_problems(bad.problems)
            if not skip_bad:
                first = problems[0]
                raise ConlluError(first.message, file=path, line=first.line, hint=first.hint) from None
            skipped += problems
            lines = lines.without(problems)


def _read_good(lines: Lines, count: int, skipped: list[Problem]) -> Block:
    check_encoding(lines)
    check_order(lines)
    token_lines = lines.select(~lines.comment)
    columns = read_columns(token_lines)
    rows = read_ids(token_lines, columns["ID"])
    head = read_heads(rows, columns["HEAD"])
    # A form `_` is a form.
    columns["FORM"] = pc.coalesce(columns["FORM"], texts(["_"])[0]) if columns["FORM"].null_count else columns["FORM"]
    columns["ID"] = columns["ID"].cast(pa.string())
    comments = read_comments(lines)
    first = lines.first()
    line = lines.number[first]
    return Block(
        rows,
        {name.lower(): columns[name] for name in ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "DEPREL", "MISC")},
        *_features(token_lines, columns["FEATS"]),
        head,
        read_edges(rows, columns["DEPS"]),
        _positions(rows),
        align(rows, columns["FORM"], columns["MISC"], comments.text),
        comments,
        line,
        lines.rank[first],
        count,
        skipped,
        _notes(rows, head, line),
    )


def _features(lines: Lines, column: pa.DictionaryArray) -> tuple[np.ndarray, list[str | None]]:
    codes = filled(column.indices, -1)
    canonical: list[str | None] = []
    wrong: dict[int, str] = {}
    for index, text in enumerate(column.dictionary.to_pylist()):
        try:
            canonical.append(canonical_features(text))
        except ValueError as error:
            canonical.append(None)
            wrong[index] = str(error)
    require(
        lines,
        np.isin(codes, list(wrong)),
        lambda row: f"the feature {wrong[int(codes[row])]!r} is not Name=Value",
        "FEATS is a list like Case=Nom|Number=Sing, or _.",
    )
    return codes, canonical


def _positions(rows: Rows) -> np.ndarray:
    placed = rows.kind != MULTIWORD
    total = np.cumsum(placed, dtype=np.int32)
    before = np.append(0, total)[rows.first].astype(np.int32)
    return np.where(placed, total - before[rows.sent], np.int32(-1))


def _notes(rows: Rows, head: np.ndarray, line: np.ndarray) -> list[tuple[int, str]]:
    cyclic, rootless = cycles_and_rootless(rows, head)
    notes = [(number, "the heads form a cycle") for number in line[cyclic].tolist()]
    return notes + [(number, "no word has the head 0") for number in line[rootless].tolist()]
