"""A loaded treebank that answers requests."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pyarrow as pa

from starbank.cores import cores
from starbank.grew.advice import advice
from starbank.grew.clusters import cluster
from starbank.grew.compile import Plan, compile_request
from starbank.grew.explain import explain
from starbank.grew.graph import Graph
from starbank.grew.part import Part, Stretch
from starbank.grew.request import Request
from starbank.grew.results import match_schema, to_matches
from starbank.treebanks import Treebank

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine

# A search in pieces begins with few sentences and goes on with as many as give about so many matches.
FIRST_NODES = 100
BATCH_ROWS = 100_000
COUNTED_ROWS = 10_000_000
# Of long sentences and nodes that may be any word there are more matches than fit into memory.
MOST_ROWS = 1_000_000
GROWTH = 4
# What DuckDB may take where a treebank is not held in memory.
MEMORY = "2GB"


class Engine:
    """A treebank loaded once, for any number of requests.

    `treebank` is a treebank or its parts in corpus order, such as `starbank.treebanks.Parts`. A treebank in several
    parts need not fit into memory: each part is loaded when a search first comes to it, and then kept in a temporary
    folder.
    """

    def __init__(self, treebank: Treebank | Sequence[Treebank]) -> None:
        """Make ready to load `treebank`; if it is in one part, load it."""
        self._sources = treebank if isinstance(treebank, Sequence) else [treebank]
        self._folder = tempfile.TemporaryDirectory(prefix="starbank-") if len(self._sources) > 1 else None
        self._connection = duckdb.connect(f"{self._folder.name}/tables.duckdb" if self._folder else ":memory:")
        # The compiler fixes the order of joins, from counts that DuckDB does not have.
        self._connection.execute("SET disabled_optimizers = 'join_order'")
        if number := cores():
            self._connection.execute(f"SET threads = {number}")
        if self._folder:
            self._connection.execute(f"SET memory_limit = '{MEMORY}'")
        else:
            # DuckDB makes it when a result is too large to be sorted in memory, and takes it away again.
            folder = f"{tempfile.gettempdir()}/starbank-{os.getpid()}-{id(self)}"
            self._connection.execute("SET temp_directory = $1", [folder])
        self._loaded: list[Part] = []
        if self._folder is None:
            self._load()

    def match(self, request: Request, limit: int | None = None) -> pa.Table:
        """Return the matches of `request`, one distinct row each, by sentence and then by nodes; the first `limit`.

        Columns: `sent` (int32), `sent_id`, each pattern node (int64, as `node` in the token table), each named edge
        ({`source`: int64, `label`: string, `target`: int64}; the label of an enhanced edge begins with `E:` and is
        null where an edge has none).
        """
        if limit is not None:
            return pa.Table.from_batches(self.batches(request, limit), match_schema(request))
        plans = ((part, compile_request(request, part.graph)) for part in self.parts())
        batches = [to_matches(request, part.graph, _all(part, plan)) for part, plan in plans]
        return pa.Table.from_batches(batches, match_schema(request))

    def batches(self, request: Request, limit: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows of `match` in the same order, piece by piece, as they are found.

        A piece holds some 100 000 matches, and never more than `MOST_ROWS`; the search ends after `limit`.
        """
        remaining = limit
        for part in self.parts():
            plan = compile_request(request, part.graph)
            first, size = 0, FIRST_NODES
            while first < part.graph.node_count:
                stretch, found = part.stretch(first, size), 0
                for columns in _pieces(part, plan, stretch, remaining, len(request.nodes)):
                    batch = to_matches(request, part.graph, columns)
                    if remaining is not None:
                        batch = batch.slice(0, remaining)
                        remaining -= batch.num_rows
                    if batch.num_rows:
                        yield batch
                    if remaining == 0:
                        return
                    found += batch.num_rows
                size = max(1, min(size * GROWTH, size * BATCH_ROWS // max(found, 1)))
                first = stretch[1] + 1

    def count(self, request: Request) -> int:
        """Return the number of matches of `request`."""
        plans = ((part, compile_request(request, part.graph)) for part in self.parts())
        return sum(part.count(plan) for part, plan in plans)

    def counting(self, request: Request) -> Iterator[int]:
        """Yield the number of matches found so far, again and again until all are: the last one is `count`."""
        total = 0
        for part in self.parts():
            plan = compile_request(request, part.graph)
            first, size = 0, FIRST_NODES
            while first < part.graph.node_count:
                stretch = part.stretch(first, size)
                matches = part.count(plan, stretch)
                total += matches
                yield total
                size = max(1, min(size * GROWTH, size * COUNTED_ROWS // max(matches, 1)))
                first = stretch[1] + 1

    def limit_memory(self, amount: str) -> None:
        """Let searches take so much memory, as DuckDB reads it (`1GB`), and as much again on disk.

        What takes more raises `duckdb.OutOfMemoryException`.
        """
        self._connection.execute("SET memory_limit = $1", [amount])
        self._connection.execute("SET max_temp_directory_size = $1", [amount])

    def interrupt(self) -> None:
        """Stop the search that another thread has going here: it raises `duckdb.InterruptException` there."""
        self._connection.interrupt()

    def cluster(self, request: Request, keys: Sequence[str], treebank: str = "") -> pa.Table:
        """Return how many matches of `request` have which values of `keys`: see `clusters.cluster`."""
        return cluster(self, request, keys, treebank)

    def warnings(self, request: Request) -> list[str]:
        """Return what in `request` is likely a mistake: features, values and labels that the treebank does not have.

        Where a treebank is in several parts, those count that searches have come to.
        """
        return common_warnings([advice(request, part.graph) for part in self._loaded or [self._load()]])

    def explain(self, request: Request) -> str:
        """Return the SQL that `request` becomes, and DuckDB's plan for it with the rows that each step yields.

        Where the treebank is in several parts, this is about the first one.
        """
        part = next(self.parts())
        return explain(compile_request(request, part.graph), part)

    def parts(self) -> Iterator[Part]:
        """Yield the parts, loading those that are not yet."""
        for place in range(len(self._sources)):
            yield self._loaded[place] if place < len(self._loaded) else self._load()

    def _load(self) -> Part:
        """Load the next part."""
        number = len(self._loaded)
        source = self._sources[number]
        folder = Path(self._folder.name) if self._folder else None
        self._loaded.append(Part(Graph(source.tokens, source.sentences), self._connection, f"part_{number}", folder))
        return self._loaded[-1]


def _all(part: Part, plan: Plan) -> dict[str, np.ndarray]:
    """Return all matches; none are looked for where the treebank lacks what is asked for."""
    if plan.is_empty:
        return {name: np.empty(0, np.int64) for name in plan.order.split(", ")}
    return part.run(plan.matches(), plan)


def _pieces(
    part: Part, plan: Plan, stretch: Stretch, limit: int | None, nodes: int, bound: tuple[int, ...] = ()
) -> Iterator[dict[str, np.ndarray]]:
    """Yield the matches of a stretch in their order: all at once, or, where they are too many for the memory, those of
    each node that the first of the `nodes` may be, and so on.
    """
    most = min(limit or MOST_ROWS, MOST_ROWS)
    columns = part.run(plan.matches(most + 1, bound), plan, stretch)
    if len(columns["sent"]) <= MOST_ROWS or len(bound) == nodes:
        yield columns
        return
    for node in range(stretch[0], stretch[1] + 1):
        yield from _pieces(part, plan, stretch, limit, nodes, (*bound, node))


def open_engine(name: str, treebank: Treebank) -> Engine | GrewpyEngine:
    """Load a treebank into the engine `starbank`, our own, or `grewpy`, Grew itself where it is installed."""
    if name == "grewpy":
        from starbank.grew.grewpy_engine import GrewpyEngine

        return GrewpyEngine(treebank)
    return Engine(treebank)


def common_warnings(of_parts: Sequence[Sequence[str]]) -> list[str]:
    """Return the warnings that all parts of a treebank give."""
    # What is close to a missing name differs between parts, and is no matter here.
    missing = [{warning.partition(";")[0] for warning in warnings} for warnings in of_parts]
    return [warning for warning in of_parts[0] if all(warning.partition(";")[0] in several for several in missing)]
