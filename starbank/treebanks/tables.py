"""Blocks -> the tables `tokens/1` and `sentences/1` of docs/formats.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.arrays import CODED, code, filled, integers, numbers, recoded, strings, take, texts, truths
from starbank.treebanks.blocks import Block, Cut
from starbank.treebanks.features import sort_names, split_feature
from starbank.treebanks.trees import Edges

SPLIT = re.compile(r"(?:^|[-_.])(train|dev|test)(?=[-_.]|$)")
DEPS = pa.list_(pa.struct([("head", pa.int64()), ("deprel", pa.string())]))
CODED_DEPS = pa.list_(pa.struct([("head", pa.int64()), ("deprel", CODED)]))
TOKENS = {
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
    "deps": DEPS,
    "misc": pa.string(),
    "start": pa.int32(),
    "end": pa.int32(),
}
SENTENCES = {
    "sent": pa.int32(),
    "sent_id": pa.string(),
    "split": pa.string(),
    "root": pa.int64(),
    "text": pa.string(),
    "text_rebuilt": pa.bool_(),
    "comments": pa.list_(pa.string()),
    "file": pa.string(),
    "line": pa.int32(),
}

# What makes the columns of a table, of which only some may be wanted.
Makers = Mapping[str, Callable[[], pa.Array]]
# Names of columns, of tokens and of sentences.
Columns = tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True)
class Place:
    """How many rows, sentences, and sentences of the same file come before a block."""

    row: int = 0
    sent: int = 0
    rank: int = 0


@dataclass(frozen=True)
class Features:
    """The number of each FEATS text of a treebank, and what it says of each feature.

    `values` has for each feature its values and, per number, the index of the value among them, -1 where there is none;
    the last number is that of no FEATS.
    """

    number: dict[str | None, int]
    values: dict[str, tuple[pa.StringArray, np.ndarray]]


def split_of(name: str) -> str | None:
    """Return `train`, `dev` or `test` where the file name says so, last: `ka_test-ud-dev.conllu` is `dev`."""
    splits: list[str] = SPLIT.findall(Path(name).stem)
    return splits[-1] if splits else None


def collect_features(feats: Iterable[str]) -> Features:
    """Return the features of a treebank that has these FEATS texts."""
    distinct = list(dict.fromkeys(feats))
    number: dict[str | None, int] = {text: place for place, text in enumerate(distinct)}
    column = texts(distinct)
    parts = pc.split_pattern(column, "|")
    codes, features = code(parts.flatten())
    values: dict[str, dict[str, int]] = {}
    pairs = [split_feature(feature) for feature in features]
    for name, value in pairs:
        values.setdefault(name, {}).setdefault(value, len(values[name]))
    names = {name: place for place, name in enumerate(values)}
    table = np.full((len(names), len(distinct) + 1), -1, dtype=np.int32)
    row = np.repeat(np.arange(len(distinct)), numbers(pc.list_value_length(parts)))
    table[np.array([names[name] for name, _ in pairs], dtype=np.int64)[codes], row] = np.array(
        [values[name][value] for name, value in pairs], dtype=np.int32
    )[codes]
    # A feature that is called like a column of the table is read from `feats`.
    columns = sort_names(values.keys() - TOKENS.keys())
    by_name = {name: (texts(list(values[name])), table[names[name]]) for name in columns}
    return Features(number | {None: len(distinct)}, by_name)


def build_tables(
    blocks: Iterable[Block], features: Features, columns: Columns | None = None
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Yield the tables of tokens and of sentences of each block, numbered through all blocks.

    With `columns`, the tables have no others.
    Texts of tokens are `CODED`; `plain_tokens` has them as `TOKENS` says.
    """
    of_tokens, of_sentences = columns or ((*TOKENS, *features.values), tuple(SENTENCES))
    place, path = Place(), None
    for block in blocks:
        place = replace(place, rank=place.rank if block.cut.path == path else 0)
        path = block.cut.path
        yield (
            _table(_tokens(block, place, features), of_tokens),
            _table(_sentences(block, place), of_sentences),
        )
        place = Place(place.row + len(block.head), place.sent + len(block.rank), place.rank + block.cut.count)


def _table(makers: Makers, names: Sequence[str]) -> pa.Table:
    return pa.table({name: makers[name]() for name in names})


def _sentences(block: Block, place: Place) -> Makers:
    count, name = len(block.rank), block.cut.path.name
    return {
        "sent": lambda: integers(np.arange(place.sent, place.sent + count, dtype=np.int32)),
        "sent_id": lambda: _sent_ids(block, place),
        "split": lambda: _repeat(split_of(name), count),
        "root": lambda: integers(block.rows.root + place.row + place.sent),
        "text": lambda: block.alignment.text,
        "text_rebuilt": lambda: truths(block.alignment.rebuilt),
        "comments": lambda: block.comments.lines,
        "file": lambda: _repeat(name, count),
        "line": lambda: integers(block.line.astype(np.int32)),
    }


def _sent_ids(block: Block, place: Place) -> pa.StringArray:
    sent_ids = block.comments.sent_id
    if not sent_ids.null_count:
        return sent_ids
    numbered = texts([f"{block.cut.path.name}_{rank:05d}" for rank in (block.rank + place.rank + 1).tolist()])
    return pc.coalesce(sent_ids, numbered)


def _repeat(value: str | None, count: int) -> pa.StringArray:
    if value is None:
        return pa.nulls(count, pa.string())
    encoded = value.encode()
    return strings(np.arange(count + 1, dtype=np.int32) * np.int32(len(encoded)), encoded * count)


def plain_tokens(tokens: pa.Table) -> pa.Table:
    """Return a table of tokens whose texts may be `CODED` with the types of `TOKENS`."""
    for place, name in enumerate(tokens.column_names):
        if name in TOKENS and tokens[name].type != TOKENS[name]:
            tokens = tokens.set_column(place, name, tokens[name].cast(TOKENS[name]))
    return tokens


def _tokens(block: Block, place: Place, features: Features) -> Makers:
    cut, rows = block.cut, block.rows
    base, count = place.row + place.sent, len(rows.sent)
    split = _repeat(split_of(cut.path.name), 1).dictionary_encode()
    return {
        "node": lambda: integers(rows.node + base),
        "sent": lambda: integers((rows.sent + place.sent).astype(np.int32)),
        "split": lambda: take(split, np.zeros(count, dtype=np.int32)),
        "sent_id": lambda: take(_sent_ids(block, place).dictionary_encode(), rows.sent),
        **{name.lower(): partial(cut.columns.__getitem__, name) for name in cut.columns},
        "position": lambda: integers(block.position, block.position < 0),
        "feats": lambda: recoded(cut.columns["FEATS"], texts(cut.feats)),
        "head": lambda: integers(block.head + base, block.head < 0),
        "deps": lambda: _edges(block.edges, count, base),
        "start": lambda: integers(block.alignment.start, block.alignment.start < 0),
        "end": lambda: integers(block.alignment.end, block.alignment.end < 0),
        **_features(cut, features),
    }


def _features(cut: Cut, features: Features) -> Makers:
    # NumPy takes 64-bit indices as they are, and would convert others again for each feature.
    numbers_of = np.array([features.number[text] for text in (*cut.feats, None)], dtype=np.int64)
    feats = numbers_of[filled(cut.columns["FEATS"].indices, -1)]
    return {name: partial(_feature, values, codes, feats) for name, (values, codes) in features.values.items()}


def _feature(values: pa.StringArray, codes: np.ndarray, feats: np.ndarray) -> pa.DictionaryArray:
    of_rows = codes.take(feats)
    return pa.DictionaryArray.from_arrays(integers(of_rows, of_rows < 0), values, safe=False)


def _edges(edges: Edges | None, count: int, base: int) -> pa.ListArray:
    if edges is None:
        return pa.nulls(count, CODED_DEPS)
    borders = np.append(0, np.cumsum(np.maximum(edges.count, 0))).astype(np.int32)
    values = pa.StructArray.from_arrays([integers(edges.head + base), edges.label], fields=list(CODED_DEPS.value_type))
    return pa.ListArray.from_arrays(integers(borders), values, mask=truths(edges.count < 0))
