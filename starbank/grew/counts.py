"""Counts of clusters as text: a list, a cross table, or lines of JSON."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from starbank.grew.clusters import COUNT, rows_of

UNDEFINED = "__undefined__"
# A cross table with more columns than this would be wider than people can read.
WIDEST = 12


def to_json_lines(counts: pa.Table) -> Iterator[str]:
    """Yield a line for each combination of values: `{"Case": "Erg", "count": 53}`; what is not there is null."""
    for values, count in rows_of(counts):
        yield json.dumps(dict(zip(counts.column_names, (*values, count), strict=True)), ensure_ascii=False)


@dataclass(frozen=True)
class CrossTable:
    """Counts by two keys: the values of one go down, those of the other across, both by their totals."""

    keys: tuple[str, str]
    down: dict[str | None, int]
    across: dict[str | None, int]
    counts: dict[tuple[str | None, str | None], int]


def cross_table(counts: pa.Table) -> CrossTable | None:
    """Return counts by two keys as a cross table, None where there are not two, or too many values of both.

    The two keys change places where that makes the table narrow enough.
    """
    rows, (*keys, _) = list(rows_of(counts)), counts.column_names
    if len(keys) != 2 or not rows:
        return None
    down, across = (_totals((values[place], count) for values, count in rows) for place in (0, 1))
    if len(across) <= WIDEST:
        return CrossTable((keys[0], keys[1]), down, across, {(a, b): count for (a, b), count in rows})
    if len(down) <= WIDEST:
        return CrossTable((keys[1], keys[0]), across, down, {(b, a): count for (a, b), count in rows})
    return None


def to_table(counts: pa.Table) -> Iterator[str]:
    """Yield the lines of a table: rows × columns for two keys, else a line for each combination of values.

    What is most frequent comes first, as in `counts`; a value that is not there is `__undefined__`.
    """
    if table := cross_table(counts):
        yield from _cross(table)
        return
    rows, (*keys, _) = list(rows_of(counts)), counts.column_names
    total = sum(count for _, count in rows)
    shares = [[*map(_written, values), f"{count:,}", f"{count / total:.1%}"] for values, count in rows]
    yield from _aligned([[*keys, COUNT, "share"], *shares], len(keys))


def _written(value: str | None) -> str:
    return UNDEFINED if value is None else value


def _cross(table: CrossTable) -> Iterator[str]:
    lines = [[" \\ ".join(table.keys), *map(_written, table.across), "total"]]
    for first, total in table.down.items():
        cells = (table.counts.get((first, second)) for second in table.across)
        lines.append([_written(first), *(f"{count:,}" if count else "·" for count in cells), f"{total:,}"])
    whole = sum(table.down.values())
    lines.append(["total", *(f"{total:,}" for total in table.across.values()), f"{whole:,}"])
    yield from _aligned(lines, 1)


def _totals(pairs: Iterator[tuple[str | None, int]]) -> dict[str | None, int]:
    totals: Counter[str | None] = Counter()
    for value, count in pairs:
        totals[value] += count
    return dict(sorted(totals.items(), key=lambda pair: (-pair[1], pair[0] is None, pair[0])))


def _aligned(table: Sequence[Sequence[str]], words: int) -> Iterator[str]:
    """Yield the rows with their columns aligned: the first `words` columns to the left, the numbers to the right."""
    widths = [max(map(_width, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            blank = " " * (width - _width(cell))
            cells.append(cell + blank if place < words else blank + cell)
        yield "  ".join(cells).rstrip()


def _width(text: str) -> int:
    """Return how many columns of a terminal `text` takes."""
    marks = sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(character) in "WF" for character in text)
