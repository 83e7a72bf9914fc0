"""Accuracy by covariate -> curves in SVG: what makes items harder, for all suites of a dataset together."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from starbank.analysis.figures import PANEL, Panels, palette
from starbank.analysis.plot import FAINT, INK, PERCENT, SHARES, Chart, data, layer, nominal, number

# The covariates that the page draws, where they vary, with their titles; the tables have them all.
DRAWN = {
    "attractors": "attractors between target and controller",
    "distance": "words between target and controller",
    "length": "words of the sentence",
    "form_count": "how often the form was seen",
}
FEWEST = 10


def panels(by: pd.DataFrame, labels: Mapping[str, str]) -> Panels:
    """Yield (dataset, level) and a chart for each that has a covariate to draw.

    `by` is the table of that name; a dataset of several suites is drawn as a whole. `labels` are those of the models.
    Bins of fewer than ten items are left out.
    """
    several = by.groupby("dataset")["construction"].transform(lambda names: names.isna().any())
    rows = by[(by["construction"].isna() | ~several) & by["covariate"].isin(list(DRAWN)) & (by["items"] >= FEWEST)]
    for (dataset, level), panel in rows.groupby(PANEL):
        bins = panel.groupby("covariate")["value_to"].nunique()
        drawn = [name for name in DRAWN if bins.get(name, 0) > 1]
        if drawn:
            charts = [_curves(panel[panel["covariate"] == name], DRAWN[name], labels) for name in drawn]
            yield (str(dataset), str(level)), {"hconcat": charts, "spacing": 28}


def bin_names(rows: pd.DataFrame) -> pd.Series:
    """Return what bins of values are called: `3`, or `5–8`."""
    first, last = (rows[name].astype(int).astype(str) for name in ("value_from", "value_to"))
    return last.where(first == last, first + "–" + last)


def _curves(rows: pd.DataFrame, title: str, labels: Mapping[str, str]) -> Chart:
    """One line per model with its 95% interval, over bins in their order."""
    shown = rows.assign(bin=bin_names(rows), model=rows["model"].map(labels))
    order = list(dict.fromkeys(shown.sort_values("value_to")["bin"]))
    colours = palette(list(dict.fromkeys(labels.values())))
    bins = {"labelAngle": 0, "grid": False, "domainColor": INK}
    place = {
        "x": {"field": "bin", "type": "ordinal", "sort": order, "title": title, "axis": bins},
        "xOffset": nominal("model", scale={"domain": colours["domain"], "rangeMax": 12, "rangeMin": -12}),
        "color": nominal("model", scale=colours, legend=None),
    }
    low = number("low", scale=SHARES, axis={**PERCENT, "gridColor": FAINT})
    return {
        "data": data(shown[["bin", "model", "accuracy", "low", "high", "items"]]),
        "layer": [
            layer("rule", {**place, "y": low, "y2": {"field": "high"}}, strokeWidth=2, opacity=0.4),
            layer("point", {**place, "y": number("accuracy")}, filled=True, size=36, opacity=1),
        ],
        "width": {"step": 46, "for": "position"},
        "height": 150,
    }
