"""Accuracies -> tables for papers, in LaTeX with the booktabs package."""

from __future__ import annotations

import pandas as pd

from starbank.analysis.plot import ABOVE, BELOW

_SIGNS = str.maketrans({
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "\n": " "},
})  # fmt: skip
_MARKS = {ABOVE: "$^{+}$", BELOW: "$^{-}$"}
_HEAD = r"""% Accuracy in percent. Bold: the best model of a suite; + and -: above and below chance (95% interval).
% The preamble needs \usepackage{booktabs}.
"""


def accuracy_tex(rows: pd.DataFrame) -> str:
    """Return a table for each dataset and level: a row per suite, a column per model. `rows` as for `figure_svg`."""
    panels = rows.groupby(["dataset", "level"])
    return "\n".join([_HEAD, *(_table(panel, f"{dataset}, {level} level") for (dataset, level), panel in panels)])


def _table(panel: pd.DataFrame, title: str) -> str:
    models = list(dict.fromkeys(panel.sort_values("order")["label"]))
    best = panel.groupby("construction")["accuracy"].transform("max")
    marked = [
        _cell(accuracy, verdict, accuracy == top)
        for accuracy, verdict, top in zip(panel["accuracy"], panel["verdict"], best, strict=True)
    ]
    suites = panel.groupby("construction").agg(items=("wanted", "max"), chance=("chance", "min"))
    suites["chance"] = [f"{100 * chance:.0f}" for chance in suites["chance"]]
    cells = panel.assign(cell=marked).pivot(index="construction", columns="label", values="cell")[models].fillna("--")
    style = suites.join(cells).rename_axis(index=None).style
    style = style.format_index(escape="latex").format_index(escape="latex", axis="columns")
    columns = "l" + "r" * (2 + len(models))
    caption = f"Accuracy (\\%), {title.translate(_SIGNS)}"
    return str(style.to_latex(hrules=True, column_format=columns, caption=caption, position_float="centering"))


def _cell(accuracy: float, verdict: str, best: bool) -> str:
    if pd.isna(accuracy):
        return "--"
    number = f"{100 * accuracy:.1f}"
    return (rf"\textbf{{{number}}}" if best else number) + _MARKS.get(verdict, "")
