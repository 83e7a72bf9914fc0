"""Surprisal by condition -> box plots in SVG: a chart for each suite, a row for each model and condition."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from starbank.analysis.figures import PANEL, Panels, heading, in_lines, legend, named
from starbank.analysis.plot import FAINT, INK, Chart, data, layer, nominal, number

WIDTH, ROW, GAP, BESIDE, LETTERS, LETTER = 230, 9, 9, 2, 44, 6.2
TOGETHER = "all suites"
# Grammatical boxes are full, starred ones pale.
FULL, PALE = 0.85, 0.25


def panels(
    surprisals: pd.DataFrame, labels: Mapping[str, str], titles: Mapping[tuple[str, str], str], colours: Chart
) -> Panels:
    """Yield (dataset, level) and a chart: all suites together where there are several, then each of them.

    `surprisals` is the table of that name, `labels` are those of the models in their order, `titles` those of the
    suites, `colours` the scale of conditions.
    """
    order = {model: place for place, model in enumerate(labels)}
    for (dataset, level), panel in _placed(surprisals, order).groupby(PANEL):
        rows = panel.assign(label=panel["model"].map(labels))
        wholes = [_boxes(own, TOGETHER, colours) for own in [rows[rows["construction"].isna()]] if len(own)]
        suites = [_boxes(own, titles[str(dataset), str(name)], colours) for name, own in rows.groupby("construction")]
        lines = [
            legend(named(colours, rows["condition"]), "condition", WIDTH),
            *in_lines([*wholes, *suites], BESIDE, 30),
        ]
        yield (str(dataset), str(level)), {"vconcat": lines, "spacing": 18}


def _placed(surprisals: pd.DataFrame, order: Mapping[str, int]) -> pd.DataFrame:
    """Return the rows of models in their order, each at its place `y` in the chart of its suite.

    Places are worked out here, since a facet for each model would take much longer.
    """
    rows = surprisals[surprisals["model"].isin(list(order))]
    rows = rows.assign(order=rows["model"].map(order), fill=rows["grammatical"].map({True: FULL, False: PALE}))
    rows = rows.sort_values(["order", "grammatical", "condition"], ascending=[True, False, True])
    charts = rows.groupby([*PANEL, "construction"], dropna=False)
    gaps = charts["order"].rank(method="dense") - 1
    return rows.assign(y=ROW * (charts.cumcount() + 0.5) + GAP * gaps)


def _boxes(rows: pd.DataFrame, name: str, colours: Chart) -> Chart:
    """Return the boxes of a suite."""
    names = rows.groupby("label", sort=False)["y"].mean().reset_index()
    height = int(rows["y"].max() + ROW / 2)
    y = number("y", scale={"domain": [height, 0], "nice": False}, axis=None)
    colour = nominal("condition", scale=colours, legend=None)
    axis = {"title": "surprisal in bits", "gridColor": FAINT, "domainColor": INK, "tickCount": 5}
    scale = {"zero": False, "nice": True}
    reach = {"x": number("low", scale=scale, axis=axis), "x2": {"field": "high"}, "y": y, "stroke": colour}
    box = {
        "x": number("lower_quartile", scale=scale),
        "x2": {"field": "upper_quartile"},
        "y": y,
        "fill": colour,
        "stroke": colour,
    }
    # As wide as a reader's font may be: measured widths are those of another.
    label = {"x": {"value": -LETTER * names["label"].str.len().max() - 6}, "y": y, "text": nominal("label")}
    opacity = {"field": "fill", "type": "quantitative", "scale": None}
    shown = ["condition", "low", "lower_quartile", "median", "upper_quartile", "high", "items", "y", "fill"]
    return {
        "title": heading(name, LETTERS),
        "layer": [
            {"data": data(rows[shown]), "layer": [
                layer("rule", reach, strokeWidth=1),
                layer("bar", {**box, "fillOpacity": opacity}, height=ROW - 2, strokeWidth=1),
                layer("tick", {"x": number("median"), "y": y}, color=INK, thickness=1.6, size=ROW - 2),
            ]},
            {"data": data(names), **layer("text", label, align="left", fontSize=10, fill=INK, limit=0)},
        ],
        "width": WIDTH,
        "height": height,
    }  # fmt: skip
