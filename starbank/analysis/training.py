"""Accuracy over the steps of training -> curves in SVG: a chart for each suite, a line for each run."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import pandas as pd

from starbank.analysis.harder import MODEL_COLOURS
from starbank.analysis.plot import FAINT, INK, PERCENT, SHARES, Chart, data, layer, nominal, number, title, to_svg

# Steps that grow so much are drawn by their logarithm, as checkpoints of that kind are spaced.
WIDE = 100
WIDTH, HEIGHT, BESIDE, LETTERS = 220, 150, 3, 40
PANEL = ["dataset", "level"]


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


def figures(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield (dataset, level) and its curves as SVG; `rows` as of `add_steps`."""
    for (dataset, level), panel in rows.groupby(PANEL, sort=False):
        yield (str(dataset), str(level)), to_svg(_panel(panel))


def figure_svg(rows: pd.DataFrame) -> str:
    """Return all curves as one SVG; `rows` as of `add_steps`."""
    panels = [
        {**_panel(panel), "title": title(f"{dataset}, {level} level", 13)}
        for (dataset, level), panel in rows.groupby(PANEL, sort=False)
    ]
    return to_svg({"vconcat": panels, "spacing": 28})


def _panel(rows: pd.DataFrame) -> Chart:
    """The suites of one dataset and level, a few in a line, over a legend of runs."""
    runs = sorted(rows["run"].unique())
    colours = {"domain": runs, "range": [MODEL_COLOURS[place % len(MODEL_COLOURS)] for place in range(len(runs))]}
    suites = rows.drop_duplicates("construction").sort_values("construction")
    charts = [
        _curves(rows[rows["construction"] == suite.construction], suite.suite, colours) for suite in suites.itertuples()
    ]
    lines = [{"hconcat": charts[place : place + BESIDE], "spacing": 24} for place in range(0, len(charts), BESIDE)]
    return {"vconcat": [_legend(runs, colours), *lines], "spacing": 16}


def _curves(rows: pd.DataFrame, name: str, colours: Chart) -> Chart:
    """Accuracy of each run by step with its 95% interval, and the dashed line of chance."""
    steps = {"title": "step", "grid": False, "domainColor": INK, "labelFlush": False, **_ticks(rows["step"])}
    x = number("step", axis=steps, scale=_scale(rows["step"]))
    colour = nominal("run", scale=colours, legend=None)
    y = number("accuracy", scale=SHARES, axis={**PERCENT, "gridColor": FAINT})
    interval = {"x": x, "y": number("low", scale=SHARES), "y2": {"field": "high"}, "color": colour}
    chance = pd.DataFrame({"chance": [rows["chance"].iloc[0]]})
    return {
        "title": title("\n".join(textwrap.wrap(name, LETTERS)), 11, "bold"),
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


def _legend(runs: list[str], colours: Chart) -> Chart:
    """Coloured names, one below the other, for they may be long."""
    names = pd.DataFrame({"run": runs, "y": [16 * place + 8 for place in range(len(runs))]})
    place = {
        "x": {"value": 5},
        "y": number("y", axis=None, scale={"domain": [16 * len(runs), 0], "nice": False}),
        "color": nominal("run", scale=colours, legend=None),
    }
    layers = [
        layer("point", place, filled=True, size=42, opacity=1),
        layer("text", {**place, "text": nominal("run")}, dx=9, align="left", fontSize=11, limit=0),
    ]
    return {"data": data(names), "layer": layers, "width": WIDTH, "height": 16 * len(runs)}
