"""Parquet files that are written in a thread of their own, while the treebank is still being read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from starbank.checksums import UNSEALED, seal
from starbank.files import atomic, encode_metadata, require_own

ROW_GROUP = 1 << 16


@contextmanager
def table_file(path: Path, schema: str, rows: int | None = None) -> Iterator[TableFile]:
    """Give the file `path` to be written; it appears when the block ends without an exception, whole and closed.

    `schema` is the name and version of the table (`tokens/1`), `rows` what its row groups are cut to, if to anything.
    """
    require_own(path, schema)
    with atomic(path) as temporary, ThreadPoolExecutor(1) as thread:
        file = TableFile(temporary, schema, rows, thread)
        yield file
        file.wait()


@dataclass
class TableFile:
    """A Parquet file that gets its rows piece by piece and is closed with its provenance."""

    path: Path
    schema: str
    rows: int | None
    thread: ThreadPoolExecutor
    waiting: list[pa.Table] = field(default_factory=list)
    task: Future[None] | None = None
    writer: Any = None

    def add(self, table: pa.Table) -> None:
        """Add rows; they are written as soon as they fill a row group."""
        self.waiting.append(table)
        if sum(map(len, self.waiting)) >= ROW_GROUP:
            self._flush()

    def close(self, provenance: Mapping[str, Any]) -> None:
        """Write what is left, and the metadata as `starbank.files.write_parquet` does."""
        if self.waiting:
            self._flush(last=True)
        self._later(self.writer.add_key_value_metadata, encode_metadata(self.schema, provenance) | UNSEALED)
        self._later(self.writer.close)
        self._later(seal, self.path)

    def wait(self) -> None:
        """Wait until what was begun is done; raises what went wrong with it."""
        if self.task:
            self.task.result()

    def _flush(self, last: bool = False) -> None:
        """Write the rows that wait, or as many as make whole row groups of the size that was asked for."""
        table, self.waiting = pa.concat_tables(self.waiting), []
        size = self.rows or len(table) or 1
        ready = len(table) if last else len(table) // size * size
        # An empty table is written, too, if it is all there is.
        for first in range(0, ready or last, size):
            self._write(table.slice(first, min(size, ready - first)))
        if ready < len(table):
            self.waiting.append(table.slice(ready))

    def _write(self, table: pa.Table) -> None:
        self.writer = self.writer or _open(self.path, table.schema)
        # A dictionary is taken over as it is, if there is only one.
        self._later(self.writer.write_table, table.unify_dictionaries(), len(table) or 1)

    def _later(self, action: Callable[..., None], *arguments: Any) -> None:
        # Whoever reads faster than is written must wait, so that tables do not pile up.
        self.wait()
        self.task = self.thread.submit(action, *arguments)


def _open(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    kinds = dict(leaf for column in schema for leaf in _leaves(column.name, column.type))
    numbers = [path for path, kind in kinds.items() if pa.types.is_integer(kind)]
    return pq.ParquetWriter(
        path,
        schema,
        # Half the time of zstd for a quarter more space.
        compression="snappy",
        use_dictionary=[path for path in kinds if path not in numbers],
        # Numbers that mostly grow are stored as differences; statistics would tell nothing about words.
        column_encoding=dict.fromkeys(numbers, "DELTA_BINARY_PACKED"),
        write_statistics=False,
        # The file knows strings only, whatever they are in memory.
        store_schema=False,
    )


def _leaves(path: str, kind: pa.DataType) -> Iterator[tuple[str, pa.DataType]]:
    """Yield what Parquet calls the columns that a column is stored as, and their types; comments mostly differ."""
    if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
        for field in kind.value_type:
            yield f"{path}.list.element.{field.name}", field.type
    elif not pa.types.is_list(kind):
        yield path, kind
