"""Checked request -> SQL.

A request's nodes and named edges become table aliases numbered n0, n1, … and e0, e1, …; its strings become codes. So
nothing that a user writes is ever part of the SQL text. A pattern is a join, a `with` block an EXISTS, a `without`
block its negation. Results are sets: DISTINCT is added only where an unnamed edge clause can hold in two ways.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from starbank.grew import syntax
from starbank.grew.compile_clauses import ClauseCompiler
from starbank.grew.compile_features import FeatureCompiler
from starbank.grew.compile_globals import sentence_condition
from starbank.grew.graph import Graph
from starbank.grew.query import Parameters, Select
from starbank.grew.request import CheckedBlock, Request, is_hidden, is_injective


@dataclass(frozen=True)
class Plan:
    """A compiled request: the SQL, its parameters, the tables beyond `nodes` and `edges` that it reads.

    The query yields `sent`, `node_0`, … (ids of the pattern's nodes) and `label_0`, … (codes of its named edges' labels).
    """

    sql: str
    parameters: list[list[int]]
    tables: frozenset[str]
    columns: tuple[str, ...]


@dataclass
class Node:
    """A node variable: where its id and its sentence are read, and whether its row of `nodes` is joined."""

    alias: str
    id: str
    sent: str
    select: Select
    joined: bool

    def row(self) -> str:
        """Return the alias of the node's row of `nodes`, joining it on first use."""
        if not self.joined:
            self.joined = True
            self.select.tables.append(f"nodes {self.alias}")
            self.select.where(f"{self.alias}.id = {self.id}")
        return self.alias


@dataclass
class Scope:
    """The variables that a block sees; `edges` maps edge names to aliases."""

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[str, str] = field(default_factory=dict)
    sent: str | None = None


def compile_request(request: Request, graph: Graph) -> Plan:
    """Compile `request` for the treebank `graph`."""
    return _Compiler(graph).request(request)


class _Compiler:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.parameters = Parameters()
        self.tables: set[str] = set()
        self.features = FeatureCompiler(graph, self.parameters, self.tables)
        self.numbers = count()
        self.distinct = False

    def request(self, request: Request) -> Plan:
        select = Select()
        scope = self.block(request.pattern, Scope(), select)
        if scope.sent is None:
            self.tables.add("sentences")
            select.tables.append("sentences s")
            scope.sent = "s.sent"
        for clause in request.globals:
            select.where(sentence_condition(clause, scope.sent, self.graph, self.parameters))
        for block in request.conditions:
            inner = Select()
            self.block(block, scope, inner)
            existence = inner.existence()
            select.where(existence if block.kind == "with" else f"({existence}) IS NOT TRUE")
        columns = [f"{scope.sent} AS sent"]
        columns += [f"{scope.nodes[name].id} AS node_{place}" for place, name in enumerate(request.nodes)]
        columns += [f"{scope.edges[name]}.label AS label_{place}" for place, name in enumerate(request.edges)]
        names = [column.rpartition(" ")[2] for column in columns]
        distinct = "DISTINCT " if self.distinct else ""
        sql = f"SELECT {distinct}{', '.join(columns)}\n{select.body()}\nORDER BY {', '.join(names)}"
        return Plan(sql, self.parameters.lists, frozenset(self.tables), tuple(names))

    def block(self, block: CheckedBlock, outer: Scope, select: Select) -> Scope:
        """Add the block's joins and conditions to `select`; return what a block inside it sees."""
        scope = Scope(dict(outer.nodes), dict(outer.edges), outer.sent)
        self.join_edges(block, scope, select)
        self.join_nodes(block, scope, select)
        for name, alternatives in block.tests:
            if alternatives == () or () not in alternatives:
                row = scope.nodes[name].row() if alternatives else ""
                select.where(self.features.alternatives(row, alternatives))
        clauses = ClauseCompiler(self.graph, self.parameters, self.tables, self.features, scope, select, self.numbers)
        for edge in block.edge_clauses:
            if edge.source is None or edge.target is None:
                select.where(clauses.star(edge))
        for clause in block.clauses:
            clauses.add(clause)
        self.keep_apart(block, outer, scope, select)
        return scope

    def join_edges(self, block: CheckedBlock, scope: Scope, select: Select) -> None:
        """Join a row of `edges` for each edge clause; a node first met here is read from the edge."""
        for clause in dict.fromkeys(block.edge_clauses):
            if clause.source is None or clause.target is None:
                continue
            alias = f"e{next(self.numbers)}"
            select.tables.append(f"edges {alias}")
            codes = self.graph.labels.satisfying(clause.label)
            select.where(label_condition(f"{alias}.label", codes, self.graph, self.parameters))
            if clause.edge is not None:
                scope.edges[clause.edge.text] = alias
            reported = clause.edge is not None and not is_hidden(clause.edge.text)
            self.distinct |= block.kind == "pattern" and not reported and len(codes) > 1 and self.graph.parallel_edges
            for name, end in ((clause.source, "source"), (clause.target, "target")):
                column = f"{alias}.{end}"
                if name.text in scope.nodes:
                    select.where(f"{column} = {scope.nodes[name.text].id}")
                else:
                    node = Node(f"n{next(self.numbers)}", column, f"{alias}.sent", select, joined=False)
                    scope.nodes[name.text] = node

    def join_nodes(self, block: CheckedBlock, scope: Scope, select: Select) -> None:
        """Join a row of `nodes` for each node without an edge, and tie unconnected parts by their sentence."""
        for name in block.nodes:
            if name not in scope.nodes:
                alias = f"n{next(self.numbers)}"
                select.tables.append(f"nodes {alias}")
                scope.nodes[name] = Node(alias, f"{alias}.id", f"{alias}.sent", select, joined=True)
        outer = [name for name in scope.nodes if name not in block.nodes]
        seen = _closure(outer, block)
        for name in block.nodes:
            if name in seen:
                continue
            sent = scope.nodes[name].sent
            if scope.sent is None:
                scope.sent = sent
            else:
                select.where(f"{sent} = {scope.sent}")
            seen = _closure([*seen, name], block)

    def keep_apart(self, block: CheckedBlock, outer: Scope, scope: Scope, select: Select) -> None:
        """Nodes are different from each other, but for those whose name ends in `$`."""
        earlier = [name for name in outer.nodes if is_injective(name)]
        for name in filter(is_injective, block.nodes):
            for other in earlier:
                select.where(f"{scope.nodes[name].id} <> {scope.nodes[other].id}")
            earlier.append(name)


def _closure(names: list[str], block: CheckedBlock) -> list[str]:
    """Return `names` and all nodes that the block's edges tie to them."""
    reached = dict.fromkeys(names)
    pairs = [(edge.source.text, edge.target.text) for edge in block.edge_clauses if edge.source and edge.target]
    growing = True
    while growing:
        new = {b for a, b in pairs if a in reached} | {a for a, b in pairs if b in reached}
        growing = not new <= reached.keys()
        reached.update(dict.fromkeys(sorted(new)))
    return list(reached)


def label_condition(column: str, codes: list[int], graph: Graph, parameters: Parameters) -> str:
    """Return the condition that a label is one of `codes`, in the shorter of its two forms."""
    total = len(graph.labels.compact)
    if len(codes) == total:
        return "TRUE"
    if total - len(codes) < min(len(codes), 4):
        return f"NOT ({parameters.membership(column, set(range(total)) - set(codes))})"
    return parameters.membership(column, codes)
