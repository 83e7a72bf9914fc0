"""What is allowed in a request and yet likely a mistake: names and values that the treebank does not have.

A name that UD defines is no slip of the pen: it is passed over where the request can hold without it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

import numpy as np

from starbank.grew import syntax
from starbank.grew.graph import Graph
from starbank.grew.labels import parse_label
from starbank.grew.names import UD_FEATURES, UD_RELATIONS, UD_SUBTYPES, UD_UPOS, UD_VALUES
from starbank.grew.request import CheckedBlock, Request
from starbank.grew.syntax import Name

# Features with few values, of which an unknown one is worth a word; any word may be missing from a treebank.
CLOSED_COLUMNS = ("upos", "xpos")
RELATIONS = ("label", "1")
_LABELS = UD_RELATIONS | UD_SUBTYPES
INTERNAL = ("__id__", "__out__", "__RAW_MISC__")


def advice(request: Request, graph: Graph) -> list[str]:
    """Return a warning for each feature, value and label that the treebank lacks, with the closest that it has."""
    warnings = []
    for block in (request.pattern, *request.conditions):
        needed = block.kind != "without"
        tests, label_tests = _tests(block)
        for test in tests:
            warnings += _about_feature(test.feature, graph, needed and not isinstance(test, syntax.Absent))
            if isinstance(test, syntax.OneOf):
                warnings += _about_values(test, graph, needed and not test.negated)
        for clause in block.edge_clauses:
            if isinstance(clause.label, syntax.LabelList):
                warnings += _about_labels(clause.place.line, clause.label, graph, needed and not clause.label.negated)
        for test in label_tests:
            if isinstance(test, syntax.OneOf) and test.feature.text in RELATIONS:
                warnings += _about_parts(test, graph, needed and not test.negated)
    return list(dict.fromkeys([*request.warnings, *warnings]))


def _tests(block: CheckedBlock) -> tuple[list[syntax.FeatureTest], list[syntax.FeatureTest]]:
    """Return the tests of nodes, and those of labels and their parts: `-[1=nsubj]->`, `e.label = nsubj`."""
    tests = [test for _, alternatives in block.tests for bracket in alternatives for test in bracket]
    label_tests: list[syntax.FeatureTest] = []
    for clause in block.clauses:
        if isinstance(clause, syntax.FeatureClause) and clause.owner.text not in ("meta", "global"):
            (label_tests if clause.owner.text in block.edges else tests).append(clause.test)
    for edge in block.edge_clauses:
        label_tests += edge.label.tests if isinstance(edge.label, syntax.LabelAtoms) else ()
    return tests, label_tests


def feature_advice(name: str, graph: Graph) -> list[str]:
    """Return a warning where no word has the feature `name`."""
    names = [*graph.columns, *graph.feats.columns]
    if name in (*names, *INTERNAL) or name in graph.misc_names:
        return []
    return [f"no word has the feature {name}{closest(name, [*names, *graph.misc_names])}"]


def _about_feature(feature: Name, graph: Graph, needed: bool) -> list[str]:
    if not needed and re.sub("__([a-z]+)$", r"[\1]", feature.text) in UD_FEATURES:
        return []
    return [f"line {feature.place.line}: {warning}" for warning in feature_advice(feature.text, graph)]


def _about_values(test: syntax.OneOf, graph: Graph, needed: bool) -> list[str]:
    name = test.feature.text
    if name in CLOSED_COLUMNS:
        used = graph.used(name)
    elif name in graph.feats.columns and graph.feats.columns[name].dtype.kind != "f":
        used = np.unique(graph.feats.columns[name])
    else:
        return []
    texts = graph.values.texts(used)
    warning = f"line {test.feature.place.line}: no word has {name}="
    return _missing(warning, test.values, set(texts), texts, UD_UPOS if name == "upos" else UD_VALUES, needed)


def _about_labels(line: int, test: syntax.LabelList, graph: Graph, needed: bool) -> list[str]:
    occurring = {label for label in test.labels if parse_label(label) in graph.labels.parts}
    warning = f"line {line}: no edge has the label "
    return _missing(warning, test.labels, occurring, graph.labels.compact, _LABELS, needed)


def _about_parts(test: syntax.OneOf, graph: Graph, needed: bool) -> list[str]:
    """Warn of relations, `e.1` or `e.label`, that no edge has; subtypes are many, and any may be missing."""
    name = test.feature.text
    parts = {graph.labels.value(code, name) or "" for code in range(len(graph.labels.compact))}
    warning = f"line {test.feature.place.line}: no edge has the {'relation' if name == '1' else 'label'} "
    return _missing(warning, test.values, parts, sorted(parts), _LABELS, needed)


def _missing(
    warning: str, texts: Sequence[str], occurring: set[str], near: Sequence[str], excused: frozenset[str], needed: bool
) -> list[str]:
    """Warn of those of `texts` that do not occur, save those `excused` where one of the others suffices."""
    if needed and not occurring.intersection(texts):
        excused = frozenset()
    return [f"{warning}{text}{closest(text, near)}" for text in texts if text not in occurring | excused]


def closest(name: str, names: Iterable[str]) -> str:
    """Return the end of a warning: what of `names` is close to `name`; empty where nothing is."""
    by_folded = {text.lower(): text for text in names}
    close = difflib.get_close_matches(name.lower(), by_folded, 3, 0.5)
    return f"; the closest are {', '.join(by_folded[text] for text in close)}" if close else ""
