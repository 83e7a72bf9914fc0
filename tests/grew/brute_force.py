"""A second opinion: finds matches by trying every assignment of nodes, in plain Python, slowly and obviously."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from starbank.grew import Request, syntax
from starbank.grew.request import CheckedBlock, is_hidden

Edge = tuple[int, str, int]
COMPARISONS = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
LOOSE = {"discourse", "vocative", "parataxis", "conj", "appos", "orphan", "list", "reparandum"}


@dataclass
class Sentence:
    """A sentence as Grew sees it: node 0, words and empty nodes in order; edges as (place, compact label, place)."""

    sent_id: str
    metadata: dict[str, str] = field(default_factory=dict)
    ids: list[str] = field(default_factory=lambda: ["0"])
    features: list[dict[str, str]] = field(default_factory=lambda: [{"form": "__0__"}])
    edges: set[Edge] = field(default_factory=set)


def read(text: str, file: str) -> list[Sentence]:
    """Read the CoNLL-U text of a file."""
    return [_sentence(block.splitlines(), file) for block in text.strip().split("\n\n")]


def _sentence(lines: list[str], file: str) -> Sentence:
    sentence = Sentence("", {"_filename": file})
    for line in lines:
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            sentence.metadata.setdefault(key.strip(), value.strip())
    sentence.sent_id = sentence.metadata["sent_id"]
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    surface = {row[0].split("-")[0]: row[1] for row in rows if "-" in row[0]}
    inside = {str(i) for row in rows if "-" in row[0] for i in range(*map(int, row[0].split("-")))}
    rows = [row for row in rows if "-" not in row[0]]
    covered = {str(int(i) + 1) for i in inside}
    for row in rows:
        features = {"form": row[1], "wordform": row[1], "textform": surface.get(row[0], row[1])}
        if row[0] in covered:
            features["textform"] = "_"
        if "." in row[0]:
            features |= {"wordform": "__EMPTY__", "textform": "_"}
        features |= {
            name: value for name, value in zip(("lemma", "upos", "xpos"), row[2:5], strict=True) if value != "_"
        }
        for column in (row[5], row[9]):
            features |= dict(pair.split("=") for pair in column.split("|") if pair != "_")
        sentence.ids.append(row[0])
        sentence.features.append(features)
    for place, row in enumerate(rows, 1):
        if row[6] != "_":
            missing = "root" if row[6] == "0" else ""
            sentence.edges.add((sentence.ids.index(row[6]), missing if row[7] == "_" else row[7], place))
        for dep in row[8].split("|"):
            if dep != "_":
                head, label = dep.split(":", 1)
                sentence.edges.add((sentence.ids.index(head), "E:" + label, place))
    return sentence


def matches(request: Request, sentence: Sentence) -> set[str]:
    """Return the matches of `request` in `sentence`, each as sorted text."""
    if not all(holds_globally(clause, sentence) for clause in request.globals):
        return set()
    found = set()
    for nodes, edges in extensions(request.pattern, {}, {}, sentence):
        for block in request.conditions:
            if any(True for _ in extensions(block, nodes, edges, sentence)) != (block.kind == "with"):
                break
        else:
            shown_nodes = {name: sentence.ids[place] for name, place in nodes.items()}
            shown_edges = {
                name: (sentence.ids[edge[0]], edge[1], sentence.ids[edge[2]])
                for name, edge in edges.items()
                if not is_hidden(name)
            }
            found.add(repr((sentence.sent_id, sorted(shown_nodes.items()), sorted(shown_edges.items()))))
    return found


Bindings = tuple[dict[str, int], dict[str, Edge]]


def extensions(
    block: CheckedBlock, nodes: dict[str, int], edges: dict[str, Edge], sentence: Sentence
) -> Iterator[Bindings]:
    """Yield every way to bind the block's own nodes and edges so that all its clauses hold."""
    for places in product(range(len(sentence.ids)), repeat=len(block.nodes)):
        bound = nodes | dict(zip(block.nodes, places, strict=True))
        fixed = [place for name, place in bound.items() if not name.endswith("$")]
        if len(set(fixed)) < len(fixed) or not all(
            any(all(test_holds(test, sentence.features[bound[name]]) for test in bracket) for bracket in alternatives)
            for name, alternatives in block.tests
        ):
            continue
        choices = [[edge for edge in sentence.edges if edge_fits(clause, edge, bound)] for clause in block.edge_clauses]
        for chosen in product(*choices):
            pairs = zip(block.edge_clauses, chosen, strict=True)
            known = edges | {clause.edge.text: edge for clause, edge in pairs if clause.edge}
            if all(clause_holds(clause, bound, known, sentence) for clause in block.clauses):
                yield bound, known


def edge_fits(clause: syntax.EdgeClause, edge: Edge, nodes: dict[str, int]) -> bool:
    ends = ((clause.source, edge[0]), (clause.target, edge[2]))
    return all(name is None or nodes[name.text] == place for name, place in ends) and label_fits(clause.label, edge[1])


def label_parts(label: str) -> dict[str, str]:
    parts = {"enhanced": "yes"} if label.startswith("E:") else {}
    label = label.removeprefix("E:")
    if label:
        parts["1"], colon, second = label.partition(":")
        parts |= {"2": second} if colon else {}
    return parts


def label_fits(test: syntax.LabelTest, label: str) -> bool:
    match test:
        case syntax.LabelList(labels, negated):
            return (label in labels) != negated
        case syntax.LabelAtoms(tests):
            return all(test_holds(atom, label_parts(label)) for atom in tests)
    raise NotImplementedError(test)


def test_holds(test: syntax.FeatureTest, features: dict[str, str]) -> bool:
    value = features.get(test.feature.text)
    match test:
        case syntax.Absent():
            return value is None
        case syntax.Otherwise():
            if value is not None:
                return value == test.value
            return features.get(test.fallback.text) == test.fallback_value
        case _ if value is None:
            return False
        case syntax.OneOf():
            return (value in test.values) != test.negated
        case syntax.Present():
            return True
        case syntax.Matches(_, regexp, negated):  # those that mean the same in Python
            flags = re.IGNORECASE if regexp.ignore_case else 0
            return (re.fullmatch(regexp.pattern, value, flags) is not None) != negated
    raise NotImplementedError(test)


def compare(left: Any, comparison: str, right: Any) -> bool:
    if left is None or right is None:
        return False
    return COMPARISONS[comparison](left, right)


def clause_holds(clause: syntax.Clause, nodes: dict[str, int], edges: dict[str, Edge], sentence: Sentence) -> bool:
    def value(side: syntax.Attribute | syntax.Measure | float) -> Any:
        if isinstance(side, syntax.Measure):
            return measure(side, nodes, sentence)
        if not isinstance(side, syntax.Attribute):
            return side
        owner, feature = side.owner.text, side.feature.text
        if owner in nodes:
            return sentence.features[nodes[owner]].get(feature)
        if owner == "meta":
            return sentence.metadata.get(feature)
        return edge_feature(edges[owner], feature)

    match clause:
        case syntax.FeatureClause(owner, test) if owner.text in nodes:
            return test_holds(test, sentence.features[nodes[owner.text]])
        case syntax.FeatureClause(owner, test) if owner.text == "meta":
            return test_holds(test, sentence.metadata)
        case syntax.FeatureClause(owner, test):
            edge = edges[owner.text]
            numbers = {name: str(edge_feature(edge, name)) for name in ("length", "delta")}
            return test_holds(test, label_parts(edge[1]) | {"label": edge[1] or "_"} | numbers)
        case syntax.CompareClause():
            return compare(value(clause.left), clause.comparison, value(clause.right))
        case syntax.RelationClause():
            left, right = clause.left.text, clause.right.text
            if left in edges:
                return spans(edges[left], clause.relation, edges[right])
            if right in edges:
                low, high = sorted((edges[right][0], edges[right][2]))
                return low < nodes[left] < high
            a, b = nodes[left], nodes[right]
            return {"<": a + 1 == b, "<<": a < b, "->>": b in reachable(a, sentence)}[clause.relation]
    raise NotImplementedError(clause)


def edge_feature(edge: Edge, feature: str) -> Any:
    if feature == "delta":
        return edge[2] - edge[0]
    if feature == "length":
        return abs(edge[2] - edge[0])
    return (edge[1] or "_") if feature == "label" else label_parts(edge[1]).get(feature)


def spans(first: Edge, relation: str, second: Edge) -> bool:
    (a, b), (c, d) = sorted((first[0], first[2])), sorted((second[0], second[2]))
    disjoint = b <= c or d <= a
    if relation == "<>":
        return disjoint
    inside, around = c <= a and b <= d, a <= c and d <= b
    return not disjoint and not around and inside == (relation == "<<")


def reachable(node: int, sentence: Sentence) -> set[int]:
    found, new = set(), {node}
    while new:
        found |= new
        new = {target for source, _, target in sentence.edges if source in found} - found
    return found


def children(node: int, sentence: Sentence) -> list[tuple[str, int]]:
    """The counted basic dependents: those with a label other than `punct`."""
    return [
        (label_parts(label)["1"], target)
        for source, label, target in sentence.edges
        if source == node and label and not label.startswith("E:") and label_parts(label)["1"] != "punct"
    ]


def size(node: int, sentence: Sentence) -> int:
    return 1 + sum(size(child, sentence) for _, child in children(node, sentence))


def measure(operation: syntax.Measure, nodes: dict[str, int], sentence: Sentence) -> int:
    places = [nodes[node.text] for node in operation.nodes]
    match operation.operator.text:
        case "delta":
            return places[1] - places[0]
        case "length":
            return abs(places[1] - places[0])
        case "proj_size":
            return size(places[0], sentence)
        case "constituent_size":
            return 1 + sum(
                size(child, sentence) for label, child in children(places[0], sentence) if label not in LOOSE
            )
        case "height":
            return height(places[0], sentence)
        case _:
            return contiguous_size(places[0], sentence)


def height(node: int, sentence: Sentence) -> int:
    return 1 + max((height(child, sentence) for _, child in children(node, sentence)), default=0)


def counted(node: int, sentence: Sentence) -> set[int]:
    return {node}.union(*(counted(child, sentence) for _, child in children(node, sentence)))


def contiguous_size(node: int, sentence: Sentence) -> int:
    """Walk from the node to both sides over its counted descendants and the punctuation hanging on those below it."""
    inside = counted(node, sentence)
    basic = {(source, target) for source, label, target in sentence.edges if not label.startswith("E:")}
    bridges = set()
    new = {target for source, target in basic if source in inside - {node} and target not in inside}
    while new:
        bridges |= new
        new = {target for source, target in basic if source in bridges} - bridges
    total = 0
    for step in (1, -1):
        place = node
        while place in inside | bridges:
            total += place in inside
            place += step
    return total - 1


def holds_globally(clause: syntax.GlobalClause, sentence: Sentence) -> bool:
    if not isinstance(clause, syntax.Structure):
        return test_holds(clause, sentence.metadata)
    basic = [(source, target) for source, label, target in sentence.edges if not label.startswith("E:")]
    name = clause.name.text.removeprefix("is_")
    negated = name.startswith("not_")
    cyclic = any(on_cycle(node, basic) for node in range(len(sentence.ids)))
    tops = set(range(len(sentence.ids))) - {target for _, target in basic}
    crossing = any(min(first) < min(second) < max(first) < max(second) for first in basic for second in basic)
    value = {
        "cyclic": cyclic,
        "forest": not cyclic,
        "tree": not cyclic and len(tops) == 1,
        "projective": not crossing,
    }[name.removeprefix("not_")]
    return value != negated


def on_cycle(node: int, basic: list[tuple[int, int]]) -> bool:
    heads = {target: source for source, target in basic}
    seen = set()
    while node in heads and node not in seen:
        seen.add(node)
        node = heads[node]
    return node in seen
