"""What stands around a word, as far as grammar minds it: the frame in which only words of the same frame fit."""

from __future__ import annotations

import duckdb


def find_frames(connection: duckdb.DuckDBPyConnection, language: str | None, wanted: bool) -> None:
    """Make the table `frames`, with a row per word if they are `wanted`: `row`, `frame`, `obliques`, `reason`."""
    connection.execute("create temp table frames (row bigint, frame varchar, obliques varchar, reason varchar)")
