"""Probes -> curves over the layers of a model as SVG: a panel per task, a colour per treebank."""

from __future__ import annotations

from itertools import cycle, islice

import pandas as pd

from starbank.analysis.plot import (
    FAINT,
    LEGEND,
    PERCENT,
    POINT,
    SHARES,
    Chart,
    data,
    layer,
    nominal,
    number,
    title,
    to_svg,
)

# Told apart by colour-blind readers, on white and on black; treebanks beyond them begin again.
COLOURS = ("#2b7cb3", "#d9651b", "#3d9a6a", "#a05195", "#b8860b", "#8c8c8c")
PANEL, HEIGHT, LINE = 250, 170, 16
LEFT = 40


def curves_svg(probes: pd.DataFrame) -> str:
    """Return curves of weighted F1 on test over layers, as SVG; `probes` has the columns of probes.parquet.

    Lines are means over seeds and bands go from the lowest to the highest; control tasks are dashed, the most frequent
    class is dotted, a ring is where the layer was chosen.
    """
    treebanks = sorted(probes["treebank"].unique())
    by = ["task", "treebank", "layer"]
    curves = probes.groupby(by, sort=False, as_index=False).agg(
        f1=("test_f1", "mean"),
        low=("test_f1", "min"),
        high=("test_f1", "max"),
        control=("control_f1", "mean"),
        majority=("majority_f1", "first"),
        chosen=("chosen", "first"),
    )
    tasks = list(dict.fromkeys(curves["task"]))
    last = int(curves["layer"].max())
    panels = [_panel(curves[curves["task"] == task], task, treebanks, last) for task in tasks]
    rows = [{"hconcat": panels[place : place + 2], "spacing": 30} for place in range(0, len(panels), 2)]
    return to_svg({"vconcat": [_legend(treebanks, str(probes["model"].iloc[0])), *rows], "spacing": 22})


def _panel(curves: pd.DataFrame, task: str, treebanks: list[str], last: int) -> Chart:
    step = max(1, -(-last // 12))
    ticks = {"values": list(range(0, last + 1, step)), "title": "layer", "grid": False, "format": "d"}
    x = number("layer", scale={"domain": [0, max(last, 1)], "nice": False}, axis={**ticks, "tickColor": FAINT})
    place = {"x": x, "color": _colour(treebanks)}
    majority, control, f1 = ({**place, "y": number(name, scale=SHARES)} for name in ("majority", "control", "f1"))
    band = {**place, "y": number("low", scale=SHARES, axis=PERCENT), "y2": {"field": "high"}}
    layers = [
        layer("area", band, opacity=0.2),
        layer("line", majority, strokeDash=[1, 3], strokeWidth=1.5),
        layer("line", control, strokeDash=[5, 3], strokeWidth=1.5),
        layer("line", f1, strokeWidth=2),
        layer("point", f1, "datum.chosen", filled=False, size=60, strokeWidth=2, opacity=1),
    ]
    sizes = {"width": PANEL, "height": HEIGHT}
    return {"title": title(task, 13, "bold", 8), "data": data(curves), "layer": layers, **sizes}


def _colour(treebanks: list[str]) -> Chart:
    colours = list(islice(cycle(COLOURS), len(treebanks)))
    return nominal("treebank", scale={"domain": treebanks, "range": colours}, legend=None)


def _legend(treebanks: list[str], model: str) -> Chart:
    """A line for each treebank, and one that says what lines mean; Vega's own would stretch with the reader's fonts."""
    named = pd.DataFrame({"treebank": treebanks, "y": [LINE * place + 8 for place in range(len(treebanks))]})
    lines = ["weighted F1 on test: mean and range over seeds, ring: chosen layer;"]
    lines.append("dashed: control task, dotted: most frequent class")
    below = LINE * len(treebanks) + 8
    meanings = pd.DataFrame({"text": lines, "y": [below + LINE * place for place in range(len(lines))]})
    y = number("y", axis=None, scale=None)
    beside, left = {"x": {"value": 5}, "y": y}, {"x": {"value": 0}, "y": y}
    layers = [
        {"data": data(named), **layer("point", {**beside, "color": _colour(treebanks)}, **POINT)},
        {"data": data(named), **layer("text", {**beside, "text": nominal("treebank")}, dx=8, **LEGEND)},
        {"data": data(meanings), **layer("text", {**left, "text": nominal("text")}, **LEGEND)},
    ]
    sizes = {"width": 2 * PANEL + LEFT, "height": below + LINE + 8}
    return {"title": title(model, 15, "bold", 10), "layer": layers, **sizes}
