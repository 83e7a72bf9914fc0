"""Probes -> curves over the layers of a model as SVG: a panel per task, a colour per treebank."""

from __future__ import annotations

from itertools import cycle, islice

import altair as alt
import pandas as pd

from starbank.analysis.plot import FAINT, INK, to_svg

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
    rows = [alt.hconcat(*panels[place : place + 2], spacing=30) for place in range(0, len(panels), 2)]
    return to_svg(alt.vconcat(_legend(treebanks, str(probes["model"].iloc[0])), *rows, spacing=22))


def _panel(curves: pd.DataFrame, task: str, treebanks: list[str], last: int) -> alt.LayerChart | alt.FacetChart:
    step = max(1, -(-last // 12))
    ticks = alt.Axis(values=list(range(0, last + 1, step)), title="layer", grid=False, format="d", tickColor=FAINT)
    x = alt.X("layer:Q", scale=alt.Scale(domain=[0, max(last, 1)], nice=False), axis=ticks)
    percent = alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1], title=None, ticks=False, domain=False)
    y = alt.Scale(domain=[0, 1], nice=False)
    colour = _colour(treebanks)
    chart = alt.Chart(curves)
    majority, control, f1 = (alt.Y(f"{column}:Q", scale=y) for column in ("majority", "control", "f1"))
    ring = chart.transform_filter("datum.chosen").mark_point(filled=False, size=60, strokeWidth=2, opacity=1)
    return alt.layer(
        chart.mark_area(opacity=0.2).encode(x=x, y=alt.Y("low:Q", scale=y, axis=percent), y2="high:Q", color=colour),
        chart.mark_line(strokeDash=[1, 3], strokeWidth=1.5).encode(x=x, y=majority, color=colour),
        chart.mark_line(strokeDash=[5, 3], strokeWidth=1.5).encode(x=x, y=control, color=colour),
        chart.mark_line(strokeWidth=2).encode(x=x, y=f1, color=colour),
        ring.encode(x=x, y=f1, color=colour),
    ).properties(width=PANEL, height=HEIGHT, title=alt.Title(task, anchor="start", fontSize=13, offset=8))


def _colour(treebanks: list[str]) -> alt.Color:
    colours = list(islice(cycle(COLOURS), len(treebanks)))
    return alt.Color("treebank:N", scale=alt.Scale(domain=treebanks, range=colours), legend=None)


def _legend(treebanks: list[str], model: str) -> alt.LayerChart | alt.FacetChart:
    """A line for each treebank, and one that says what lines mean; Vega's own would stretch with the reader's fonts."""
    named = pd.DataFrame({"treebank": treebanks, "y": [LINE * place + 8 for place in range(len(treebanks))]})
    lines = ["weighted F1 on test: mean and range over seeds, ring: chosen layer;"]
    lines.append("dashed: control task, dotted: most frequent class")
    below = LINE * len(treebanks) + 8
    meanings = pd.DataFrame({"text": lines, "y": [below + LINE * place for place in range(len(lines))]})
    chart = alt.Chart(named).encode(y=alt.Y("y:Q", axis=None, scale=None))
    return alt.layer(
        chart.mark_point(filled=True, size=42, opacity=1).encode(x=alt.value(5), color=_colour(treebanks)),
        chart.mark_text(align="left", dx=8, fontSize=11, fill=INK).encode(x=alt.value(5), text="treebank:N"),
        alt.Chart(meanings)
        .mark_text(align="left", fontSize=11, fill=INK)
        .encode(x=alt.value(0), y=alt.Y("y:Q", axis=None, scale=None), text="text:N"),
    ).properties(
        width=2 * PANEL + LEFT, height=below + LINE + 8, title=alt.Title(model, anchor="start", fontSize=15, offset=10)
    )
