"""Scores and the predictions of suites -> how often each comes true.

A prediction is a formula over the surprisals of an item's regions, in bits (Gauthier et al. 2020). It is compiled to
SQL and evaluated on all items of a suite at once; see `starbank/suites/formulas.py` for what it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import duckdb
import pyarrow as pa

from starbank.analysis.judgements import TIE
from starbank.analysis.yields import SuiteSummary
from starbank.suites.formulas import ALL_REGIONS, Logic, Region, parse_formula, show, to_sql

GROUP = "dataset, construction, model, level"
# In place of a prediction's number: all of the suite's together.
TOGETHER = "all"

SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("dataset", "construction", "model", "level", "prediction", "formula")),
        *(("items", pa.int64()), ("correct", pa.int64())),
        *((name, pa.float64()) for name in ("accuracy", "low", "high")),
    ]
)

# The surprisals of each condition of an item, in bits. Several files may hold a score; NaN is none.
SURPRISALS = f"""
    CREATE OR REPLACE TEMP TABLE surprisals AS
    SELECT {GROUP}, min(model_kind) AS kind, item_id, any_value(region_names) AS region_names,
        map_from_entries(list((condition, bits) ORDER BY condition)) AS bits
    FROM (
        SELECT DISTINCT ON ({GROUP}, item_id, condition) *,
            [CASE WHEN NOT isnan(value) THEN -value / ln(2) END FOR value IN {{values}}] AS bits
        FROM scores WHERE dataset = $dataset AND construction = $construction
            AND (coalesce(len(token_logprobs), 0) = 0 OR list_count(token_logprobs) > 0)
        ORDER BY ALL
    )
    GROUP BY {GROUP}, item_id
"""
# The log-probabilities of the tokens of each region; at the level `word` all that was read belongs to the target.
TOKENS = """[
    CASE WHEN NOT isnan(logprobs[place]) THEN list_transform(
        list_filter(list_zip(token_starts, token_logprobs), lambda one: level LIKE 'word%'
            OR least(one[1], length(array_to_string(regions, '')) - 1)
            BETWEEN length(array_to_string(regions[:place-1], '')) AND length(array_to_string(regions[:place], '')) - 1
        ),
        lambda one: one[2]
    ) END FOR place IN range(1, len(logprobs) + 1)
]"""
# What SyntaxGym's metrics of surprisals are, in log-probabilities, whose order is the opposite.
VALUES = {
    "sum": "logprobs",
    "mean": "list_transform(list_zip(logprobs, tokens), lambda one: one[1] / nullif(one[2], 0))",
    "median": f"[list_median(own) FOR own IN {TOKENS}]",
    "range": f"[list_min(own) - list_max(own) FOR own IN {TOKENS}]",
    "max": f"[list_min(own) FOR own IN {TOKENS}]",
    "min": f"[list_max(own) FOR own IN {TOKENS}]",
}

COUNTED = f"""
    SELECT {GROUP}, $prediction AS prediction, $formula AS formula, count(*) AS items,
        count(*) FILTER (told) AS correct, correct / items AS accuracy, kind
    FROM (SELECT *, {{formula}} AS told FROM surprisals)
    WHERE told IS NOT NULL
    GROUP BY {GROUP}, kind
"""


def predictions(database: duckdb.DuckDBPyConnection, suites: Sequence[SuiteSummary]) -> pa.Table:
    """Return one row per dataset, construction, model, level and prediction: accuracy with its exact 95% interval.

    `database` is that of `judgements.open_scores`; `suites` tell their predictions, and those that have none have no
    row. `prediction` is the number of a prediction, from 1, or `all` for all of them together. An item counts where the
    level has a surprisal for every region that the formula refers to.
    """
    tables = [table for suite in suites for table in _evaluate(database, suite)]
    if not tables:
        return SCHEMA.empty_table()
    from starbank.analysis.statistics import clopper_pearson

    database.register("evaluated", pa.concat_tables(tables))
    order = "dataset, construction, level, kind, lower(model), model, try_cast(prediction AS INTEGER) NULLS LAST"
    table = database.sql(f"SELECT * EXCLUDE kind FROM evaluated ORDER BY {order}").to_arrow_table()
    low, high = clopper_pearson(table["correct"].to_numpy(), table["items"].to_numpy())
    return table.append_column("low", pa.array(low)).append_column("high", pa.array(high)).cast(SCHEMA)


def _evaluate(database: duckdb.DuckDBPyConnection, suite: SuiteSummary) -> list[pa.Table]:
    """Return the counts of a suite's predictions, of each and of all together."""
    told = suite.construction.get("predictions") or []
    if not told:
        return []
    values = VALUES[suite.construction.get("metric", "sum")]
    about = {"dataset": suite.dataset, "construction": suite.construction.get("name", suite.name)}
    database.execute(SURPRISALS.format(values=values), about)
    formulas = {str(number): parse_formula(formula) for number, formula in enumerate(told, 1)}
    formulas[TOGETHER] = reduce(lambda left, right: Logic("&", left, right), formulas.values())
    return [
        database.sql(
            COUNTED.format(formula=to_sql(formula, _bits, TIE)), params={"prediction": name, "formula": show(formula)}
        ).to_arrow_table()
        for name, formula in formulas.items()
    ]


def _bits(region: Region) -> str:
    """Return the SQL for the surprisal of a region in an item."""
    bits = f"bits[{_quoted(region.condition)}]"
    if region.region == ALL_REGIONS:
        return f"CASE WHEN list_count({bits}) = len({bits}) THEN list_sum({bits}) END"
    place = (
        region.region if isinstance(region.region, int) else f"list_position(region_names, {_quoted(region.region)})"
    )
    return f"{bits}[{place}]"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
