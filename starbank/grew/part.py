"""A part of a treebank, whole sentences: its graph, and the tables that requests run on."""

from __future__ import annotations

import mmap
import pickle
import re
from contextlib import suppress
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from starbank.grew.compile import Plan
from starbank.grew.graph import Graph
from starbank.grew.query import ADDED_COLUMNS

# What a request may be given a stretch of: table -> the column that holds ids of nodes, in corpus order.
STRETCHED = {"nodes": "id", "edges": "source", "sentences": "root"}
Stretch = tuple[int, int]

ALIGNMENT = 64


class Part:
    """A graph whose tables lie in the schema `name` of a database; they are put there when first needed.

    Of `nodes`, which is by far the largest, the first request gets the columns that it needs, the second the others.
    The schema `name_stretch` has views of them: what lies between DuckDB's variables `first` and `last`.
    With a `folder`, the graph's arrays lie in a file there, not in memory.
    """

    def __init__(self, graph: Graph, connection: duckdb.DuckDBPyConnection, name: str, folder: Path | None) -> None:
        """Make the schema."""
        self.graph = graph
        self._connection = connection
        self._name = name
        self._loaded: set[str] = set()
        self._columns: set[str] = set()
        connection.execute(f"CREATE SCHEMA {name}; CREATE SCHEMA {name}_stretch")
        if folder is not None:
            self.graph = spill(graph, folder / name)

    def run(self, sql: str, plan: Plan, stretch: Stretch | None = None) -> dict[str, np.ndarray]:
        """Return the columns that `sql`, made of `plan`, yields for a stretch of nodes (first, last) or for all."""
        # Fetching Arrow would plan the query twice.
        return self._execute(sql, plan, stretch).fetchnumpy()

    def count(self, plan: Plan, stretch: Stretch | None = None) -> int:
        """Return the number of matches in a stretch of nodes (first, last) or in all."""
        # `fetchnumpy` would import NumPy's masked arrays.
        ((number,),) = self._execute(plan.count(), plan, stretch).fetchall()
        return int(number)

    def _execute(self, sql: str, plan: Plan, stretch: Stretch | None) -> duckdb.DuckDBPyConnection:
        if "nodes" in plan.tables:
            self._load_nodes(set(re.findall(r"\w+", sql)))
        for table in sorted(plan.tables - self._loaded):
            self._load(table, self.graph.table(table))
        if stretch is None:
            place = f"SET search_path = '{self._name}'"
        else:
            place = f"SET search_path = '{self._name}_stretch,{self._name}'; "
            place += f"SET VARIABLE first = {stretch[0]}; SET VARIABLE last = {stretch[1]}"
        self._connection.execute(place)
        # A condition that cannot hold may have taken the list with it that it referred to.
        used = {number: plan.parameters[int(number) - 1] for number in re.findall(r"\$(\d+)", sql)}
        return self._connection.execute(sql, used or None)

    def stretch(self, first: int, size: int) -> Stretch:
        """Return the stretch of whole sentences, of about `size` nodes, that begins with the root node `first`."""
        roots = self.graph.rows.roots
        place = max(np.searchsorted(roots, first + size), np.searchsorted(roots, first, side="right"))
        return first, int(roots[place]) - 1 if place < len(roots) else self.graph.node_count - 1

    def _load_nodes(self, words: set[str]) -> None:
        """Create the table of nodes with the columns that are among the `words` of a query, unless it has them."""
        columns = self.graph.node_columns
        needed = words & columns | {"id", "sent"}
        if not needed <= self._columns:
            wanted = columns if self._columns else needed
            self._load("nodes", self.graph.nodes_table(wanted))
            # What was added to the table is lost with it.
            self._loaded -= set(ADDED_COLUMNS.values())
            self._columns = wanted

    def _load(self, name: str, content: pa.Table) -> None:
        """Create the DuckDB table `name`, or add its columns to `nodes`; all or nothing, for it may be interrupted."""
        table = "nodes" if name in ADDED_COLUMNS.values() else name
        stored, view = f"{self._name}.{table}", f"{self._name}_stretch.{table}"
        columns = "FROM incoming" if table == name else f"FROM {stored} POSITIONAL JOIN incoming"
        self._connection.register("incoming", content)
        # Where rows are in corpus order, DuckDB passes over those outside a stretch.
        self._connection.execute("SET preserve_insertion_order = true")
        try:
            self._connection.begin()
            self._connection.execute(f"CREATE OR REPLACE TABLE {stored} AS {columns}")
            if table in STRETCHED:
                stretch = f"{STRETCHED[table]} BETWEEN getvariable('first') AND getvariable('last')"
                self._connection.execute(f"CREATE OR REPLACE VIEW {view} AS FROM {stored} WHERE {stretch}")
            self._connection.commit()
        except BaseException:
            # What was stopped as it began may have no transaction, or an aborted one.
            with suppress(duckdb.TransactionException):
                self._connection.rollback()
            raise
        finally:
            self._connection.execute("SET preserve_insertion_order = false")
            self._connection.unregister("incoming")
        self._loaded.add(name)


def spill(graph: Graph, path: Path) -> Graph:
    """Return a copy of `graph` with all its columns, whose arrays are read-only views of the new file `path`."""
    # Those that have not been made yet would lie in memory.
    graph.columns = dict(graph.columns)
    buffers: list[pickle.PickleBuffer] = []
    skeleton = pickle.dumps(graph, protocol=5, buffer_callback=buffers.append)
    borders: list[tuple[int, int]] = []
    with open(path, "wb") as file:
        for buffer in buffers:
            file.write(b"\0" * (-file.tell() % ALIGNMENT))
            start = file.tell()
            borders.append((start, start + file.write(buffer.raw())))
        file.write(b"\0")  # an empty file cannot be mapped
    with open(path, "rb") as file:
        view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    copy: Graph = pickle.loads(skeleton, buffers=[view[start:end] for start, end in borders])
    return copy
