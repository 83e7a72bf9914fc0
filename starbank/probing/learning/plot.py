"""Losses by epoch -> a curve as SVG."""

from __future__ import annotations

import pandas as pd

from starbank.analysis.plot import FAINT, data, layer, nominal, number, title, to_svg

COLOURS = {"training rows": "#8c8c8c", "dev": "#2b7cb3"}
WIDTH, HEIGHT = 320, 190


def learning_svg(losses: pd.DataFrame, name: str) -> str:
    """Return curves of the losses (nats) in `learning.parquet`; a ring is where the weights were kept."""
    named = {"train_loss": "training rows", "dev_loss": "dev"}
    long = losses.rename(columns=named).melt("epoch", list(named.values()), "of", "loss")
    best = losses["epoch"][losses["dev_loss"].idxmin()]
    long["kept"] = (long["of"] == "dev") & (long["epoch"] == best)
    last = int(losses["epoch"].max())
    ticks = {
        "values": list(range(0, last + 1, max(1, -(-last // 12)))),
        "grid": False,
        "format": "d",
        "tickColor": FAINT,
    }
    x = number("epoch", scale={"domain": [0, last], "nice": False}, axis={**ticks, "title": "epoch"})
    y = number("loss", scale={"zero": True}, axis={"title": "loss (nats)", "tickCount": 5, "domain": False})
    scale = {"domain": list(COLOURS), "range": list(COLOURS.values())}
    colour = nominal("of", scale=scale, legend={"title": None, "orient": "top", "symbolType": "stroke"})
    place = {"x": x, "y": y, "color": colour}
    layers = [layer("line", place, strokeWidth=2), layer("point", place, "datum.kept", filled=False, size=70)]
    sizes = {"width": WIDTH, "height": HEIGHT}
    return to_svg({"title": title(name, 13, "bold", 10), "data": data(long), "layer": layers, **sizes})
