"""A file in the folder of queries: a construction, a template, or a suite of others."""

from __future__ import annotations

from pathlib import Path

from starbank.queries.constructions import Construction, read_construction
from starbank.queries.imports import Import, is_import, read_import
from starbank.queries.templates import SUFFIX, Template, read_template

Query = Construction | Template | Import


def is_query(path: Path) -> bool:
    """Tell by its name whether a file in the folder of queries becomes a suite."""
    return path.suffix in (".grew", SUFFIX) or is_import(path)


def read_query(path: Path) -> Query:
    """Read and check a file, by its name; what none is known for is read as a construction.

    Raises `StarbankError` that says where the file is wrong.
    """
    if is_import(path):
        return read_import(path)
    return read_template(path) if path.suffix == SUFFIX else read_construction(path)
