"""Edge clauses -> relations.

Where a label can only be that of a basic edge, the edge is read from its target's row of `nodes`, which holds the head
and the label; else from `edges`, which holds enhanced edges too.
"""

from __future__ import annotations

from dataclasses import dataclass

from starbank.grew import syntax
from starbank.grew.graph import Graph
from starbank.grew.query import Query, Relation


@dataclass(frozen=True)
class Edge:
    """A bound edge: SQL expressions for the ids of its ends and the code of its label."""

    source: str
    target: str
    label: str

    def seen_from(self, query: Query) -> Edge:
        """Return the edge as the query of a block reads it."""
        return Edge(query.export(self.source), query.export(self.target), query.export(self.label))

    @property
    def delta(self) -> str:
        """The target's position minus the source's."""
        return f"({self.target} - {self.source})"

    @property
    def low(self) -> str:
        """The lower end."""
        return f"least({self.source}, {self.target})"

    @property
    def high(self) -> str:
        """The higher end."""
        return f"greatest({self.source}, {self.target})"


def add_edge(clause: syntax.EdgeClause, query: Query, graph: Graph) -> tuple[Edge, bool]:
    """Bind the edge of `clause`; return it, and whether a pair of nodes can satisfy the clause in only one way."""
    assert clause.source is not None
    assert clause.target is not None
    source, target = clause.source.text, clause.target.text
    codes = graph.labels.satisfying(clause.label)
    if graph.only_basic(codes):
        if target in query.variables:
            row = query.row(target)
            _restrict(row, codes, graph, query, "head")
            _bind(row, source, "head", target)
            return Edge(f"{row.alias}.head", f"{row.alias}.id", f"{row.alias}.label"), True
        head, label = query.column(target, "head"), query.column(target, "label")
        query.where(_label_condition(label, codes, graph, query, head))
        if source not in query.variables:
            query.where(f"{head} = {query.id(source)}")
        elif source in query.given:
            query.where(f"{head} = {query.given[source]}")
        else:
            query.given[source] = head
        return Edge(head, query.id(target), label), True
    edge = query.relation("edges")
    _restrict(edge, codes, graph, query)
    edge.keys[target] = ["target"]
    _bind(edge, source, "source", target)
    unique = len(codes) == 1 or not graph.edges.parallel
    return Edge(f"{edge.alias}.source", f"{edge.alias}.target", f"{edge.alias}.label"), unique


def add_star(clause: syntax.EdgeClause, query: Query, graph: Graph) -> None:
    """Require that a node has some edge: `X -[…]-> *` or `* -[…]-> X`."""
    codes = graph.labels.satisfying(clause.label)
    name, column = (clause.source, "source") if clause.source else (clause.target, "target")
    assert name is not None
    if not graph.only_basic(codes):
        edge = query.relation("edges")
        _restrict(edge, codes, graph, query)
        edge.keys[name.text] = [column]
    elif clause.source:
        edge = query.relation("nodes")
        _restrict(edge, codes, graph, query, "head")
        edge.keys[name.text] = ["head"]
    else:
        head, label = query.column(name.text, "head"), query.column(name.text, "label")
        query.where(_label_condition(label, codes, graph, query, head))


def _bind(relation: Relation, variable: str, column: str, target: str) -> None:
    if variable == target:
        relation.where(f"{column} = {relation.keys[target][0]}")
    elif column not in relation.keys.setdefault(variable, []):
        relation.keys[variable].append(column)


def _restrict(relation: Relation, codes: list[int], graph: Graph, query: Query, head: str | None = None) -> None:
    relation.where(_label_condition("label", codes, graph, query, head), graph.label_share(codes))


def _label_condition(column: str, codes: list[int], graph: Graph, query: Query, head: str | None) -> str:
    """Return the condition that there is an edge (where `head` may be -1) and that its label is one of `codes`."""
    if len(codes) == len(graph.labels.compact):
        return "TRUE" if head is None else f"{head} >= 0"
    return query.parameters.membership(column, codes)
