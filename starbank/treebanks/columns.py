"""The ten columns of the lines that hold tokens, as Arrow's reader of CSV cuts them at their tabs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from starbank.treebanks.arrays import CODED, filled, integers, spans, text, texts, whole
from starbank.treebanks.lines import HASH, LINE_FEED, BadSentences, Lines, Problem

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
HEADER = "\t".join(COLUMNS).encode() + b"\n"
NOTHING = "_"
TAB = ord("\t")

Columns = dict[str, pa.DictionaryArray]


def split_fields(lines: Lines) -> Columns:
    """Return the columns of token lines, `_` as null save in FORM.

    Raises `BadSentences` where a line has not ten fields, or an empty one.
    """
    columns = _read(HEADER + lines.text())
    if columns is None or any(pc.index(column.dictionary, text("")).as_py() >= 0 for column in columns.values()):
        raise BadSentences(list(_explain(lines)))
    return columns | {"FORM": _with_underscore(columns["FORM"])}


def scan_feats(data: bytes) -> pa.StringArray:
    """Return the distinct texts of FEATS in a block, of lines that are ten fields; none where one is not UTF-8."""
    array = np.frombuffer(data if data.endswith(b"\n") else data + b"\n", dtype=np.uint8)
    borders = np.flatnonzero((array == TAB) | (array == LINE_FEED))
    ends = np.flatnonzero(array[borders] == LINE_FEED)
    starts = borders[np.append(0, ends[:-1])] + 1
    starts[0] = 0
    ends = ends[(np.diff(ends, prepend=-1) == len(COLUMNS)) & (array[starts] != HASH)]
    before = len(COLUMNS) - 1 - COLUMNS.index("FEATS")
    feats = pc.unique(spans(array, borders[ends - before - 1] + 1, borders[ends - before]))
    try:
        feats.validate(full=True)
    except pa.ArrowInvalid:
        return feats[:0]
    return feats


def _read(content: bytes) -> Columns | None:
    """Return the columns, or nothing where the lines are not ten fields each."""
    # Arrow ends a line at either.
    if b"\r" in content:
        return None
    # As one block, so that a column has one dictionary.
    reading = csv.ReadOptions(use_threads=False, block_size=len(content))
    parsing = csv.ParseOptions(delimiter="\t", quote_char=False)
    types = dict.fromkeys(COLUMNS, CODED)
    converting = csv.ConvertOptions(
        column_types=types, null_values=[NOTHING], strings_can_be_null=True, check_utf8=False
    )
    try:
        table = csv.read_csv(pa.BufferReader(content), reading, parsing, converting)
    except pa.ArrowInvalid:
        return None
    return {name: whole(table[name]) for name in COLUMNS}


def _with_underscore(column: pa.DictionaryArray) -> pa.DictionaryArray:
    """Return a column with what was null as a text of its own."""
    if not column.null_count:
        return column
    dictionary = pa.concat_arrays([column.dictionary, texts([NOTHING])])
    return pa.DictionaryArray.from_arrays(integers(filled(column.indices, len(column.dictionary))), dictionary)


def _explain(lines: Lines) -> Iterator[Problem]:
    """Yield what is wrong with the lines, one by one."""
    for number, start, end in zip(lines.number.tolist(), lines.start.tolist(), lines.end.tolist(), strict=True):
        fields = lines.data[start:end].decode().split("\t")
        if len(fields) != len(COLUMNS):
            hint = "Ten columns have one tab between two; a sentence ends with a line that is quite empty."
            yield Problem(number, f"10 columns expected, {len(fields)} found", hint)
        elif "" in fields:
            yield Problem(number, f"the column {COLUMNS[fields.index('')]} is empty", "Write _ where there is nothing.")
        elif any("\r" in field for field in fields):
            yield Problem(number, "a carriage return inside the line", "Lines end with a line feed, or with both.")
