"""Scores -> how surprising each condition is, and each of its regions: what box plots and bar charts show."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.analysis.judgements import GROUP, ORDER, SEVERAL

# Whiskers reach to the last value within one and a half times the box (Tukey 1977). Lists are added up in order, so
# that several threads give the same bytes. A row per suite, and one for all suites of a dataset.
_SURPRISALS = f"""
    WITH valued AS (
        SELECT {GROUP}, kind, item_id, condition, grammatical, -score / ln(2) AS bits
        FROM scored JOIN judged USING ({GROUP}, item_id) JOIN kinds USING (model)
        WHERE complete AND isfinite(score)
    ), boxes AS (
        SELECT {GROUP}, kind, condition, grammatical, count(*) AS items,
            list_avg(list(bits ORDER BY construction, item_id)) AS mean,
            list(bits ORDER BY bits) AS sorted,
            quantile_cont(bits, [0.25, 0.5, 0.75]) AS quartiles, quartiles[3] - quartiles[1] AS box
        FROM valued
        GROUP BY GROUPING SETS (
            ({GROUP}, kind, condition, grammatical), (dataset, model, level, kind, condition, grammatical)
        )
        HAVING construction IS NOT NULL OR {SEVERAL}
    )
    SELECT {GROUP}, condition, grammatical, items, mean,
        list_min([value FOR value IN sorted IF value >= quartiles[1] - 1.5 * box]) AS low,
        quartiles[1] AS lower_quartile, quartiles[2] AS median, quartiles[3] AS upper_quartile,
        list_max([value FOR value IN sorted IF value <= quartiles[3] + 1.5 * box]) AS high
    FROM boxes
    ORDER BY {ORDER}, NOT grammatical, condition
"""

_REGIONS = f"""
    WITH regions AS (
        SELECT {GROUP}, item_id, condition, grammatical, model_kind AS kind,
            unnest(range(1, len(logprobs) + 1)) AS region, unnest(region_names) AS name,
            -unnest(logprobs) / ln(2) AS bits, unnest([text <> '' FOR text IN regions]) AS has_text
        FROM single
    ), totals AS (
        SELECT {GROUP}, kind, condition, grammatical, region, min(name) AS name, count(*) AS items,
            list(bits ORDER BY item_id) AS bits
        FROM regions
        WHERE has_text AND bits IS NOT NULL AND isfinite(bits)
        GROUP BY {GROUP}, kind, condition, grammatical, region
    )
    SELECT {GROUP}, condition, grammatical, region, name, items, list_avg(bits) AS mean,
        CASE WHEN items > 1 THEN list_stddev_samp(bits) / sqrt(items) END AS standard_error
    FROM totals
    ORDER BY {ORDER}, NOT grammatical, condition, region
"""


def surprisals(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction (null: all together), model, level and condition: its surprisal in bits.

    `mean`, `median` and quartiles are those of its items; `low` and `high` the last values within one and a half times
    the distance of the quartiles. A condition that is grammatical in some suites and starred in others has two rows
    where the suites are taken together. `database` is that of `judgements.open_scores`.
    """
    return database.sql(_SURPRISALS).to_arrow_table()


def regions(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction, model, level, condition and region: its mean surprisal in bits.

    `region` is its number from 1, `standard_error` that of the mean over `items`, those that have the region and a
    score for it.
    """
    return database.sql(_REGIONS).to_arrow_table()
