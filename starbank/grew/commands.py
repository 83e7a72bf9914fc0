"""The commands of a rule: what the text between `commands {` and `}` says (https://grew.fr/doc/commands)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from starbank.grew.syntax import Attribute, LabelTest, Name, Regexp

# Right before and right after a word, or, which Grew does not have, all of its phrase.
Order = Literal[":<", ":>", ":<<", ":>>"]


class Dotted(str):
    """A word with a dot that stands for something else, `lex.lemma` or `e.2`."""

    __slots__ = ()


@dataclass(frozen=True)
class Text:
    """A constant: `"s"`, `Sing`, `3`."""

    text: str


@dataclass(frozen=True)
class Reference:
    """`X.f`, `e.2` or `lex.field`, or of its characters those from `start` to before `end`, as Python slices."""

    attribute: Attribute
    start: int | None = None
    end: int | None = None


Item = Text | Reference


@dataclass(frozen=True)
class SetFeature:
    """`X.f = ITEM + …`, `e.label = …`."""

    attribute: Attribute
    items: tuple[Item, ...]


@dataclass(frozen=True)
class DeleteFeature:
    """`del_feat X.f`."""

    attribute: Attribute


@dataclass(frozen=True)
class CopyFeatures:
    """`append_feats "SEP" X =[re"RE"]=> Y`, or `prepend_feats …`, which puts those of X `first`."""

    first: bool
    separator: str
    source: Name
    regexp: Regexp | None
    target: Name


@dataclass(frozen=True)
class DeleteNode:
    """`del_node X`."""

    node: Name


@dataclass(frozen=True)
class AddNode:
    """`add_node X`, `add_node X :> Y`."""

    node: Name
    order: Order | None = None
    site: Name | None = None


@dataclass(frozen=True)
class Unorder:
    """`unorder X`."""

    node: Name


@dataclass(frozen=True)
class Insert:
    """`insert X :< Y`."""

    node: Name
    order: Order
    site: Name


@dataclass(frozen=True)
class DeletePhrase:
    """`del_phrase X`, which Grew does not have: X and all that hangs from it."""

    node: Name


@dataclass(frozen=True)
class Move:
    """`move_node X :> Y`, `move_phrase X :<< Y`, which Grew does not have: X, or its phrase, to another place."""

    phrase: bool
    node: Name
    order: Order
    site: Name


@dataclass(frozen=True)
class AddEdge:
    """`add_edge X -[LABEL]-> Y`, `add_edge e: X -> Y`."""

    edge: Name | None
    source: Name
    label: tuple[tuple[str, str], ...]
    target: Name


@dataclass(frozen=True)
class DeleteEdge:
    """`del_edge e`, `del_edge X -[LABEL]-> Y`."""

    edge: Name | None = None
    source: Name | None = None
    label: tuple[tuple[str, str], ...] = ()
    target: Name | None = None


@dataclass(frozen=True)
class Shift:
    """`shift_in X =[LABELS]=> Y`, `shift_out …`, `shift …`, which is both."""

    incoming: bool
    outgoing: bool
    source: Name
    label: LabelTest
    target: Name


_OfNodes = DeleteNode | DeletePhrase | AddNode | Unorder | Insert | Move
_OfEdges = AddEdge | DeleteEdge | Shift
Command = SetFeature | DeleteFeature | CopyFeatures | _OfNodes | _OfEdges


def mentioned(command: Command) -> list[Name]:
    """Return the names of nodes, edges and lexicons that a command needs, in the order of the text."""
    match command:
        case SetFeature(attribute, items):
            return [attribute.owner, *(item.attribute.owner for item in items if isinstance(item, Reference))]
        case DeleteFeature(attribute):
            return [attribute.owner]
        case CopyFeatures(source=source, target=target) | Shift(source=source, target=target):
            return [source, target]
        case DeleteNode(node) | DeletePhrase(node) | Unorder(node):
            return [node]
        case AddNode(site=site):
            return [site] if site else []
        case Insert(node, _, site) | Move(_, node, _, site):
            return [node, site]
        case AddEdge(source=source, target=target):
            return [source, target]
        case DeleteEdge(edge, source, _, target):
            return [name for name in (edge, source, target) if name]
