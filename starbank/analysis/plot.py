"""Accuracies -> a forest plot in SVG: a block per suite, a row per model, its interval, and the line of chance."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby

import altair as alt
import pandas as pd
import vl_convert
from markupsafe import escape

# Judgements of a row by its interval, and their colours: told apart by colour-blind readers, on white and on black.
ABOVE, UNDECIDED, BELOW = "above chance", "may be chance", "below chance"
COLOURS = {ABOVE: "#2b7cb3", UNDECIDED: "#8c8c8c", BELOW: "#d9651b"}

# The layout is measured in a font that vl-convert carries along, so that it is the same on every machine; the reader's
# own fonts then draw it.
MEASURED = "Liberation Sans"
FONTS = (
    "'Noto Sans', 'Source Sans 3', 'Helvetica Neue', Arial, "
    "'Noto Sans Georgian', Sylfaen, 'Noto Sans Devanagari', 'Kohinoor Devanagari', 'Nirmala UI', sans-serif"
)
INK, FAINT = "#333333", "#dddddd"
LABELS, WIDTH, ROW = 155, 200, 15
# Between panels, whose headings may be longer than they are, and between lines of them; and what headings take.
BESIDE, BETWEEN = 70, 28
DATASET, LEVEL = 20, 18

Panels = Mapping[tuple[str, str], str]


def panels_svg(rows: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Return a panel as SVG for each dataset and level: its suites and models.

    `rows` has the columns of accuracy.parquet and `suite`, `label` (what to print for suite and model) and `verdict` (a
    key of `COLOURS`); where `accuracy` is null the plot says that the model did not score the suite.
    """
    return {(dataset, level): to_svg(_panel(panel)) for (dataset, level), panel in rows.groupby(["dataset", "level"])}


def figure_svg(panels: Panels) -> str:
    """Return panels as one SVG, a line for each dataset."""
    if not panels:
        return to_svg(alt.Chart(title="No item was scored.").mark_point().properties(width=WIDTH, height=1))
    legend = to_svg(_legend())
    parts, (width, height) = [_placed(legend, 0, 0)], _size(legend)
    for dataset, line in groupby(panels.items(), key=lambda panel: panel[0][0]):
        top, left = height + BETWEEN, 0.0
        parts.append(_heading(dataset, 0, top, 15, "bold"))
        for (_, level), svg in line:
            parts += [_heading(f"{level} level", left, top + DATASET, 13), _placed(svg, left, top + DATASET + LEVEL)]
            width, height = max(width, left + _size(svg)[0]), max(height, top + DATASET + LEVEL + _size(svg)[1])
            left += _size(svg)[0] + BESIDE
    root = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}">'
    return "".join([root, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>"])


def _size(svg: str) -> tuple[float, float]:
    width, height = re.findall(r'^<svg [^>]*?\bwidth="([\d.]+)" height="([\d.]+)"', svg)[0]
    return float(width), float(height)


def _placed(svg: str, left: float, top: float) -> str:
    return svg.replace("<svg ", f'<svg x="{left:g}" y="{top:g}" ', 1)


def _heading(text: str, left: float, top: float, size: int, weight: str = "normal") -> str:
    """Return a line of text, whose upper edge is `top`, where plots have their labels."""
    style = f'font-family="{FONTS}" font-size="{size}" font-weight="{weight}" fill="{INK}"'
    return f'<text x="{left + 5:g}" y="{top + size:g}" {style}>{escape(text)}</text>'


def _panel(rows: pd.DataFrame) -> alt.FacetChart:
    """One block per suite, one line per model: interval, accuracy, and the dashed line of chance."""
    models = list(dict.fromkeys(rows.sort_values("order")["label"]))
    shown = ["construction", "suite", "label", "accuracy", "low", "high", "chance", "verdict"]
    chart = alt.Chart(rows[shown])
    scored = chart.transform_filter("isValid(datum.accuracy)")
    percent = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(
        format=".0%", values=[0, 0.25, 0.5, 0.75, 1], title=None, ticks=False, domain=False, labelFlush=False
    )
    y = alt.Y("label:N", sort=models, scale=alt.Scale(domain=models), axis=None)
    layers = alt.layer(
        scored.mark_rule(strokeDash=[3, 3], stroke=INK).encode(x=alt.X("min(chance):Q")),
        scored.mark_rule(strokeWidth=2.5, opacity=0.45, strokeCap="round").encode(
            x=alt.X("low:Q", scale=percent, axis=axis), x2=alt.X2("high:Q"), y=y, color=_colour()
        ),
        scored.mark_point(filled=True, size=42, opacity=1).encode(x=alt.X("accuracy:Q"), y=y, color=_colour()),
        chart.transform_filter("!isValid(datum.accuracy)")
        .mark_text(text="not scored", align="left", fontSize=9.5, fontStyle="italic", fill=COLOURS[UNDECIDED])
        .encode(x=alt.value(4), y=y),
        chart.mark_text(align="right", fontSize=10, fill=INK, limit=LABELS - 14).encode(
            x=alt.value(-12), y=y, text=alt.Text("label:N")
        ),
        chart.mark_text(align="left", fontSize=11, fontWeight="bold", fill=INK, limit=LABELS + WIDTH).encode(
            x=alt.value(-LABELS), y=alt.value(-8), text=alt.Text("min(suite):N")
        ),
    ).properties(width=WIDTH, height=ROW * len(models))
    names = list(dict.fromkeys(rows["construction"]))
    return layers.facet(
        row=alt.Row("construction:N", sort=names, header=alt.Header(labels=False, title=None)),
        spacing=14,
    )


def _colour() -> alt.Color:
    return alt.Color("verdict:N", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())), legend=None)


def _legend() -> alt.LayerChart | alt.FacetChart:
    """A line of coloured words; Vega's own legend would stretch with the reader's fonts."""
    words = pd.DataFrame({"verdict": list(COLOURS), "x": [120 * place + 5 - LABELS for place in range(len(COLOURS))]})
    chart = alt.Chart(words).encode(x=alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, WIDTH], nice=False)))
    note = alt.Chart(pd.DataFrame({"text": ["bars: 95% intervals, dashed line: chance"]}))
    return alt.layer(
        chart.mark_point(filled=True, size=42, opacity=1).encode(color=_colour()),
        chart.mark_text(align="left", dx=8, fontSize=11, fill=INK).encode(text=alt.Text("verdict:N")),
        note.mark_text(align="left", fontSize=11, fill=INK).encode(x=alt.value(370 - LABELS), text=alt.Text("text:N")),
    ).properties(width=WIDTH, height=16)


def to_svg(chart: alt.TopLevelMixin) -> str:
    """Return a chart as SVG in the colours and fonts of the page."""
    specification = chart.configure(
        font=MEASURED,
        axis={"labelColor": INK, "labelFontSize": 10.5, "gridColor": FAINT},
        title={"color": INK},
        view={"stroke": None},
    ).to_dict(validate=False)
    svg: str = vl_convert.vegalite_to_svg(specification)
    return svg.replace(f'font-family="{MEASURED}"', f'font-family="{FONTS}"')
