"""Tables of results -> the panels of the page: what it shows of one dataset and level."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import pandas as pd
from markupsafe import Markup

from starbank.analysis.plot import panel_svg

PANEL = ["dataset", "level"]
SENTENCE = "sentence"


def panel(rows: pd.DataFrame, preferred: pd.DataFrame) -> dict[str, Any]:
    """Return what the page shows of one dataset and level: a matrix of suites and models, means, errors, plot."""
    dataset, level = rows[PANEL].iloc[0]
    scored = rows.dropna(subset="accuracy")
    means = scored.groupby("model")["accuracy"].agg(["mean", "size"])
    complete = means[means["size"] == rows["construction"].nunique()]
    misled = preferred[(preferred["dataset"] == dataset) & (preferred["level"] == level) & (preferred["wrong"] > 0)]
    return {
        "dataset": dataset,
        "level": level,
        "models": rows.drop_duplicates("model").sort_values("order"),
        "suites": {
            name: suite.set_index("model").to_dict("index") for name, suite in rows.groupby("construction", sort=False)
        },
        "means": complete["mean"].to_dict(),
        "guess": scored.groupby("construction")["chance"].first().to_dict(),
        "errors": {
            key: errors.sort_values(["wrong", "condition"], ascending=[False, True]).to_dict("records")
            for key, errors in misled.groupby(["construction", "model"])
        },
        "svg": Markup(panel_svg(rows)),
    }


def first_levels(panels: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one panel of each dataset: sentences where models scored them, which all models can be compared by."""
    first: dict[str, dict[str, Any]] = {}
    for panel in sorted(panels, key=lambda panel: not panel["level"].startswith(SENTENCE)):
        first.setdefault(panel["dataset"], panel)
    return [first[dataset] for dataset in sorted(first)]


def overall(panels: Sequence[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Return of each model on how many suites of these panels it is above chance, below it, or may be either."""
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for cells in (cells for panel in panels for cells in panel["suites"].values()):
        for model, cell in cells.items():
            verdicts[model].update([cell["verdict"]] * (not pd.isna(cell["accuracy"])))
    return verdicts


def by_treebank(table: pd.DataFrame) -> dict[tuple[str, str], dict[str | None, dict[str, dict[str, Any]]]]:
    """Return accuracies by dataset and level, suite (None: all together), treebank and model.

    Only where items of a dataset are from several treebanks.
    """
    several = table.groupby(PANEL)["treebank"].transform("nunique") > 1
    suites = table.assign(construction=table["construction"].where(table["construction"].notna(), None))
    return {
        key: {
            None if pd.isna(name) else name: {
                treebank: accuracies.set_index("model").to_dict("index")
                for treebank, accuracies in suite.groupby("treebank")
            }
            for name, suite in panel.groupby("construction", dropna=False)
        }
        for key, panel in suites[several].groupby(PANEL)
    }


def compared(compared: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Return, by dataset and level, how pairs of models compare on all suites, or on the only one."""
    alone = compared.groupby(PANEL)["construction"].transform(lambda names: names.isna().sum() == 0)
    return dict(iter(compared[compared["construction"].isna() | alone].groupby(PANEL)))


def short_of_items(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Return, by dataset, level and model, how many of the items were scored, where not all were."""
    groups = rows.assign(items=rows["items"].fillna(0).astype(int)).groupby([*PANEL, "order", "label"], as_index=False)
    sums = groups[["items", "wanted"]].sum()
    counts: list[dict[str, Any]] = sums[sums["items"] < sums["wanted"]].to_dict("records")
    return counts
