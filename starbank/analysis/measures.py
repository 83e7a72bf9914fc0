"""Scores -> everything else that is said of a condition, without its model: surprisals, means, SLOR, rank, margin.

The formulas are in `docs/metrics.md`, the columns in `docs/formats.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from starbank.analysis.scores import CONDITION, MEASURES, SLOR, TIE, check_unigrams, read_scores
from starbank.files import sha256, write_parquet

SCHEMA = "measures/1"
# What a condition may be judged by, as the columns of the table.
COLUMNS = {
    "mean by token": "per_token",
    "mean by character": "per_character",
    "mean by byte": "per_byte",
    SLOR: "slor",
    "ending": "ending",
    "ending, mean by token": "ending_per_token",
    "ending, mean by character": "ending_per_character",
}

# One row per score, though several files may hold it.
ROWS = f"CREATE TABLE rows AS SELECT DISTINCT ON ({CONDITION}, model, level) * FROM sums ORDER BY ALL"

MEASURED = f"""
    WITH measured AS (
        SELECT rows.*, [-value / ln(2) FOR value IN rows.logprobs] AS surprisals, rival.logprob AS rival,
            CASE WHEN bool_and(rows.logprob IS NOT NULL) FILTER (rows.grammatical) OVER item
                THEN min(rows.logprob) FILTER (rows.grammatical) OVER item END AS lowest,
            CASE WHEN bool_and(rows.logprob IS NOT NULL) FILTER (NOT rows.grammatical) OVER item
                THEN max(rows.logprob) FILTER (NOT rows.grammatical) OVER item END AS highest,
            CASE WHEN rows.logprob IS NOT NULL
                THEN rank() OVER (item ORDER BY round(rows.logprob / {TIE}) DESC NULLS LAST) END AS rank
        FROM rows
            LEFT JOIN (
                SELECT dataset, construction, item_id, condition AS against, model, level, logprob FROM rows
            ) rival USING (dataset, construction, item_id, against, model, level)
        WINDOW item AS (PARTITION BY rows.dataset, rows.construction, rows.item_id, rows.model, rows.level)
    )
    SELECT model, model_kind, level, dataset, construction, item_id, condition, grammatical, against,
        logprob, -logprob / ln(2) AS surprisal, surprisals, count AS tokens,
        {", ".join(f"{MEASURES[name]} AS {column}" for name, column in COLUMNS.items())},
        rank, CASE WHEN abs(difference) <= {TIE} THEN 0 ELSE difference END AS margin
    FROM (
        SELECT *, CASE WHEN grammatical THEN logprob - highest
            ELSE coalesce(rival, lowest) - logprob END AS difference
        FROM measured
    )
    ORDER BY dataset, construction, item_id, model, level, NOT grammatical, condition
"""


def measures(scores: Sequence[Path], output: Path) -> pa.Table:
    """Derive the measures of every condition in the files `scores` (`scores/1`), write them to `output`, return them.

    A model is called by its label. SLOR is there where one of the files has the scores of `unigram` for the same
    conditions. Raises `SuiteError` where a file is missing or holds no scores, or where two of `unigram` learnt from
    different texts.
    """
    with duckdb.connect() as database:
        read_scores(database, scores)
        check_unigrams(database)
        database.execute(ROWS)
        table = database.sql(MEASURED).to_arrow_table()
    write_parquet(table, Path(output), SCHEMA, {"scores": sorted(sha256(path) for path in scores)})
    return table
