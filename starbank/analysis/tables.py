"""Scores -> accuracy and preferred conditions, counted in DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from starbank.errors import SuiteError
from starbank.files import read_metadata

SCHEMA = "scores/1"
GROUP = "dataset, construction, model, level"
# The order of every table and of the report: baselines first, then the models they are there to be compared with.
ORDER = "dataset, construction, level, kind, lower(model), model"

NO_SCORES = """
    CREATE TABLE scores (
        model VARCHAR, model_kind VARCHAR, level VARCHAR, dataset VARCHAR, construction VARCHAR, phenomenon VARCHAR,
        language VARCHAR, treebank VARCHAR, item_id VARCHAR, condition VARCHAR, grammatical BOOLEAN, regions VARCHAR[],
        region_names VARCHAR[], logprobs DOUBLE[]
    )
"""

# A score is the sum over the regions which the level scores (the others are null). DuckDB sorts NaN above every number,
# so a model that overflowed would seem certain: NaN counts as no score.
SCORED = f"""
    CREATE TABLE scored AS
    SELECT {GROUP}, item_id, condition, bool_and(grammatical) AS grammatical, min(score) AS score,
        min(score) IS DISTINCT FROM max(score) AS contradictory
    FROM (
        SELECT *, CASE WHEN isnan(list_sum(logprobs)) THEN NULL ELSE list_sum(logprobs) END AS score FROM scores
    )
    GROUP BY {GROUP}, item_id, condition
"""

KINDS = "CREATE TABLE kinds AS SELECT model, min(model_kind) AS kind FROM scores GROUP BY model"

# An item counts for a model only when the model scored every condition that any model was given.
JUDGED = f"""
    CREATE TABLE judged AS
    WITH wanted AS (
        SELECT dataset, construction, item_id, count(DISTINCT condition) AS conditions
        FROM scored GROUP BY ALL
    )
    SELECT {GROUP}, item_id,
        (count(*) FILTER (grammatical))::INTEGER AS good,
        count(*)::INTEGER AS conditions,
        min(score) FILTER (grammatical) AS lowest_good,
        max(score) FILTER (NOT grammatical) AS highest_starred,
        max(score) AS highest,
        count(score) = any_value(wanted.conditions) AND good BETWEEN 1 AND count(*) - 1 AS complete
    FROM scored JOIN wanted USING (dataset, construction, item_id)
    GROUP BY {GROUP}, item_id
"""

# Chance: the odds that a random order puts the g grammatical of k conditions first, 1 / C(k, g); 1 / k for one of k.
# Decimals add up to the same mean in any order, so that several threads give the same bytes.
ACCURACY = f"""
    SELECT {GROUP}, count(*) AS items,
        count(*) FILTER (highest_starred < lowest_good) AS correct,
        correct / items AS accuracy,
        count(*) FILTER (highest_starred = lowest_good) AS ties,
        avg((factorial(good) * factorial(conditions - good) / factorial(conditions))::DECIMAL(18, 17)) AS chance
    FROM judged JOIN kinds USING (model)
    WHERE complete
    GROUP BY {GROUP}, kind
    ORDER BY {ORDER}
"""

PREFERRED = f"""
    WITH ranked AS (
        SELECT scored.*, judged.highest_starred >= judged.lowest_good AS error,
            score = highest AND count(*) FILTER (score = highest) OVER (PARTITION BY {GROUP}, item_id) = 1 AS preferred
        FROM scored JOIN judged USING ({GROUP}, item_id)
        WHERE complete
    ), totals AS (
        SELECT {GROUP}, count(*) AS total, count(*) FILTER (highest_starred >= lowest_good) AS errors
        FROM judged WHERE complete GROUP BY {GROUP}
    )
    SELECT {GROUP}, condition,
        count(*) FILTER (preferred) AS items,
        items / total AS share,
        count(*) FILTER (preferred AND NOT grammatical) AS wrong,
        CASE WHEN errors > 0 THEN wrong / errors END AS wrong_share
    FROM ranked JOIN totals USING ({GROUP}) JOIN kinds USING (model)
    GROUP BY {GROUP}, kind, condition, total, errors
    ORDER BY {ORDER}, condition
"""

COVERAGE = f"""
    WITH wanted AS (
        SELECT dataset, construction, level, count(DISTINCT item_id) AS wanted FROM judged GROUP BY ALL
    ), given AS (
        SELECT {GROUP}, count(*) FILTER (complete) AS items, count(*) FILTER (NOT complete) AS incomplete
        FROM judged GROUP BY {GROUP}
    )
    SELECT {GROUP}, kind, coalesce(items, 0) AS items, coalesce(incomplete, 0) AS incomplete, wanted
    FROM wanted
        JOIN (SELECT DISTINCT model, level FROM judged) USING (level)
        LEFT JOIN given USING (dataset, construction, model, level)
        JOIN kinds USING (model)
    ORDER BY {ORDER}
"""


# One item of each suite: the sentence nearest to sixty characters, and the id where two are as near.
TOLD = """
    WITH chosen AS (
        SELECT dataset, construction, min(phenomenon) AS phenomenon, min(language) AS language,
            arg_min(item_id, (abs(length(array_to_string(regions, '')) - 60), item_id)) AS item_id
        FROM scores GROUP BY dataset, construction
    ), conditions AS (
        SELECT DISTINCT dataset, construction, item_id, treebank, condition, grammatical, regions
        FROM scores SEMI JOIN chosen USING (dataset, construction, item_id)
    )
    SELECT dataset, construction, phenomenon, language, min(treebank) AS treebank,
        list({name: condition, grammatical: grammatical, regions: regions} ORDER BY NOT grammatical, condition)
            AS conditions
    FROM chosen JOIN conditions USING (dataset, construction, item_id)
    GROUP BY dataset, construction, phenomenon, language
    ORDER BY dataset, construction
"""


def open_scores(paths: Sequence[Path]) -> duckdb.DuckDBPyConnection:
    """Return a database over scores files (`scores/1`), with the tables `scored` (a row per condition) and `judged` (a
    row per item), both by model and level, and `kinds` of models.

    A score that several files hold is counted once. Raises `SuiteError` where a file is missing or is no scores file,
    or where two files score the same condition differently.
    """
    for path in paths:
        require_schema(path, SCHEMA, hint="`starbank score` writes it.")
    database = duckdb.connect()
    if paths:
        database.read_parquet([str(path) for path in paths]).create_view("scores")
    else:
        database.execute(NO_SCORES)
    for statement in (SCORED, KINDS, JUDGED):
        database.execute(statement)
    _check_agreement(database)
    return database


def accuracy(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction, model and level: accuracy with its exact 95% interval.

    An item is correct when every starred condition scores strictly lower than every grammatical one. Where it fails
    only because the two are equal, it is an error and is counted in `ties`.
    """
    table = database.sql(ACCURACY).to_arrow_table()
    low, high = clopper_pearson(table["correct"].to_numpy(), table["items"].to_numpy())
    at = table.column_names.index("accuracy") + 1
    return table.add_column(at, "low", pa.array(low)).add_column(at + 1, "high", pa.array(high))


def preferred(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction, model, level and condition: how often it scored highest.

    `items` counts the items whose one highest score is this condition's, and `share` divides them by all items of the
    row; an item whose highest score is shared by several conditions counts for none of them. `wrong` counts those where
    the condition is starred, and `wrong_share` divides them by the errors (null where there are none).
    """
    return database.sql(PREFERRED).to_arrow_table()


def coverage(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per suite, level and model that scores this level.

    `items` counts the items that the model scored, `incomplete` those of which it scored only some conditions, and
    `wanted` all that any model scored.
    """
    return database.sql(COVERAGE).to_arrow_table()


def require_schema(path: Path, schema: str, *, hint: str) -> None:
    """Raise `SuiteError` unless the file at `path` is a table of that schema (`scores/1`)."""
    try:
        found = read_metadata(path).get("schema")
    except FileNotFoundError:
        raise SuiteError("there is no such file", file=path, hint=hint) from None
    except (pa.ArrowInvalid, OSError, ValueError) as error:
        raise SuiteError(f"cannot be read as Parquet: {error}", file=path, hint=hint) from error
    if found != schema:
        raise SuiteError(f"holds {found or 'no Starbank table'} instead of {schema}", file=path, hint=hint)


def told_suites(database: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Return what the scores themselves tell of each suite: its names, language, and the conditions of one item."""
    return database.sql(TOLD).to_arrow_table().to_pylist()


def clopper_pearson(correct: np.ndarray, items: np.ndarray, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of the exact binomial interval (Clopper & Pearson 1934) for `correct` of `items`."""
    from scipy.special import betaincinv  # slow to import

    tail = (1 - confidence) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(correct == 0, 0.0, betaincinv(correct, items - correct + 1, tail))
        high = np.where(correct == items, 1.0, betaincinv(correct + 1, items - correct, 1 - tail))
    return low, high


def _check_agreement(database: duckdb.DuckDBPyConnection) -> None:
    """Raise `SuiteError` where one condition has two scores: two models share a name, or a suite has changed."""
    clash = database.sql(f"SELECT {GROUP}, item_id FROM scored WHERE contradictory ORDER BY ALL LIMIT 1").fetchall()
    if clash:
        dataset, construction, model, level, item = clash[0]
        raise SuiteError(
            f"model {model} has two different {level}-level scores for item {item} of {dataset}/{construction}",
            hint="Do two models share a name, or is one of the scores files out of date?",
        )
