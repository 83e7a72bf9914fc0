"""A file in the folder of queries: a construction, a template, a suite of others, or a benchmark of pairs."""

from __future__ import annotations

from pathlib import Path

from starbank.queries import benchmarks
from starbank.queries.benchmarks import Paradigm, read_paradigms
from starbank.queries.constructions import Construction, read_construction
from starbank.queries.imports import Import, is_import, read_import
from starbank.queries.templates import SUFFIX, Template, read_template

Query = Construction | Template | Import | Paradigm


def is_query(path: Path) -> bool:
    """Tell by its name whether a file in the folder of queries becomes a suite."""
    return path.suffix in (".grew", SUFFIX, benchmarks.SUFFIX) or is_import(path)


def read_queries(path: Path) -> tuple[Query, ...]:
    """Read and check a file, by its name; what none is known for is read as a construction.

    A file is one query, but for a benchmark, which has one for each of its paradigms. Raises `StarbankError` that says
    where the file is wrong.
    """
    if path.suffix == benchmarks.SUFFIX:
        return read_paradigms(path)
    if is_import(path):
        return (read_import(path),)
    return (read_template(path) if path.suffix == SUFFIX else read_construction(path),)
