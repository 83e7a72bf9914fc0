"""The ten columns of the lines that hold tokens, cut at their tabs without a loop over lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from starbank.treebanks.arrays import pieces, take
from starbank.treebanks.lines import BadSentences, Lines, Problem

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
CODED = ("ID", "FEATS", "HEAD", "DEPS")
TAB, NOTHING = b"\t_"


@dataclass(frozen=True)
class Fields:
    """The ten fields of each token line: field `k` lies in `data` between `borders[k] + 1` and `borders[k + 1]`."""

    data: bytes
    borders: np.ndarray

    def column(self, name: str) -> pa.Array:
        """Return a column, `_` as null save in FORM; those of few values (`CODED`) as a dictionary."""
        place = COLUMNS.index(name)
        start, end = self.borders[place] + 1, self.borders[place + 1]
        null = None
        if name != "FORM":
            null = end - start == 1
            null &= np.frombuffer(self.data, dtype=np.uint8).take(start) == NOTHING
        column = take(pieces(self.data, np.stack((start, end), axis=1)), np.arange(0, 2 * len(start), 2), null)
        return column.dictionary_encode() if name in CODED else column


def split_fields(lines: Lines) -> Fields:
    """Cut token lines into fields; raises `BadSentences` where a line has not ten, or an empty one."""
    # As many bytes as an Arrow string array can have, and half the room of 64 bits.
    borders = np.vstack((lines.start - 1, _tabs(lines), lines.end), dtype=np.int32, casting="same_kind")
    if (np.diff(borders, axis=0) < 2).any() or b"\r" in lines.data:
        problems = list(_explain(lines))
        if problems:
            raise BadSentences(problems)
    return Fields(lines.data, borders)


def _tabs(lines: Lines) -> np.ndarray:
    """Return where the nine tabs of each line lie, out of order where some line has not nine."""
    shape = len(COLUMNS) - 1, len(lines.start)
    tabs = np.flatnonzero(np.frombuffer(lines.data, dtype=np.uint8) == TAB)
    if len(tabs) != shape[0] * shape[1]:
        # Comments and sentences that are skipped may hold tabs, too.
        ends = np.append(-1, lines.end)
        tabs = tabs[tabs < ends[np.searchsorted(lines.start, tabs, side="right")]]
    return tabs.reshape(shape[::-1]).T if len(tabs) == shape[0] * shape[1] else np.full(shape, -1)


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
