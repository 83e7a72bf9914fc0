"""Held-out predictions -> a reliability diagram in SVG: how often forms are right that are predicted so confidently."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from starbank.morphology.evaluation import interval, reliability

# Bars of fewer cells than these say nothing.
_FEWEST = 5
# A font that vl-convert carries along, so that the layout is the same on every machine.
_FONT = "Liberation Sans"
_INK, _BLUE, _FAINT = "#333333", "#2b7cb3", "#dddddd"
_SIZE = 190


def reliability_svg(held_out: Mapping[str, pa.Table], threshold: float) -> str:
    """Return one panel per name: confidence against the share of right predictions, with its 95% interval.

    Each table has the schema `HELD_OUT`. Points below the diagonal are predictions that were too sure; the area of a
    point is the number of its cells, and the dashed line is `threshold`.
    """
    import vl_convert

    rows = [
        {**row, "name": name, "low": low, "high": high}
        for name, table in held_out.items()
        for row in reliability(table).to_pylist()
        if row["cells"] >= _FEWEST
        for low, high in [interval(row["right"], row["cells"])]
    ]
    share = {"type": "quantitative", "scale": {"domain": [0, 1], "nice": False}}
    share["axis"] = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1], "ticks": False, "domain": False}
    x = {"field": "confidence", **share, "title": "confidence"}
    right = {"field": "right", **share, "title": "right"}
    number, size = {"type": "quantitative"}, {"scale": {"range": [10, 200]}, "legend": None}
    layers = [
        {
            "transform": [{"calculate": "datum.confidence", "as": "right"}],
            "mark": {"type": "line", "stroke": _INK, "strokeWidth": 0.8},
            "encoding": {"x": x, "y": {"field": "right", **number}},
        },
        {
            "transform": [{"calculate": str(threshold), "as": "at"}],
            "mark": {"type": "rule", "strokeDash": [3, 3], "stroke": _INK},
            "encoding": {"x": {"field": "at", "aggregate": "min", **number}},
        },
        {
            "mark": {"type": "rule", "stroke": _BLUE, "strokeWidth": 2, "opacity": 0.45},
            "encoding": {"x": x, "y": {"field": "low", **number}, "y2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "fill": _BLUE, "opacity": 1},
            "encoding": {"x": x, "y": right, "size": {"field": "cells", **number, **size}},
        },
    ]
    header = {"title": None, "labelFontSize": 12, "labelFontWeight": "bold", "labelColor": _INK}
    chart = {
        "data": {"values": rows},
        "facet": {"field": "name", "type": "nominal", "sort": list(held_out), "header": header},
        "columns": min(3, max(len(held_out), 1)),
        "spec": {"layer": layers, "width": _SIZE, "height": _SIZE},
        "config": {
            "font": _FONT,
            "axis": {"labelColor": _INK, "titleColor": _INK, "gridColor": _FAINT, "titleFontWeight": "normal"},
            "view": {"stroke": None},
        },
    }
    fonts = f"'Noto Sans', 'Helvetica Neue', {_FONT.replace(' Sans', '')}, Arial, sans-serif"
    return str(vl_convert.vegalite_to_svg(chart).replace(f'font-family="{_FONT}"', f'font-family="{fonts}"'))
