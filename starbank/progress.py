"""How far long work has come: a bar in a terminal, a line every half minute in a log, and whoever else listens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm

_SECONDS = 30

# Is told how much is done, and of how much, None where that is not known.
Listener = Callable[[int, int | None], object]
_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def told_to(listener: Listener) -> Iterator[None]:
    """Let `listener` be told of what is downloaded meanwhile; what it raises ends the download."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@contextmanager
def downloading(total: int | None, name: str) -> Iterator[Callable[[int], object]]:
    """Yield what is to be told of bytes that have come: a bar on a terminal, and who listens."""
    from tqdm import tqdm

    listener, come = _LISTENER.get(), 0
    with tqdm(desc=name, total=total, unit="B", unit_scale=True, leave=False, disable=None) as bar:

        def tell(size: int) -> None:
            nonlocal come
            come += size
            bar.update(size)
            if listener:
                listener(come, total)

        yield tell


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
