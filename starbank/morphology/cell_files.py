"""Cells that are asked for, from tab-separated files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from starbank.errors import StarbankError
from starbank.treebanks.arrays import integers, table_of
from starbank.treebanks.features import format_features, parse_features

COLUMNS = ("lemma", "upos", "feats", "form", "form feats")
_FEWEST = 3


def read_cells(reference: str) -> pa.Table:
    """Return the cells of a file, or of the standard input for `-`, as `Lexicon.forms` wants them.

    Lines have the columns `COLUMNS`, separated by tabs, the last two of them or not; empty ones and a first one that
    names the columns are passed over. `row` is the number of the line, from 1. Raises `StarbankError` with file and
    line where a line is something else.
    """
    file = Path("<standard input>" if reference == "-" else reference)
    try:
        content = sys.stdin.read() if reference == "-" else file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise StarbankError(f"cannot be read: {error}", file=file) from error
    lines = {at: line.split("\t") for at, line in enumerate(content.splitlines(), start=1) if line.strip()}
    lines = {at: parts for at, parts in lines.items() if at > 1 or parts[0] != COLUMNS[0]}
    hint = f"A line has {', '.join(COLUMNS)} with tabs between; the last two may be missing."
    tables = []
    for at, parts in lines.items():
        place: dict[str, Any] = {"file": file, "line": at, "source": "\t".join(parts)}
        if not (_FEWEST <= len(parts) <= len(COLUMNS) and all(parts[:2])):
            raise StarbankError("asks for no cell", hint=hint, **place)
        try:
            tables.append(cell_table(*parts).set_column(0, "row", integers(np.array([at]))))
        except StarbankError as error:
            raise StarbankError(error.message, hint=error.hint, **place) from error
    return pa.concat_tables(tables) if tables else cell_table("", "", "").slice(1)


def cell_table(lemma: str, upos: str, feats: str, form: str = "", form_feats: str = "") -> pa.Table:
    """Return one cell, of the row 1, as `Lexicon.forms` wants them; raise `StarbankError` for what is no feature."""
    cell = (1, lemma, upos, _features(feats), None, form, _features(form_feats) if form else "")
    return table_of([cell], row=int, lemma=str, upos=str, feats=str, use=str, own_form=str, own_feats=str)


def _features(text: str) -> str:
    try:
        return format_features(parse_features("" if text == "_" else text)) or ""
    except ValueError as error:
        raise StarbankError(f"`{text}` is no feature", hint="Features are written Case=Erg|Number=Sing.") from error
