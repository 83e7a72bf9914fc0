"""How many cores a process may use: as many as its job was given."""

from __future__ import annotations

import os


def cores() -> int | None:
    """Return the number in `OMP_NUM_THREADS`, None without one: Snakemake sets it to a job's `threads`.

    NumPy and Arrow read it themselves; DuckDB has to be told.
    """
    number = os.environ.get("OMP_NUM_THREADS", "")
    return int(number) if number.isdecimal() and int(number) else None


def hold_cores() -> None:
    """Let DuckDB's shared connection use no more cores than the job was given, which others may need."""
    import duckdb

    if number := cores():
        duckdb.execute(f"set threads = {number}")
