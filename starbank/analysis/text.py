"""Numbers and names as the page prints them."""

from __future__ import annotations

import re

import pandas as pd
from markupsafe import Markup


def percent(share: float) -> str:
    """Return a share as a whole percentage that never rounds to all or nothing.

    >>> [percent(share) for share in (0, 0.002, 0.5, 0.998, 1)]
    ['0%', '1%', '50%', '99%', '100%']
    """
    return f"{round(100 * share) if share in (0, 1) else min(max(round(100 * share), 1), 99)}%"


def sure(p_value: float) -> str:
    """Return a p-value as it is printed.

    >>> [sure(p_value) for p_value in (0.0004, 0.0123, 0.8, float("nan"))]
    ['< 0.001', '0.012', '0.80', '–']
    """
    if pd.isna(p_value):
        return "–"
    return "< 0.001" if p_value < 0.001 else f"{p_value:.{3 if p_value < 0.1 else 2}f}"


def breakable(name: str) -> Markup:
    """Return a name that a browser may break after `/`, `-` and `_`."""
    return Markup("<wbr>").join(re.findall(r".+?[/_-]+(?=.)|.+", name))
