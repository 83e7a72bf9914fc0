"""What is allowed in a request and yet likely a mistake: names and values that the treebank does not have.

A name that UD defines is no slip of the pen: it is passed over where the request can hold without it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator

import numpy as np

from starbank.grew import syntax
from starbank.grew.graph import Graph
from starbank.grew.labels import parse_label
from starbank.grew.names import UD_FEATURES, UD_RELATIONS, UD_UPOS
from starbank.grew.request import CheckedBlock, Request
from starbank.grew.syntax import Name

# Features with few values, of which an unknown one is worth a word; any word may be missing from a treebank.
CLOSED_COLUMNS = ("upos", "xpos")
RELATIONS = ("label", "1")
INTERNAL = ("__id__", "__out__", "__RAW_MISC__")


def advice(request: Request, graph: Graph) -> list[str]:
    """Return a warning for each feature, value and label that the treebank lacks, with the closest that it has."""
    warnings = []
    for block in (request.pattern, *request.conditions):
        needed = block.kind != "without"
        for test in _tests(block):
            warnings += _about_feature(test.feature, graph, needed and not isinstance(test, syntax.Absent))
            if isinstance(test, syntax.OneOf | syntax.NoneOf):
                warnings += _about_values(test, graph, needed and isinstance(test, syntax.OneOf))
        for clause in block.edge_clauses:
            if isinstance(clause.label, syntax.LabelList):
                warnings += _about_labels(clause, clause.label, graph, needed and not clause.label.negated)
        for test in _label_tests(block):
            warnings += _about_parts(test, graph, needed and isinstance(test, syntax.OneOf))
    return list(dict.fromkeys([*request.warnings, *warnings]))


def _tests(block: CheckedBlock) -> Iterator[syntax.FeatureTest]:
    for _, alternatives in block.tests:
        for bracket in alternatives:
            yield from bracket
    edges = {clause.edge.text for clause in block.edge_clauses if clause.edge}
    for clause in block.clauses:
        if isinstance(clause, syntax.FeatureClause) and clause.owner.text not in {"meta", "global", *edges}:
            yield clause.test


def _label_tests(block: CheckedBlock) -> Iterator[syntax.OneOf | syntax.NoneOf]:
    """Yield the tests of labels and of their parts by values: `-[1=nsubj]->`, `e.label = nsubj`."""
    edges = {clause.edge.text for clause in block.edge_clauses if clause.edge}
    tests = [
        clause.test
        for clause in block.clauses
        if isinstance(clause, syntax.FeatureClause) and clause.owner.text in edges
    ]
    for edge in block.edge_clauses:
        tests += edge.label.tests if isinstance(edge.label, syntax.LabelAtoms) else ()
    yield from (test for test in tests if isinstance(test, syntax.OneOf | syntax.NoneOf))


def feature_advice(name: str, graph: Graph) -> list[str]:
    """Return a warning where no word has the feature `name`."""
    if name in graph.columns or name in graph.feats.columns or name in graph.misc.columns or name in INTERNAL:
        return []
    known = [*graph.columns, *graph.feats.columns, *graph.misc.columns]
    return [f"no word has the feature {name}{closest(name, known)}"]


def _about_feature(feature: Name, graph: Graph, needed: bool) -> list[str]:
    if not needed and re.sub("__([a-z]+)$", r"[\1]", feature.text) in UD_FEATURES:
        return []
    return [f"line {feature.place.line}: {warning}" for warning in feature_advice(feature.text, graph)]


def _about_values(test: syntax.OneOf | syntax.NoneOf, graph: Graph, needed: bool) -> list[str]:
    name, line = test.feature.text, test.feature.place.line
    if name in CLOSED_COLUMNS:
        used = graph.used(name)
    elif name in graph.feats.columns and graph.feats.columns[name].dtype.kind != "f":
        used = np.unique(graph.feats.columns[name])
    else:
        return []
    known = graph.values.texts(used)
    wanted = _slips(test.values, set(known), UD_UPOS if name == "upos" else frozenset(), needed)
    return [f"line {line}: no word has {name}={value}{closest(value, known)}" for value in wanted]


def _about_labels(clause: syntax.EdgeClause, test: syntax.LabelList, graph: Graph, needed: bool) -> list[str]:
    occurring = {label for label in test.labels if parse_label(label) in graph.labels.parts}
    return [
        f"line {clause.place.line}: no edge has the label {label}{closest(label, graph.labels.compact)}"
        for label in _slips(test.labels, occurring, UD_RELATIONS, needed)
    ]


def _about_parts(test: syntax.OneOf | syntax.NoneOf, graph: Graph, needed: bool) -> list[str]:
    """Warn of relations, `e.1` or `e.label`, that no edge has; subtypes are many, and any may be missing."""
    name, line = test.feature.text, test.feature.place.line
    if name not in RELATIONS:
        return []
    known = {graph.labels.value(code, name) or "" for code in range(len(graph.labels.compact))}
    kind = "relation" if name == "1" else "label"
    return [
        f"line {line}: no edge has the {kind} {value}{closest(value, sorted(known))}"
        for value in _slips(test.values, known, UD_RELATIONS, needed)
    ]


def _slips(asked: tuple[str, ...], occurring: set[str], universal: frozenset[str], needed: bool) -> list[str]:
    """Return those of the texts `asked` for that do not occur, save universal ones where one of the others suffices."""
    excused = frozenset() if needed and not occurring.intersection(asked) else universal
    return [text for text in asked if text not in occurring and text not in excused]


def closest(name: str, known: Iterable[str]) -> str:
    """Return the end of a warning: what of `known` is close to `name`; empty where nothing is."""
    by_folded = {text.lower(): text for text in known}
    found = difflib.get_close_matches(name.lower(), by_folded, 3, 0.5)
    return f"; the closest are {', '.join(by_folded[text] for text in found)}" if found else ""
