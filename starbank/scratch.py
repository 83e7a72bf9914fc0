"""Tables that may be larger than memory, on disk for as long as they are needed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from starbank.cores import cores

MEMORY = "1GB"


@contextmanager
def scratch() -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection that keeps no more than `MEMORY` of its tables, and the others in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        connection.execute("set temp_directory = $folder", {"folder": folder})
        connection.execute(f"set memory_limit = '{MEMORY}'")
        if number := cores():
            connection.execute(f"set threads = {number}")
        yield connection
