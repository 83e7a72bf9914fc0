"""The names that each command of a rule can use: nodes and edges of the pattern, and those that are added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starbank.grew import commands, syntax
from starbank.grew.commands import Command, Dotted, Reference
from starbank.grew.syntax import Name, Source

if TYPE_CHECKING:
    from starbank.grew.rules import Rule

# Features that are computed, and that no command can set.
_COMPUTED = {"node": {"__id__", "position"}, "edge": {"length", "delta"}}


def check_names(rule: Rule, source: Source | None = None) -> None:
    """Raise `RequestError` at the first name that does not fit; `source` has the commands, if the rule has not."""
    _Scope(rule, source or rule.source).check()


class _Scope:
    def __init__(self, rule: Rule, source: Source) -> None:
        self.rule = rule
        self.source = source
        self.nodes = set(rule.request.nodes)
        self.edges = set(rule.request.pattern.edges)
        self.gone: set[str] = set()

    def check(self) -> None:
        """Raise `RequestError` at the first name that does not fit."""
        for command in self.rule.commands:
            match command:
                case commands.SetFeature(attribute, items):
                    self.require_owner(attribute)
                    for item in items:
                        if isinstance(item, Reference):
                            self.require_value(item.attribute)
                case commands.DeleteFeature(attribute):
                    self.require_owner(attribute)
                case commands.DeleteEdge(edge=Name() as edge):
                    self.require(edge, self.edges, "edge")
                    self.edges.remove(edge.text)
                    self.gone.add(edge.text)
                case _:
                    for name in commands.mentioned(command):
                        self.require(name, self.nodes, "node")
            self.declare(command)

    def declare(self, command: Command) -> None:
        match command:
            case commands.DeleteNode(node) | commands.DeletePhrase(node):
                self.nodes.remove(node.text)
                self.gone.add(node.text)
            case commands.AddNode(node):
                if node.text in self.nodes | self.edges:
                    raise self.source.error(node.place, f"{node.text} is there already", "Choose another name.")
                self.nodes.add(node.text)
            case commands.AddEdge(edge=Name() as edge, label=label):
                if edge.text in self.rule.request.pattern.edges or edge.text in self.nodes:
                    raise self.source.error(edge.place, f"{edge.text} is there already", "Choose another name.")
                self.edges.add(edge.text)
            case commands.AddEdge(label=label, source=source):
                for _, value in label:
                    owner = value.partition(".")[0]
                    if isinstance(value, Dotted) and owner not in self.edges:
                        message = f"{value} is of no edge of the pattern"
                        raise self.source.error(source.place, message, f'Quote a value with a dot: "{value}".')

    def require(self, name: Name, names: set[str], kind: str) -> None:
        if name.text in names:
            return
        message = f"{name.text} is deleted before" if name.text in self.gone else f"no {kind} {name.text} is known here"
        hint = "Commands know the nodes of pattern, its named edges, and what commands before them have added."
        raise self.source.error(name.place, message, hint)

    def require_owner(self, attribute: syntax.Attribute) -> None:
        kind = "edge" if attribute.owner.text in self.edges else "node"
        self.require(attribute.owner, self.edges if kind == "edge" else self.nodes, "node or edge")
        if attribute.feature.text in _COMPUTED[kind]:
            place, text = attribute.feature.place, attribute.feature.text
            raise self.source.error(place, f"{text} is computed, and cannot be set")

    def require_value(self, attribute: syntax.Attribute) -> None:
        lexicon = self.rule.lexicons.get(attribute.owner.text)
        if lexicon is None:
            self.require(attribute.owner, self.nodes | self.edges, "node, edge or lexicon")
        elif attribute.feature.text not in lexicon.fields:
            message = f"the lexicon {attribute.owner.text} has no field {attribute.feature.text}"
            hint = f"It has {', '.join(lexicon.fields)}."
            raise self.source.error(attribute.feature.place, message, hint)
