"""Tables that may be larger than memory, on disk for as long as they are needed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from starbank.cores import cores

MEMORY = "1GB"


@contextmanager
def scratch() -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection whose tables lie in a temporary file, and which keeps no more than `MEMORY` of them at once."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(Path(folder) / "tables.duckdb") as connection:
        connection.execute(f"set memory_limit = '{MEMORY}'")
        # The file goes away with its folder.
        connection.execute("pragma disable_checkpoint_on_shutdown")
        if number := cores():
            connection.execute(f"set threads = {number}")
        yield connection
