"""What makes items hard: accuracy by covariate, correlations, and a regression over all suites and models."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from starbank.analysis.items import COUNTS
from starbank.analysis.judgements import GROUP, ORDER, SEVERAL
from starbank.analysis.scores import TIE
from starbank.analysis.statistics import correlation, p_of_pearson, p_of_spearman, with_interval
from starbank.treebanks.arrays import answer, numbers, table_of

# Values stand alone where they are few or small; others share a bin with those up to the next power of two: 5-8, 9-16.
FEW = 8
_BY = f"""
    WITH counted AS (
        SELECT dataset, covariate, count(DISTINCT value) <= {FEW} AND bool_and(value = floor(value)) AS few
        FROM covariates GROUP BY ALL
    ), binned AS (
        SELECT {GROUP}, kind, covariate, correct, credit, few OR value <= 4 AS alone,
            CASE WHEN alone THEN value ELSE power(2, ceil(log2(value))) END AS bin
        FROM judged JOIN kinds USING (model) JOIN covariates USING (dataset, construction, item_id)
            JOIN counted USING (dataset, covariate)
        WHERE complete
    )
    SELECT {GROUP}, covariate,
        (CASE WHEN alone THEN bin ELSE bin / 2 + 1 END)::BIGINT AS value_from, bin::BIGINT AS value_to,
        count(*) AS items, count(*) FILTER (correct) AS correct, avg(credit) AS accuracy
    FROM binned
    GROUP BY kind, covariate, alone, bin, GROUPING SETS (({GROUP}), (dataset, model, level))
    HAVING construction IS NOT NULL OR {SEVERAL}
    ORDER BY {ORDER}, covariate, bin
"""

# How long an item and its target are is a covariate too, in the model's own tokens and in characters.
_LENGTHS = f"""
    SELECT {GROUP}, item_id, unnest(['tokens', 'target_tokens', 'characters', 'target_characters']) AS covariate,
        unnest([
            min(list_sum(tokens)), min(tokens[target]),
            min(length(array_to_string(regions, ''))), min(length(regions[target]))
        ])::DOUBLE AS value
    FROM (SELECT *, list_position(region_names, 'target') AS target FROM scores)
    WHERE grammatical GROUP BY {GROUP}, item_id
"""
_ODDS = f"""
    WITH valued AS (
        SELECT {GROUP}, item_id, covariate, value FROM judged JOIN covariates USING (dataset, construction, item_id)
        UNION ALL {_LENGTHS}
    )
    SELECT {GROUP}, covariate, list(odds ORDER BY item_id) AS odds, list(value ORDER BY item_id) AS values
    FROM judged JOIN valued USING ({GROUP}, item_id) JOIN kinds USING (model)
    WHERE complete AND isfinite(odds) AND value IS NOT NULL
    GROUP BY {GROUP}, kind, covariate
    HAVING count(*) > 2 AND min(value) < max(value)
    ORDER BY {ORDER}, covariate
"""
_PANELS = "SELECT DISTINCT dataset, level FROM judged WHERE complete ORDER BY ALL"
# A row for each model and item, and one for each covariate of an item, which all models share.
_ITEMS = """
    SELECT construction, model, item_id, coalesce(sentence, item_id) AS sentence, correct
    FROM judged LEFT JOIN items USING (dataset, construction, item_id)
    WHERE complete AND dataset = $dataset AND level = $level
    ORDER BY ALL
"""
_VALUES = """
    SELECT construction, item_id, covariate, value FROM covariates
    WHERE dataset = $dataset AND (construction, item_id) IN (
        SELECT (construction, item_id) FROM judged WHERE complete AND dataset = $dataset AND level = $level
    )
"""
_ITEM = ["construction", "item_id"]
_JUDGEMENT = ["construction", "model", "item_id", "sentence", "correct"]
_CORRELATIONS = {
    **dict.fromkeys((*GROUP.split(", "), "covariate"), str),
    "items": int,
    **dict.fromkeys(("pearson", "pearson_p", "spearman", "spearman_p"), float),
}
_REGRESSION = {
    **dict.fromkeys(("dataset", "level", "effect", "term"), str),
    "judgements": int,
    **dict.fromkeys(("coefficient", "standard_error", "odds_ratio", "p_value"), float),
}


def accuracy_by(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction (null: all together), model, level, covariate and bin of its values.

    A bin holds the values from `value_from` to `value_to`; `low` and `high` are the exact 95% interval.
    """
    return with_interval(database.sql(_BY).to_arrow_table())


def correlations(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, construction, model, level and covariate: its correlation with the log-odds.

    The log-odds of an item are those that the model gives its grammatical conditions against its starred ones:
    ln Σ p(grammatical) - ln Σ p(starred), in nats, as in Gallagher & Heyer (2026). Counts are taken as ln(1 + count).
    `tokens` and `target_tokens` are the model's own, `characters` and `target_characters` those of the text. What does
    not vary has no row.
    """
    from scipy.stats import rankdata  # slow to import

    table = answer(database, _ODDS)
    lists = [table[name].combine_chunks() for name in ("odds", "values")]
    odds, values = (numbers(column.flatten()) for column in lists)
    places = np.round(odds / TIE)  # Ranks must not tell apart what only the last bits do.
    covariates = table["covariate"].to_pylist()
    rows = []
    for row, (first, last) in enumerate(pairwise(numbers(lists[0].offsets))):
        group = slice(first, last)
        if np.ptp(places[group]) > 0:
            covariate = _scaled(values[group], covariates[row])
            ranks = rankdata(covariate), rankdata(places[group])
            rows.append((row, last - first, correlation(covariate, odds[group]), correlation(*ranks)))
    chosen, items, pearson, spearman = np.array(rows, float).reshape(-1, 4).T
    columns = {
        **table.drop_columns(["odds", "values"]).take(pa.array(chosen.astype(int))).to_pydict(),
        "items": items.astype(int),
        "pearson": pearson,
        "pearson_p": p_of_pearson(pearson, items),
        "spearman": spearman,
        "spearman_p": p_of_spearman(spearman, items),
    }
    return pa.table(columns, schema=table_of([], **_CORRELATIONS).schema)


def regression(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return one row per dataset, level and term of a logistic regression of being right.

    The terms are the models and the suites (`effect`; the first of each is the one the others are compared with) and
    the covariates that all items of the dataset have, per standard deviation. A model or suite that is always right, or
    always wrong, tells nothing of the covariates and is left out. Standard errors are robust to several models judging
    the same item, and to several items, of one suite or of several, from the same sentence (clustered by sentence).
    `judgements` counts model and item.
    """
    rows: list[tuple[Any, ...]] = []
    for dataset, level in database.execute(_PANELS).fetchall():
        panel = {"dataset": dataset, "level": level}
        judgements = database.execute(_ITEMS, panel).df()
        values = database.execute(_VALUES, panel).df().pivot(index=_ITEM, columns="covariate", values="value")
        wide = judgements.merge(values.dropna(axis="columns").reset_index(), on=_ITEM)
        rows += ((dataset, level, *term) for term in _regress(_undecided(wide)))
    return table_of(rows, **_REGRESSION)


def _scaled(values: Any, covariate: str) -> Any:
    return np.log1p(values) if covariate in COUNTS else values


def _undecided(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out models and suites that are always right or always wrong, until none is left that is."""
    while True:
        varied = frame
        for name in ("model", "construction"):
            varied = varied[varied.groupby(name)["correct"].transform("nunique") == 2]
        if len(varied) == len(frame):
            return frame
        frame = varied


def _regress(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    """Return the terms of the regression of `correct`; the columns after `_JUDGEMENT` are covariates."""
    if frame.empty:
        return []
    covariates = frame.iloc[:, len(_JUDGEMENT) :]
    covariates = covariates.loc[:, covariates.nunique() > 1]
    values = covariates.apply(lambda column: _scaled(column, str(column.name)))
    values = (values - values.mean()) / values.std(ddof=0)
    effects = [("covariate", name) for name in values]
    columns = [np.ones((len(frame), 1)), values.to_numpy()]
    for name, effect in (("model", "model"), ("construction", "suite")):
        dummies = pd.get_dummies(frame[name], drop_first=True, dtype=float)
        effects += [(effect, term) for term in dummies]
        columns.append(dummies.to_numpy())
    design = np.hstack(columns)
    independent = _independent(design)
    right, sentences = frame["correct"].to_numpy(float), pd.factorize(frame["sentence"])[0]
    return _fit(design[:, independent], right, sentences, [effects[place - 1] for place in independent[1:]])


def _independent(design: np.ndarray) -> list[int]:
    """Return the columns that are no sum of earlier ones."""
    products, columns = design.T @ design, list[int]()
    for column in range(design.shape[1]):
        longer = [*columns, column]
        if np.linalg.matrix_rank(products[np.ix_(longer, longer)], hermitian=True) == len(longer):
            columns = longer
    return columns


def _fit(
    design: np.ndarray, right: np.ndarray, sentences: np.ndarray, effects: list[tuple[str, str]]
) -> list[tuple[Any, ...]]:
    from statsmodels.genmod.families import Binomial  # slow to import
    from statsmodels.genmod.generalized_linear_model import GLM

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # Coefficients that run away have standard errors that tell so.
        warnings.simplefilter("ignore")
        model = GLM(right, design, family=Binomial())
        try:
            fit = model.fit(cov_type="cluster", cov_kwds={"groups": sentences})
        except np.linalg.LinAlgError:
            return []  # What the terms tell apart wholly has no finite estimate at all.
    estimates = zip(fit.params[1:], fit.bse[1:], np.exp(fit.params[1:]), fit.pvalues[1:], strict=True)
    return [(*effect, len(right), *map(_rounded, numbers)) for effect, numbers in zip(effects, estimates, strict=True)]


def _rounded(value: float) -> float:
    """Return six digits, and nothing below 10⁻⁹: what comes after depends on how many threads add up."""
    return 0.0 if abs(value) < 1e-9 else float(f"{value:.6g}")
