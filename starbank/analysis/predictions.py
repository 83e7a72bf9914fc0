"""Scores and the predictions of suites -> how often each comes true.

A prediction is a formula over the surprisals of an item's regions, in bits (Gauthier et al. 2020). It is compiled to
SQL and evaluated on all items of a suite at once; see `starbank/suites/formulas.py` for what it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

import duckdb
import pyarrow as pa

from starbank.analysis.judgements import GROUP, ORDER
from starbank.analysis.scores import TIE
from starbank.analysis.statistics import with_interval
from starbank.analysis.yields import SuiteSummary
from starbank.suites.formulas import ALL_REGIONS, Formula, Logic, Region, parse_formula, show, to_sql

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
        list_filter(list_zip(token_starts, token_logprobs), lambda token: level LIKE 'word%'
            OR least(token[1], length(array_to_string(regions, '')) - 1)
            BETWEEN length(array_to_string(regions[:place-1], '')) AND length(array_to_string(regions[:place], '')) - 1
        ),
        lambda token: token[2]
    ) END FOR place IN range(1, len(logprobs) + 1)
]"""
# What SyntaxGym's metrics of surprisals are, in log-probabilities, whose order is the opposite.
VALUES = {
    "sum": "logprobs",
    "mean": "list_transform(list_zip(logprobs, tokens), lambda region: region[1] / nullif(region[2], 0))",
    "median": f"[list_median(region) FOR region IN {TOKENS}]",
    "range": f"[list_min(region) - list_max(region) FOR region IN {TOKENS}]",
    "max": f"[list_min(region) FOR region IN {TOKENS}]",
    "min": f"[list_max(region) FOR region IN {TOKENS}]",
}

COUNTED = f"""
    SELECT {GROUP}, $prediction AS prediction, $formula AS formula, count(*) AS items,
        count(*) FILTER (true_of_item) AS correct, correct / items AS accuracy, kind
    FROM (SELECT *, {{formula}} AS true_of_item FROM surprisals)
    WHERE true_of_item IS NOT NULL
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
    database.register("evaluated", pa.concat_tables(tables))
    order = f"{ORDER}, try_cast(prediction AS INTEGER) NULLS LAST"
    table = database.sql(f"SELECT * EXCLUDE kind FROM evaluated ORDER BY {order}").to_arrow_table()
    return with_interval(table).cast(SCHEMA)


def _evaluate(database: duckdb.DuckDBPyConnection, suite: SuiteSummary) -> list[pa.Table]:
    """Return the counts of a suite's predictions, of each and of all together."""
    predictions = suite.construction.get("predictions") or []
    if not predictions:
        return []
    values = VALUES[suite.construction.get("metric", "sum")]
    about = {"dataset": suite.dataset, "construction": suite.construction.get("name", suite.name)}
    database.execute(SURPRISALS.format(values=values), about)
    formulas = {str(number): parse_formula(formula) for number, formula in enumerate(predictions, 1)}
    formulas[TOGETHER] = reduce(partial(Logic, "&"), formulas.values())
    return [_count(database, name, formula) for name, formula in formulas.items()]


def _count(database: duckdb.DuckDBPyConnection, name: str, formula: Formula) -> pa.Table:
    """Return how often a formula is true of the items in `surprisals`, by model and level."""
    names: dict[str, str] = {}

    def bind(text: str) -> str:
        return "$" + names.setdefault(text, f"name_{len(names)}")

    def bits(region: Region) -> str:
        """Return the SQL for the surprisal of a region in an item."""
        values = f"bits[{bind(region.condition)}]"
        if region.region == ALL_REGIONS:
            return f"CASE WHEN list_count({values}) = len({values}) THEN list_sum({values}) END"
        if isinstance(region.region, int):
            return f"{values}[{region.region}]"
        return f"{values}[list_position(region_names, {bind(region.region)})]"

    query = COUNTED.format(formula=to_sql(formula, bits, TIE))
    params = {"prediction": name, "formula": show(formula), **{place: text for text, place in names.items()}}
    return database.sql(query, params=params).to_arrow_table()
