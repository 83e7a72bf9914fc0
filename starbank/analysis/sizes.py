"""Accuracy against the number of parameters, with the slope of each family of models (Kryvosheieva & Levy 2025)."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyarrow as pa

from starbank.analysis.figures import PANEL, Panels, heading, in_lines, legend, palette
from starbank.analysis.harder import FEWEST, bin_names
from starbank.analysis.plot import FAINT, INK, PERCENT, SHARES, Chart, data, layer, nominal, number

# A size in a model's name: 560m, 1b7, 1.3B, base, large. What is left is the family's.
_SIZE = re.compile(
    r"[-_]?\b(?:\d+(?:\.\d+)?[kmbt]\d*|tiny|mini|small|medium|base|large|x+l)\b(?=[-_. ]|$)", re.IGNORECASE
)
# What stands between two words that agree, or else before the target.
INTERVENING = {"distance": "words from the controller", "position": "words up to the target"}
WIDTH, HEIGHT, BESIDE, LETTERS = 200, 150, 4, 34
GROUP = [*PANEL, "phenomenon", "construction", "covariate", "value_from", "value_to"]
SLOPES = pa.schema([
    *((name, pa.int64() if name.startswith("value") else pa.string()) for name in GROUP),
    *(("family", pa.string()), ("models", pa.int64()), ("slope", pa.float64()), ("per_doubling", pa.float64())),
])  # fmt: skip


def family_of(label: str) -> str:
    """Return what a model's label is without its size, owner and revision.

    >>> [family_of(name) for name in ("bloom-1b7", "xlm-roberta-large", "mGPT-13B", "bert-base-multilingual", "gpt2")]
    ['bloom', 'xlm-roberta', 'mGPT', 'bert-multilingual', 'gpt2']
    """
    name = label.partition("@")[0].rpartition("/")[2]
    return _SIZE.sub("", name).strip("-_ ") or name


def points(
    accuracy: pa.Table, by: pa.Table, models: pa.Table, phenomena: Mapping[tuple[str, str], str]
) -> pd.DataFrame:
    """Return the accuracy of each model whose size is known: by suite, by phenomenon, over all suites, by distance.

    `accuracy`, `by` and `models` are the tables of these names, `phenomena` the phenomenon of each suite. A model of
    which there are several checkpoints counts with its last. The columns are `GROUP` (null for all together; a
    covariate has bins of its values), `family`, `model`, `parameters`, `accuracy`. Over several suites that is the mean
    of their accuracies; in a bin, that of its items.
    """
    columns = [*GROUP, "model", "accuracy"]
    if not accuracy.num_rows:
        return pd.DataFrame(columns=[*columns, "family", "parameters"])
    suites, binned = accuracy.to_pandas(), by.to_pandas()
    keys = zip(suites["dataset"], suites["construction"], strict=True)
    suites = suites.assign(phenomenon=[phenomena.get(key) for key in keys])
    several = binned.groupby("dataset")["construction"].transform(lambda own: own.isna().any())
    binned = binned[(binned["construction"].isna() | ~several) & binned["covariate"].isin(list(INTERVENING))]
    parts = [
        _means(suites, []),
        _means(suites[suites.groupby(PANEL)["phenomenon"].transform("nunique") > 1], ["phenomenon"]),
        suites,
        binned[binned["items"] >= FEWEST].assign(construction=None),
    ]
    together = pd.concat([part.reindex(columns=columns).astype(object) for part in parts if len(part)] or parts[:1])
    return together.merge(_sizes(models.to_pandas()), on="model").astype({"accuracy": float})


def slopes(points: pd.DataFrame) -> pa.Table:
    """Return a row for each group of `points` and each family that has several sizes: how accuracy grows with them.

    `slope` is that of the least-squares line, in points of a percentage per milliard of parameters, as published;
    `per_doubling` that over the logarithm of size, in points for twice as many parameters. `models` counts them.
    """
    families = [*GROUP, "family"]
    rows = []
    for key, own in points.groupby(families, dropna=False, sort=False):
        sizes, accuracy = own["parameters"].to_numpy(float), 100 * own["accuracy"].to_numpy(float)
        if len(set(sizes)) > 1:
            lines = (np.polyfit(scale, accuracy, 1)[0] for scale in (sizes / 1e9, np.log2(sizes)))
            known = (None if pd.isna(part) else part for part in key)
            rows.append((*known, len(own), *(float(f"{line:.6g}") for line in lines)))
    return pa.Table.from_pylist([dict(zip(SLOPES.names, row, strict=True)) for row in rows], schema=SLOPES)


def panels(points: pd.DataFrame, slopes: pd.DataFrame, titles: Mapping[tuple[str, str], str]) -> Panels:
    """Yield (dataset, level) and a chart for all suites, each phenomenon or suite, and each distance.

    `points` and `slopes` are those of these functions, `titles` those of the suites.
    """
    for (dataset, level), own in points.groupby(PANEL):
        fits = slopes[(slopes["dataset"] == dataset) & (slopes["level"] == level)]
        if len(fits):
            yield (str(dataset), str(level)), _panel(own, fits, titles)


def _sizes(models: pd.DataFrame) -> pd.DataFrame:
    """Return the family and size of each model; of a run that has several steps, of the last alone."""
    known = models.dropna(subset="parameters").sort_values("step", kind="stable")
    known = known[known["run"].isna() | ~known.duplicated(["run", "model_kind", "dtype"], keep="last")]
    known = known.drop_duplicates("model", keep="last")[["model", "parameters"]].astype({"parameters": "int64"})
    return known.assign(family=[family_of(model) for model in known["model"]])


def _means(suites: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the mean over the suites of a group, or over several suites, for the models that scored all of them."""
    group = [*PANEL, *by]
    wanted = suites.groupby(group)["construction"].transform("nunique")
    means = suites.assign(wanted=wanted).groupby([*group, "model"], as_index=False).agg(
        accuracy=("accuracy", "mean"), scored=("construction", "nunique"), wanted=("wanted", "first")
    )  # fmt: skip
    return means[(means["scored"] == means["wanted"]) & ((means["wanted"] > 1) | bool(by))]


def _panel(points: pd.DataFrame, slopes: pd.DataFrame, titles: Mapping[tuple[str, str], str]) -> Chart:
    colours = palette(sorted(slopes["family"].unique()))
    points = points[points["family"].isin(colours["domain"])]
    binned = points["covariate"].notna()
    wholes = points[~binned & points["construction"].isna()]
    parts = wholes[wholes["phenomenon"].notna()]
    charts = [_growth(wholes[wholes["phenomenon"].isna()], slopes, "all suites", colours)]
    if len(parts):
        charts += [_growth(own, slopes, str(name), colours) for name, own in parts.groupby("phenomenon", sort=False)]
    else:
        suites = points[points["construction"].notna()]
        by_name = suites.groupby(["dataset", "construction"])
        charts += [_growth(own, slopes, titles[key], colours) for key, own in by_name]
    near = next((own for name in INTERVENING if len(own := points[points["covariate"] == name])), points[:0])
    bins = near.sort_values("value_to").groupby(["value_from", "value_to"], sort=False)
    distances = [_growth(own, slopes, _distance(own), colours) for _, own in bins] if bins.ngroups > 1 else []
    lines = [line for own in (charts, distances) for line in in_lines([chart for chart in own if chart], BESIDE)]
    if distances:
        lines.append(_decline(near, colours))
    return {"vconcat": [legend(colours, "family", WIDTH), *lines], "spacing": 16}


def _distance(points: pd.DataFrame) -> str:
    return f"{bin_names(points).iloc[0]} {INTERVENING[points['covariate'].iloc[0]]}"


def _growth(points: pd.DataFrame, slopes: pd.DataFrame, name: str, colours: Chart) -> Chart:
    """Accuracy of each model of a family by its size, and what a doubling of it adds; nothing where there is none."""
    if points.empty:
        return {}
    own = slopes.merge(points[GROUP].drop_duplicates().astype(slopes[GROUP].dtypes), on=GROUP).sort_values("family")
    told = own.assign(text=own["per_doubling"].map("{:+.1f}".format))
    told["y"] = HEIGHT - 8 - 13 * np.arange(len(told))[::-1]
    axis = {"title": "parameters", "grid": False, "domainColor": INK, "format": "~s", "labelOverlap": True}
    x = number("parameters", scale={"type": "log", "nice": False, "padding": 10}, axis={**axis, "tickCount": 4})
    colour = nominal("family", scale=colours, legend=None)
    place = {"x": x, "y": number("accuracy", scale=SHARES, axis={**PERCENT, "gridColor": FAINT}), "color": colour}
    note = {
        "x": {"value": WIDTH - 2},
        "y": number("y", axis=None, scale=None),
        "text": nominal("text"),
        "color": colour,
    }
    return {
        "title": heading(name, LETTERS),
        "layer": [
            {"data": data(points[["parameters", "accuracy", "family"]]), "layer": [
                layer("line", place, strokeWidth=1.8), layer("point", place, filled=True, size=30, opacity=1),
            ]},
            {"data": data(told[["family", "text", "y"]]), "layer": [
                layer("text", note, align="right", fontSize=11, fill=INK),
                layer("point", {**note, "x": {"value": WIDTH - 40}}, filled=True, size=30, opacity=1),
            ]},
        ],
        "resolve": {"scale": {"y": "independent"}},
        "width": WIDTH,
        "height": HEIGHT,
    }  # fmt: skip


def _decline(points: pd.DataFrame, colours: Chart) -> Chart:
    """Mean accuracy of the models of a family by distance, with its standard error."""
    shown = points.assign(bin=bin_names(points)).sort_values("value_to")
    means = shown.groupby(["family", "bin"], sort=False)["accuracy"].agg(["mean", "sem"]).reset_index()
    means = means.assign(low=means["mean"] - means["sem"], high=means["mean"] + means["sem"])
    axis = {"title": INTERVENING[points["covariate"].iloc[0]], "labelAngle": 0, "grid": False, "domainColor": INK}
    order = list(dict.fromkeys(shown["bin"]))
    place = {
        "x": {"field": "bin", "type": "ordinal", "sort": order, "axis": axis},
        "y": number("mean", scale=SHARES, axis={**PERCENT, "gridColor": FAINT}),
        "color": nominal("family", scale=colours, legend=None),
    }
    error = {**place, "y": number("low", scale=SHARES), "y2": {"field": "high"}}
    return {
        "title": heading("mean of each family, and its standard error"),
        "data": data(means),
        "layer": [
            layer("rule", error, strokeWidth=2, opacity=0.4),
            layer("line", place, strokeWidth=1.8),
            layer("point", place, filled=True, size=30, opacity=1),
        ],
        "width": WIDTH,
        "height": HEIGHT,
    }
