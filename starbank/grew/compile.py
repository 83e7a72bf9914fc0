"""Checked request -> SQL.

The pattern is a join, a `with` block a semi-join, a `without` block an anti-join. Nodes and named edges are numbered
and strings are codes, so nothing that a user writes is ever part of the SQL text. Results are sets: DISTINCT is added
only where an unnamed edge clause can hold in two ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starbank.grew.compile_clauses import ClauseCompiler
from starbank.grew.compile_edges import Edge, add_edge, add_star
from starbank.grew.compile_features import FeatureCompiler
from starbank.grew.graph import Graph
from starbank.grew.query import OUTER, Parameters, Query, named
from starbank.grew.request import Alternatives, CheckedBlock, Request, is_hidden, is_injective

# Makes the SQL of a value that each match has, joining what it needs to the pattern.
Key = Callable[[ClauseCompiler], str]


@dataclass(frozen=True)
class Plan:
    """A compiled request: the SQL, how to order it, its parameters, and the tables that it reads.

    The query yields `sent`, `node_0`, … (ids of the pattern's nodes), `label_0`, … (label codes of its named edges).
    It `is_empty` where it asks for what the treebank does not have, so that nobody need run it.
    """

    sql: str
    order: str
    parameters: list[list[int]]
    tables: frozenset[str]
    is_empty: bool = False

    def matches(self, limit: int | None = None, bound: Sequence[int] = ()) -> str:
        """Return the SQL of the matches in their order, or of the first `limit`; of those only whose first nodes are
        the `bound` ones.
        """
        these = " AND ".join(f"node_{place} = {node}" for place, node in enumerate(bound))
        sql = f"FROM (\n{self.sql}\n) WHERE {these}" if these else self.sql
        return f"{sql}\nORDER BY {self.order}" + (f"\nLIMIT {limit}" if limit is not None else "")

    def count(self) -> str:
        """Return the SQL of the number of matches, as `matches`."""
        return f"SELECT count(*) AS matches FROM (\n{self.sql}\n)"


def compile_request(request: Request, graph: Graph, keys: Sequence[Key] = ()) -> Plan:
    """Compile `request` for the treebank `graph`; its query yields the values of `keys` too, as `key_0`, …"""
    return _Compiler(graph).request(request, keys)


class _Compiler:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.parameters = Parameters()
        self.features = FeatureCompiler(graph, self.parameters)
        self.distinct = False

    def request(self, request: Request, keys: Sequence[Key]) -> Plan:
        pattern = Query(self.graph.sizes, self.parameters)
        edges = self.block(request.pattern, pattern, {}, ())
        pattern.sent()
        pattern.sentence_filters = [self.features.sentence(clause, "sent") for clause in request.globals]
        blocks: list[tuple[str, Query]] = []
        for clause in request.pattern.edge_clauses:
            if clause.source is None or clause.target is None:
                blocks.append(("with", Query(self.graph.sizes, self.parameters, pattern)))
                add_star(clause, blocks[-1][1], self.graph)
        for block in request.conditions:
            query = Query(self.graph.sizes, self.parameters, pattern)
            self.block(block, query, edges, request.nodes)
            # What nothing in the treebank can be refuses nothing.
            if block.kind == "with" or not query.is_empty:
                blocks.append((block.kind, query))
        names = ["sent", *(f"node_{place}" for place, _ in enumerate(request.nodes))]
        names += [f"label_{place}" for place, _ in enumerate(request.edges)]
        results = [pattern.sent(), *map(pattern.id, request.nodes), *(edges[name].label for name in request.edges)]
        clauses = ClauseCompiler(self.graph, self.features, pattern, edges)
        names += [f"key_{place}" for place, _ in enumerate(keys)]
        results += [key(clauses) for key in keys]
        return Plan(
            self.sql(pattern, blocks, names, results),
            ", ".join(names),
            self.parameters.lists,
            frozenset(self.parameters.tables),
            pattern.is_empty or any(kind == "with" and query.is_empty for kind, query in blocks),
        )

    def block(
        self, block: CheckedBlock, query: Query, outer_edges: dict[str, Edge], outer_nodes: tuple[str, ...]
    ) -> dict[str, Edge]:
        """Add the block's relations and conditions to `query`; return the named edges that it sees."""
        query.variables = set(block.nodes)
        edges = {name: edge.seen_from(query) for name, edge in outer_edges.items()}
        for edge_clause in dict.fromkeys(block.edge_clauses):
            if edge_clause.source is not None and edge_clause.target is not None:
                edge, unique = add_edge(edge_clause, query, self.graph)
                name = edge_clause.edge.text if edge_clause.edge else ""
                self.distinct |= query.outer is None and not unique and (not name or is_hidden(name))
                edges |= {name: edge} if name else {}
            elif query.outer is not None:
                add_star(edge_clause, query, self.graph)
        for name, alternatives in block.tests:
            if alternatives == ():
                query.where("FALSE")
            elif () not in alternatives:
                self.test_node(name, alternatives, query)
        if block.kind == "without" and query.is_empty:
            return edges
        for name in block.nodes:
            query.id(name)  # joins the row of a node that no edge and no test has joined yet
        clauses = ClauseCompiler(self.graph, self.features, query, edges)
        for clause in block.clauses:
            query.where(clauses.condition(clause))
        earlier = [name for name in outer_nodes if is_injective(name)]
        for name in filter(is_injective, block.nodes):
            for node in earlier:
                query.where(f"{query.id(name)} <> {query.id(node)}")
            earlier.append(name)
        return edges

    def test_node(self, name: str, alternatives: Alternatives, query: Query) -> None:
        if name in query.variables:
            query.row(name).where(self.features.alternatives(alternatives), self.features.share(alternatives))
        else:
            query.where(self.features.alternatives(alternatives, lambda column: query.column(name, column)))

    # Putting it together

    def sql(self, pattern: Query, blocks: list[tuple[str, Query]], names: list[str], results: list[str]) -> str:
        """Return the query for the expressions `results` under their `names`."""
        tests, joins, nested = self.sort(blocks)
        exports = pattern.exports

        def inline(text: str) -> str:
            """Put the pattern's own expressions in the place of `m.c0`, `m.c1`, …"""
            return re.sub(rf"\b{OUTER}\.c(\d+)\b", lambda column: exports[int(column[1])], text)

        conditions = [*pattern.conditions, *map(inline, tests)]
        body = "\n".join(["FROM " + pattern.joins(), *map(inline, joins)])
        body += f"\nWHERE {' AND '.join(conditions)}" if conditions else ""
        select = "SELECT DISTINCT" if self.distinct else "SELECT"
        if not nested:
            columns = ", ".join(f"{result} AS {name}" for result, name in zip(results, names, strict=True))
            return named(f"{select} {columns}\n{body}")
        exports += [result for result in dict.fromkeys(results) if result not in exports]
        columns = ", ".join(f"{expression} AS c{place}" for place, expression in enumerate(exports))
        outputs = ", ".join(f"c{exports.index(result)} AS {name}" for result, name in zip(results, names, strict=True))
        inner = f"WITH {OUTER} AS MATERIALIZED (\nSELECT {columns}\n{body}\n)"
        return named("\n".join([inner, f"{select} {outputs}", f"FROM {OUTER}", *nested]))

    def sort(self, blocks: list[tuple[str, Query]]) -> tuple[list[str], list[str], list[str]]:
        """Return the blocks as conditions, as joins with one relation, and as joins with extended matches."""
        tests: list[str] = []
        joins: list[str] = []
        nested: list[str] = []
        for kind, query in blocks:
            join = "SEMI JOIN" if kind == "with" else "ANTI JOIN"
            if not query.relations:
                condition = " AND ".join(query.conditions) or "TRUE"
                tests.append(f"({condition})" if kind == "with" else f"({condition}) IS NOT TRUE")
            elif len(query.relations) == 1:
                joins.append(self.direct(join, query))
            else:
                nested.append(self.nested(join, query, f"b{len(nested)}"))
        return tests, joins, nested

    def direct(self, join: str, query: Query) -> str:
        """Return the semi- or anti-join with the only relation of a block."""
        links = query.joins().partition("\n")[2].removeprefix("JOIN ")
        return f"{join} {' AND '.join([links, *query.conditions])}"

    def nested(self, join: str, query: Query, alias: str) -> str:
        """Return the semi- or anti-join with the rows of the pattern that the block extends."""
        conditions = f"\nWHERE {' AND '.join(query.conditions)}" if query.conditions else ""
        body = query.joins() + conditions
        columns = ", ".join(f"{OUTER}.{name} AS {name}" for name in query.read)
        links = " AND ".join(f"{alias}.{name} = {OUTER}.{name}" for name in query.read)
        return f"{join} (\nSELECT {columns}\nFROM {body}\n) {alias} ON {links}"
