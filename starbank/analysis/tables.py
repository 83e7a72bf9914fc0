"""Scores -> accuracy and preferred conditions, counted in DuckDB."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

from starbank.analysis.judgements import GROUP, ORDER, SEVERAL
from starbank.analysis.scores import TIE
from starbank.analysis.statistics import binomial_test, credit, with_interval, with_p_values
from starbank.treebanks.arrays import numbers

# Decimals add up to the same mean in any order, so that several threads give the same bytes.
ACCURACY = f"""
    SELECT {GROUP}, count(*) AS items,
        count(*) FILTER (correct) AS correct,
        avg(credit) AS accuracy,
        count(*) FILTER (tied) AS ties,
        count(*) FILTER (correct) / count(*) AS strict,
        avg(chance) AS chance
    FROM judged JOIN kinds USING (model)
    WHERE complete
    GROUP BY {GROUP}, kind
    ORDER BY {ORDER}
"""

BY_TREEBANK = f"""
    WITH origins AS (SELECT dataset, construction, item_id, min(treebank) AS treebank FROM scores GROUP BY ALL)
    SELECT {GROUP}, treebank, count(*) AS items, count(*) FILTER (correct) AS correct,
        avg(credit) AS accuracy, avg(chance) AS chance
    FROM judged JOIN origins USING (dataset, construction, item_id) JOIN kinds USING (model)
    WHERE complete
    GROUP BY GROUPING SETS (({GROUP}, kind, treebank), (dataset, model, level, kind, treebank))
    HAVING construction IS NOT NULL OR {SEVERAL}
    ORDER BY {ORDER}, treebank
"""

# The condition that misled the model: of the starred ones that score above their rivals, the one furthest above. Lists
# are added up in order, so that several threads give the same bytes.
PREFERRED = f"""
    WITH ranked AS (
        SELECT scored.*, NOT correct AS error, score >= highest - {TIE} AS high,
            CASE WHEN score > rival + {TIE} THEN score - rival END AS excess
        FROM scored JOIN judged USING ({GROUP}, item_id)
        WHERE complete
    ), nearest AS (
        SELECT *, excess >= max(excess) OVER item - {TIE} AS far,
            high AND count(*) FILTER (high) OVER item = 1 AS preferred
        FROM ranked
        WINDOW item AS (PARTITION BY {GROUP}, item_id)
    ), misled AS (
        SELECT *, far AND count(*) FILTER (far) OVER (PARTITION BY {GROUP}, item_id) = 1 AS misleading
        FROM nearest
    ), totals AS (
        SELECT {GROUP}, count(*) AS total, count(*) FILTER (NOT correct) AS errors
        FROM judged WHERE complete GROUP BY {GROUP}
    )
    SELECT {GROUP}, condition,
        count(*) FILTER (preferred) AS items,
        count(*) FILTER (preferred) / total AS share,
        count(*) FILTER (misleading) AS wrong,
        CASE WHEN errors > 0 THEN count(*) FILTER (misleading) / errors END AS wrong_share,
        list_avg(list(score ORDER BY item_id)) AS mean_logprob,
        list_avg(list(exp(score) ORDER BY item_id)) AS mean_probability
    FROM misled JOIN totals USING ({GROUP}) JOIN kinds USING (model)
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
EXAMPLES = """
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


def accuracy(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction, model and level: accuracy, how sure it is, and whether it is chance.

    An item is correct when every starred condition scores strictly lower than the grammatical one that it is held
    against (or, where none is named, than every grammatical one). Where it fails only because the two are equal, it is
    counted in `ties`: `accuracy` gives it what a guess among equals would get, a half in a pair, and `strict` nothing.
    `low` and `high` are the exact 95% interval of `accuracy`, `p_value` that of the two-sided exact binomial test
    against `chance`, and `p_holm` the same corrected for all rows (Holm 1979).
    """
    counts = database.sql(ACCURACY).to_arrow_table()
    table = with_interval(counts).select([*counts.column_names[:-3], "low", "high", "ties", "strict", "chance"])
    return with_p_values(table, binomial_test(credit(counts), numbers(counts["items"]), numbers(counts["chance"])))


def by_treebank(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction (null: all together), model, level and treebank: its accuracy there.

    So an original stands beside what was derived from it, and one language beside another. `low` and `high` are the
    exact 95% interval.
    """
    return with_interval(database.sql(BY_TREEBANK).to_arrow_table())


def preferred(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction, model, level and condition: how often it scored highest.

    `items` counts the items whose one highest score is this condition's, and `share` divides them by all items of the
    row; an item whose highest score is shared by several conditions counts for none of them. `wrong` counts those where
    the condition is starred and misled the model most, and `wrong_share` divides them by the errors (null where there
    are none). `mean_logprob` (nats) and `mean_probability` are the means of its scores.
    """
    return database.sql(PREFERRED).to_arrow_table()


def coverage(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per suite, level and model that scores this level.

    `items` counts the items that the model scored, `incomplete` those of which it scored only some conditions, and
    `wanted` all that any model scored.
    """
    return database.sql(COVERAGE).to_arrow_table()


def scored_suites(database: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Return what the scores themselves tell of each suite: its names, language, and the conditions of one item."""
    suites: list[dict[str, Any]] = database.sql(EXAMPLES).to_arrow_table().to_pylist()
    return suites
