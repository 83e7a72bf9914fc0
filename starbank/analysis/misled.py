"""What models prefer when they are wrong -> stacked bars in SVG: a chart for each suite, a bar for each model."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from starbank.analysis.figures import PANEL, Panels, heading, in_lines, legend, named
from starbank.analysis.plot import INK, PERCENT, SHARES, Chart, data, layer, nominal, number

WIDTH, ROW, BESIDE, LETTERS, LETTER = 230, 15, 2, 44, 6.2
KEY = ["dataset", "construction", "model", "level"]


def panels(
    preferred: pd.DataFrame, rows: pd.DataFrame, titles: Mapping[tuple[str, str], str], colours: Chart
) -> Panels:
    """Yield (dataset, level) and a chart: the share of a suite's items on which each condition misled a model.

    `preferred` is the table of that name, `rows` are those of `report.label_rows`, `titles` those of the suites,
    `colours` the scale of conditions. A suite on which no model is misled is left out.
    """
    told = rows.dropna(subset="accuracy")[[*KEY, "label", "order", "items"]]
    misled = told.merge(preferred[[*KEY, "condition", "wrong"]], on=KEY)
    misled["share"] = misled["wrong"] / misled["items"]
    wrong = misled[misled.groupby(["construction", *PANEL])["wrong"].transform("sum") > 0]
    for (dataset, level), panel in wrong.groupby(PANEL):
        charts = [_bars(own, titles[str(dataset), str(name)], colours) for name, own in panel.groupby("construction")]
        names = legend(named(colours, panel.loc[panel["wrong"] > 0, "condition"]), "condition", WIDTH)
        yield (str(dataset), str(level)), {"vconcat": [names, *in_lines(charts, BESIDE, 30)], "spacing": 18}


def _bars(rows: pd.DataFrame, name: str, colours: Chart) -> Chart:
    """Stacked shares, worked out here so that each is drawn where the last one ends."""
    rows = rows[rows["wrong"] > 0].sort_values(["order", "wrong", "condition"], ascending=[True, False, True])
    rows = rows.assign(y=ROW * (rows["order"].rank(method="dense") - 0.5), end=rows.groupby("order")["share"].cumsum())
    rows["begin"] = rows["end"] - rows["share"]
    height = int(rows["y"].max() + ROW / 2)
    y = number("y", scale={"domain": [height, 0], "nice": False}, axis=None)
    place = {"x": number("begin", scale=SHARES, axis={**PERCENT, "labelFlush": False}), "x2": {"field": "end"}, "y": y}
    # As wide as a reader's font may be: measured widths are those of another.
    label = {"x": {"value": -LETTER * rows["label"].str.len().max() - 6}, "y": y, "text": nominal("label")}
    bar = {**place, "color": nominal("condition", scale=colours, legend=None)}
    return {
        "title": heading(name, LETTERS),
        "layer": [
            {"data": data(rows[["label", "condition", "wrong", "begin", "end", "y"]]),
             **layer("bar", bar, height=ROW - 5)},
            {"data": data(rows.drop_duplicates("label")[["label", "y"]]),
             **layer("text", label, align="left", fontSize=10, fill=INK, limit=0)},
        ],
        "width": WIDTH,
        "height": height,
    }  # fmt: skip
