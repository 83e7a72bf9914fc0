"""Matches counted by keys, as Grew-match clusters them. The counting is DuckDB's; no match is ever listed."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from starbank.errors import RequestError, UsageError
from starbank.grew.advice import feature_advice
from starbank.grew.check import parse_request
from starbank.grew.compile import compile_request
from starbank.grew.keys import Key, Whether, parse_key
from starbank.grew.part import Part
from starbank.grew.request import Request
from starbank.treebanks import arrays

if TYPE_CHECKING:
    from starbank.grew.engine import Engine

logger = logging.getLogger("starbank")

# More combinations of values than these are no table, and might not fit into memory.
MOST_ROWS = 500_000
COUNT = "count"
TREEBANK = "treebank"
Values = tuple[str | None, ...]
Row = tuple[Values, int]


def cluster(engine: Engine, request: Request, keys: Sequence[str], treebank: str = "") -> pa.Table:
    """Return how many matches of `request` have which values of `keys`, most frequent first.

    Columns: each key as it is written (string; null where a match has no value), `count` (int64). A key that asks
    whether clauses hold has the values `Yes` and `No`; the key `treebank` has the value given. Raises `UsageError` or
    `RequestError` for a key that makes no sense, and for keys whose values have more than `MOST_ROWS` combinations.
    """
    parsed = parse_keys(keys, request)
    rows = (
        row
        for variant, answers in _variants(request, parsed)
        for part in engine.parts()
        for row in _count(variant, parsed, keys, answers | {TREEBANK: treebank}, part)
    )
    return tabulate(rows, keys)


def parse_keys(keys: Sequence[str], request: Request) -> list[Key | Whether]:
    """Read the keys other than `treebank`; all must be different."""
    for key in keys:
        if key == COUNT:
            raise UsageError(f"the key {COUNT} would be a second column of that name", hint=f"Write X.{COUNT}.")
        if keys.count(key) > 1:
            raise UsageError(f"the key {key} is given twice")
    return [parse_key(key, request) for key in keys if key != TREEBANK]


def add_up(tables: Sequence[pa.Table], keys: Sequence[str]) -> pa.Table:
    """Add up tables of `keys` and `count`; the highest counts come first, then it goes by the keys."""
    return tabulate((row for table in tables for row in rows_of(table)), keys)


def rows_of(table: pa.Table) -> Iterator[Row]:
    """Yield the values of the keys and the count in each row of a table of counts."""
    # DuckDB's Arrow results and Arrow's own grouping import pandas, which takes longer than all the rest.
    *values, counts = (column.to_pylist() for column in table.columns)
    return zip(zip(*values, strict=True), counts, strict=True)


def tabulate(rows: Iterable[Row], keys: Sequence[str]) -> pa.Table:
    """Add up rows, as `add_up`."""
    counts: Counter[Values] = Counter()
    for values, count in rows:
        counts[values] += count
    ordered = sorted(counts.items(), key=lambda row: (-row[1], [(value is None, value) for value in row[0]]))
    types = dict.fromkeys(keys, str) | {COUNT: int}
    return arrays.table_of([(*values, count) for values, count in ordered if count], **types)


def _variants(request: Request, keys: Sequence[Key | Whether]) -> Iterator[tuple[Request, dict[str, str]]]:
    """Yield the request under each combination of answers to the questions among `keys`, with those answers."""
    questions = [key for key in keys if isinstance(key, Whether)]
    for answers in product(("with", "without"), repeat=len(questions)):
        variant = request
        for question, answer in zip(questions, answers, strict=True):
            variant = whether(variant, question, answer)
        words = {"with": "Yes", "without": "No"}
        yield variant, {key.text: words[answer] for key, answer in zip(questions, answers, strict=True)}


def whether(request: Request, question: Whether, keyword: str) -> Request:
    """Return the request of those matches where the clauses of `question` hold (`with`) or do not (`without`)."""
    try:
        return parse_request(f"{request.text}\n{question.block(keyword)}")
    except RequestError as error:
        message = f"in the key {question.text}: {error.message}"
        raise RequestError(message, column=error.column, source=error.source, hint=error.hint) from None


def _count(
    request: Request, parsed: Sequence[Key | Whether], keys: Sequence[str], answers: dict[str, str], part: Part
) -> Iterator[Row]:
    """Return the counts in one part of a treebank; what the keys in `answers` have for a value is known."""
    columns = {f"key_{place}": key for place, key in enumerate(key for key in parsed if isinstance(key, Key))}
    plan = compile_request(request, part.graph, [key.sql for key in columns.values()])
    counted = ", ".join([*columns, f"count(*) AS {COUNT}"])
    sql = f"SELECT {counted} FROM (\n{plan.sql}\n) GROUP BY ALL LIMIT {MOST_ROWS + 1}"
    result = part.run(sql, plan)
    counts = np.asarray(result[COUNT], np.int64).tolist()
    if len(counts) > MOST_ROWS:
        message = f"the values of {', '.join(keys)} have more than {MOST_ROWS:,} combinations"
        raise UsageError(message, hint="Count by fewer keys.")
    values: dict[str, list[str | None]] = {key: [answer] * len(counts) for key, answer in answers.items()}
    for column, key in columns.items():
        values[key.text] = key.texts(np.ma.asarray(result[column]), part.graph)
        if set(values[key.text]) == {None}:
            _advise(key, part)
    return zip(zip(*(values[key] for key in keys), strict=True), counts, strict=True)


def _advise(key: Key, part: Part) -> None:
    """Tell of a feature that no match has because no word has it."""
    for feature in key.features:
        for warning in feature_advice(feature, part.graph):
            logger.warning("warning: the key %s: %s", key.text, warning)
