"""Scores as they are judged: what each condition is held against, and whether the model is right on each item."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from starbank.analysis.models import ScoredModel
from starbank.analysis.scores import MEASURES, SLOR, TIE, check_unigrams, read_scores
from starbank.errors import SuiteError

GROUP = "dataset, construction, model, level"
# The order of every table and of the report: baselines first, then the models they are there to be compared with.
ORDER = "dataset, construction, level, kind, lower(model), model"

# Of a dataset that has several suites, tables have rows for all of them together, whose construction is null.
SEVERAL = (
    "dataset IN (SELECT dataset FROM judged WHERE complete GROUP BY dataset HAVING count(DISTINCT construction) > 1)"
)

# What only suites tell, see `items.open_items`: which items are from the same sentence, and their covariates.
NO_ITEMS = """
    CREATE TABLE items AS SELECT '' AS dataset, '' AS construction, '' AS item_id, '' AS sentence WHERE false;
    CREATE TABLE covariates AS SELECT * EXCLUDE sentence, '' AS covariate, 0::DOUBLE AS value FROM items
"""

TOTALS = """
    CREATE TEMP TABLE totals AS
    SELECT {GROUP}, item_id, condition, bool_and(grammatical) AS grammatical, min(against) AS against,
        min(score) AS score, min(score) < max(score) - {TIE} AS contradictory
    FROM (SELECT *, {score} AS score FROM sums WHERE grammatical IS NOT NULL)
    GROUP BY {GROUP}, item_id, condition
"""

# A starred condition must score lower than its rival: the grammatical condition that it is held against, or, where none
# is named, the lowest of all. A guess puts a grammatical condition above the n that are held against it once in n + 1
# times, whatever it does elsewhere in the item; `guess` has this factor once for each of them.
SCORED = f"""
    CREATE TABLE scored AS
    SELECT totals.*,
        CASE WHEN NOT totals.grammatical
            THEN coalesce(rivals.score, min(totals.score) FILTER (totals.grammatical) OVER item) END AS rival,
        CASE WHEN totals.against IS NOT NULL AND row_number() OVER (rivalry ORDER BY totals.condition) = 1
            THEN 1 / (1 + count(*) OVER rivalry) END AS guess
    FROM totals LEFT JOIN (
        SELECT {GROUP}, item_id, condition AS against, score FROM totals WHERE grammatical
    ) AS rivals USING ({GROUP}, item_id, against)
    WINDOW
        item AS (PARTITION BY {GROUP}, item_id),
        rivalry AS (PARTITION BY {GROUP}, item_id, totals.against)
"""

# Each score once, in a view `single`. To find the first of several costs a sort of all that they have.
_COPIED = f"SELECT 1 FROM scores GROUP BY {GROUP}, item_id, condition HAVING count(*) > 1 LIMIT 1"
_SINGLE = "CREATE VIEW single AS FROM scores"
_FIRST = f"CREATE VIEW single AS SELECT DISTINCT ON ({GROUP}, item_id, condition) * FROM scores ORDER BY ALL"

KINDS = "CREATE TABLE kinds AS SELECT model, min(model_kind) AS kind FROM scores GROUP BY model"

# An item counts for a model only when the model scored every condition that any model was given. Where starred
# conditions are held against all grammatical ones, chance is the odds that a random order puts the g grammatical of k
# conditions first, 1 / C(k, g). Where a model fails only because scores are equal, its credit is the same odds for
# those that are: what it would get if it guessed among them.
JUDGED = f"""
    CREATE TABLE judged AS
    WITH full_items AS (
        SELECT dataset, construction, item_id, count(DISTINCT condition) AS full_count FROM scored GROUP BY ALL
    ), counted AS (
        SELECT {GROUP}, item_id,
            (count(*) FILTER (grammatical))::INTEGER AS good,
            count(*)::INTEGER AS conditions,
            count(score) = any_value(full_count) AND good BETWEEN 1 AND conditions - 1 AS complete,
            bool_and(score < rival - {TIE}) FILTER (NOT grammatical) AS correct,
            bool_and(score <= rival + {TIE}) FILTER (NOT grammatical) AS tied,
            max(score) AS highest,
            CASE WHEN count(against) = conditions - good THEN product(guess) END AS guess,
            map_values(histogram(against) FILTER (NOT grammatical AND score >= rival - {TIE})) AS tied_with,
            coalesce(list(score ORDER BY condition) FILTER (grammatical), []) AS right_scores,
            coalesce(list(score ORDER BY condition) FILTER (NOT grammatical), []) AS starred_scores
        FROM scored JOIN full_items USING (dataset, construction, item_id)
        GROUP BY {GROUP}, item_id
    ), compared AS (
        SELECT *, list_min(right_scores) AS lowest,
            len(list_filter(right_scores, lambda score: score <= lowest + {TIE}))::INTEGER AS low,
            len(list_filter(starred_scores, lambda score: score >= lowest - {TIE}))::INTEGER AS rivals
        FROM counted
    )
    SELECT {GROUP}, item_id, complete, correct, tied AND NOT correct AS tied, highest,
        coalesce(
            guess, factorial(good) * factorial(conditions - good) / factorial(conditions)
        )::DECIMAL(18, 17) AS chance,
        (CASE
            WHEN correct THEN 1 WHEN NOT tied THEN 0
            WHEN guess IS NOT NULL THEN list_product([1 / (1 + n) FOR n IN tied_with])
            ELSE factorial(low) * factorial(rivals) / factorial(low + rivals)
        END)::DECIMAL(18, 17) AS credit,
        ln(list_sum(list_transform(right_scores, lambda score: exp(score - highest))))
            - ln(list_sum(list_transform(starred_scores, lambda score: exp(score - highest)))) AS odds
    FROM compared
"""


def open_scores(
    paths: Sequence[Path], models: Sequence[ScoredModel] | None = None, measure: str = "sum"
) -> duckdb.DuckDBPyConnection:
    """Return a database over scores files (`scores/1`), with the tables `scored` (a row per condition) and `judged` (a
    row per item), both by model and level, `kinds` of models, and `single`, what `scores` has but for copies.

    In all of them a model is called by its label (`models`, those of the files). A score that several files hold is
    counted once. A condition's score is that of a `measure` of `MEASURES`. Raises `SuiteError` where a file is missing
    or is no scores file, where two files score the same condition differently, or where SLOR could be taken from
    several baselines.
    """
    database = duckdb.connect()
    read_scores(database, paths, models)
    if measure == SLOR:
        check_unigrams(database)
    totals = TOTALS.format(GROUP=GROUP, TIE=TIE, score=MEASURES[measure])
    for statement in (totals, SCORED, KINDS, JUDGED, NO_ITEMS):
        database.execute(statement)
    _check_agreement(database)
    database.execute(_FIRST if database.execute(_COPIED).fetchall() else _SINGLE)
    return database


def _check_agreement(database: duckdb.DuckDBPyConnection) -> None:
    """Raise `SuiteError` where one condition has two scores by one model."""
    clash = database.sql(f"SELECT {GROUP}, item_id FROM totals WHERE contradictory ORDER BY ALL LIMIT 1").fetchall()
    if clash:
        dataset, construction, model, level, item = clash[0]
        raise SuiteError(
            f"model {model} has two different {level}-level scores for item {item} of {dataset}/{construction}",
            hint="Is one of the scores files out of date, or of another model under this name?",
        )
