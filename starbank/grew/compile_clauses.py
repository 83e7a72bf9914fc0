"""Clauses other than node and edge clauses -> SQL conditions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from starbank.grew import syntax
from starbank.grew.bundles import Bundles
from starbank.grew.compile_edges import Edge
from starbank.grew.compile_features import FeatureCompiler, holders
from starbank.grew.graph import Graph
from starbank.grew.names import NUMERIC_FEATURES
from starbank.grew.query import Query, all_of


@dataclass(frozen=True)
class Value:
    """A value that SQL can compare: an expression, the condition that it is present, whether it is a number."""

    sql: str
    present: str
    numeric: bool


ABSENT = Value("0", "FALSE", False)


@dataclass(frozen=True)
class ClauseCompiler:
    """Compiles the clauses of one block, whose relations are in `query` and whose named edges are `edges`."""

    graph: Graph
    features: FeatureCompiler
    query: Query
    edges: dict[str, Edge]

    def condition(self, clause: syntax.Clause) -> str:
        """Return the condition of `clause`, joining what it needs to the query."""
        match clause:
            case syntax.FeatureClause():
                return self._feature(clause)
            case syntax.CompareClause():
                left = self.value(clause.left)
                number = isinstance(clause.right, float)
                right = Value(repr(clause.right), "TRUE", left.numeric) if number else self.value(clause.right)
                return compare(left, clause.comparison, right)
            case syntax.RelationClause():
                return self._relation(clause)
        raise AssertionError(clause)

    # One feature

    def _feature(self, clause: syntax.FeatureClause) -> str:
        owner, test = clause.owner.text, clause.test
        if owner in self.edges:
            return self._edge_test(self.edges[owner], test)
        if owner in ("meta", "global"):
            about = test if owner == "meta" else syntax.Structure(test.feature)
            return self.features.sentence(about, self.query.sent())
        if owner not in self.query.variables:
            return self.features.test(test, lambda column: self.query.column(owner, column))
        self.query.row(owner).where(self.features.test(test), self.features.test_share(test))
        return "TRUE"

    def _edge_test(self, edge: Edge, test: syntax.FeatureTest) -> str:
        if test.feature.text in ("length", "delta"):
            assert isinstance(test, syntax.OneOf)
            comparison = "<>" if test.negated else "="
            return f"{edge_number(edge, test.feature.text)} {comparison} {float(test.values[0])!r}"
        codes = np.flatnonzero(self.graph.labels.holding(test))
        return self.query.parameters.membership(edge.label, codes)

    # Two values

    def value(self, value: syntax.Attribute | syntax.Measure | float) -> Value:
        """Return a value that is compared, joining the tables that it is read from."""
        if isinstance(value, syntax.Attribute):
            return self.attribute(value)
        return Value(self.measure(value) if isinstance(value, syntax.Measure) else repr(value), "TRUE", True)

    def attribute(self, attribute: syntax.Attribute) -> Value:
        """Return the value of `X.f`, joining the tables that it is read from."""
        owner, feature = attribute.owner.text, attribute.feature.text
        if owner in self.edges:
            return self._edge_value(self.edges[owner], feature)
        if owner == "meta":
            return self._bundle_value("metadata", self.graph.metadata, self.query.sent(), feature)
        return self._node_value(owner, feature)

    def _node_value(self, owner: str, feature: str) -> Value:
        if feature == "__id__":
            root = self.query.lookup("sentences", "sent", self.query.sent(), "root")
            return Value(f"({self.query.id(owner)} - {root})", "TRUE", True)
        columns, numeric = [], feature in NUMERIC_FEATURES
        for holder in holders(self.graph, feature):
            if holder.counts is not None:
                columns.append(self.query.column(owner, holder.column))
            else:
                columns.append(self.query.lookup("misc", "code", self.query.column(owner, "misc"), holder.column))
        if not columns:
            return Value("0", "FALSE", numeric)
        sql, *later = columns
        for column in later:
            sql = f"coalesce({sql}, {column})" if numeric else f"if({sql} = 0, {column}, {sql})"
        return Value(sql, f"{sql} IS NOT NULL" if numeric else f"{sql} <> 0", numeric)

    def _edge_value(self, edge: Edge, feature: str) -> Value:
        if feature in ("length", "delta"):
            return Value(edge_number(edge, feature), "TRUE", True)
        return self._bundle_value("labels", self.graph.label_parts, edge.label, feature)

    def _bundle_value(self, table: str, bundles: Bundles, row: str, feature: str) -> Value:
        if feature not in bundles.columns:
            return ABSENT
        sql = self.query.lookup(table, bundles.key, row, bundles.column(feature))
        return Value(sql, f"{sql} <> 0", False)

    # Numbers and order

    def measure(self, measure: syntax.Measure) -> str:
        """Return the SQL of an operator on nodes."""
        ids = [self.query.id(node.text) for node in measure.nodes]
        match measure.operator.text:
            case "delta":
                return f"({ids[1]} - {ids[0]})"
            case "length":
                return f"abs({ids[1]} - {ids[0]})"
            case operator:  # the others are columns of `nodes`
                return self.query.column(measure.nodes[0].text, operator)

    def _relation(self, clause: syntax.RelationClause) -> str:
        left, right = clause.left.text, clause.right.text
        if left in self.edges:
            return span_relation(clause.relation, self.edges[left], self.edges[right])
        first = self.query.id(left)
        if right in self.edges:
            return f"{first} > {self.edges[right].low} AND {first} < {self.edges[right].high}"
        second = self.query.id(right)
        if clause.relation == "<":
            return f"{second} = {first} + 1"
        if clause.relation == "<<":
            return f"{first} < {second}"
        column = self.query.column
        inside = f"{column(right, 'first')} BETWEEN {column(left, 'first')} AND {column(left, 'last')}"
        if len(self.graph.dominance.source) == 0:
            return inside
        self.query.parameters.tables.add("reach")
        pair = f"{first}::BIGINT * {self.graph.node_count} + {second}"
        return f"({inside} OR {pair} IN (SELECT pair FROM reach))"


def compare(left: Value, comparison: str, right: Value) -> str:
    """Return the condition that two values, both present, compare as `comparison` says."""
    both = [left.present, right.present]
    if left.numeric != right.numeric:
        # A number is never the same as a text.
        return all_of([*both, "TRUE" if comparison == "<>" else "FALSE"])
    return all_of([*both, f"{left.sql} {comparison} {right.sql}"])


def edge_number(edge: Edge, feature: str) -> str:
    """Return the length of an edge, or its delta: target position minus source position."""
    return edge.delta if feature == "delta" else f"abs{edge.delta}"


def span_relation(relation: str, first: Edge, second: Edge) -> str:
    """Return the condition on the spans of two edges: disjoint, crossing, or the first inside the second."""
    disjoint = f"({first.high} <= {second.low} OR {second.high} <= {first.low})"
    around = f"({first.low} <= {second.low} AND {second.high} <= {first.high})"
    inside = f"({second.low} <= {first.low} AND {first.high} <= {second.high})"
    match relation:
        case "<>":
            return disjoint
        case "<<":
            return f"NOT {disjoint} AND NOT {around} AND {inside}"
        case _:
            return f"NOT {disjoint} AND NOT {around} AND NOT {inside}"
