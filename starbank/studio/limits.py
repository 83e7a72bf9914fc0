"""What a visitor may use of the machine where the page is open to all, `--public`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a visitor may use.

    `seconds` for an answer; `at_once` so many answers are worked on, and `waiting` so many questions may wait for
    their turn; `rows` matches in a file; `tried` matches of a construction; `memory` of a search, as DuckDB reads it.
    """

    seconds: float = 20
    at_once: int = 2
    waiting: int = 20
    rows: int = 10_000
    tried: int = 300
    memory: str = "1GB"
