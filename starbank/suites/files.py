"""The three files of a suite, written together and read back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from starbank import __version__
from starbank.errors import SuiteError
from starbank.files import read_metadata, read_parquet, write_parquet
from starbank.suites.pairs import pairs
from starbank.suites.provenance import require_columns, require_names
from starbank.suites.schemas import ITEMS, Suite

# Items come last: where a run is killed in between, what is missing or old is the file that readers ask for.
FILES = ("rejected.parquet", "pairs.parquet", "items.parquet")


def write_suite(folder: Path, suite: Suite, provenance: Mapping[str, Any]) -> None:
    """Write `items.parquet`, `pairs.parquet` and `rejected.parquet` into `folder`, each with `provenance`."""
    tables = (suite.rejected, pairs(suite.items), suite.items)
    for name, table in zip(FILES, tables, strict=True):
        write_parquet(table, Path(folder) / name, f"{name.removesuffix('.parquet')}/1", provenance)


def is_fresh(folder: Path, provenance: Mapping[str, Any], files: Sequence[str] = FILES) -> bool:
    """Tell whether `folder` holds a whole suite that this version of Starbank made from what `provenance` says."""
    expected = {"starbank": __version__, **provenance}
    try:
        written = [read_metadata(folder / name) for name in files]
    except (OSError, ValueError):
        return False
    return all({key: metadata.get(key) for key in expected} == expected for metadata in written)


def touch_suite(folder: Path, files: Sequence[str] = FILES) -> None:
    """Give the files of a suite the present time, so that they count as newer than what they were made from."""
    for name in files:
        os.utime(folder / name)


def read_items(paths: Sequence[Path]) -> pa.Table:
    """Return the items of all suites under `paths` as one table (schema `ITEMS`), in the order of the paths.

    A path is an `items.parquet`, the folder of a suite, or a folder of such folders, taken in alphabetical order.
    Raises `SuiteError` where there is none or a file holds something else.
    """
    files = [file for path in paths for file in _items_files(Path(path))]
    return pa.concat_tables([_read(file) for file in files])


def _items_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if (path / "items.parquet").is_file():
        return [path / "items.parquet"]
    files = sorted(path.glob("*/items.parquet"))
    if not files:
        hint = "Give an items.parquet, the folder that holds it, or a folder of such folders."
        raise SuiteError("there are no items here", file=path, hint=hint)
    return files


def _read(file: Path) -> pa.Table:
    try:
        schema = read_metadata(file).get("schema")
        if schema != "items/1":
            raise SuiteError(f"holds {schema or 'no Starbank table'} instead of items/1", file=file)
        items = read_parquet(file).replace_schema_metadata(None)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SuiteError(f"cannot be read as Parquet: {error}", file=file) from error
    require_columns(items.schema, ITEMS, file)
    require_names(items, file)
    return items
