"""What the figures of results share: small charts in lines, their titles, colours and names."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

import pandas as pd

from starbank.analysis.plot import Chart, data, layer, nominal, number, title

# A figure: a dataset and a level, and the chart that is drawn of them.
Panels = Iterator[tuple[tuple[str, str], Chart]]

PANEL = ["dataset", "level"]
# Told apart by colour-blind readers, on white and on black (after Okabe and Ito).
COLOURS = ("#2b7cb3", "#d9651b", "#2f9483", "#7a5bb0", "#c9991a", "#c24a78", "#5f7790", "#7d8c2c")
# Conditions keep their colour in all figures; neither blue nor orange, which mean above and below chance.
CONDITIONS = ("#7a5bb0", "#2f9483", "#c9991a", "#c24a78", "#5f7790", "#7d8c2c", "#a56a43", "#4aa3c7")
LETTERS, LINE = 40, 16


def palette(names: Sequence[str], colours: Sequence[str] = COLOURS) -> Chart:
    """Return the scale that gives each name its colour; names beyond the last colour begin again."""
    return {"domain": list(names), "range": [colours[place % len(colours)] for place in range(len(names))]}


def named(scale: Chart, names: pd.Series) -> Chart:
    """Return of a scale what these names need."""
    needed = set(names)
    places = [place for place, name in enumerate(scale["domain"]) if name in needed]
    return {part: [scale[part][place] for place in places] for part in ("domain", "range")}


def heading(text: str, letters: int = LETTERS) -> Chart:
    """Return the title of a small chart, in as many lines as it needs."""
    return title(textwrap.wrap(text, letters) or [""], 11, "bold")


def in_lines(charts: Sequence[Chart], beside: int, spacing: int = 24) -> list[Chart]:
    """Return charts in lines of so many."""
    return [
        {"hconcat": list(charts[place : place + beside]), "spacing": spacing} for place in range(0, len(charts), beside)
    ]


def legend(scale: Chart, field: str, width: int) -> Chart:
    """Return coloured names, one below the other, for they may be long; Vega's own would stretch with fonts."""
    names = scale["domain"]
    rows = pd.DataFrame({field: names, "y": [LINE * place + 8 for place in range(len(names))]})
    place = {
        "x": {"value": 5},
        "y": number("y", axis=None, scale={"domain": [LINE * len(names), 0], "nice": False}),
        "color": nominal(field, scale=scale, legend=None),
    }
    layers = [
        layer("point", place, filled=True, size=42, opacity=1),
        layer("text", {**place, "text": nominal(field)}, dx=9, align="left", fontSize=11, limit=0),
    ]
    return {"data": data(rows), "layer": layers, "width": width, "height": LINE * len(names)}
