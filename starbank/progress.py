"""How far long work has come: a bar in a terminal, a line every half minute in a log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm

_SECONDS = 30


def progress(total: int, name: str, unit: str) -> tqdm[Any]:
    """Return a bar for work of so many units; to be used in `with`, and to be told of units done by `update`."""
    from tqdm import tqdm

    pace = {} if sys.stderr.isatty() else {"mininterval": _SECONDS, "delay": _SECONDS}
    return tqdm(total=total, desc=name, unit=unit, **pace)


@contextmanager
def shown(total: int, name: str, unit: str) -> Iterator[Callable[[int], object]]:
    """Yield what is to be told of units done: on a terminal a bar for work that takes a second, elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from tqdm import tqdm

    with tqdm(total=total, desc=name, unit=unit, unit_scale=True, delay=1, leave=False) as bar:
        yield bar.update
