"""Bootstrap intervals of accuracies, over the sentences that items come from."""

from __future__ import annotations

from functools import lru_cache

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from starbank.analysis.judgements import GROUP

SAMPLES = 1000

_ROWS = f"""
    SELECT {GROUP}, coalesce(sentence, item_id) AS sentence, count(*) AS items, sum(credit)::DOUBLE AS credit
    FROM judged LEFT JOIN items USING (dataset, construction, item_id)
    WHERE complete
    GROUP BY ALL ORDER BY ALL
"""


def add_bootstrap(accuracy: pa.Table, database: duckdb.DuckDBPyConnection, confidence: float = 0.95) -> pa.Table:
    """Return `accuracy` (of `tables.accuracy`) with the bounds of the percentile bootstrap: `boot_low`, `boot_high`.

    Sentences are drawn anew, each with all its items, since the items of one sentence are not independent; where every
    sentence gives one item this is the bootstrap over items. The draws are the same for all models, and in every run.
    """
    names = GROUP.split(", ")
    groups = dict(iter(database.sql(_ROWS).df().groupby(names)))
    keys = zip(*(accuracy[name].to_pylist() for name in names), strict=True)
    bounds = [_interval(groups[key], confidence) for key in keys]
    for place, name in enumerate(("boot_low", "boot_high")):
        at = accuracy.column_names.index("high") + 1 + place
        accuracy = accuracy.add_column(at, name, pa.array([bound[place] for bound in bounds], pa.float64()))
    return accuracy


def _interval(group: pd.DataFrame, confidence: float) -> np.ndarray:
    """Return the bounds for one suite and model, from the `items` and `credit` of each sentence."""
    items, credit = _times(len(group)) @ group[["items", "credit"]].to_numpy(float).T[..., None]
    bounds: np.ndarray = np.quantile(credit / items, [(1 - confidence) / 2, (1 + confidence) / 2])
    return bounds


@lru_cache(maxsize=1)
def _times(sentences: int) -> np.ndarray:
    """Return how often each of so many sentences is drawn in each sample: (samples, sentences) of float64."""
    drawn = np.random.default_rng(0).integers(sentences, size=(SAMPLES, sentences), dtype=np.int32)
    places = drawn + sentences * np.arange(SAMPLES)[:, None]
    return np.bincount(places.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(float)
