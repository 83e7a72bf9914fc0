"""Tables of results -> the panels of the page: what it shows of one dataset."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from markupsafe import Markup

from starbank.analysis.figures import PANEL
from starbank.analysis.plot import panel_svg

SENTENCE = "sentence"


@dataclass(frozen=True)
class Line:
    """What the page shows of a suite at one level: a cell for each model that has it, and what misled the models."""

    level: str
    cells: Mapping[str, Mapping[str, Any]]
    errors: Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Block:
    """What the page shows of a suite: `guess` is the accuracy of a guess, None where nothing was scored."""

    name: str
    title: str
    wanted: int
    guess: float | None
    lines: Sequence[Line]


def panel(rows: pd.DataFrame, preferred: pd.DataFrame) -> dict[str, Any]:
    """Return what the page shows of one dataset: a block for each suite, means of models by level, a plot."""
    dataset = rows["dataset"].iloc[0]
    scored = rows.dropna(subset="accuracy")
    means = scored.groupby(["level", "model"])["accuracy"].agg(["mean", "size"]).reset_index()
    complete = means[means["size"] == means["level"].map(rows.groupby("level")["construction"].nunique())]
    levels = sorted(rows["level"].unique(), key=lambda level: (not level.startswith(SENTENCE), level))
    misled = preferred[(preferred["dataset"] == dataset) & (preferred["wrong"] > 0)]
    errors = {
        key: own.sort_values(["wrong", "condition"], ascending=[False, True]).to_dict("records")
        for key, own in misled.groupby(["construction", "level", "model"])
    }
    return {
        "dataset": dataset,
        "levels": levels,
        "models": rows.drop_duplicates("model").sort_values("order"),
        "suites": [_block(suite, levels, errors) for _, suite in rows.groupby("construction", sort=False)],
        "means": {level: complete[complete["level"] == level].set_index("model")["mean"].to_dict() for level in levels},
        "svg": Markup(panel_svg(rows)),
    }


def _block(rows: pd.DataFrame, levels: Sequence[str], errors: Mapping[tuple[str, str, str], Any]) -> Block:
    name, chance = rows["construction"].iloc[0], rows["chance"].dropna()
    by_level = {level: own.set_index("model").to_dict("index") for level, own in rows.groupby("level")}
    lines = [
        Line(level, by_level[level], {model: errors.get((name, level, model), []) for model in by_level[level]})
        for level in levels
        if level in by_level
    ]
    guess = None if chance.empty else float(chance.iloc[0])
    return Block(name, rows["suite"].iloc[0], int(rows["wanted"].max()), guess, lines)


def overall(panels: Sequence[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Return of each model on how many suites it is above chance, below it, or may be either.

    It counts at the first level of a dataset: at sentences where models scored them, which all can be compared by.
    """
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for lines in (block.lines for panel in panels for block in panel["suites"]):
        for model, cell in lines[0].cells.items():
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
