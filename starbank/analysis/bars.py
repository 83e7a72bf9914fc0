"""Surprisal by region -> bar charts in SVG, as SyntaxGym draws them: lines for each suite, bars for each model."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from starbank.analysis.figures import PANEL, Panels, heading, legend, named
from starbank.analysis.plot import FAINT, INK, Chart, data, layer, nominal, number

BAR, GAP, HEIGHT, LETTERS = 9, 8, 110, 90
# Between models, whose names may be longer than their bars are wide, and how wide a line may be.
BETWEEN, LETTER, WIDEST = 26, 6.2, 940


def panels(
    regions: pd.DataFrame, labels: Mapping[str, str], titles: Mapping[tuple[str, str], str], colours: Chart
) -> Panels:
    """Yield (dataset, level) and its charts, for levels that score several regions.

    `regions` is the table of that name, `labels` are those of the models in their order, `titles` those of the suites,
    `colours` the scale of conditions.
    """
    shown = regions[regions["model"].isin(list(labels))].assign(label=regions["model"].map(labels))
    for (dataset, level), panel in shown.groupby(PANEL):
        if panel["region"].nunique() > 1:
            shades = named(colours, panel["condition"])
            suites = [
                chart
                for name, rows in panel.groupby("construction")
                for chart in _suite(rows, titles[str(dataset), str(name)], list(dict.fromkeys(labels.values())), shades)
            ]
            yield (str(dataset), str(level)), {"vconcat": [legend(shades, "condition", 200), *suites], "spacing": 14}


def _suite(rows: pd.DataFrame, name: str, order: list[str], colours: Chart) -> list[Chart]:
    """The lines of a suite, all on one scale, as many models in each as it has room for; the first has the title."""
    regions = rows.drop_duplicates("region").sort_values("region")[["region", "name"]].reset_index(drop=True)
    conditions = [each for each in colours["domain"] if each in set(rows["condition"])]
    step = BAR * len(conditions) + GAP
    models = [label for label in order if label in set(rows["label"])]
    width = max(step * len(regions), LETTER * max(map(len, models))) + BETWEEN
    beside = max(1, int(WIDEST // width))
    places = {label: width * (place % beside) for place, label in enumerate(models)}
    across = {region: step * place + GAP / 2 for place, region in enumerate(regions["region"])}
    offsets = {condition: BAR * place for place, condition in enumerate(conditions)}
    rows = rows.assign(
        x=rows["label"].map(places) + rows["region"].map(across) + rows["condition"].map(offsets) + BAR / 2,
        low=rows["mean"] - rows["standard_error"],
        high=rows["mean"] + rows["standard_error"],
    )
    top = float(rows["high"].fillna(rows["mean"]).max())
    lines = []
    for begin in range(0, len(models), beside):
        line = models[begin : begin + beside]
        own = rows[rows["label"].isin(line)]
        heads = pd.DataFrame({"label": line, "x": [places[label] for label in line]})
        feet = heads.merge(regions, how="cross")
        feet["x"] += feet["region"].map(across) + step / 2
        ends = heads.assign(end=heads["x"] + step * len(regions))
        title = {"title": heading(name, LETTERS)} if begin == 0 else {}
        lines.append({**title, **_bars(own, heads, feet, ends, top, colours), "width": width * len(line) - BETWEEN})
    return lines


def _bars(
    rows: pd.DataFrame, heads: pd.DataFrame, feet: pd.DataFrame, ends: pd.DataFrame, top: float, colours: Chart
) -> Chart:
    """Mean surprisal of each region in each condition, with its standard error; places on the line are in pixels."""
    x = number("x", scale=None, axis=None)
    axis = {"title": "bits", "gridColor": FAINT, "domain": False, "ticks": False, "tickCount": 4}
    scale = {"domain": [0, top], "nice": True}
    bar = {
        "x": x,
        "y": number("mean", scale=scale, axis=axis),
        "color": nominal("condition", scale=colours, legend=None),
    }
    error = {"x": x, "y": number("low", scale=scale), "y2": {"field": "high"}}
    foot = {"x": x, "y": {"value": HEIGHT + 6}, "text": nominal("name")}
    head = {"x": x, "y": {"value": -6}, "text": nominal("label")}
    floor = {"x": x, "x2": {"field": "end"}, "y": {"value": HEIGHT}}
    told = rows[["label", "name", "condition", "mean", "low", "high", "items", "x"]]
    return {
        "layer": [
            {"data": data(told), "layer": [
                layer("bar", bar, width=BAR - 1),
                layer("rule", error, "isValid(datum.low)", stroke=INK, strokeWidth=1),
            ]},
            {"data": data(ends), **layer("rule", floor, stroke=INK)},
            {"data": data(feet), **layer("text", foot, angle=-35, align="right", fontSize=10, limit=0)},
            {"data": data(heads), **layer("text", head, align="left", fontSize=11, fill=INK, limit=0)},
        ],
        "height": HEIGHT,
    }  # fmt: skip
