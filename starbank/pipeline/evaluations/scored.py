"""What is said of a published evaluation, and what was read of it -> scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from starbank.errors import SuiteError
from starbank.scoring.conditions import LEVELS, SENTENCE
from starbank.scoring.journal import SCORES
from starbank.scoring.sources import CAUSAL, KINDS

__all__ = ["KINDS", "LEVELS", "UNITS", "Published", "Scored", "to_scores"]

# What one of each is in nats of a log-probability; a probability is taken the logarithm of.
UNITS: dict[str, float | None] = {
    "nats": 1.0,
    "bits": log(2),
    "loss": -1.0,
    "surprisal": -log(2),
    "probability": None,
}

# Of each condition of an item, a row of scores.
_SCORES = """
    SELECT DISTINCT ON (construction, item_id, one.name)
        $model AS model, $kind AS model_kind, $level AS level, $dataset AS dataset,
        construction, phenomenon, language, treebank, item_id,
        one.name AS condition, one.grammatical AS grammatical, one.against AS against, one.regions AS regions,
        region_names, "values".logprobs AS logprobs, NULL AS tokens, NULL AS token_logprobs, NULL AS token_starts,
        NULL AS token_ends,
        sha256(concat_ws(chr(31), $model, $level, $dataset, construction, item_id, one.name)) AS key
    FROM (SELECT * EXCLUDE conditions, unnest(conditions) AS one FROM items) AS items
    JOIN "values" ON "values".suite = construction AND "values".item = sent_id AND "values".condition = one.name
    ORDER BY construction, item_id, one.name, "values".logprobs
"""
VALUES = pa.schema(
    [("suite", pa.string()), ("item", pa.string()), ("condition", pa.string()), ("logprobs", pa.list_(pa.float64()))]
)


@dataclass(frozen=True, kw_only=True)
class Published:
    """What is said of files: their `model` and its `kind`, the `level` and `unit` of scores, and what columns are.

    `columns` are as `starbank import` takes them, `about` its other settings; `good_score`, `bad_score` and `score`
    name columns of scores. `suites` are the names of suites, which the names of Grew-TSE's files have in them.
    """

    model: str | None = None
    kind: str = CAUSAL
    level: str = SENTENCE
    unit: str | None = None
    good_score: str | None = None
    bad_score: str | None = None
    score: str | None = None
    language: str | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    grammatical: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()

    def model_of(self, file: Path, named: str | None = None) -> str:
        """Return the model of a file: the one that is said, else what the file tells."""
        if model := self.model or named:
            return model
        raise SuiteError("does not say which model it is of", file=file, hint="Say it: --model gpt2.")


@dataclass(frozen=True)
class Scored:
    """What a file says: its model, `items` (as in suites, `sent_id` being their number) and `values` (`VALUES`)."""

    model: str
    items: pa.Table
    values: pa.Table


def to_scores(scored: Scored, published: Published, dataset: str) -> pa.Table:
    """Return a row of scores (`SCORES`) for each condition that has a value."""
    connection = duckdb.cursor()
    connection.register("items", scored.items)
    connection.register("values", scored.values)
    about = {"model": scored.model, "kind": published.kind, "level": published.level, "dataset": dataset}
    table = connection.sql(_SCORES, params=about).to_arrow_table()
    return table.select(SCORES.names).cast(SCORES)


def wrong_sign(unit: str) -> str:
    """Return SQL that is true of a `value` that cannot be of this unit."""
    factor = UNITS[unit]
    if factor is None:
        return "value NOT BETWEEN 0 AND 1"
    return "value > 1e-6" if factor > 0 else "value < -1e-6"


def in_nats(unit: str) -> str:
    """Return SQL that makes a log-probability in nats of a `value` of this unit."""
    factor = UNITS[unit]
    if factor is None:
        return "if(value = 0, '-infinity'::DOUBLE, ln(value))"
    return f"value * {factor!r}"
