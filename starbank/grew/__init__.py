"""Grew requests over treebanks: parse, check, compile to SQL, run in DuckDB."""

from starbank.grew.check import parse_request
from starbank.grew.request import Request

__all__ = ["Request", "parse_request"]
