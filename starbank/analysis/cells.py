"""Suites by models -> cells in SVG: what is above and below chance, and how log-odds go with length."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import numpy as np
import pandas as pd

from starbank.analysis.figures import PANEL, Panels
from starbank.analysis.plot import ABOVE, BELOW, COLOURS, INK, UNDECIDED, Chart, data, layer, nominal, number

# A one-sided test at 5% is half of the two-sided one (Kryvosheieva & Levy 2025).
ONE_SIDED, SURE = 0.1, 0.05
SIGNS = {ABOVE: "+1", UNDECIDED: "0", BELOW: "\N{MINUS SIGN}1"}
# How long an item is, and its target: in the models' own tokens or, where those of some are not known, in characters.
LENGTHS = (
    {"tokens": "tokens of the sentence", "characters": "characters of the sentence"},
    {"target_tokens": "tokens of the target", "target_characters": "characters of the target"},
)
WIDE, HIGH, LINE, LETTERS, LETTER, APART = 40, 20, 13, 54, 6.2, 26


def significance(rows: pd.DataFrame) -> Panels:
    """Yield (dataset, level) and a cell for each suite and model: +1 above chance, −1 below it, 0 otherwise.

    Two exact binomial tests decide, one in each direction, at 5% each. `rows` are those of `report.label_rows`.
    """
    scored = rows.dropna(subset="accuracy")
    verdicts = pd.Series(UNDECIDED, scored.index)
    sure = scored["p_value"] < ONE_SIDED
    verdicts[sure & (scored["accuracy"] > scored["chance"])] = ABOVE
    verdicts[sure & (scored["accuracy"] < scored["chance"])] = BELOW
    cells = scored.assign(
        group="", text=verdicts.map(SIGNS), colour=verdicts.map(COLOURS), strength=0.75, weight="normal", place=0
    )
    for (dataset, level), own in cells.groupby(PANEL):
        yield (str(dataset), str(level)), _cells(own)


def correlations(table: pd.DataFrame, rows: pd.DataFrame) -> Panels:
    """Yield (dataset, level) and cells with Spearman's correlation of log-odds and length, by suite and model.

    `table` is the table `correlations`, `rows` are those of `report.label_rows`. What is unlikely to be luck
    (p < 0.05) is bold.
    """
    for (dataset, level), own in table.groupby(PANEL):
        models = own.groupby("covariate")["model"].nunique()
        present = set(models[models == own["model"].nunique()].index)
        drawn = [next(((name, names[name]) for name in names if name in present), None) for names in LENGTHS]
        names = dict(filter(None, drawn))
        told = rows[["dataset", "level", "construction", "model", "suite", "label", "order"]]
        cells = own[own["covariate"].isin(list(names))].merge(told, on=["dataset", "level", "construction", "model"])
        if len(cells):
            yield (str(dataset), str(level)), _cells(_shaded(cells, names))


def _shaded(cells: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    rho = cells["spearman"]
    return cells.assign(
        group=cells["covariate"].map(names),
        place=cells["covariate"].map(list(names).index),
        text=[f"{value:+.2f}".replace("-", "\N{MINUS SIGN}") for value in rho],
        colour=[COLOURS[ABOVE if value > 0 else BELOW] for value in rho],
        strength=0.1 + 0.7 * rho.abs(),
        weight=["bold" if p_value < SURE else "normal" for p_value in cells["spearman_p"]],
    )


def _cells(cells: pd.DataFrame) -> Chart:
    """Cells in groups side by side, suites from the top down, names of models above; nothing is cut."""
    cells = cells.sort_values(["construction", "place", "order"])
    columns = cells.drop_duplicates(["place", "order"]).sort_values(["place", "order"])[
        ["place", "group", "label", "order"]
    ]
    columns = columns.assign(x=WIDE * (np.arange(len(columns)) + 0.5) + APART * columns["place"])
    suites = cells.drop_duplicates("construction")[["construction", "suite"]]
    titles = [textwrap.wrap(title, LETTERS) for title in suites["suite"]]
    heights = pd.Series([max(HIGH, LINE * len(lines) + 7) for lines in titles], suites.index)
    suites = suites.assign(suite=["\n".join(lines) for lines in titles], y=heights.cumsum() - heights / 2)
    shifts = pd.Series([LINE * (len(lines) - 1) / 2 - 4 for lines in titles], suites.index)
    # As wide as a reader's font may be: measured widths are those of another.
    left = LETTER * max((len(line) for lines in titles for line in lines), default=0) + 10
    shown = cells.merge(columns[["place", "order", "x"]]).merge(suites[["construction", "y"]])
    groups = columns.groupby("group", as_index=False)["x"].min()
    above = 12 + LETTER * 0.75 * columns["label"].str.len().max()
    groups["x"] -= WIDE / 2
    suites["y"] -= shifts
    x, y = number("x", scale=None, axis=None), number("y", scale=None, axis=None)
    told = {"x": x, "y": y, "text": nominal("text")}
    cell = {
        "x": x,
        "y": y,
        "fill": nominal("colour", scale=None),
        "fillOpacity": number("strength", scale=None, legend=None),
    }
    head = {"x": x, "y": {"value": -6}, "text": nominal("label")}
    group = {"x": x, "y": {"value": -above - 12}, "text": nominal("group")}
    beside = {"x": {"value": -left}, "y": y, "text": nominal("suite")}
    words: dict[str, object] = {"limit": 0, "fontSize": 10.5, "fill": INK}
    return {
        "layer": [
            {"data": data(shown[["suite", "label", "text", "x", "y", "colour", "strength", "weight"]]), "layer": [
                layer("rect", cell, width=WIDE - 2, height=HIGH - 2),
                layer("text", told, "datum.weight != 'bold'", **words),
                layer("text", told, "datum.weight == 'bold'", **words, fontWeight="bold"),
            ]},
            {"data": data(columns[["label", "x"]]), **layer("text", head, angle=-40, align="left", **words)},
            {"data": data(groups), **layer("text", group, align="left", **words, fontWeight="bold")},
            {"data": data(suites), **layer("text", beside, align="left", lineBreak="\n", lineHeight=LINE, **words)},
        ],
        "width": float(columns["x"].max() + WIDE / 2),
        "height": float(heights.sum()),
    }  # fmt: skip
