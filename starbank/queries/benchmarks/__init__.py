"""Benchmarks of pairs that others have published: tables in, paradigms out."""

from starbank.queries.benchmarks.checks import refuse
from starbank.queries.benchmarks.columns import KEYS, KNOWN, Columns
from starbank.queries.benchmarks.paradigms import SUFFIX, Paradigm, read_paradigms, read_tables
from starbank.queries.benchmarks.tables import (
    SUFFIXES,
    kind_of,
    line_of,
    open_text,
    read_columns,
    read_header,
    table_files,
)

__all__ = [
    "KEYS",
    "KNOWN",
    "SUFFIX",
    "SUFFIXES",
    "Columns",
    "Paradigm",
    "kind_of",
    "line_of",
    "open_text",
    "read_columns",
    "read_header",
    "read_paradigms",
    "read_tables",
    "refuse",
    "table_files",
]
