"""A loaded treebank that answers requests."""

from __future__ import annotations

from typing import Protocol

import duckdb
import numpy as np
import pyarrow as pa

from starbank.grew.advice import advice
from starbank.grew.compile import Plan, compile_request
from starbank.grew.graph import Graph
from starbank.grew.query import ADDED_COLUMNS
from starbank.grew.request import Request
from starbank.treebanks import arrays


class Tables(Protocol):
    """What an engine needs of a treebank: the tables of docs/formats.md."""

    @property
    def tokens(self) -> pa.Table:
        """One row per CoNLL-U line."""

    @property
    def sentences(self) -> pa.Table:
        """One row per sentence."""


class Engine:
    """A treebank loaded once, for any number of requests.

    `treebank` is anything with `tokens` and `sentences`, such as `starbank.treebanks.Treebank`.
    """

    def __init__(self, treebank: Tables) -> None:
        """Load `treebank`."""
        self._graph = Graph(treebank.tokens, treebank.sentences)
        self._connection = duckdb.connect(":memory:")
        # The compiler fixes the order of joins, from counts that DuckDB does not have.
        self._connection.execute("SET disabled_optimizers = 'join_order'")
        self._connection.execute("SET preserve_insertion_order = false")
        self._loaded: set[str] = set()
        self._load("nodes")

    def match(self, request: Request) -> pa.Table:
        """Return the matches of `request`, one distinct row each, by sentence and then by nodes.

        Columns: `sent` (int32), `sent_id`, each pattern node (int64, as `node` in the token table), each named edge
        ({`source`: int64, `label`: string, `target`: int64}; the label of an enhanced edge begins with `E:`).
        """
        plan = compile_request(request, self._graph)
        return self._matches(request, self._run(f"{plan.sql}\nORDER BY {plan.order}", plan))

    def count(self, request: Request) -> int:
        """Return the number of matches of `request`."""
        plan = compile_request(request, self._graph)
        return int(self._run(f"SELECT count(*) AS matches FROM (\n{plan.sql}\n)", plan)["matches"][0])

    def warnings(self, request: Request) -> list[str]:
        """Return what in `request` is likely a mistake: features, values and labels that the treebank does not have."""
        return advice(request, self._graph)

    def explain(self, request: Request) -> str:
        """Return the SQL that `request` becomes, and DuckDB's plan for it with the rows that each step yields."""
        plan = compile_request(request, self._graph)
        sql = f"{plan.sql}\nORDER BY {plan.order}"
        return f"{sql}\n\n{self._run(f'EXPLAIN ANALYZE {sql}', plan)['explain_value'][0]}"

    def _run(self, sql: str, plan: Plan) -> dict[str, np.ndarray]:
        for table in sorted(plan.tables):
            self._load(table)
        # Fetching Arrow would plan the query twice.
        return self._connection.execute(sql, plan.parameters or None).fetchnumpy()

    def _load(self, name: str) -> None:
        """Create the DuckDB table `name`, or add its columns to `nodes`, if that is not done yet."""
        if name in self._loaded:
            return
        self._connection.register("incoming", self._graph.table(name))
        if name in ADDED_COLUMNS.values():
            self._connection.execute("CREATE OR REPLACE TABLE nodes AS FROM nodes JOIN incoming USING (id)")
        else:
            self._connection.execute(f"CREATE TABLE {name} AS FROM incoming")
        self._connection.unregister("incoming")
        self._loaded.add(name)

    def _matches(self, request: Request, found: dict[str, np.ndarray]) -> pa.Table:
        graph = self._graph
        numbers = graph.rows.numbers
        columns = {name: arrays.integers(numbers[found[f"node_{place}"]]) for place, name in enumerate(request.nodes)}
        labels = arrays.texts([label or None for label in graph.labels.compact])
        ends = {
            clause.edge.text: (clause.source, clause.target) for clause in request.pattern.edge_clauses if clause.edge
        }
        edges = []
        for place, name in enumerate(request.edges):
            source, target = ends[name]
            assert source is not None
            assert target is not None
            parts = [columns[source.text], arrays.take(labels, found[f"label_{place}"]), columns[target.text]]
            edges.append(pa.StructArray.from_arrays(parts, ["source", "label", "target"]))
        place_of = arrays.integers(found["sent"])
        sentences = [graph.sentence_table[name].take(place_of) for name in ("sent", "sent_id")]
        names = ["sent", "sent_id", *request.nodes, *request.edges]
        return pa.Table.from_arrays([*sentences, *columns.values(), *edges], names)
