"""CoNLL-U files -> the tables `tokens` and `sentences`."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import ConlluError, TreebankError
from starbank.treebanks.features import feature_columns, format_features, parse_features
from starbank.treebanks.lines import (
    BadSentences,
    Lines,
    Problem,
    blocks,
    check_groups,
    check_text,
    normalise,
    problems_at,
    split_columns,
    split_lines,
)
from starbank.treebanks.offsets import align
from starbank.treebanks.sentences import read_comments
from starbank.treebanks.trees import (
    DEPS_TYPE,
    MULTIWORD,
    Rows,
    code,
    cycles_and_rootless,
    read_edges,
    read_heads,
    read_ids,
)

logger = logging.getLogger("starbank")

TOKEN_COLUMNS = {
    "node": pa.int64(),
    "sent": pa.int32(),
    "split": pa.string(),
    "sent_id": pa.string(),
    "id": pa.string(),
    "position": pa.int32(),
    "form": pa.string(),
    "lemma": pa.string(),
    "upos": pa.string(),
    "xpos": pa.string(),
    "feats": pa.string(),
    "head": pa.int64(),
    "deprel": pa.string(),
    "deps": DEPS_TYPE,
    "misc": pa.string(),
    "start": pa.int32(),
    "end": pa.int32(),
}
SPLIT = re.compile(r"(?:^|[-_.])(train|dev|test)(?=[-_.]|$)")


@dataclass(frozen=True)
class Block:
    """The tables of some sentences of a file, with rows and sentences numbered from 0, and what went wrong.

    `sentences` counts all sentences of the block, also the skipped ones; `words` counts words;
    `notes` are (line, what) to warn of.
    """

    tokens: dict[str, pa.Array]
    features: dict[str, pa.Array]
    sentences: dict[str, pa.Array]
    rank: np.ndarray
    count: int
    words: int
    skipped: list[Problem]
    notes: list[tuple[int, str]]


@dataclass(frozen=True)
class FileTables:
    """A file's blocks under its name."""

    path: Path
    blocks: list[Block]


def split_of(name: str) -> str | None:
    """Return `train`, `dev` or `test` where the file name says so: `ka_glc-ud-dev.conllu` is `dev`."""
    match = SPLIT.search(Path(name).stem)
    return match[1] if match else None


def read_block(data: bytes, first_line: int, path: Path, skip_bad: bool) -> Block:
    """Read a block of whole sentences; raises `ConlluError` for the first problem unless `skip_bad`."""
    lines = split_lines(data, first_line)
    count = int(lines.rank[-1]) + 1 if len(lines.rank) else 0
    skipped: list[Problem] = []
    while True:
        try:
            return _read_good(lines, count, skipped)
        except BadSentences as bad:
            if not skip_bad:
                problem = min(bad.problems, key=lambda problem: problem.line)
                raise ConlluError(problem.message, file=path, line=problem.line, hint=problem.hint) from None
            problems = lines.first_problems(bad.problems)
            skipped += problems
            lines = lines.without(problems)


def _read_good(lines: Lines, count: int, skipped: list[Problem]) -> Block:
    check_text(lines)
    check_groups(lines)
    token_lines = lines.select(~lines.comment)
    columns = split_columns(token_lines)
    rows = read_ids(token_lines, columns[0])
    head = read_heads(rows, columns[6])
    form, misc = columns[1], columns[9]
    comments = read_comments(lines)
    alignment = align(rows, form, misc, comments.text)
    features, feats = _features(token_lines, columns[5])
    tokens = {
        "node": pa.array(rows.node),
        "sent": pa.array(rows.sent.astype(np.int32)),
        "id": columns[0],
        "position": _positions(rows),
        "form": form,
        "lemma": _nullable(columns[2]),
        "upos": _nullable(columns[3]),
        "xpos": _nullable(columns[4]),
        "feats": feats,
        "head": head,
        "deprel": _nullable(columns[7]),
        "deps": read_edges(rows, columns[8]),
        "misc": _nullable(misc),
        "start": alignment.start,
        "end": alignment.end,
    }
    starts = np.flatnonzero(np.append(True, lines.rank[1:] != lines.rank[:-1])) if len(lines.rank) else lines.rank
    sentences = {
        "sent_id": comments.sent_id,
        "root": pa.array(rows.root),
        "text": alignment.text,
        "text_rebuilt": pa.array(alignment.rebuilt),
        "comments": comments.lines,
        "line": pa.array(lines.number[starts].astype(np.int32)),
    }
    notes = _notes(rows, head, sentences["line"])
    return Block(tokens, features, sentences, lines.rank[starts], count, len(rows.word_row), skipped, notes)


def _nullable(column: pa.StringArray) -> pa.StringArray:
    return pc.replace_with_mask(column, pc.equal(column, "_"), pa.scalar(None, pa.string()))


def _positions(rows: Rows) -> pa.Array:
    placed = rows.kind != MULTIWORD
    total = np.cumsum(placed)
    before = (total - placed)[rows.first]
    return pa.array((total - before[rows.sent]).astype(np.int32), mask=~placed)


def _features(lines: Lines, column: pa.StringArray) -> tuple[dict[str, pa.Array], pa.Array]:
    codes, distinct = code(column)
    parsed: list[dict[str, str]] = []
    wrong: dict[int, str] = {}
    for index, text in enumerate(distinct):
        try:
            parsed.append({} if text == "_" else parse_features(text))
        except ValueError as error:
            parsed.append({})
            wrong[index] = str(error)
    if wrong:
        bad = np.isin(codes, list(wrong))
        hint = "FEATS is a list like Case=Nom|Number=Sing, or _."
        raise BadSentences(
            list(problems_at(lines, bad, lambda row: f"the feature {wrong[int(codes[row])]!r} is not Name=Value", hint))
        )
    indices = pa.array(codes)
    canonical = pa.array([format_features(features) or None for features in parsed], pa.string())
    return feature_columns(parsed, indices), canonical.take(indices)


def _notes(rows: Rows, head: pa.Array, line: pa.Array) -> list[tuple[int, str]]:
    cyclic, rootless = cycles_and_rootless(rows, head)
    found = [(index, "its heads form a cycle") for index in cyclic.tolist()]
    found += [(index, "no word has the head 0") for index in rootless.tolist() if index not in set(cyclic.tolist())]
    return sorted((line[index].as_py(), what) for index, what in found)


def read_file(path: Path, skip_bad: bool) -> FileTables:
    """Read one file; raises `ConlluError` where it is empty or broken, `TreebankError` where it cannot be read."""
    try:
        data = normalise(path.read_bytes())
    except OSError as error:
        raise TreebankError(f"cannot read: {error.strerror}", file=path, hint="Check the path.") from error
    found = [read_block(piece, line, path, skip_bad) for piece, line in blocks(data)]
    if not any(block.count for block in found):
        raise ConlluError("the file holds no sentences", file=path, hint="Is it the right file, and was it saved?")
    return FileTables(path, found)


def read_files(paths: Iterable[Path], skip_bad: bool) -> list[FileTables]:
    """Read the files side by side, in order."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda path: read_file(path, skip_bad), paths))


def assemble(files: list[FileTables]) -> tuple[pa.Table, pa.Table]:
    """Join files into the tables `tokens/1` and `sentences/1` of docs/formats.md, numbering rows and sentences."""
    names = sorted({name for file in files for block in file.blocks for name in block.features}, key=_feature_order)
    names = [name for name in names if name not in TOKEN_COLUMNS]
    tokens, sentences = [], []
    row = sent = 0
    for file in files:
        rank = 0
        for block in file.blocks:
            sentence_table = _sentences(block, file.path.name, row, sent, rank)
            sentences.append(sentence_table)
            tokens.append(_tokens(block, sentence_table, names, row, sent))
            row, sent, rank = row + len(tokens[-1]), sent + len(sentence_table), rank + block.count
    return pa.concat_tables(tokens).combine_chunks(), pa.concat_tables(sentences).combine_chunks()


def _feature_order(name: str) -> tuple[str, str]:
    return name.lower(), name


def _sentences(block: Block, name: str, row: int, sent: int, rank: int) -> pa.Table:
    count = len(block.rank)
    made = pa.array([f"{name}_{number:05d}" for number in (block.rank + rank + 1).tolist()], pa.string())
    columns = {
        "sent": pa.array(np.arange(sent, sent + count, dtype=np.int32)),
        "sent_id": pc.coalesce(block.sentences["sent_id"], made),
        "split": pa.repeat(pa.scalar(split_of(name), pa.string()), count),
        "root": pc.add(block.sentences["root"], row + sent),
        "text": block.sentences["text"],
        "text_rebuilt": block.sentences["text_rebuilt"],
        "comments": block.sentences["comments"],
        "file": pa.repeat(name, count),
        "line": block.sentences["line"],
    }
    return pa.table(columns)


def _tokens(block: Block, sentences: pa.Table, names: list[str], row: int, sent: int) -> pa.Table:
    base = row + sent
    local = block.tokens["sent"]
    columns = {
        **block.tokens,
        "node": pc.add(block.tokens["node"], base),
        "sent": pc.add(local, pa.scalar(sent, pa.int32())),
        "split": sentences["split"].combine_chunks().take(local),
        "sent_id": sentences["sent_id"].combine_chunks().take(local),
        "head": pc.add(block.tokens["head"], base),
        "deps": _shift_edges(block.tokens["deps"], base),
    }
    arrays = [columns[name] for name in TOKEN_COLUMNS]
    arrays += [block.features.get(name, pa.nulls(len(local), pa.string())) for name in names]
    return pa.table(arrays, schema=pa.schema([*TOKEN_COLUMNS.items(), *((name, pa.string()) for name in names)]))


def _shift_edges(deps: pa.ListArray, base: int) -> pa.ListArray:
    if deps.null_count == len(deps):
        return deps
    values = deps.values
    shifted = pa.StructArray.from_arrays(
        [pc.add(values.field("head"), base), values.field("deprel")], fields=list(DEPS_TYPE.value_type)
    )
    return pa.ListArray.from_arrays(deps.offsets, shifted, mask=deps.is_null())
