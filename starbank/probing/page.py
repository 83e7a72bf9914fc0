"""Probes -> one self-contained page: the figures at a glance, layers beside one another, curves."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from starbank.analysis.report import HERE as REPORT
from starbank.analysis.text import breakable, percent

_OVER_SEEDS = {
    **dict.fromkeys(("test_accuracy", "control_accuracy", "selectivity", "majority_accuracy"), "mean"),
    **dict.fromkeys(("code_length", "control_code_length", "compression"), "mean"),
    **dict.fromkeys(("classes", "test_rows", "chosen", "dealt"), "first"),
}


def page(probes: pd.DataFrame, curves: str) -> str:
    """Return the page as HTML: `probes` has the columns of probes.parquet, of one model; `curves` is its plot (SVG).

    Figures are means over seeds, but for codes, which are of the first.
    """
    by = ["treebank", "task", "layer"]
    layers = probes.groupby(by, sort=False, as_index=False).agg(_OVER_SEEDS)
    return _template().render(
        style=Markup((REPORT / "report.css").read_text(encoding="utf-8")),
        model=probes["model"].iloc[0],
        seeds=probes["seed"].nunique(),
        chosen=layers[layers["chosen"]],
        layers=[(key, rows.sort_values("layer")) for key, rows in layers.groupby(by[:2], sort=False)],
        numbers=sorted(layers["layer"].unique()),
        most=max(layers["selectivity"].abs().max(), 0.01),
        curves=Markup(curves),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= {"percent": percent, "breakable": breakable, "number": "{:,}".format}
    return environment.get_template("page.html.jinja")
