"""Scores -> everything else that is said of a condition, without its model: surprisals, means, SLOR, rank, margin.

The formulas are in `docs/metrics.md`, the columns in `docs/formats.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from starbank.analysis.judgements import SCORE, TIE, read_scores
from starbank.analysis.models import UNIGRAM, label_models
from starbank.errors import SuiteError
from starbank.files import sha256, write_parquet
from starbank.treebanks.arrays import table_of

SCHEMA = "measures/1"
CONDITION = "dataset, construction, item_id, condition"

# One row per score, though several files may hold it. A token without a probability has no characters either.
ROWS = f"""
    CREATE TABLE rows AS
    SELECT DISTINCT ON ({CONDITION}, model, level)
        *, split_part(level, '-', 1) AS scope, array_to_string(regions, '') AS text,
        {SCORE} AS logprob,
        list_sum(tokens)::BIGINT AS count,
        list_position(region_names, 'target') AS target,
        CASE scope WHEN 'word' THEN list_min(token_starts) ELSE 0 END AS first,
        CASE scope WHEN 'word' THEN least(list_max(token_ends), length(text)) ELSE length(text) END AS last
    FROM scores ORDER BY ALL
"""

MEASURED = f"""
    WITH measured AS (
        SELECT rows.*, substring(text, first + 1, last - first) AS stretch,
            [-value / ln(2) FOR value IN rows.logprobs] AS surprisals,
            CASE scope WHEN 'sentence' THEN list_sum(rows.logprobs[target:]) END AS ending,
            list_sum(rows.tokens[target:]) AS ending_tokens,
            length(array_to_string(regions[target:], '')) AS ending_length,
            base.logprob AS base, rival.logprob AS rival,
            CASE WHEN bool_and(rows.logprob IS NOT NULL) FILTER (rows.grammatical) OVER item
                THEN min(rows.logprob) FILTER (rows.grammatical) OVER item END AS lowest,
            CASE WHEN bool_and(rows.logprob IS NOT NULL) FILTER (NOT rows.grammatical) OVER item
                THEN max(rows.logprob) FILTER (NOT rows.grammatical) OVER item END AS highest,
            CASE WHEN rows.logprob IS NOT NULL
                THEN rank() OVER (item ORDER BY round(rows.logprob / {TIE}) DESC NULLS LAST) END AS rank
        FROM rows
            LEFT JOIN (
                SELECT {CONDITION}, level AS scope, logprob FROM rows SEMI JOIN unigrams USING (model)
            ) base USING ({CONDITION}, scope)
            LEFT JOIN (
                SELECT dataset, construction, item_id, condition AS against, model, level, logprob FROM rows
            ) rival USING (dataset, construction, item_id, against, model, level)
        WINDOW item AS (PARTITION BY rows.dataset, rows.construction, rows.item_id, rows.model, rows.level)
    )
    SELECT model, model_kind, level, dataset, construction, item_id, condition, grammatical, against,
        logprob, -logprob / ln(2) AS surprisal, surprisals, count AS tokens,
        logprob / nullif(count, 0) AS per_token,
        logprob / nullif(length(stretch), 0) AS per_character,
        logprob / nullif(strlen(stretch), 0) AS per_byte,
        (logprob - base) / nullif(count, 0) AS slor,
        ending, ending / nullif(ending_tokens, 0) AS ending_per_token,
        ending / nullif(ending_length, 0) AS ending_per_character,
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
        models = label_models(scores)
        read_scores(database, scores, models)
        unigrams = {model.label if "model" in model.about else UNIGRAM for model in models if model.is_unigram}
        database.register("unigrams", table_of([(name,) for name in sorted(unigrams)], model=str))
        database.execute(ROWS)
        _check_unigrams(database)
        table = database.sql(MEASURED).to_arrow_table()
    write_parquet(table, Path(output), SCHEMA, {"scores": sorted(sha256(path) for path in scores)})
    return table


def _check_unigrams(database: duckdb.DuckDBPyConnection) -> None:
    """Raise `SuiteError` where SLOR could be taken from several baselines."""
    twice = database.sql(
        "SELECT list_sort(list(DISTINCT model)) FROM rows SEMI JOIN unigrams USING (model)"
        f" GROUP BY {CONDITION} HAVING count(DISTINCT model) > 1 LIMIT 1"
    ).fetchall()
    if twice:
        hint = "Leave the scores of all but one of them out."
        raise SuiteError(f"several baselines give word frequencies for SLOR: {', '.join(twice[0][0])}", hint=hint)
