"""What analysis may group items by: the sentences that they come from, and their covariates."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from starbank.analysis.yields import SuiteSummary
from starbank.treebanks.arrays import table_of

# The covariates that all constructions share; those that a construction names come beside them.
BUILT_IN = ("length", "position", "distance", "tree_distance", "attractors", "readings", "lemma_count", "form_count")
# Counts without an upper bound, most of them small: it is their logarithm that models respond to.
COUNTS = ("lemma_count", "form_count")

_ITEMS = """
    CREATE OR REPLACE TABLE items AS
    SELECT suites.dataset, suites.construction, item_id, treebank || chr(31) || sent_id AS sentence
    FROM files JOIN suites ON file = filename
"""
_COVARIATES = f"""
    CREATE OR REPLACE TABLE covariates AS
    WITH wide AS (
        SELECT suites.dataset, suites.construction, item_id, covariates AS named,
            list_filter(conditions, lambda condition: condition.grammatical)[1].form_count AS form_count,
            {", ".join(name for name in BUILT_IN if name != "form_count")}
        FROM files JOIN suites ON file = filename
    ), shared AS (
        SELECT dataset, construction, item_id, {", ".join(f"{name}::DOUBLE AS {name}" for name in BUILT_IN)} FROM wide
    ), named AS (
        SELECT dataset, construction, item_id, unnest(named) AS named FROM wide
    )
    SELECT * FROM (UNPIVOT shared ON {", ".join(BUILT_IN)} INTO NAME covariate VALUE value)
    UNION ALL
    SELECT dataset, construction, item_id, named.name, named.value::DOUBLE FROM named WHERE named.value IS NOT NULL
"""


def open_items(database: duckdb.DuckDBPyConnection, suites: Sequence[SuiteSummary]) -> None:
    """Fill in `database` the tables `items` (with the `sentence` of each) and `covariates` (a row per item and name).

    `sentence` is null where an item does not tell it. `form_count` is the count of the first grammatical form. What a
    construction does not tell has no row.
    """
    filled = [suite for suite in suites if suite.items]
    if not filled:
        return
    rows = [(str(suite.file), suite.dataset, suite.name) for suite in filled]
    database.register("suites", table_of(rows, file=str, dataset=str, construction=str))
    database.read_parquet([file for file, *_ in rows], union_by_name=True, filename=True).create_view("files")
    database.execute(_ITEMS)
    database.execute(_COVARIATES)
