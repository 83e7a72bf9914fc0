"""Tests of node features -> SQL conditions on the tables of a graph."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from starbank.grew import syntax
from starbank.grew.graph import Graph
from starbank.grew.labels import holding
from starbank.grew.query import Parameters, all_of, any_of
from starbank.grew.regexps import compile_regexp
from starbank.grew.request import Alternatives

# The part of the nodes that a test of a MISC feature is supposed to leave, for want of counts.
MISC_SHARE = 0.2


@dataclass(frozen=True)
class Holder:
    """Where a feature's value is found: a column of `nodes`, or of `misc` (by the code in `nodes.misc`).

    `used` are the values that occur there: codes, or numbers where `numeric`; `counts` how often each code does.
    """

    column: str
    used: np.ndarray
    numeric: bool
    counts: np.ndarray | None


def holders(graph: Graph, feature: str) -> list[Holder]:
    """Return where nodes have `feature`; the first place that has a value counts. Empty for an unknown feature."""
    if feature in graph.columns:
        return [Holder(feature, graph.used(feature), False, graph.counts(feature))]
    places = []
    for bundles in graph.bundles(feature):
        values = bundles.columns[feature]
        numeric = values.dtype.kind == "f"
        counts = None if bundles is not graph.feats else np.zeros(0) if numeric else graph.counts(feature)
        places.append(Holder(bundles.column(feature), values, numeric, counts))
    return places


@dataclass(frozen=True)
class FeatureCompiler:
    """Compiles node tests; a `place` turns the name of a column of `nodes` into SQL."""

    graph: Graph
    parameters: Parameters

    def alternatives(self, alternatives: Alternatives, place: Callable[[str], str] = str) -> str:
        """Return the condition that a row of `nodes` satisfies one of the brackets."""
        return any_of(all_of(self.test(test, place) for test in bracket) for bracket in alternatives)

    def test(self, test: syntax.FeatureTest, place: Callable[[str], str] = str) -> str:
        """Return the condition that a row of `nodes` satisfies `test`."""
        if isinstance(test, syntax.Otherwise):
            first = self.test(syntax.OneOf(test.feature, (test.value,)), place)
            second = self.test(syntax.OneOf(test.fallback, (test.fallback_value,)), place)
            return any_of([first, all_of([self.test(syntax.Absent(test.feature), place), second])])
        condition = "TRUE" if isinstance(test, syntax.Absent) else "FALSE"
        for number, holder in enumerate(reversed(holders(self.graph, test.feature.text))):
            fits = self._fits(holder, test, place)
            if number:
                present = self._fits(holder, syntax.Present(test.feature), place)
                absent = self._fits(holder, syntax.Absent(test.feature), place)
                fits = any_of([all_of([present, fits]), all_of([absent, condition])])
            condition = fits
        return condition

    def _fits(self, holder: Holder, test: syntax.FeatureTest, place: Callable[[str], str]) -> str:
        if holder.counts is not None:
            return self.value_test(place(holder.column), holder, test)
        self.parameters.tables.add("misc")
        inside = self.value_test(holder.column, holder, test)
        return inside if inside in ("TRUE", "FALSE") else f"{place('misc')} IN (SELECT code FROM misc WHERE {inside})"

    def value_test(self, column: str, holder: Holder, test: syntax.FeatureTest) -> str:
        """Return the condition that the value in `column` satisfies `test`."""
        present = f"{column} IS NOT NULL" if holder.numeric else f"{column} <> 0"
        match test:
            case syntax.Present():
                return present
            case syntax.Absent():
                return f"{column} IS NULL" if holder.numeric else f"{column} = 0"
            case syntax.OneOf(feature, texts, True):
                listed = self.value_test(column, holder, syntax.OneOf(feature, texts))
                return present if listed == "FALSE" else all_of([present, f"NOT ({listed})"])
            case syntax.OneOf(_, texts) if holder.numeric:
                return _numbers(column, texts)
            case syntax.OneOf() | syntax.Matches():
                return self.parameters.membership(column, self.codes(holder, test))
        raise AssertionError(test)

    def codes(self, holder: Holder, test: syntax.FeatureTest) -> np.ndarray:
        """Return the codes of the values that satisfy `test`, which asks for some value."""
        # Requests over one treebank tend to repeat their tests, and a regular expression is tried on every value.
        cache, key = self.graph.satisfying_codes, (holder.column, holder.counts is None, test)
        if key not in cache:
            cache[key] = self._codes(holder, test)
        return cache[key]

    def _codes(self, holder: Holder, test: syntax.FeatureTest) -> np.ndarray:
        values = self.graph.values
        match test:
            case syntax.Matches(_, regexp, negated):
                return values.matching(compile_regexp(regexp), np.unique(holder.used), negated)
            case syntax.OneOf(_, texts, False):
                return np.array(values.codes(texts), np.int64)
        excluded = values.codes(test.values) if isinstance(test, syntax.OneOf) else []
        return np.setdiff1d(np.unique(holder.used), [0, *excluded])

    def sentence(self, clause: syntax.GlobalClause, sent: str) -> str:
        """Return the condition that the sentence `sent` (a SQL expression) satisfies `clause`."""
        if isinstance(clause, syntax.Structure):
            name = clause.name.text
            holds = self.graph.structure[name.removeprefix("is_").removeprefix("not_")]
            sentences = ~holds if name.startswith("is_not_") else holds
        else:
            comments, absent = self.graph.comments, [None] * len(self.graph.rows.roots)
            sentences = holding(clause, lambda key: comments.get(key, absent))
        return "TRUE" if sentences.all() else self.parameters.membership(sent, np.flatnonzero(sentences))

    def share(self, alternatives: Alternatives) -> float:
        """Estimate the part of all nodes that satisfies one of the brackets."""
        return min(1.0, sum(math.prod(map(self.test_share, bracket)) for bracket in alternatives))

    def test_share(self, test: syntax.FeatureTest) -> float:
        """Estimate the part of all nodes that satisfies `test`."""
        places = holders(self.graph, test.feature.text)
        if not places:
            return 1.0 if isinstance(test, syntax.Absent) else 0.0
        holder = places[0]
        if holder.counts is None or holder.numeric or isinstance(test, syntax.Otherwise):
            return MISC_SHARE
        if isinstance(test, syntax.Absent):
            return float(holder.counts[0]) / max(self.graph.node_count, 1)
        codes = self.codes(holder, test)
        return float(holder.counts[codes[codes < len(holder.counts)]].sum()) / max(self.graph.node_count, 1)


def _numbers(column: str, texts: tuple[str, ...]) -> str:
    numbers = [float(text) for text in texts]
    inside = ", ".join(repr(number) for number in numbers if math.isfinite(number))
    return f"{column} IN ({inside})" if inside else "FALSE"
