"""Accuracies -> a forest plot in SVG: a block per suite, a row per model, its interval, and the line of chance."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pandas as pd
import pyarrow as pa
import vl_convert

from starbank.analysis.text import percent
from starbank.cores import cores

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
# Titles of suites are wrapped, so that they stay whole; as many letters of a wide script fill the width of a block.
LETTERS, LINE = 54, 13
# Between blocks, and from the last line of a title down to its block.
BLOCKS, RAISED = 30, 8
# Between panels, whose headings may be longer than they are, and between lines of them.
BESIDE, BETWEEN = 70, 28

# Charts from which on other processes help, and how many of these may be at work.
MANY, PROCESSES = 20, 4

# A specification in Vega-Lite, or a part of one (https://vega.github.io/vega-lite/docs/).
Chart = dict[str, Any]

# Shares from nothing to all, and their axis; points and words of all figures.
SHARES = {"domain": [0, 1], "nice": False}
PERCENT = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1], "title": None, "ticks": False, "domain": False}
POINT = {"filled": True, "size": 42, "opacity": 1}
LEGEND = {"align": "left", "fontSize": 11, "fill": INK}
NOT_SCORED = {"align": "left", "fontSize": 9.5, "fontStyle": "italic", "fill": COLOURS[UNDECIDED]}


def panel_svg(rows: pd.DataFrame) -> str:
    """Return one panel as SVG: the suites and models of one dataset, its levels side by side.

    `rows` has the columns of accuracy.parquet and `suite`, `label` (what to print for suite and model), `tied` (share
    of items) and `verdict` (a key of `COLOURS`); where `accuracy` is null the plot says that the model did not score
    the suite.
    """
    return to_svg(_panel(rows))


def figure_svg(rows: pd.DataFrame) -> str:
    """Return all panels as one SVG, a line for each dataset; `rows` as for `panel_svg`."""
    if rows.empty:
        return to_svg({"title": "No item was scored.", "mark": "point", "width": WIDTH, "height": 1})
    lines = [{"title": title(str(dataset), 15, "bold"), **_panel(own)} for dataset, own in rows.groupby("dataset")]
    return to_svg({"vconcat": [_legend(), *lines], "spacing": BETWEEN})


def _panel(rows: pd.DataFrame) -> Chart:
    """One block per suite, one line per model: names on the left of the first level alone."""
    models = list(dict.fromkeys(rows.sort_values("order")["label"]))
    blocks = _blocks(rows, ROW * len(models))
    levels = [_level(own, models, blocks, names=place == 0) for place, (_, own) in enumerate(rows.groupby("level"))]
    return {"hconcat": levels, "spacing": BESIDE}


def _level(rows: pd.DataFrame, models: list[str], blocks: pd.DataFrame, *, names: bool) -> Chart:
    """The interval, the accuracy and the dashed line of chance in each line.

    It is one chart whose places are worked out here: as a facet for each block it would take four times as long.
    """
    height = int(blocks["bottom"].max())
    tied = [f"{percent(share)} tied" if share > 0 else "" for share in rows["tied"]]
    lines = rows.merge(blocks[["construction", "top"]]).assign(ties=tied)
    lines["y"] = lines["top"] + ROW * (lines["label"].map(models.index) + 0.5)
    shown = ["label", "accuracy", "low", "high", "verdict", "ties", "y"]
    scored, missing = "isValid(datum.accuracy)", "!isValid(datum.accuracy)"
    down = {"domain": [height, 0], "nice": False}
    y, top, bottom = number("y", scale=down, axis=None), number("top", scale=down, axis=None), {"field": "bottom"}
    axis = {**PERCENT, "labelFlush": False, "grid": False}
    interval = {"x": number("low", scale=SHARES, axis=axis), "x2": {"field": "high"}, "y": y, "color": _colour()}
    beside = {"align": "left", "fontSize": 9.5, "fill": COLOURS[UNDECIDED], "limit": 0}
    chance = {"x": number("chance"), "y": top, "y2": bottom}
    # Above the first title, which begins right above its block.
    above = {"x": {"value": -LABELS if names else 0}, "y": {"value": -RAISED - 2 * LINE}, "text": nominal("level")}
    grid = blocks.merge(pd.DataFrame({"share": PERCENT["values"]}), how="cross")[["share", "top", "bottom"]]
    of_lines = [
        layer("rule", interval, scored, strokeWidth=2.5, opacity=0.45, strokeCap="round"),
        layer("point", {"x": number("accuracy"), "y": y, "color": _colour()}, scored, **POINT),
        layer("text", {"x": {"value": 4}, "y": y}, missing, text="not scored", **NOT_SCORED),
        layer("text", {"x": {"value": WIDTH + 8}, "y": y, "text": nominal("ties")}, scored, **beside),
    ]
    return {
        "layer": [
            {"data": data(grid), **layer("rule", {"x": number("share"), "y": top, "y2": bottom}, stroke=FAINT)},
            {"data": data(blocks), **layer("rule", chance, strokeDash=[3, 3], stroke=INK)},
            {"data": data(lines[shown]), "layer": of_lines},
            {
                "data": data(rows[["level"]].head(1) + " level"),
                **layer("text", above, align="left", fontSize=13, fill=INK),
            },
            *(_names(models, blocks) if names else []),
        ],
        "width": WIDTH,
        "height": height,
    }


def _names(models: list[str], blocks: pd.DataFrame) -> list[Chart]:
    """Titles of suites above their blocks, and names of models beside their lines."""
    lines = blocks.merge(pd.DataFrame({"label": models, "line": range(len(models))}), how="cross")
    lines["y"] = lines["top"] + ROW * (lines["line"] + 0.5)
    down = {"domain": [int(blocks["bottom"].max()), 0], "nice": False}
    label = {"x": {"value": -12}, "y": number("y", scale=down, axis=None), "text": nominal("label")}
    title = {"x": {"value": -LABELS}, "y": number("title", scale=down, axis=None), "text": nominal("suite")}
    bold = {"fontWeight": "bold", "lineBreak": "\n", "lineHeight": LINE}
    return [
        {"data": data(lines[["label", "y"]]), **layer("text", label, align="right", fontSize=10, fill=INK, limit=0)},
        {"data": data(blocks), **layer("text", title, align="left", fontSize=11, fill=INK, limit=0, **bold)},
    ]


def _blocks(rows: pd.DataFrame, height: int) -> pd.DataFrame:
    """Return `construction`, `suite` (its title in lines), `chance`, and the places of each block from the top down."""
    blocks = rows.groupby("construction", sort=False)[["suite", "chance"]].first().reset_index()
    titles = [textwrap.wrap(title, LETTERS) for title in blocks["suite"]]
    above = LINE * pd.Series([len(lines) - 1 for lines in titles])
    # The heading of the panel ends where the first title begins.
    bottom = (above + height + BLOCKS).cumsum() - BLOCKS
    places = {"title": bottom - height - above - RAISED, "top": bottom - height, "bottom": bottom}
    return blocks.assign(suite=["\n".join(lines) for lines in titles], **places)


def _colour() -> Chart:
    return nominal("verdict", scale={"domain": list(COLOURS), "range": list(COLOURS.values())}, legend=None)


def _legend() -> Chart:
    """A line of coloured words; Vega's own legend would stretch with the reader's fonts."""
    words = pd.DataFrame({"verdict": list(COLOURS), "x": [120 * place + 5 - LABELS for place in range(len(COLOURS))]})
    x = number("x", axis=None, scale={"domain": [0, WIDTH], "nice": False})
    note = pd.DataFrame({"text": ["bars: 95% intervals, dashed line: chance"]})
    layers = [
        {"data": data(words), **layer("point", {"x": x, "color": _colour()}, **POINT)},
        {"data": data(words), **layer("text", {"x": x, "text": nominal("verdict")}, dx=8, **LEGEND)},
        {"data": data(note), **layer("text", {"x": {"value": 370 - LABELS}, "text": nominal("text")}, **LEGEND)},
    ]
    return {"layer": layers, "width": WIDTH, "height": 16}


def data(rows: pd.DataFrame) -> Chart:
    """Return the rows of a table as the data of a chart."""
    columns = [pa.array(rows[name], from_pandas=True).to_pylist() for name in rows]
    return {"values": [dict(zip(rows.columns, values, strict=True)) for values in zip(*columns, strict=True)]}


def layer(mark: str, encoding: Chart, rows: str | None = None, /, **style: Any) -> Chart:
    """Return marks of one kind and style in the places of `encoding`, for the `rows` of which an expression is true."""
    chosen = {"transform": [{"filter": rows}]} if rows else {}
    return {**chosen, "mark": {"type": mark, **style}, "encoding": encoding}


def number(column: str, **details: Any) -> Chart:
    """Return the encoding of a column of numbers."""
    return {"field": column, "type": "quantitative", **details}


def nominal(column: str, **details: Any) -> Chart:
    """Return the encoding of a column of names."""
    return {"field": column, "type": "nominal", **details}


def title(text: str | list[str], size: int, weight: str = "normal", offset: int = 7) -> Chart:
    """Return the title of a chart, in one line or several, above its left side."""
    return {"text": text, "anchor": "start", "fontSize": size, "fontWeight": weight, "offset": offset}


def to_svg(chart: Chart) -> str:
    """Return a chart as SVG in the colours and fonts of the page."""
    config = {
        "font": MEASURED,
        # A reader of screens finds the numbers in tables, and here a name for each dot would be no help.
        "aria": False,
        "axis": {"labelColor": INK, "labelFontSize": 10.5, "gridColor": FAINT},
        "title": {"color": INK},
        "view": {"stroke": None},
    }
    svg: str = vl_convert.vegalite_to_svg({**chart, "config": config})
    return svg.replace(f' font-family="{MEASURED}"', "").replace("<svg ", f'<svg font-family="{FONTS}" ', 1)


def to_svgs(charts: Sequence[Chart]) -> list[str]:
    """Return many charts as SVG, drawn by as many processes as there are cores, but few: each has an engine in it."""
    processes = min(cores() or os.cpu_count() or 1, PROCESSES)
    if processes == 1 or len(charts) < MANY:
        return [to_svg(chart) for chart in charts]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        return list(pool.map(to_svg, charts, chunksize=MANY // processes))
