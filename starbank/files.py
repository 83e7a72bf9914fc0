"""Products are written whole or not at all, and the same content gives the same bytes."""

from __future__ import annotations

import filecmp
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from starbank import __version__
from starbank.checksums import UNSEALED, check_seal, seal
from starbank.errors import StarbankError, UsageError

METADATA_KEY = b"starbank"
# What Arrow makes a row group of, unasked.
ROW_GROUP = 1 << 20
LEFT = "It was left as it is. Name another place, or remove it first."


@contextmanager
def atomic(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it to `path` when the block ends without an exception.

    Raises `StarbankError` where the file cannot be written (full disk, no permission); nothing is left behind.
    """
    path = Path(path)
    # Always the same name, so that the rerun of a killed job replaces what that one left.
    temporary = path.with_name(f".{path.name}.tmp")
    new_folder = not path.parent.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        message = f"cannot write: {error.strerror or error}"
        raise StarbankError(message, file=path, hint="Free some space or choose another folder with -o.") from error
    finally:
        # Clearing up must not hide what went wrong.
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
            if new_folder and not path.exists():
                path.parent.rmdir()


def write_text(text: str, path: Path) -> None:
    """Write `text` to `path` as UTF-8, atomically."""
    with atomic(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def require_own(path: Path, schema: str) -> None:
    """Raise `UsageError` where `path` holds anything but a table of this schema (`items/1`), which would be lost.

    A damaged table is none that could be lost: it is made anew.
    """
    path = Path(path)
    if not path.exists():
        return
    try:
        present = read_metadata(path).get("schema", "")
    except (pa.ArrowInvalid, OSError, ValueError):
        present = schema if path.is_file() and path.read_bytes()[:4] in (b"", b"PAR1") else ""
    name, kind = (text.partition("/")[0] for text in (schema, present))
    if kind != name:
        content = f"a table of {kind}" if kind else "another file"
        raise UsageError(f"{name} would take the place of {content}", file=path, hint=LEFT)


def require_free(contents: Mapping[Path, str | Path]) -> None:
    """Raise `UsageError` where one of some files is there already with another text than it is about to get.

    The text may be that of another file.
    """
    for path, content in contents.items():
        if path.exists() and not (path.is_file() and _has(path, content)):
            raise UsageError("there is such a file already, with other content", file=path, hint=LEFT)


def _has(path: Path, content: str | Path) -> bool:
    if isinstance(content, Path):
        return filecmp.cmp(path, content, shallow=False)
    return path.read_bytes() == content.encode()


def write_json(value: Any, path: Path) -> None:
    """Write `value` to `path` as indented JSON with sorted keys, atomically."""
    write_text(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n", path)


def failure_file(product: Path) -> Path:
    """Return the file beside a product that says why it could not be made: JSON with `model` and `message`."""
    return product.with_name(f"{product.name}.failed")


def write_parquet(
    table: pa.Table,
    path: Path,
    schema: str,
    provenance: Mapping[str, Any] | None = None,
    others: dict[bytes, bytes] | None = None,
    rows: int | None = None,
) -> None:
    """Write `table` to `path` as zstd Parquet, atomically, byte-identical for identical input; see `require_own`.

    `schema` is the name and version of the table (`items/1`); it and `provenance` go into the file's metadata, and so
    does what is meant for `others` than us, by their keys.
    """
    with parquet_file(path, schema, table.schema, provenance, others, rows) as add:
        add(table)


@contextmanager
def parquet_file(
    path: Path,
    schema: str,
    columns: pa.Schema,
    provenance: Mapping[str, Any] | None = None,
    others: dict[bytes, bytes] | None = None,
    rows: int | None = None,
) -> Iterator[Callable[[pa.Table], None]]:
    """Give what adds tables to a file like that of `write_parquet`, which appears when the block ends."""
    import pyarrow.parquet as pq  # which imports SSL

    require_own(path, schema)
    columns = columns.with_metadata(encode_metadata(schema, provenance or {}) | (others or {}))
    waiting: list[pa.Table] = []
    with atomic(path) as temporary:
        with pq.ParquetWriter(temporary, columns, compression="zstd") as writer:

            def add(table: pa.Table) -> None:
                waiting.append(table)
                if sum(map(len, waiting)) > ROW_GROUP:
                    whole = pa.concat_tables(waiting)
                    ready = len(whole) // ROW_GROUP * ROW_GROUP
                    writer.write_table(whole.slice(0, ready), rows)
                    waiting[:] = [whole.slice(ready)]

            yield add
            writer.write_table(pa.concat_tables(waiting), rows)
            writer.add_key_value_metadata(UNSEALED)
        seal(temporary)


def encode_metadata(schema: str, provenance: Mapping[str, Any]) -> dict[bytes, bytes]:
    """Return what a Parquet file of ours says of itself in its metadata."""
    metadata = {"schema": schema, "starbank": __version__, **provenance}
    return {METADATA_KEY: json.dumps(metadata, ensure_ascii=False, sort_keys=True).encode()}


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the table in the file at `path`, or some of its columns; a column that it lacks is a `KeyError`.

    Raises `DamagedError` where the file is not as it was written.

    Unlike `pyarrow.parquet.read_table` it does not import pandas, which takes longer than most of our commands.
    """
    import pyarrow.parquet as pq  # which imports SSL

    check_seal(path)
    table = pq.ParquetFile(path).read(columns=columns)
    # Arrow passes over columns that are not there.
    return table if columns is None else table.select(columns)


def read_metadata(path: Path) -> dict[str, Any]:
    """Return the metadata that `write_parquet` put into the file at `path`, or an empty dict.

    Raises `DamagedError` where the file is not as it was written, and `ValueError` where somebody else put something
    there that cannot be ours.
    """
    import pyarrow.parquet as pq  # which imports SSL

    check_seal(path)
    metadata = pq.read_schema(path).metadata or {}
    try:
        value = json.loads(metadata.get(METADATA_KEY, b"{}"))
    except RecursionError as error:
        raise ValueError("its metadata is nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("its metadata is no JSON object")
    return value


def sha256(path: Path) -> str:
    """Return the SHA-256 sum of the file at `path` in hexadecimal."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
