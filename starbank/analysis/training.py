"""Accuracy over the steps of training -> curves in SVG: a chart for each suite, a line for each run."""

from __future__ import annotations

import pandas as pd

from starbank.analysis.figures import PANEL, Panels, heading, in_lines, legend, palette
from starbank.analysis.plot import FAINT, INK, PERCENT, SHARES, Chart, data, layer, nominal, number

# Steps that grow so much are drawn by their logarithm, as checkpoints of that kind are spaced.
WIDE = 100
WIDTH, HEIGHT, BESIDE = 220, 150, 3


def add_steps(rows: pd.DataFrame, models: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of models that are checkpoints of a run of which there are several, with `run` and `step`.

    `rows` are those of `report.label_rows`, `models` is the table of that name. A run that was scored in several kinds,
    dtypes or bits is as many runs.
    """
    known = models.dropna(subset="step").drop_duplicates("model").astype({"step": "int64"})
    ways = ["model_kind", "dtype", "quantized"]
    kinds = known.groupby("run")[ways].transform("nunique", dropna=False)
    for name in ways:
        known["run"] += (" (" + known[name].fillna("not quantized") + ")").where(kinds[name] > 1, "")
    scored = rows.dropna(subset="accuracy").merge(known[["model", "run", "step"]], on="model")
    steps = scored.groupby([*PANEL, "run"])["step"].transform("nunique")
    return scored[steps > 1].sort_values([*PANEL, "run", "step"])


def panels(rows: pd.DataFrame) -> Panels:
    """Yield (dataset, level) and its curves; `rows` as of `add_steps`."""
    for (dataset, level), panel in rows.groupby(PANEL, sort=False):
        yield (str(dataset), str(level)), _panel(panel)


def _panel(rows: pd.DataFrame) -> Chart:
    """The suites of one dataset and level, a few in a line, over a legend of runs."""
    colours = palette(sorted(rows["run"].unique()))
    suites = rows.drop_duplicates("construction").sort_values("construction")
    charts = [
        _curves(rows[rows["construction"] == suite.construction], suite.suite, colours) for suite in suites.itertuples()
    ]
    return {"vconcat": [legend(colours, "run", WIDTH), *in_lines(charts, BESIDE)], "spacing": 16}


def _curves(rows: pd.DataFrame, name: str, colours: Chart) -> Chart:
    """Accuracy of each run by step with its 95% interval, and the dashed line of chance."""
    steps = {"title": "step", "grid": False, "domainColor": INK, "labelFlush": False, **_ticks(rows["step"])}
    x = number("step", axis=steps, scale=_scale(rows["step"]))
    colour = nominal("run", scale=colours, legend=None)
    y = number("accuracy", scale=SHARES, axis={**PERCENT, "gridColor": FAINT})
    interval = {"x": x, "y": number("low", scale=SHARES), "y2": {"field": "high"}, "color": colour}
    chance = pd.DataFrame({"chance": [rows["chance"].iloc[0]]})
    return {
        "title": heading(name),
        "data": data(rows[["step", "run", "accuracy", "low", "high", "items"]]),
        "layer": [
            {"data": data(chance), **layer("rule", {"y": number("chance")}, strokeDash=[3, 3], stroke=INK)},
            layer("area", interval, opacity=0.18),
            layer("line", {"x": x, "y": y, "color": colour}, strokeWidth=1.8),
            layer("point", {"x": x, "y": y, "color": colour}, filled=True, size=16, opacity=1),
        ],
        "width": WIDTH,
        "height": HEIGHT,
    }


def _is_wide(steps: pd.Series) -> bool:
    positive = steps[steps > 0]
    return bool(len(positive)) and bool(positive.max() >= WIDE * positive.min())


def _scale(steps: pd.Series) -> Chart:
    # Unlike a plain logarithm it has a place for step 0.
    return {"type": "symlog", "constant": int(steps[steps > 0].min())} if _is_wide(steps) else {"zero": False}


def _ticks(steps: pd.Series) -> Chart:
    if not _is_wide(steps):
        return {"tickCount": 5}
    powers = [10**power for power in range(len(str(steps.max())))]
    return {"values": [step for step in (0, *powers) if steps.min() <= step <= steps.max()]}
