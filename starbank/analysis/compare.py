"""Models beside each other: on which items is only one of two right?"""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.analysis.statistics import holm, mcnemar_test

# A row per suite, and one for all suites of a dataset together, whose construction is null.
_PAIRS = """
    WITH complete AS (SELECT * FROM judged JOIN kinds USING (model) WHERE complete)
    SELECT dataset, construction, level, one.model AS model, other.model AS other,
        count(*) AS items,
        count(*) FILTER (one.correct AND other.correct) AS both,
        count(*) FILTER (one.correct AND NOT other.correct) AS only_model,
        count(*) FILTER (other.correct AND NOT one.correct) AS only_other,
        (only_model - only_other) / count(*) AS difference
    FROM complete AS one JOIN complete AS other USING (dataset, construction, item_id, level)
    WHERE (one.kind, lower(one.model), one.model) < (other.kind, lower(other.model), other.model)
    GROUP BY GROUPING SETS (
        (dataset, construction, level, one.model, other.model), (dataset, level, one.model, other.model)
    )
    HAVING construction IS NOT NULL OR count(DISTINCT construction) > 1
    ORDER BY dataset, construction NULLS LAST, level, min(one.kind), lower(one.model), one.model,
        min(other.kind), lower(other.model), other.model
"""


def compare_models(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction (null: all together), level and two models that scored the same items.

    `items` counts those that both scored, `both` those that both got right, `only_model` and `only_other` those that
    one of them got right; `difference` is that of their accuracies. `p_value` is that of McNemar's exact test (1947),
    `p_holm` the same corrected for all rows.
    """
    table = database.sql(_PAIRS).to_arrow_table()
    p_values = mcnemar_test(table["only_model"].to_numpy(), table["only_other"].to_numpy())
    return table.append_column("p_value", pa.array(p_values)).append_column("p_holm", pa.array(holm(p_values)))
