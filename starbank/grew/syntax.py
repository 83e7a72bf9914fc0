"""The syntax tree of a request: what the text says, before names are looked up.

Every class is frozen. Names and clauses carry their place in the text, so that a later pass can point at them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from starbank.errors import RequestError


@dataclass(frozen=True)
class Place:
    """A character of the request: line and column, both from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Name:
    """An identifier or feature name. Names are equal where their text is."""

    text: str
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Regexp:
    r"""A regular expression: `re"…"` (dialect `str`, of OCaml's Str library) or `/…/` (dialect `perl`)."""

    pattern: str
    dialect: Literal["str", "perl"]
    ignore_case: bool = False


# Tests of one feature ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Present:
    """`f`, `f=*`."""

    feature: Name


@dataclass(frozen=True)
class Absent:
    """`!f`."""

    feature: Name


@dataclass(frozen=True)
class OneOf:
    """`f=a|b`, or `f<>a|b` where negated: present, and none of these."""

    feature: Name
    values: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True)
class Matches:
    """`f=re"…"`, `f<>/…/`: present, and matching (or not) as a whole."""

    feature: Name
    regexp: Regexp
    negated: bool = False


@dataclass(frozen=True)
class Otherwise:
    """`f=a/g=b`: f is a; where f is absent, g is b."""

    feature: Name
    value: str
    fallback: Name
    fallback_value: str


FeatureTest = Present | Absent | OneOf | Matches | Otherwise


# Labels of edges -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LabelList:
    """`-[a|b]->`, or `-[^a|b]->` where negated; `->` refuses none."""

    labels: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True)
class LabelRegexp:
    """`-[re"…"]->`."""

    regexp: Regexp


@dataclass(frozen=True)
class LabelAtoms:
    """`-[1=nsubj, 2<>pass, !enhanced]->`."""

    tests: tuple[FeatureTest, ...]


LabelTest = LabelList | LabelRegexp | LabelAtoms


# Clauses -------------------------------------------------------------------------------------------------------------

Comparison = Literal["=", "<>", "<", ">", "<=", ">="]
Relation = Literal["<", "<<", "<>", "><", "->>"]
Kind = Literal["pattern", "with", "without"]


@dataclass(frozen=True)
class Attribute:
    """`X.f`: a feature of a node, of an edge, or of the sentence (`meta.f`, `global.f`)."""

    owner: Name
    feature: Name


@dataclass(frozen=True)
class Measure:
    """`length(X, Y)`: a number computed from nodes."""

    operator: Name
    nodes: tuple[Name, ...]


@dataclass(frozen=True)
class NodeClause:
    """`X [upos=VERB]|[upos=AUX]`."""

    node: Name
    alternatives: tuple[tuple[FeatureTest, ...], ...]


@dataclass(frozen=True)
class EdgeClause:
    """`e: X -[nsubj]-> Y`; an end written `*` is None."""

    edge: Name | None
    source: Name | None
    label: LabelTest
    target: Name | None
    place: Place = field(compare=False)


@dataclass(frozen=True)
class FeatureClause:
    """`X.f = v`, `X.f <> re"…"`, `!X.f`, `X.f/g = "v"`."""

    owner: Name
    test: FeatureTest


@dataclass(frozen=True)
class CompareClause:
    """`X.f = Y.g`, `X.f < 3.5`, `length(X, Y) >= 3`, `proj_size(X) > proj_size(Y)`."""

    left: Attribute | Measure
    comparison: Comparison
    right: Attribute | Measure | float


@dataclass(frozen=True)
class RelationClause:
    """`X < Y`, `X << Y`, `e1 <> e2`, `e1 >< e2`, `X ->> Y`; `>` and `>>` are turned round when read."""

    left: Name
    relation: Relation
    right: Name


Clause = NodeClause | EdgeClause | FeatureClause | CompareClause | RelationClause


def declared(clause: Clause) -> list[Name]:
    """Return the nodes that `clause` declares: a node clause its node, an edge clause its ends if neither is `*`."""
    if isinstance(clause, NodeClause):
        return [clause.node]
    if isinstance(clause, EdgeClause) and clause.source is not None and clause.target is not None:
        return [clause.source, clause.target]
    return []


def mentioned(clause: Clause) -> list[Name]:
    """Return the node and edge names of `clause`, in the order of the text."""
    match clause:
        case NodeClause():
            return [clause.node]
        case EdgeClause():
            return [name for name in (clause.edge, clause.source, clause.target) if name is not None]
        case FeatureClause():
            return [clause.owner]
        case CompareClause():
            return [name for side in (clause.left, clause.right) for name in _of_value(side)]
        case RelationClause():
            return sorted([clause.left, clause.right], key=lambda name: (name.place.line, name.place.column))


def _of_value(value: Attribute | Measure | float) -> Sequence[Name]:
    if isinstance(value, Attribute):
        return [value.owner]
    return value.nodes if isinstance(value, Measure) else ()


@dataclass(frozen=True)
class Structure:
    """`is_projective` in a `global` block."""

    name: Name


GlobalClause = Structure | FeatureTest


@dataclass(frozen=True)
class Block:
    """`pattern { … }`, `with { … }`, `without { … }`."""

    kind: Kind
    clauses: tuple[Clause, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True)
class GlobalBlock:
    """`global { … }`."""

    clauses: tuple[GlobalClause, ...]


@dataclass(frozen=True)
class Source:
    """The text of a request and the file that it came from."""

    text: str
    file: str | None = None

    def line(self, number: int) -> str:
        """Return line `number` (from 1) without its end."""
        lines = self.text.splitlines()
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def error(self, place: Place, message: str, hint: str | None = None) -> RequestError:
        """Return the error that points at `place`."""
        line = self.line(place.line)
        return RequestError(message, file=self.file, line=place.line, column=place.column, source=line, hint=hint)


@dataclass(frozen=True)
class Document:
    """A whole request as written."""

    source: Source
    blocks: tuple[Block | GlobalBlock, ...]
