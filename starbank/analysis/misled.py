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
    for (dataset, level), panel in _placed(misled[misled["wrong"] > 0]).groupby(PANEL):
        charts = [_bars(own, titles[str(dataset), str(name)], colours) for name, own in panel.groupby("construction")]
        names = legend(named(colours, panel["condition"]), "condition", WIDTH)
        yield (str(dataset), str(level)), {"vconcat": [names, *in_lines(charts, BESIDE, 30)], "spacing": 18}


def _placed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows in order, with their places in the chart of their suite: each begins where the last one ends."""
    suite = [*PANEL, "construction"]
    rows = rows.sort_values(["order", "wrong", "condition"], ascending=[True, False, True])
    end = rows.groupby([*suite, "order"])["share"].cumsum()
    line = rows.groupby(suite)["order"].rank(method="dense")
    return rows.assign(y=ROW * (line - 0.5), begin=end - rows["share"], end=end)


def _bars(rows: pd.DataFrame, name: str, colours: Chart) -> Chart:
    """Return the stacked shares of a suite."""
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
