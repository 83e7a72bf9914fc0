"""What analysis may group items by: the sentences that they come from, and their covariates."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from starbank.analysis.yields import SuiteSummary

# The covariates that all constructions share; those that a construction names come beside them.
BUILT_IN = ("length", "position", "distance", "tree_distance", "attractors", "readings", "lemma_count", "form_count")
# Counts without an upper bound, most of them small: it is their logarithm that models respond to.
COUNTS = ("lemma_count", "form_count")

_ITEMS = """
    CREATE OR REPLACE TABLE items AS
    SELECT suites.dataset, suites.construction, item_id, treebank || chr(31) || sent_id AS sentence
    FROM files JOIN suites ON file = filename
"""
_NO_ITEMS = """
    CREATE TABLE covariates AS
    SELECT '' AS dataset, '' AS construction, '' AS item_id, '' AS covariate, 0::DOUBLE AS value WHERE false
"""
_COVARIATES = f"""
    CREATE TABLE covariates AS
    WITH wide AS (
        SELECT suites.dataset, suites.construction, item_id, covariates AS own,
            list_filter(conditions, lambda condition: condition.grammatical)[1].form_count AS form_count,
            {", ".join(name for name in BUILT_IN if name != "form_count")}
        FROM files JOIN suites ON file = filename
    ), shared AS (
        SELECT dataset, construction, item_id, {", ".join(f"{name}::DOUBLE AS {name}" for name in BUILT_IN)} FROM wide
    ), own AS (
        SELECT dataset, construction, item_id, unnest(own) AS own FROM wide
    )
    SELECT * FROM (UNPIVOT shared ON {", ".join(BUILT_IN)} INTO NAME covariate VALUE value)
    UNION ALL
    SELECT dataset, construction, item_id, own.name, own.value::DOUBLE FROM own WHERE own.value IS NOT NULL
"""


def open_items(database: duckdb.DuckDBPyConnection, suites: Sequence[SuiteSummary]) -> None:
    """Add to `database` the tables `items` (with the `sentence` of each) and `covariates` (a row per item and name).

    `sentence` is null where an item does not tell it. `form_count` is the count of the first grammatical form. What a
    construction does not tell has no row.
    """
    known = [suite for suite in suites if suite.items]
    if not known:
        database.execute(_NO_ITEMS)
        return
    files = [str(suite.file) for suite in known]
    names = {"dataset": [suite.dataset for suite in known], "construction": [suite.name for suite in known]}
    database.register("suites", pa.table({"file": files, **names}))
    database.read_parquet(files, union_by_name=True, filename=True).create_view("files")
    database.execute(_ITEMS)
    database.execute(_COVARIATES)
