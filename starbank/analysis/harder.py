"""Accuracy by covariate -> curves in SVG: what makes items harder, for all suites of a dataset together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from starbank.analysis.plot import FAINT, INK, PERCENT, SHARES, Chart, data, layer, nominal, number, to_svg

# The covariates that the page draws, where they vary, with their titles; the tables have them all.
DRAWN = {
    "attractors": "attractors between target and controller",
    "distance": "words between target and controller",
    "length": "words of the sentence",
    "form_count": "how often the form was seen",
}
# Told apart by colour-blind readers, on white and on black (after Okabe and Ito).
MODEL_COLOURS = ("#2b7cb3", "#d9651b", "#2f9483", "#7a5bb0", "#c9991a", "#c24a78", "#5f7790", "#7d8c2c")
FEWEST = 10


def figures(by: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield (dataset, level) and a figure as SVG for each that has a covariate to draw.

    `by` is the table of that name; a dataset of several suites is drawn as a whole. `labels` are those of the models.
    Bins of fewer than ten items are left out.
    """
    several = by.groupby("dataset")["construction"].transform(lambda names: names.isna().any())
    rows = by[(by["construction"].isna() | ~several) & by["covariate"].isin(list(DRAWN)) & (by["items"] >= FEWEST)]
    for (dataset, level), panel in rows.groupby(["dataset", "level"]):
        bins = panel.groupby("covariate")["value_to"].nunique()
        drawn = [name for name in DRAWN if bins.get(name, 0) > 1]
        if drawn:
            charts = [_curves(panel[panel["covariate"] == name], DRAWN[name], labels) for name in drawn]
            yield (str(dataset), str(level)), to_svg({"hconcat": charts, "spacing": 28})


def _curves(rows: pd.DataFrame, title: str, labels: Mapping[str, str]) -> Chart:
    """One line per model with its 95% interval, over bins in their order."""
    same = rows["value_from"] == rows["value_to"]
    names = (
        rows["value_to"].astype(str).where(same, rows["value_from"].astype(str) + "–" + rows["value_to"].astype(str))
    )
    shown = rows.assign(bin=names, model=rows["model"].map(labels))
    order = list(dict.fromkeys(shown.sort_values("value_to")["bin"]))
    models = list(dict.fromkeys(labels.values()))
    colours = [MODEL_COLOURS[place % len(MODEL_COLOURS)] for place in range(len(models))]
    bins = {"labelAngle": 0, "grid": False, "domainColor": INK}
    place = {
        "x": {"field": "bin", "type": "ordinal", "sort": order, "title": title, "axis": bins},
        "xOffset": nominal("model", scale={"domain": models, "rangeMax": 12, "rangeMin": -12}),
        "color": nominal("model", scale={"domain": models, "range": colours}, legend=None),
    }
    low = number("low", scale=SHARES, axis={**PERCENT, "gridColor": FAINT})
    return {
        "data": data(shown[["bin", "model", "accuracy", "low", "high", "items"]]),
        "layer": [
            layer("rule", {**place, "y": low, "y2": {"field": "high"}}, strokeWidth=2, opacity=0.4),
            layer("point", {**place, "y": number("accuracy")}, filled=True, size=36, opacity=1),
        ],
        "width": {"step": 46},
        "height": 150,
    }
