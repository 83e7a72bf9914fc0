"""Models beside each other: on which items is only one of two right?"""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa

from starbank.analysis.statistics import sign_test, with_p_values

# A row per suite, and one for all suites of a dataset together, whose construction is null. `leads` has, for each
# sentence that decides between the models, on how many more of its items the first is right.
_PAIRS = """
    WITH complete AS (
        SELECT judged.*, kind, coalesce(sentence, item_id) AS sentence
        FROM judged JOIN kinds USING (model) LEFT JOIN items USING (dataset, construction, item_id)
        WHERE complete
    ), sentences AS (
        SELECT dataset, construction, level, a.model AS model, b.model AS other, a.sentence AS sentence,
            a.kind AS kind, b.kind AS other_kind,
            count(*) AS items,
            count(*) FILTER (a.correct AND b.correct) AS both,
            count(*) FILTER (a.correct AND NOT b.correct) AS only_model,
            count(*) FILTER (b.correct AND NOT a.correct) AS only_other
        FROM complete AS a JOIN complete AS b USING (dataset, construction, item_id, level)
        WHERE (a.kind, lower(a.model), a.model) < (b.kind, lower(b.model), b.model)
        GROUP BY GROUPING SETS (
            (dataset, construction, level, a.model, b.model, a.sentence, a.kind, b.kind),
            (dataset, level, a.model, b.model, a.sentence, a.kind, b.kind)
        )
    ), several AS (
        SELECT dataset, level, model, other, count(DISTINCT construction) > 1 AS several FROM sentences GROUP BY ALL
    )
    SELECT dataset, construction, level, model, other,
        sum(items)::BIGINT AS items, sum("both")::BIGINT AS "both",
        sum(only_model)::BIGINT AS only_model, sum(only_other)::BIGINT AS only_other,
        (sum(only_model) - sum(only_other)) / sum(items) AS difference,
        list(only_model - only_other ORDER BY sentence) FILTER (only_model <> only_other) AS leads
    FROM sentences JOIN several USING (dataset, level, model, other)
    WHERE construction IS NOT NULL OR several
    GROUP BY dataset, construction, level, model, other
    ORDER BY dataset, construction NULLS LAST, level, min(kind), lower(model), model,
        min(other_kind), lower(other), other
"""


def compare_models(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction (null: all together), level and two models that scored the same items.

    `items` counts those that both scored, `both` those that both got right, `only_model` and `only_other` those that
    one of them got right; `difference` is that of their strict accuracies. `p_value` is that of McNemar's exact test
    (1947) of sentences, see `statistics.sign_test`, `p_holm` the same corrected for all rows.
    """
    table = database.sql(_PAIRS).to_arrow_table()
    p_values = np.array([sign_test(np.array(leads or [], np.int64)) for leads in table["leads"].to_pylist()], float)
    return with_p_values(table.drop_columns("leads"), p_values)
