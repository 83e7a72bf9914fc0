"""Clauses other than node and edge clauses -> SQL conditions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starbank.grew import syntax
from starbank.grew.check_features import is_numeric
from starbank.grew.compile_features import FeatureCompiler, holders
from starbank.grew.compile_globals import sentence_condition
from starbank.grew.graph import Graph
from starbank.grew.query import Parameters, Select, all_of

if TYPE_CHECKING:
    from starbank.grew.compile import Scope


@dataclass(frozen=True)
class Value:
    """A value that SQL can compare: an expression, the condition that it is present, whether it is a number."""

    sql: str
    present: str
    numeric: bool


class ClauseCompiler:
    """Adds the conditions of one block's clauses to its `select`."""

    def __init__(
        self,
        graph: Graph,
        parameters: Parameters,
        tables: set[str],
        features: FeatureCompiler,
        scope: Scope,
        select: Select,
        numbers: Iterator[int],
    ) -> None:
        self.graph = graph
        self.parameters = parameters
        self.tables = tables
        self.features = features
        self.scope = scope
        self.select = select
        self.numbers = numbers

    def add(self, clause: syntax.Clause) -> None:
        """Add the condition of `clause`."""
        match clause:
            case syntax.FeatureClause():
                self.select.where(self.feature(clause))
            case syntax.CompareClause():
                self.select.where(compare(self.value(clause.left), clause.comparison, self.value(clause.right)))
            case syntax.NumberClause():
                left = self.value(clause.left)
                self.select.where(all_of([left.present, f"{left.sql} {clause.comparison} {clause.number!r}"]))
            case syntax.MeasureClause():
                right = str(clause.right) if isinstance(clause.right, int) else self.measure(clause.right)
                self.select.where(f"{self.measure(clause.left)} {clause.comparison} {right}")
            case syntax.RelationClause():
                self.select.where(self.relation(clause))

    def star(self, clause: syntax.EdgeClause) -> str:
        """Return the condition that a node has some edge, `X -[…]-> *` or `* -[…]-> X`."""
        from starbank.grew.compile import label_condition

        alias = f"e{next(self.numbers)}"
        name, end = (clause.source, "source") if clause.source else (clause.target, "target")
        assert name is not None
        codes = self.graph.labels.satisfying(clause.label)
        label = label_condition(f"{alias}.label", codes, self.graph, self.parameters)
        condition = all_of([f"{alias}.{end} = {self.scope.nodes[name.text].id}", label])
        return f"EXISTS (SELECT 1 FROM edges {alias} WHERE {condition})"

    # One feature

    def feature(self, clause: syntax.FeatureClause) -> str:
        owner, test = clause.owner.text, clause.test
        if owner in self.scope.nodes:
            return self.features.test(self.scope.nodes[owner].row(), test)
        if owner in self.scope.edges:
            return self.edge_test(self.scope.edges[owner], test)
        assert self.scope.sent is not None
        structure = syntax.Structure(test.feature) if owner == "global" else test
        return sentence_condition(structure, self.scope.sent, self.graph, self.parameters)

    def edge_test(self, alias: str, test: syntax.FeatureTest) -> str:
        from starbank.grew.compile import label_condition

        if test.feature.text in ("length", "delta"):
            assert isinstance(test, syntax.OneOf | syntax.NoneOf)
            comparison = "=" if isinstance(test, syntax.OneOf) else "<>"
            return f"{edge_number(alias, test.feature.text)} {comparison} {float(test.values[0])!r}"
        labels = self.graph.labels
        codes = [code for code in range(len(labels.compact)) if labels.holds(code, test)]
        return label_condition(f"{alias}.label", codes, self.graph, self.parameters)

    # Two values

    def value(self, attribute: syntax.Attribute) -> Value:
        """Return the value of `X.f`, joining the tables that it is read from."""
        owner, feature = attribute.owner.text, attribute.feature.text
        if owner in self.scope.nodes:
            return self.node_value(owner, feature)
        if owner in self.scope.edges:
            return self.edge_value(self.scope.edges[owner], feature)
        return self.metadata_value(feature)

    def node_value(self, owner: str, feature: str) -> Value:
        node = self.scope.nodes[owner]
        if feature == "__id__":
            self.tables.add("sentences")
            alias = self.join("sentences", "sent", node.sent)
            return Value(f"({node.id} - {alias}.root)", "TRUE", True)
        columns, numeric = [], False
        for holder in holders(self.graph, feature):
            numeric = holder.numeric
            if holder.table is None:
                columns.append(f"{node.row()}.{holder.column}")
            else:
                self.tables.add(holder.table)
                alias = self.join(holder.table, "code", f"{node.row()}.{holder.table}")
                columns.append(f"{alias}.{holder.column}")
        if not columns:
            return Value("0", "FALSE", is_numeric("node", feature))
        sql, *others = columns
        for other in others:
            sql = f"coalesce({sql}, {other})" if numeric else f"if({sql} = 0, {other}, {sql})"
        return Value(sql, f"{sql} IS NOT NULL" if numeric else f"{sql} <> 0", numeric)

    def edge_value(self, alias: str, feature: str) -> Value:
        if feature in ("length", "delta"):
            return Value(edge_number(alias, feature), "TRUE", True)
        names = ["label", *self.graph.label_features]
        if feature not in names:
            return Value("0", "FALSE", False)
        self.tables.add("labels")
        sql = f"{self.join('labels', 'code', f'{alias}.label')}.f{names.index(feature)}"
        return Value(sql, f"{sql} <> 0", False)

    def metadata_value(self, key: str) -> Value:
        assert self.scope.sent is not None
        column = self.graph.metadata.column(key)
        if column is None:
            return Value("0", "FALSE", False)
        self.tables.add("metadata")
        sql = f"{self.join('metadata', 'sent', self.scope.sent)}.{column}"
        return Value(sql, f"{sql} <> 0", False)

    def join(self, table: str, key: str, value: str) -> str:
        """Join the row of `table` whose `key` is `value`, once for each value; return its alias."""
        condition = f"{key} = {value}"
        for known in self.select.tables:
            name, _, alias = known.partition(" ")
            if name == table and f"{alias}.{condition}" in self.select.conditions:
                return alias
        alias = f"t{next(self.numbers)}"
        self.select.tables.append(f"{table} {alias}")
        self.select.where(f"{alias}.{condition}")
        return alias

    # Numbers and order

    def measure(self, measure: syntax.Measure) -> str:
        """Return the SQL of an operator on nodes."""
        ids = [self.scope.nodes[node.text].id for node in measure.nodes]
        match measure.operator.text:
            case "delta":
                return f"({ids[1]} - {ids[0]})"
            case "length":
                return f"abs({ids[1]} - {ids[0]})"
            case operator:
                self.tables.add("shapes")
                return f"{self.join('shapes', 'id', ids[0])}.{operator}"

    def relation(self, clause: syntax.RelationClause) -> str:
        left, right = clause.left.text, clause.right.text
        nodes, edges = self.scope.nodes, self.scope.edges
        if left in edges:
            return span_relation(clause.relation, edges[left], edges[right])
        if right in edges:
            return f"{nodes[left].id} > {low(edges[right])} AND {nodes[left].id} < {high(edges[right])}"
        first, second = nodes[left].id, nodes[right].id
        if clause.relation == "<":
            # The next number may be the root of the next sentence: the sentences must be the same one.
            return f"{second} = {first} + 1 AND {nodes[left].sent} = {nodes[right].sent}"
        if clause.relation == "<<":
            return f"{first} < {second}"
        return self.dominates(first, second)

    def dominates(self, first: str, second: str) -> str:
        """Return the condition that the node `first` dominates `second`, or is it."""
        self.tables.add("spans")
        upper, lower = self.join("spans", "id", first), self.join("spans", "id", second)
        inside = f"{lower}.first BETWEEN {upper}.first AND {upper}.last"
        if len(self.graph.dominance.source) == 0:
            return inside
        self.tables.add("reach")
        return f"({inside} OR ({first}, {second}) IN (SELECT (source, target) FROM reach))"


def compare(left: Value, comparison: str, right: Value) -> str:
    """Return the condition that two values, both present, compare as `comparison` says."""
    both = [left.present, right.present]
    if left.numeric != right.numeric:
        # A number is never the same as a text.
        return all_of([*both, "TRUE" if comparison == "<>" else "FALSE"])
    return all_of([*both, f"{left.sql} {comparison} {right.sql}"])


def low(edge: str) -> str:
    """Return the lower end of an edge."""
    return f"least({edge}.source, {edge}.target)"


def high(edge: str) -> str:
    """Return the higher end of an edge."""
    return f"greatest({edge}.source, {edge}.target)"


def edge_number(edge: str, feature: str) -> str:
    """Return the length of an edge, or its delta: target position minus source position."""
    delta = f"({edge}.target - {edge}.source)"
    return delta if feature == "delta" else f"abs{delta}"


def span_relation(relation: str, first: str, second: str) -> str:
    """Return the condition on the spans of two edges: disjoint, crossing, or the first inside the second."""
    disjoint = f"({high(first)} <= {low(second)} OR {high(second)} <= {low(first)})"
    around = f"({low(first)} <= {low(second)} AND {high(second)} <= {high(first)})"
    inside = f"({low(second)} <= {low(first)} AND {high(first)} <= {high(second)})"
    match relation:
        case "<>":
            return disjoint
        case "<<":
            return f"NOT {disjoint} AND NOT {around} AND {inside}"
        case _:
            return f"NOT {disjoint} AND NOT {around} AND NOT {inside}"
