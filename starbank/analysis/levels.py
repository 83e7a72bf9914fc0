"""Levels at which a model says the same of every item, such as those of a baseline, are shown once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import duckdb
import pandas as pd


@dataclass(frozen=True)
class Levels:
    """`same`: by dataset, level and model, the earlier level that says the same. `names`: what to call each level of a
    dataset, `sentence and word` where the second is the same for all models; None for that second one.
    """

    same: Mapping[tuple[str, str, str], str]
    names: Mapping[tuple[str, str], str | None]


_JUDGEMENTS = """
    SELECT dataset, level, model, bit_xor(hash(construction, item_id, complete, correct, tied)) AS said
    FROM judged GROUP BY ALL ORDER BY ALL
"""


def same_levels(database: duckdb.DuckDBPyConnection, preferred: pd.DataFrame) -> Levels:
    """Return at which levels a model judges all items of a dataset as at an earlier one, misled by the same conditions.

    `database` is that of `judgements.open_scores`, `preferred` the table of that name.
    """
    misled: dict[tuple[str, str, str], set[tuple[str, str, int]]] = defaultdict(set)
    columns = ["dataset", "level", "model", "construction", "condition", "wrong"]
    for dataset, level, model, *error in preferred[columns].itertuples(index=False):
        misled[dataset, level, model].add(tuple(error))
    first: dict[tuple[object, ...], str] = {}
    same: dict[tuple[str, str, str], str] = {}
    targets: dict[tuple[str, str], set[str]] = defaultdict(set)
    for dataset, level, model, said in database.sql(_JUDGEMENTS).fetchall():
        earlier = first.setdefault((dataset, model, said, frozenset(misled[dataset, level, model])), level)
        targets[dataset, level].add(earlier)
        if earlier != level:
            same[dataset, level, model] = earlier
    names: dict[tuple[str, str], str | None] = {key: key[1] for key in targets}
    for (dataset, level), earlier_ones in sorted(targets.items()):
        if len(earlier_ones) == 1 and level not in earlier_ones:
            (earlier,) = earlier_ones
            names |= {(dataset, earlier): f"{names[dataset, earlier]} and {level}", (dataset, level): None}
    return Levels(same, names)


def show_once(table: pd.DataFrame, levels: Levels) -> pd.DataFrame:
    """Return a table without what an earlier level stands for: rows of a model, of two models that are compared, or of
    a whole level.
    """
    keys = list(zip(table["dataset"], table["level"], strict=True))
    models = [table[column] for column in ("model", "other") if column in table]
    again = [all((*key, model) in levels.same for model in row) for key, *row in zip(keys, *models, strict=True)]
    shown = table.assign(level=[levels.names.get(key, key[1]) for key in keys])
    return shown[shown["level"].notna() & ~pd.Series(again if models else False, table.index, bool)]
