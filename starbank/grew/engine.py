"""A loaded treebank that answers requests."""

from __future__ import annotations

from typing import Protocol

import duckdb
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
        return self._run(f"SELECT count(*) FROM (\n{plan.sql}\n)", plan).column(0)[0].as_py()

    def warnings(self, request: Request) -> list[str]:
        """Return what in `request` is likely a mistake: features, values and labels that the treebank does not have."""
        return advice(request, self._graph)

    def explain(self, request: Request) -> str:
        """Return the SQL that `request` becomes, and DuckDB's plan for it with the rows that each step yields."""
        plan = compile_request(request, self._graph)
        sql = f"{plan.sql}\nORDER BY {plan.order}"
        analysis = self._run(f"EXPLAIN ANALYZE {sql}", plan)
        return f"{sql}\n\n{analysis.column(analysis.num_columns - 1)[0].as_py()}"

    def _run(self, sql: str, plan: Plan) -> pa.Table:
        for table in sorted(plan.tables):
            self._load(table)
        return self._connection.sql(sql, params=plan.parameters or None).to_arrow_table()

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

    def _matches(self, request: Request, found: pa.Table) -> pa.Table:
        graph = self._graph
        numbers = arrays.integers(graph.rows.numbers)
        found = found.combine_chunks()
        nodes = {
            name: numbers.take(found[f"node_{place}"].combine_chunks()) for place, name in enumerate(request.nodes)
        }
        labels = arrays.texts([label or None for label in graph.labels.compact])
        ends = {
            clause.edge.text: (clause.source, clause.target) for clause in request.pattern.edge_clauses if clause.edge
        }
        edges = {}
        for place, name in enumerate(request.edges):
            source, target = ends[name]
            assert source is not None
            assert target is not None
            label = labels.take(found[f"label_{place}"].combine_chunks())
            parts = [nodes[source.text], label, nodes[target.text]]
            edges[name] = pa.StructArray.from_arrays(parts, ["source", "label", "target"])
        sentences = [graph.sentence_table[name].take(found["sent"]) for name in ("sent", "sent_id")]
        columns = [*sentences, *nodes.values(), *edges.values()]
        return pa.Table.from_arrays(columns, ["sent", "sent_id", *nodes, *edges])
