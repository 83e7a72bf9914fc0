"""Matches counted by keys, as Grew-match clusters them. The counting is DuckDB's; no match is ever listed."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
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

COUNT = "count"
TREEBANK = "treebank"


def cluster(engine: Engine, request: Request, keys: Sequence[str], treebank: str = "") -> pa.Table:
    """Return how many matches of `request` have which values of `keys`, most frequent first.

    Columns: each key as it is written (string; null where a match has no value), `count` (int64). A key that asks
    whether clauses hold has the values `Yes` and `No`; the key `treebank` has the value given. Raises `UsageError` or
    `RequestError` for a key that makes no sense.
    """
    parsed = parse_keys(keys, request)
    tables = [
        _count(variant, parsed, keys, answers | {TREEBANK: treebank}, part)
        for variant, answers in _variants(request, parsed)
        for part in engine.parts()
    ]
    return add_up(tables, keys)


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
    # Arrow's own grouping and DuckDB's Arrow results import pandas, which takes longer than all the rest.
    columns = [_ranked(_joined(tables, place)) for place, _ in enumerate(keys)]
    counts = np.concatenate(
        [np.zeros(0, np.int64), *(arrays.numbers(table[COUNT].combine_chunks()) for table in tables)]
    )
    rows, group = np.unique(np.stack([ranks for ranks, _ in columns]), axis=1, return_inverse=True)
    sums = np.zeros(rows.shape[1], np.int64)
    np.add.at(sums, group.ravel(), counts)
    order = np.lexsort((*rows[::-1], -sums))
    order = order[sums[order] > 0]
    values = [arrays.take(ordered, ranks[order]) for ranks, (_, ordered) in zip(rows, columns, strict=True)]
    return pa.Table.from_arrays([*values, arrays.integers(sums[order])], [*keys, COUNT])


def _joined(tables: Sequence[pa.Table], place: int) -> pa.StringArray:
    return pa.concat_arrays([table.column(place).combine_chunks() for table in tables])


def _ranked(column: pa.StringArray) -> tuple[np.ndarray, pa.StringArray]:
    """Return the rank of each text among the different ones, and these in order, with null at the end."""
    encoded = column.dictionary_encode()
    distinct = encoded.dictionary.to_pylist()
    ordered = sorted(distinct)
    rank = {text: place for place, text in enumerate(ordered)}
    ranks = np.array([*(rank[text] for text in distinct), len(ordered)], np.int64)
    return ranks[arrays.filled(encoded.indices, len(ordered))], arrays.texts([*ordered, None])


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
    request: Request, parsed: Sequence[Key | Whether], keys: Sequence[str], said: dict[str, str], part: Part
) -> pa.Table:
    """Return the counts in one part of a treebank; what the keys in `said` have for a value is known."""
    read = [key for key in parsed if isinstance(key, Key)]
    plan = compile_request(request, part.graph, [key.sql for key in read])
    columns = [f"key_{place}" for place, _ in enumerate(read)]
    sql = f"SELECT {', '.join([*columns, f'count(*) AS {COUNT}'])} FROM (\n{plan.sql}\n) GROUP BY ALL"
    found = part.run(sql, plan)
    counts = arrays.integers(np.asarray(found[COUNT], np.int64))
    values = {
        key.text: key.texts(np.ma.asarray(found[column]), part.graph) for key, column in zip(read, columns, strict=True)
    }
    for key in read:
        _advise(key, values[key.text], part)
    values |= {key: arrays.texts([value] * len(counts)) for key, value in said.items()}
    return pa.Table.from_arrays([*(values[key] for key in keys), counts], [*keys, COUNT])


def _advise(key: Key, values: pa.StringArray, part: Part) -> None:
    """Tell of a feature that no match has because no word has it."""
    if len(values) and values.null_count == len(values):
        for feature in key.features:
            for warning in feature_advice(feature, part.graph):
                logger.warning("warning: the key %s: %s", key.text, warning)
