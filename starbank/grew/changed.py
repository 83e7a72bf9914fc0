"""What commands make of a request itself: the request that their results match, as its own are matched before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from starbank.grew import commands, syntax
from starbank.grew.check import check
from starbank.grew.commands import Command, Order, Reference, Text
from starbank.grew.request import CheckedBlock, Request
from starbank.grew.rules import Rule
from starbank.grew.syntax import (
    Attribute,
    Block,
    Clause,
    EdgeClause,
    FeatureTest,
    Name,
    NodeClause,
    Place,
    RelationClause,
)

_NOWHERE = Place(1, 1)
_ORDERS: dict[Order, tuple[bool, syntax.Relation]] = {
    ":<": (False, "<"),
    ":>": (True, "<"),
    ":<<": (False, "<<"),
    ":>>": (True, "<<"),
}


def changed_request(rule: Rule) -> Request:
    """Return the request that describes what a rule makes of the matches of its own, with the names of the nodes left.

    What the pattern asks of words that are deleted stands in a `without`: they must not be there. Blocks beside the
    pattern that mention what changes are left out. Raises `RequestError` where nothing can be so.
    """
    pattern = _Pattern(rule)
    for command in rule.commands:
        pattern.apply(command)
    return check(syntax.Document(rule.source, (*pattern.blocks(), *_globals(rule.request))))


def _globals(request: Request) -> Iterator[syntax.GlobalBlock]:
    if request.globals:
        yield syntax.GlobalBlock(request.globals)


class _Pattern:
    """The clauses of a request, which commands change."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.nodes = dict.fromkeys(rule.request.nodes)
        self.clauses = list(_clauses(rule.request.pattern))
        self.others = [(block.kind, list(_clauses(block))) for block in rule.request.conditions]

    def blocks(self) -> Iterator[Block]:
        named = [NodeClause(Name(node, _NOWHERE), ((),)) for node in self.nodes]
        yield Block("pattern", (*named, *self.clauses), _NOWHERE)
        for kind, clauses in self.others:
            yield Block(kind, tuple(clauses), _NOWHERE)

    def apply(self, command: Command) -> None:
        match command:
            case commands.SetFeature(attribute, items):
                self._set(attribute, self._values(items))
                match items:
                    case (Reference(Attribute(Name(text=owner)) as source, None, None),) if owner in self.nodes:
                        self.clauses.append(syntax.CompareClause(attribute, "=", source))
            case commands.DeleteFeature(attribute):
                self._set(attribute, None)
            case commands.DeleteNode(node):
                self._delete({node.text})
            case commands.DeletePhrase(node):
                self._delete(self._phrase(node.text))
            case commands.AddNode(node, order, site):
                self.nodes[node.text] = None
                if order is not None and site is not None:
                    self._order(node, order, site)
            case commands.Unorder(node):
                self._unorder({node.text})
            case commands.Insert(node, order, site) | commands.Move(False, node, order, site):
                self._unorder({node.text})
                self._order(node, order, site)
            case commands.Move(True, node, order, site):
                self._unorder(self._phrase(node.text))
                self._order(node, order, site)
            case commands.AddEdge(edge, source, label, target):
                self.clauses.append(EdgeClause(edge, source, _label_test(label), target, _NOWHERE))
            case commands.DeleteEdge():
                self._delete_edge(command)

    def _values(self, items: Iterable[commands.Item]) -> tuple[str, ...]:
        """Return the values that items can give a feature; none where the match decides."""
        match tuple(items):
            case (Text(text),):
                return (text,)
            case (Reference(attribute, None, None),) if attribute.owner.text in self.rule.lexicons:
                return self.rule.lexicons[attribute.owner.text].values(attribute.feature.text)
        return ()

    def _set(self, attribute: Attribute, values: tuple[str, ...] | None) -> None:
        """Let a feature have one of some values, any where there are none, or be absent."""
        owner, feature = attribute.owner.text, attribute.feature.text
        if owner not in self.nodes:
            self.clauses = [_relabelled(clause, owner, feature, values) for clause in self.clauses]
            return
        # Another word or cell has another form.
        dropped = {feature} if feature == "form" else {feature, "form"}
        self.clauses = [kept for clause in self.clauses if (kept := _without_tests(clause, owner, dropped))]
        self.others = [
            (kind, clauses)
            for kind, clauses in self.others
            if all(_without_tests(clause, owner, dropped) == clause for clause in clauses)
        ]
        name = Name(feature, attribute.feature.place)
        if values is None:
            self.clauses.append(syntax.FeatureClause(attribute.owner, syntax.Absent(name)))
        elif values:
            if feature == "form":
                values = tuple(dict.fromkeys(form for value in values for form in (value, value.capitalize())))
            self.clauses.append(NodeClause(attribute.owner, ((syntax.OneOf(name, values),),)))

    def _delete(self, nodes: set[str]) -> None:
        gone = [clause for clause in self.clauses if _mentions(clause, nodes)]
        self.clauses = [clause for clause in self.clauses if clause not in gone]
        self.others = [
            (kind, several) for kind, several in self.others if not any(_mentions(c, nodes) for c in several)
        ]
        for node in nodes:
            self.nodes.pop(node, None)
        if gone:
            self.others.append(("without", gone))

    def _phrase(self, head: str) -> set[str]:
        """Return a node and those that hang from it by the pattern's edges."""
        members, size = {head}, 0
        while size < len(members):
            size = len(members)
            for clause in self.clauses:
                if isinstance(clause, EdgeClause) and clause.source and clause.target and clause.source.text in members:
                    members.add(clause.target.text)
        return members

    def _unorder(self, nodes: set[str]) -> None:
        def orders(clause: Clause) -> bool:
            if isinstance(clause, RelationClause):
                return clause.relation in ("<", "<<") and _mentions(clause, nodes)
            return isinstance(clause, syntax.CompareClause) and _mentions(clause, nodes)

        self.clauses = [clause for clause in self.clauses if not orders(clause)]
        self.others = [(kind, several) for kind, several in self.others if not any(map(orders, several))]

    def _order(self, node: Name, order: Order, site: Name) -> None:
        after, relation = _ORDERS[order]
        self.clauses = [_apart(clause, site.text, after) for clause in self.clauses]
        self.clauses.append(RelationClause(*((site, relation, node) if after else (node, relation, site))))

    def _delete_edge(self, command: commands.DeleteEdge) -> None:
        def is_gone(clause: Clause) -> bool:
            if not isinstance(clause, EdgeClause):
                return False
            if command.edge is not None:
                return clause.edge == command.edge
            return (clause.source, clause.target) == (command.source, command.target)

        self.clauses = [clause for clause in self.clauses if not is_gone(clause)]


def _clauses(block: CheckedBlock) -> Iterator[Clause]:
    for node, alternatives in block.tests:
        yield NodeClause(Name(node, _NOWHERE), alternatives)
    yield from block.edge_clauses
    yield from block.clauses


def _apart(clause: Clause, site: str, after: bool) -> Clause:
    """Return the clause of two words side by side as that of two in this order, if one comes between at `site`."""
    match clause:
        case RelationClause(left, "<", right) if site == (left if after else right).text:
            return RelationClause(left, "<<", right)
    return clause


def _mentions(clause: Clause, nodes: set[str]) -> bool:
    return any(name.text in nodes for name in syntax.mentioned(clause))


def _without_tests(clause: Clause, node: str, features: set[str]) -> Clause | None:
    """Return what a clause says of other things than some features of a node."""
    match clause:
        case NodeClause(Name(text=owner), alternatives) if owner == node:
            left = tuple(tuple(test for test in tests if not _tests(test, features)) for tests in alternatives)
            return NodeClause(clause.node, left)
        case syntax.FeatureClause(Name(text=owner), test) if owner == node and _tests(test, features):
            return None
        case syntax.CompareClause(left, _, right):
            sides = [side for side in (left, right) if isinstance(side, Attribute)]
            if any(side.owner.text == node and side.feature.text in features for side in sides):
                return None
    return clause


def _tests(test: FeatureTest, features: set[str]) -> bool:
    if isinstance(test, syntax.Otherwise):
        return test.feature.text in features or test.fallback.text in features
    return test.feature.text in features


def _label_test(label: Sequence[tuple[str, str]]) -> syntax.LabelTest:
    """Return the test for a label of some parts; a part that is that of another edge may be anything."""
    tests = tuple(
        syntax.Present(Name(name, _NOWHERE))
        if isinstance(value, commands.Dotted)
        else syntax.OneOf(Name(name, _NOWHERE), (value,))
        for name, value in label
    )
    return syntax.LabelAtoms(tests) if tests else syntax.LabelList((), negated=True)


def _relabelled(clause: Clause, edge: str, part: str, values: tuple[str, ...] | None) -> Clause:
    """Return the clause of an edge with the label that a command gives it, or with any."""
    if not isinstance(clause, EdgeClause) or clause.edge is None or clause.edge.text != edge:
        return clause
    label = syntax.LabelList(values) if part == "label" and values else syntax.LabelList((), negated=True)
    return EdgeClause(clause.edge, clause.source, label, clause.target, clause.place)
