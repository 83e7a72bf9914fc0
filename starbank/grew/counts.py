"""Counts of clusters as text: a list, a cross table, or lines of JSON."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

import pyarrow as pa

from starbank.grew.clusters import COUNT, rows_of

UNDEFINED = "__undefined__"
# A cross table with more columns than this would be wider than people can read.
WIDEST = 12


def to_json_lines(counts: pa.Table) -> Iterator[str]:
    """Yield a line for each combination of values: `{"Case": "Erg", "count": 53}`; what is not there is null."""
    for values, count in rows_of(counts):
        yield json.dumps(dict(zip(counts.column_names, (*values, count), strict=True)), ensure_ascii=False)


def to_table(counts: pa.Table) -> Iterator[str]:
    """Yield the lines of a table: rows × columns for two keys, else a line for each combination of values.

    What is most frequent comes first, as in `counts`; a value that is not there is `__undefined__`. The two keys change
    places where that makes the table narrow enough.
    """
    rows = [([UNDEFINED if value is None else value for value in values], count) for values, count in rows_of(counts)]
    *keys, _ = counts.column_names
    if len(keys) == 2 and rows:
        wide = [len({values[place] for values, _ in rows}) > WIDEST for place in (0, 1)]
        if not all(wide):
            turned = [(values[::-1], count) for values, count in rows]
            yield from _cross(keys[::-1], turned) if wide[1] else _cross(keys, rows)
            return
    total = sum(count for _, count in rows)
    shares = [[*values, f"{count:,}", f"{count / total:.1%}"] for values, count in rows]
    yield from _aligned([[*keys, COUNT, "share"], *shares], len(keys))


def _cross(keys: Sequence[str], rows: Sequence[tuple[list[str], int]]) -> Iterator[str]:
    """Yield a table with the first key's values down and the second's across, both by their totals."""
    counts = {(first, second): count for (first, second), count in rows}
    down, across = (_totals((values[place], count) for values, count in rows) for place in (0, 1))
    table = [[f"{keys[0]} \\ {keys[1]}", *across, "total"]]
    for first, total in down.items():
        cells = (f"{count:,}" if (count := counts.get((first, second))) else "·" for second in across)
        table.append([first, *cells, f"{total:,}"])
    table.append(["total", *(f"{total:,}" for total in across.values()), f"{sum(down.values()):,}"])
    yield from _aligned(table, 1)


def _totals(pairs: Iterator[tuple[str, int]]) -> dict[str, int]:
    totals: Counter[str] = Counter()
    for value, count in pairs:
        totals[value] += count
    return dict(sorted(totals.items(), key=lambda pair: (-pair[1], pair[0] == UNDEFINED, pair[0])))


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
