"""Tests of node features -> SQL conditions on the tables of a graph."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from starbank.grew import syntax
from starbank.grew.bundles import Bundles
from starbank.grew.graph import Graph
from starbank.grew.query import Parameters, all_of, any_of
from starbank.grew.regexps import compile_regexp
from starbank.grew.request import Alternatives
from starbank.grew.values import Values


@dataclass(frozen=True)
class Holder:
    """Where a feature's value is found: a column of `nodes`, or a column of a bundle table.

    `used` are the values that occur there: codes, or numbers where `numeric`.
    """

    table: str | None
    column: str
    used: np.ndarray
    numeric: bool = False


def holders(graph: Graph, feature: str) -> list[Holder]:
    """Return where nodes have `feature`; the first place that has a value counts. Empty for an unknown feature."""
    if feature in graph.columns:
        return [Holder(None, feature, graph.used(feature))]
    bundles: list[tuple[str, Bundles]] = [("feats", graph.feats), ("misc", graph.misc)]
    return [
        Holder(table, bundle.column(feature), values, values.dtype.kind == "f")
        for table, bundle in bundles
        if (values := bundle.columns.get(feature)) is not None
    ]


class FeatureCompiler:
    """Compiles node tests; `tables` collects the bundle tables that the query needs."""

    def __init__(self, graph: Graph, parameters: Parameters, tables: set[str]) -> None:
        self.graph = graph
        self.parameters = parameters
        self.tables = tables

    def alternatives(self, node: str, alternatives: Alternatives) -> str:
        """Return the condition that the row `node` of `nodes` satisfies one of the brackets."""
        return any_of(all_of(self.test(node, test) for test in bracket) for bracket in alternatives)

    def test(self, node: str, test: syntax.FeatureTest) -> str:
        """Return the condition that the row `node` of `nodes` satisfies `test`."""
        if isinstance(test, syntax.Otherwise):
            name, value = test.feature, test.value
            first = self.test(node, syntax.OneOf(name, (value,)))
            absent = self.test(node, syntax.Absent(name))
            second = self.test(node, syntax.OneOf(test.fallback, (test.fallback_value,)))
            return any_of([first, all_of([absent, second])])
        places = holders(self.graph, test.feature.text)
        if not places:
            return "TRUE" if isinstance(test, syntax.Absent) else "FALSE"
        *earlier, last = places
        condition = self.held(node, last, test)
        for place in reversed(earlier):
            present, absent = syntax.Present(test.feature), syntax.Absent(test.feature)
            here = all_of([self.held(node, place, present), self.held(node, place, test)])
            condition = any_of([here, all_of([self.held(node, place, absent), condition])])
        return condition

    def held(self, node: str, holder: Holder, test: syntax.FeatureTest) -> str:
        if holder.table is None:
            return value_test(f"{node}.{holder.column}", holder, test, self.graph.values, self.parameters)
        self.tables.add(holder.table)
        inside = value_test(holder.column, holder, test, self.graph.values, self.parameters)
        if inside in ("TRUE", "FALSE"):
            return inside
        return f"{node}.{holder.table} IN (SELECT code FROM {holder.table} WHERE {inside})"


def value_test(
    column: str, holder: Holder, test: syntax.FeatureTest, values: Values, parameters: Parameters
) -> str:
    """Return the condition that the value in `column` satisfies `test`."""
    present = f"{column} IS NOT NULL" if holder.numeric else f"{column} <> 0"
    match test:
        case syntax.Present():
            return present
        case syntax.Absent():
            return f"{column} IS NULL" if holder.numeric else f"{column} = 0"
        case syntax.OneOf(_, texts):
            return _listed(column, holder, texts, values, parameters)
        case syntax.NoneOf(_, texts):
            listed = _listed(column, holder, texts, values, parameters)
            return present if listed == "FALSE" else all_of([present, f"NOT ({listed})"])
        case syntax.Matches(_, regexp, negated):
            accepts = compile_regexp(regexp)
            wanted: Callable[[str], bool] = (lambda value: not accepts(value)) if negated else accepts
            return parameters.membership(column, values.matching(wanted, holder.used))
    raise AssertionError(test)


def _listed(column: str, holder: Holder, texts: tuple[str, ...], values: Values, parameters: Parameters) -> str:
    if not holder.numeric:
        return parameters.membership(column, values.codes(texts))
    numbers = [float(text) for text in texts]
    inside = ", ".join(repr(number) for number in numbers if math.isfinite(number))
    return f"{column} IN ({inside})" if inside else "FALSE"
