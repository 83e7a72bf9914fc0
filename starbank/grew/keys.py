"""Clustering keys: what matches are counted by (https://grew.fr/doc/clustering).

    V.Case  V.ExtPos/upos  e.label  e.1  e.length  meta.genre  V.Duration[gap=100, min=0, max=500]
    length(V, S)  delta(V, S)  height(V)  V#S#O  V -> S  V <-> S  { V -[obj]-> * }

Each makes the SQL of a small code for a match and takes the distinct codes back to text.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from starbank.errors import UsageError
from starbank.grew.compile_clauses import ClauseCompiler
from starbank.grew.graph import Graph
from starbank.grew.names import NUMERIC_FEATURES, OPERATORS, number_text
from starbank.grew.request import Request
from starbank.grew.syntax import Attribute, Measure, Name, Place

Texts = list[str | None]
NONE, MULTI = "__none__", "__multi__"
# Codes of a link that is no label.
NO_EDGE, MANY_EDGES, REVERSED = -1, -2, -3


@dataclass(frozen=True)
class Key:
    """A key as it was written, the SQL of its codes, and what takes codes (a masked array) to texts.

    `features` are the node features that it reads, for a word about those that no word has.
    """

    text: str
    sql: Callable[[ClauseCompiler], str]
    texts: Callable[[np.ma.MaskedArray, Graph], Texts]
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class Whether:
    """A key that asks whether clauses hold: `{ V -[obj]-> O }`; its values are Yes and No."""

    text: str

    def block(self, keyword: str) -> str:
        """Return the clauses as a `with` or `without` block."""
        return f"{keyword} {{{self.text[1:-1]}\n}}"


def split_keys(text: str) -> list[str]:
    """Split keys at their commas, but not at those in brackets, braces, parentheses and strings."""
    keys, depth, quoted = [""], 0, False
    for character in text:
        quoted ^= character == '"'
        if not quoted:
            depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0 and not quoted:
            keys.append("")
        else:
            keys[-1] += character
    return [key.strip() for key in keys]


def parse_key(text: str, request: Request) -> Key | Whether:
    """Read a key of the matches of `request`; raise `UsageError` where it makes no sense."""
    text = text.strip()
    if text.startswith("{"):
        if not text.endswith("}"):
            raise UsageError(f"the key {text} has no closing brace", hint="A sub-request is { clause; clause }.")
        return Whether(text)
    if "#" in text:
        return _order(text, [_node(name.strip(), request) for name in text.split("#")])
    if link := re.fullmatch(r"(\S+?)\s*(<?->)\s*(\S+)", text):
        return _link(text, _node(link[1], request), _node(link[3], request), both=link[2] == "<->")
    if measure := re.fullmatch(r"(\w+)\s*\(([^)]*)\)", text):
        return _measure(text, measure[1], [_node(name.strip(), request) for name in measure[2].split(",")])
    if interval := re.fullmatch(r"([^\[]+)\[([^\]=]*=[^\]]*)\]", text):
        return _interval(text, _attributes(interval[1].strip(), request), interval[2])
    return _features(text, _attributes(text, request), request)


# Names


def _name(text: str) -> Name:
    return Name(text, Place(1, 1))


def _node(name: str, request: Request) -> str:
    if name not in request.nodes:
        raise _unknown(name, request.nodes, "node")
    return name


def _unknown(name: str, names: Sequence[str], kind: str) -> UsageError:
    close = difflib.get_close_matches(name, names, 1)
    guess = f"Did you mean {close[0]}? " if close else ""
    return UsageError(f"the pattern has no {kind} {name or '(empty)'}", hint=f"{guess}It has {', '.join(names)}.")


def _attributes(text: str, request: Request) -> list[Attribute]:
    """Read `X.f`, `X.f/g`, or, where the request has only one node, `f`."""
    if not re.fullmatch(r"[^\s.\[\],]+(\.[^\s.\[\],]+)?", text):
        layer = re.search(r"\[(\w+)\]", text)
        hint = (
            f"Write the layer as __{layer[1]}."
            if layer
            else "Keys are X.f, e.label, X#Y, X -> Y, { clauses } and the like."
        )
        raise UsageError(f"the key {text or '(empty)'} cannot be read", hint=hint)
    owner, dot, features = text.rpartition(".")
    if not dot:
        if len(request.nodes) != 1:
            hint = f"The nodes are {', '.join(request.nodes)}: write {request.nodes[0]}.{text}, for example."
            raise UsageError(f"the key {text} does not say of which node", hint=hint)
        owner = request.nodes[0]
    elif owner not in (*request.nodes, *request.edges, "meta"):
        raise _unknown(owner, [*request.nodes, *request.edges], "node or edge")
    return [Attribute(_name(owner), _name(feature)) for feature in features.split("/")]


# Kinds of keys


def _features(text: str, attributes: list[Attribute], request: Request) -> Key:
    numeric = {attribute.feature.text in NUMERIC_FEATURES for attribute in attributes}
    if len(numeric) > 1:
        raise UsageError(f"the key {text} mixes numbers and text", hint="Count by one of the two.")

    def sql(clauses: ClauseCompiler) -> str:
        values = [clauses.value(attribute) for attribute in attributes]
        return f"CASE {' '.join(f'WHEN {value.present} THEN {value.sql}' for value in values)} END"

    def decode(codes: np.ma.MaskedArray, graph: Graph) -> Texts:
        texts: Texts = graph.values.strings(codes.filled(0).astype(np.int64)).to_pylist()
        return texts

    of_nodes = [attribute.feature.text for attribute in attributes if attribute.owner.text in request.nodes]
    return Key(text, sql, _numbers if True in numeric else decode, tuple(of_nodes))


def _measure(text: str, operator: str, nodes: list[str]) -> Key:
    if operator not in OPERATORS:
        raise _unknown(operator, list(OPERATORS), "operator")
    if len(nodes) != OPERATORS[operator]:
        raise UsageError(f"{operator} takes {OPERATORS[operator]} nodes, not {len(nodes)}")
    measure = Measure(_name(operator), tuple(map(_name, nodes)))
    return Key(text, lambda clauses: clauses.measure(measure), _numbers)


def _order(text: str, nodes: list[str]) -> Key:
    """Return the key whose code has, for each node, its rank as a digit."""

    def sql(clauses: ClauseCompiler) -> str:
        ids = [clauses.query.id(node) for node in nodes]
        ranks = [
            " + ".join(
                f"({earlier} {'<=' if place < rank else '<'} {later})::BIGINT"
                for place, earlier in enumerate(ids)
                if place != rank
            )
            for rank, later in enumerate(ids)
        ]
        return " + ".join(f"{len(nodes) ** place} * ({rank or '0'})" for place, rank in enumerate(ranks))

    def text_of(code: int) -> str:
        ranks = [code // len(nodes) ** place % len(nodes) for place in range(len(nodes))]
        return " << ".join(node for _, node in sorted(zip(ranks, nodes, strict=True)))

    return Key(text, sql, lambda codes, _: [text_of(int(code)) for code in codes.filled(0)])


def _link(text: str, first: str, second: str, both: bool) -> Key:
    """Return the key of the label between two nodes; a label of the other direction comes after all others."""

    def sql(clauses: ClauseCompiler) -> str:
        clauses.query.parameters.tables.add("edges")
        ends = [clauses.query.id(first), clauses.query.id(second)]
        there, back = (_links(*pair) for pair in (ends, ends[::-1]))
        if not both:
            return there
        reverse = f"CASE WHEN {back} < 0 THEN {back} ELSE {REVERSED} - {back} END"
        return (
            f"CASE WHEN {back} = {NO_EDGE} THEN {there} WHEN {there} = {NO_EDGE} THEN {reverse} ELSE {MANY_EDGES} END"
        )

    def text_of(code: int, labels: Sequence[str]) -> str:
        if code in (NO_EDGE, MANY_EDGES):
            return NONE if code == NO_EDGE else MULTI
        return labels[code] if code >= 0 else f"-{labels[REVERSED - code]}"

    def decode(codes: np.ma.MaskedArray, graph: Graph) -> Texts:
        return [text_of(int(code), graph.labels.compact) for code in codes.filled(NO_EDGE)]

    return Key(text, sql, decode)


def _links(source: str, target: str) -> str:
    number = f"CASE count(*) WHEN 0 THEN {NO_EDGE} WHEN 1 THEN min(label) ELSE {MANY_EDGES} END"
    return f"(SELECT {number} FROM edges WHERE source = {source} AND target = {target})"


def _interval(text: str, attributes: list[Attribute], settings: str) -> Key:
    """Return the key of stretches of a number: `X.f[gap=100, min=0, max=500]`."""
    attribute, *others = attributes
    if others or attribute.feature.text not in NUMERIC_FEATURES:
        raise UsageError(f"the key {text} makes stretches of text", hint="Only one feature that is a number has them.")
    pairs = [part.partition("=") for part in settings.replace(" ", "").split(",")]
    try:
        numbers = {name: float(value) for name, _, value in pairs}
    except ValueError:
        numbers = {}
    if not numbers.get("gap", 0) > 0 or not numbers.keys() <= {"gap", "min", "max"}:
        raise UsageError(f"the key {text} has no gap", hint="Write [gap=100], or [gap=100, min=0, max=500].")
    gap, low, high = numbers["gap"], numbers.get("min", -math.inf), numbers.get("max", math.inf)
    base = low if math.isfinite(low) else high if math.isfinite(high) else 0.0

    def sql(clauses: ClauseCompiler) -> str:
        value = clauses.value(attribute)
        bounds = "".join(
            f" WHEN {value.sql} {sign} {bound!r} THEN '{number}'::DOUBLE"
            for sign, bound, number in (("<", low, "-inf"), (">=", high, "inf"))
            if math.isfinite(bound)
        )
        stretch = f"floor(({value.sql} - {base!r}) / {gap!r})::DOUBLE"
        return f"CASE WHEN NOT ({value.present}) THEN NULL{bounds} ELSE {stretch} END"

    def text_of(number: float) -> str:
        if math.isinf(number):
            return f"]-∞, {low:g}[" if number < 0 else f"[{high:g}, +∞["
        return f"[{base + number * gap:g}, {min(base + (number + 1) * gap, high):g}["

    def decode(codes: np.ma.MaskedArray, _: Graph) -> Texts:
        return [None if number is None else text_of(number) for number in codes.tolist()]

    return Key(text, sql, decode)


def _numbers(codes: np.ma.MaskedArray, _: Graph) -> Texts:
    return [None if number is None else number_text(number) for number in codes.tolist()]
