"""How far long work has come: a bar in a terminal, a line every half minute in a log."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm

_SECONDS = 30


def progress(total: int, name: str, unit: str) -> tqdm[Any]:
    """Return a bar for work of so many units; to be used in `with`, and to be told of units done by `update`."""
    from tqdm import tqdm

    pace = {} if sys.stderr.isatty() else {"mininterval": _SECONDS, "delay": _SECONDS}
    return tqdm(total=total, desc=name, unit=unit, **pace)
