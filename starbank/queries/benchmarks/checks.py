"""What is wrong with the pairs of a paradigm, told with the line of the first that has it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import SuiteError
from starbank.queries.benchmarks.columns import Columns
from starbank.queries.benchmarks.tables import line_of

_REPEATED = "trim(prefix) <> '' and starts_with(good, trim(prefix)) and starts_with(bad, trim(prefix))"
_NUMBER = r"(-?[0-9]{1,18}(\.0+)?|[Tt]rue|[Ff]alse|)"


def check_pairs(parts: Sequence[tuple[Path, pa.Table, Columns]]) -> None:
    """Raise `SuiteError` where a sentence is empty, a prefix repeated, an id given twice, or a covariate no number.

    A part is a file with the rows of it that belong to the paradigm, and what its columns are called.
    """
    for file, rows, columns in parts:
        for key in ("good", "bad"):
            refuse(file, rows, rf"regexp_full_match({key}, '\s*')", f"`{getattr(columns, key)}` is empty")
        if columns.prefix:
            hint = f"Its sentences are whole: leave `{columns.prefix}` out."
            refuse(file, rows, _REPEATED, f"`{columns.prefix}` stands in the sentences, too", hint)
        for name in columns.covariates:
            column = '"' + f"covariate {name}".replace('"', '""') + '"'
            hint = "Covariates are whole numbers, or true and false."
            refuse(file, rows, f"not regexp_full_match({column}, '{_NUMBER}')", f"`{name}` is no whole number", hint)
    if all(columns.id for _, _, columns in parts):
        _refuse_twice(parts)


def refuse(file: Path, rows: pa.Table, condition: str, message: str, hint: str | None = None) -> None:
    """Raise `SuiteError` with the line of the first of the `rows` of a file for which a condition in SQL is true."""
    connection = duckdb.cursor()
    connection.register("rows", rows)
    found = connection.execute(f"select min(row) from rows where {condition}").fetchone()
    if found and found[0] is not None:
        line = line_of(file, found[0])
        raise SuiteError(message if line else f"pair {found[0]}: {message}", file=file, line=line, hint=hint)


def _refuse_twice(parts: Sequence[tuple[Path, pa.Table, Columns]]) -> None:
    ids = pa.chunked_array([chunk for _, rows, _ in parts for chunk in rows["id"].chunks], pa.string())
    counts = ids.value_counts()
    twice = counts.filter(pc.greater(counts.field("counts"), 1)).field("values")
    if not len(twice):
        return
    places = [
        (file, row) for file, rows, _ in parts for row in rows.filter(pc.equal(rows["id"], twice[0]))["row"].to_pylist()
    ]
    (first, before), (file, row) = places[:2]
    message = f"has {twice[0].as_py()!r} as `{parts[0][2].id}` once more, first in line {line_of(first, before)}"
    hint = "Leave that column out, and pairs are called by their place in the file."
    raise SuiteError(message, file=file, line=line_of(file, row), hint=hint)
