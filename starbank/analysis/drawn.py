"""All figures of results, by name: what the page shows of them, and what lies beside it as SVG."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from starbank.analysis import bars, boxes, cells, harder, misled, sizes, training
from starbank.analysis.figures import Panels
from starbank.analysis.plot import Chart, to_svgs
from starbank.files import write_text

# What a figure has: an SVG for each dataset and level.
Figure = Sequence[tuple[tuple[str, str], str]]
FOLDER = "figures"


def draw(
    rows: pd.DataFrame,
    tables: Mapping[str, pd.DataFrame],
    points: pd.DataFrame,
    titles: Mapping[tuple[str, str], str],
    conditions: Chart,
) -> Mapping[str, Figure]:
    """Return each figure by its name; it has nothing where there is nothing to draw.

    `rows` are those of `report.label_rows`, `tables` the products by name, `points` those of `sizes.points`; `titles`
    are those of suites by dataset and name, `conditions` is the scale that gives them their colours.
    """
    labels = dict(rows.sort_values("order")[["model", "label"]].itertuples(index=False))
    figures: dict[str, Panels] = {
        "significance": cells.significance(rows),
        "errors": misled.panels(tables["preferred"], rows, titles, conditions),
        "training": training.panels(training.add_steps(rows, tables["models"])),
        "sizes": sizes.panels(points, tables["slopes"], titles),
        "harder": harder.panels(tables["by"], labels),
        "correlations": cells.correlations(tables["correlations"], rows),
        "surprisals": boxes.panels(tables["surprisals"], labels, titles, conditions),
        "regions": bars.panels(tables["regions"], labels, titles, conditions),
    }
    charts = [(name, key, chart) for name, panels in figures.items() for key, chart in panels]
    drawn: dict[str, list[tuple[tuple[str, str], str]]] = {name: [] for name in figures}
    for (name, key, _), svg in zip(charts, to_svgs([chart for *_, chart in charts]), strict=True):
        drawn[name].append((key, svg))
    return drawn


def write(figures: Mapping[str, Figure], output: Path) -> None:
    """Write `figures/<name>-<dataset>-<level>.svg` into the folder of results, in place of those that are there."""
    (output / FOLDER).mkdir(exist_ok=True)
    for name, figure in figures.items():
        for path in (output / FOLDER).glob(f"{name}-*.svg"):
            path.unlink()
        for key, svg in figure:
            write_text(svg, output / FOLDER / (re.sub(r"\W+", "-", "-".join([name, *key])) + ".svg"))
