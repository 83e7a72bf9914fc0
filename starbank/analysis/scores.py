"""Scores files as a database reads them, and what conditions may be judged by.

The formulas are in `docs/metrics.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from starbank.analysis.models import UNIGRAM, ScoredModel, label_models
from starbank.errors import SuiteError
from starbank.treebanks.arrays import table_of

CONDITION = "dataset, construction, item_id, condition"

# Scores that are closer than this, in nats, are equal. Networks calculate in float32, whose steps are 10⁻⁶ to 10⁻⁵ at
# the size of a sentence's score; sums in float64 differ by some 10⁻¹⁴ with the order in which they are added up.
TIE = 1e-6

NO_SOURCES = """
    CREATE VIEW sources AS SELECT * FROM (
        SELECT NULL::VARCHAR AS model, NULL::VARCHAR AS model_kind, NULL::VARCHAR AS level, NULL::VARCHAR AS dataset,
            NULL::VARCHAR AS construction, NULL::VARCHAR AS phenomenon, NULL::VARCHAR AS language,
            NULL::VARCHAR AS treebank, NULL::VARCHAR AS item_id, NULL::VARCHAR AS condition,
            NULL::BOOLEAN AS grammatical, NULL::VARCHAR AS against, NULL::VARCHAR[] AS regions,
            NULL::VARCHAR[] AS region_names, NULL::DOUBLE[] AS logprobs, NULL::INTEGER[] AS tokens,
            NULL::DOUBLE[] AS token_logprobs, NULL::INTEGER[] AS token_starts, NULL::INTEGER[] AS token_ends,
            NULL::VARCHAR AS filename
    ) WHERE false
"""

# Columns that earlier versions did not write.
LATER = {"against": "VARCHAR", "token_logprobs": "DOUBLE[]"}

# A score is the sum over the regions which the level scores (the others are null). DuckDB sorts NaN above every number,
# so a model that overflowed would seem certain: NaN counts as no score. So does the sum over tokens of which none has a
# probability.
SCORE = """CASE
    WHEN NOT isnan(list_sum(logprobs)) AND (coalesce(len(token_logprobs), 0) = 0 OR list_count(token_logprobs) > 0)
    THEN list_sum(logprobs) END"""
# Beside each score what measures are made of. A token without a probability has no characters either; `stretch` is the
# text that was scored, `ending` what begins with the target.
SUMS = f"""
    CREATE VIEW sums AS
    SELECT *, substring(text, first + 1, last - first) AS stretch,
        CASE scope WHEN 'sentence' THEN list_sum(logprobs[target:]) END AS ending,
        list_sum(tokens[target:]) AS ending_tokens,
        length(array_to_string(regions[target:], '')) AS ending_length
    FROM (
        SELECT *, split_part(level, '-', 1) AS scope, array_to_string(regions, '') AS text,
            {SCORE} AS logprob,
            list_sum(tokens)::BIGINT AS count,
            list_position(region_names, 'target') AS target,
            CASE scope WHEN 'word' THEN list_min(token_starts) ELSE 0 END AS first,
            CASE scope WHEN 'word' THEN least(list_max(token_ends), length(text)) ELSE length(text) END AS last
        FROM scores
    )
"""
# What the baseline of word frequencies gives the same condition.
_PLACE = f"({CONDITION}, scope)"
BASES = f"""
    CREATE VIEW bases AS
    SELECT {_PLACE} AS place, min(logprob) AS base FROM sums SEMI JOIN unigrams USING (model) GROUP BY place
"""
SLOR = "SLOR"
# By what a condition may be judged, from `sums`.
MEASURES = {
    "sum": "logprob",
    "mean by token": "logprob / nullif(count, 0)",
    "mean by character": "logprob / nullif(length(stretch), 0)",
    "mean by byte": "logprob / nullif(strlen(stretch), 0)",
    SLOR: f"(logprob - (SELECT base FROM bases WHERE place = {_PLACE})) / nullif(count, 0)",
    "ending": "ending",
    "ending, mean by token": "ending / nullif(ending_tokens, 0)",
    "ending, mean by character": "ending / nullif(ending_length, 0)",
}


def read_scores(
    database: duckdb.DuckDBPyConnection, paths: Sequence[Path], models: Sequence[ScoredModel] | None = None
) -> None:
    """Make the views `scores` of the scores files `paths`, in which a model is called by its label, `sources`, the same
    with the `filename` of each row, and `sums`, of which `MEASURES` are made.

    Raises `SuiteError` where a file is missing or is no scores file.
    """
    models = label_models(paths) if models is None else models
    if paths:
        _open_sources(database, paths, models)
    else:
        database.execute(NO_SOURCES)
    database.table("sources").project("* EXCLUDE filename").create_view("scores")
    unigrams = {model.label if "model" in model.about else UNIGRAM for model in models if model.is_unigram}
    database.register("unigrams", table_of([(name,) for name in sorted(unigrams)], model=str))
    database.execute(SUMS)
    database.execute(BASES)


def _open_sources(database: duckdb.DuckDBPyConnection, paths: Sequence[Path], models: Sequence[ScoredModel]) -> None:
    rows = database.read_parquet([str(path) for path in paths], union_by_name=True, filename=True)
    rows = rows.project(", ".join(["*", *(f"NULL::{LATER[name]} AS {name}" for name in LATER.keys() - rows.columns)]))
    labels = [(str(model.path), model.label) for model in models if model.label != model.name]
    if labels:
        database.register("labels", table_of(labels, filename=str, label=str))
        rows = rows.set_alias("rows").join(database.table("labels"), "rows.filename = labels.filename", "left")
        rows = rows.project("rows.* REPLACE (coalesce(labels.label, rows.model) AS model)")
    rows.create_view("sources")


def check_unigrams(database: duckdb.DuckDBPyConnection) -> None:
    """Raise `SuiteError` where SLOR could be taken from several baselines."""
    twice = database.sql(
        "SELECT list_sort(list(DISTINCT model)) FROM scores SEMI JOIN unigrams USING (model)"
        f" GROUP BY {CONDITION} HAVING count(DISTINCT model) > 1 LIMIT 1"
    ).fetchall()
    if twice:
        hint = "Leave the scores of all but one of them out."
        raise SuiteError(f"several baselines give word frequencies for SLOR: {', '.join(twice[0][0])}", hint=hint)
