"""The ten columns of the lines that hold tokens, cut by Arrow's reader of tab-separated text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from starbank.treebanks.arrays import offsets, spans, texts
from starbank.treebanks.lines import BadSentences, Lines, Problem

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
CODED = pa.dictionary(pa.int32(), pa.string())
TYPES = dict.fromkeys(COLUMNS, pa.string()) | dict.fromkeys(("ID", "FEATS", "HEAD", "DEPS"), CODED)


def read_columns(lines: Lines) -> dict[str, pa.Array]:
    """Return the columns of token lines, `_` as null save in FORM: ID, FEATS, HEAD and DEPS coded.

    Raises `BadSentences` where a line has not ten columns, or an empty one.
    """
    if not len(lines.start):
        return {name: pa.nulls(0, kind) for name, kind in TYPES.items()}
    # Arrow's reader takes a carriage return for the end of a line.
    suspect = b"\r" in lines.data
    try:
        columns = _split(_text(lines))
    except pa.ArrowInvalid:
        columns = {}
    if not columns or suspect or len(columns["ID"]) != len(lines.start) or any(map(_has_empty, columns.values())):
        problems = list(_explain(lines))
        if problems:
            raise BadSentences(problems)
    return columns


def _text(lines: Lines) -> pa.Buffer:
    """Return the lines as one text."""
    first = lines.first()
    last = np.append(first[1:], len(lines.start)) - 1
    # The lines of a sentence follow one another, and strings of an Arrow array too: their buffer is the text.
    return spans(lines.data, lines.start[first], lines.end[last] + 1).buffers()[2]


def _split(text: pa.Buffer) -> dict[str, pa.Array]:
    table = pyarrow.csv.read_csv(
        text,
        # One block gives columns in one piece.
        pyarrow.csv.ReadOptions(use_threads=False, block_size=text.size + 1, column_names=COLUMNS),
        pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False),
        pyarrow.csv.ConvertOptions(check_utf8=False, column_types=TYPES, null_values=["_"], strings_can_be_null=True),
    )
    columns = {name: table[name].chunk(0) for name in COLUMNS}
    if columns["FORM"].null_count:
        columns["FORM"] = pc.coalesce(columns["FORM"], texts(["_"])[0])
    return columns


def _has_empty(column: pa.Array) -> bool:
    strings = column.dictionary if pa.types.is_dictionary(column.type) else column
    # Nulls are empty too, so only a surplus tells.
    return pa.types.is_string(strings.type) and bool((np.diff(offsets(strings)) == 0).sum() > strings.null_count)


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
