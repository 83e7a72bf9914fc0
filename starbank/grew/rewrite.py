"""A rule applied to the matches of its request, once to each: what Grew's commands make of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from starbank.grew import commands, places
from starbank.grew.commands import Command, Dotted, Text
from starbank.grew.labels import Labels, Parts, compact_label, parse_label
from starbank.grew.names import NUMERIC_FEATURES, number_text
from starbank.grew.regexps import compile_regexp
from starbank.grew.rules import Rule
from starbank.grew.sentence import Edge, Node, RewriteError, Sentence
from starbank.grew.syntax import Attribute, LabelTest, Name
from starbank.treebanks import arrays

_NOT_COPIED = {"form", "lemma", "upos", "xpos", "wordform", "textform"}
Rows = dict[str, Sequence[tuple[str, ...]]]


@dataclass
class State:
    """A sentence in the making, with the nodes and edges that commands know by name."""

    sentence: Sentence
    nodes: dict[str, Node]
    edges: dict[str, Edge]
    # Edges whose other end is one of these stay where they are.
    fixed: set[Node] = field(default_factory=set)

    def copy(self) -> State:
        """Return a copy that shares nothing which commands can change."""
        sentence, nodes, edges = self.sentence.copy({*self.nodes.values(), *self.fixed}, self.edges.values())
        return State(
            sentence,
            {name: nodes[node] for name, node in self.nodes.items() if node in nodes},
            {name: edges[edge] for name, edge in self.edges.items() if edge in edges},
            {nodes[node] for node in self.fixed if node in nodes},
        )


def rewrite(
    rule: Rule, sentence: Sentence, nodes: Mapping[str, str], edges: Mapping[str, tuple[str, str, str]]
) -> Iterator[State]:
    """Yield what a rule makes of a sentence at one match: one graph, or one for each value that a lexicon offers.

    Each is to be looked at before the next is asked for: what they share may change then.

    `nodes` has the IDs that the names of the pattern are bound to, `edges` source, label and target of its named edges.
    Raises `RewriteError` where a command cannot be applied.
    """
    rows = _rows(rule, sentence, nodes)
    state, by_id = State(sentence, {}, {}), sentence.by_id
    state.nodes = {name: by_id[number] for name, number in nodes.items()}
    state.edges = {name: _edge(state, *ends) for name, ends in edges.items()}
    state = state.copy()
    state.fixed = set(state.nodes.values())
    # Depth first, since the graphs of all commands with lexicons together may be too many to hold.
    waiting = [iter([state])]
    while waiting:
        changed = next(waiting[-1], None)
        if changed is None:
            waiting.pop()
        elif len(waiting) > len(rule.commands):
            yield changed
        else:
            waiting.append(_apply(rule, rule.commands[len(waiting) - 1], changed, rows))


def _edge(state: State, source: str, label: str, target: str) -> Edge:
    parts = parse_label(label)
    for edge in state.sentence.edges:
        if (edge.source.source, edge.target.source) == (source, target) and edge.parts == parts:
            return edge
    raise RewriteError(f"there is no edge {label} from {source} to {target}")


def _rows(rule: Rule, sentence: Sentence, nodes: Mapping[str, str]) -> Rows:
    """Return the rows of each lexicon that fit what the match has; raises `RewriteError` where none does."""
    if not rule.lexicons:
        return {}
    rows: Rows = {name: lexicon.rows for name, lexicon in rule.lexicons.items()}
    by_id = sentence.by_id
    for constraint in rule.constraints:
        if constraint.node not in nodes:
            continue  # Those of other blocks only say what matches.
        value = by_id[nodes[constraint.node]].features.get(constraint.feature, "")
        lexicon = rule.lexicons[constraint.lexicon]
        rows[constraint.lexicon] = lexicon.keep(rows[constraint.lexicon], constraint.field, value, constraint.negated)
        if not rows[constraint.lexicon]:
            raise NoRowError(f"no row of the lexicon {constraint.lexicon} fits")
    return rows


class NoRowError(RewriteError):
    """A match that no row of a lexicon fits, and that is none."""


def _apply(rule: Rule, command: Command, state: State, rows: Rows) -> Iterator[State]:
    """Yield what a command makes of a sentence, which it changes."""
    if isinstance(command, commands.SetFeature):
        # A whole label can only become that of another edge.
        to_label = command.attribute.owner.text in state.edges and command.attribute.feature.text == "label"
        joined = len(command.items) > 1
        values = list(_values(rule, command.items, state, rows, whole=to_label and not joined, joined=joined))
        for place, value in enumerate(values, 1):
            changed = state.copy() if place < len(values) else state
            _set(changed, command.attribute, value)
            yield changed
        return
    _change(command, state)
    yield state


def _values(
    rule: Rule, items: Sequence[commands.Item], state: State, rows: Rows, *, whole: bool, joined: bool
) -> Iterator[str]:
    """Yield the values that items joined can have: one, or one for each that a lexicon offers."""
    if not items:
        yield ""
        return
    first, *others = items
    for text in _texts(rule, first, state, rows, whole=whole, joined=joined):
        for rest in _values(rule, others, state, rows, whole=whole, joined=joined):
            yield text + rest


def _texts(rule: Rule, item: commands.Item, state: State, rows: Rows, *, whole: bool, joined: bool) -> Sequence[str]:
    if isinstance(item, Text):
        return [item.text]
    owner, feature = item.attribute.owner.text, item.attribute.feature.text
    if owner in rule.lexicons:
        return [text[item.start : item.end] for text in rule.lexicons[owner].values(feature, rows[owner])]
    if owner in state.edges:
        parts = state.edges[owner].parts
        if feature not in parts and not (feature == "label" and whole):
            raise RewriteError(f"the edge {owner} has no part {feature}")
        text = compact_label(parts) if feature == "label" else parts[feature]
    else:
        features = _node(state, item.attribute.owner).features
        if feature not in features:
            raise RewriteError(f"{owner} has no {feature}")
        text = features[feature]
        if feature in NUMERIC_FEATURES and (joined or item.start is not None or item.end is not None):
            raise RewriteError(f"{feature} is a number, and cannot be cut or joined")
    return [text[item.start : item.end]]


def _node(state: State, name: Name) -> Node:
    if name.text not in state.nodes:  # It was in a phrase that was deleted.
        raise RewriteError(f"{name.text} is gone")
    return state.nodes[name.text]


def _set(state: State, attribute: Attribute, value: str) -> None:
    owner, feature = attribute.owner.text, attribute.feature.text
    if owner not in state.nodes and owner not in state.edges:
        raise RewriteError(f"{owner} is gone")
    if owner in state.edges:
        edge = _living(state, owner)
        if feature == "enhanced" and value != "yes":
            raise RewriteError(f"an edge is enhanced=yes or none, and not {value}")
        if feature == "label":
            edge.parts = parse_label(value)
        else:
            edge.parts[feature] = value
        _melt(state, edge)
        return
    if feature in NUMERIC_FEATURES:
        try:
            value = number_text(float(value))
        except ValueError:
            raise RewriteError(f"{feature} is a number, and cannot be {value!r}") from None
    state.nodes[owner].change()[feature] = value


def _living(state: State, name: str) -> Edge:
    edge = state.edges[name]
    if edge not in state.sentence.edges:
        raise RewriteError(f"the edge {name} is gone")
    return edge


def _melt(state: State, edge: Edge) -> None:
    """Let an edge that is now like another one be that."""
    for other in _alike(state.sentence, edge):
        state.sentence.edges.remove(other)
        state.edges = {name: edge if named is other else named for name, named in state.edges.items()}


def _change(command: Command, state: State) -> None:
    sentence = state.sentence
    match command:
        case commands.DeleteFeature(attribute):
            owner = attribute.owner.text
            features = _living(state, owner).parts if owner in state.edges else _node(state, attribute.owner).change()
            features.pop(attribute.feature.text, None)
            if owner in state.edges:
                _melt(state, state.edges[owner])
        case commands.CopyFeatures():
            _copy_features(command, state)
        case commands.DeleteNode(node):
            sentence.delete([_node(state, node)])
            del state.nodes[node.text]
        case commands.DeletePhrase(node):
            gone = places.phrase(sentence, _node(state, node))
            sentence.delete(gone)
            state.nodes = {name: other for name, other in state.nodes.items() if other not in gone}
        case commands.AddNode(node, order, site):
            new = state.nodes[node.text] = Node(None)
            state.fixed.add(new)
            if order is None or site is None:
                sentence.loose.append(new)
            else:
                places.put(sentence, [new], order, _node(state, site))
        case commands.Unorder(node):
            if (loose := _node(state, node)) in sentence.order:
                sentence.order.remove(loose)
                sentence.loose.append(loose)
        case commands.Insert(node, order, site):
            inserted = _node(state, node)
            if inserted not in sentence.loose:
                raise RewriteError(f"{node.text} has a place: `unorder {node.text}` takes it out first")
            if _node(state, site) not in sentence.order:
                raise RewriteError(f"{site.text} has no place that something could stand beside")
            sentence.loose.remove(inserted)
            places.put(sentence, [inserted], order, _node(state, site))
        case commands.Move(whole, node, order, site):
            moved = places.phrase(sentence, _node(state, node)) if whole else [_node(state, node)]
            places.move(sentence, moved, order, _node(state, site))
        case commands.AddEdge(edge, source, label, target):
            parts = {name: _part(state, value) for name, value in label}
            new_edge = Edge(_node(state, source), parts, _node(state, target))
            if edge is not None:
                sentence.edges.append(new_edge)
                state.edges[edge.text] = new_edge
            elif not _alike(sentence, new_edge):
                sentence.edges.append(new_edge)
        case commands.DeleteEdge(edge=Name() as edge):
            sentence.edges.remove(_living(state, edge.text))
            del state.edges[edge.text]
        case commands.DeleteEdge(source=Name() as source, label=label, target=Name() as target):
            sought = Edge(
                _node(state, source), {name: _part(state, value) for name, value in label}, _node(state, target)
            )
            alike = _alike(sentence, sought)
            sentence.edges = [edge for edge in sentence.edges if edge not in alike]
        case commands.Shift():
            _shift(command, state)


def _part(state: State, value: str) -> str:
    """Return a part of a label, which may be that of another edge."""
    if not isinstance(value, Dotted):
        return value
    edge, _, part = value.partition(".")
    parts = state.edges[edge].parts
    if part not in parts:
        raise RewriteError(f"the edge {edge} has no part {part}")
    return parts[part]


def _alike(sentence: Sentence, edge: Edge) -> list[Edge]:
    """Return the other edges that have the ends and the label of one."""
    kind = (edge.source, edge.target, edge.parts)
    return [
        other for other in sentence.edges if other is not edge and (other.source, other.target, other.parts) == kind
    ]


def _copy_features(command: commands.CopyFeatures, state: State) -> None:
    source, target = _node(state, command.source).features, _node(state, command.target).change()
    names = [name for name in source if name not in _NOT_COPIED]
    if command.regexp is not None:
        fits = compile_regexp(command.regexp).matching(arrays.texts(names))
        names = [name for name, fit in zip(names, fits, strict=True) if fit]
    for name in names:
        pair = (source[name], target[name]) if command.first and name in target else (target.get(name), source[name])
        target[name] = command.separator.join(value for value in pair if value is not None)


def _shift(command: commands.Shift, state: State) -> None:
    source, target = _node(state, command.source), _node(state, command.target)
    moved = []
    for edge in state.sentence.edges:
        outgoing = command.outgoing and edge.source is source and edge.target not in state.fixed
        incoming = command.incoming and edge.target is source and edge.source not in state.fixed
        if (outgoing or incoming) and _accepts(command.label, edge.parts):
            moved.append((edge, outgoing))
    for edge, outgoing in moved:
        if outgoing:
            edge.source = target
        else:
            edge.target = target
        _melt(state, edge)


def _accepts(test: LabelTest, parts: Parts) -> bool:
    return bool(Labels([compact_label(parts)]).satisfying(test))


def multiplicity(rule: Rule, sentence: Sentence, nodes: Mapping[str, str]) -> int:
    """Return how often Grew counts a match: once for each way to choose edges that have no name."""
    by_id, ways = sentence.by_id, 1
    for clause in rule.request.pattern.edge_clauses:
        if clause.edge is None and clause.source is not None and clause.target is not None:
            ends = tuple(by_id[nodes[name.text]] for name in (clause.source, clause.target))
            edges = [edge for edge in sentence.edges if (edge.source, edge.target) == ends]
            ways *= sum(_accepts(clause.label, edge.parts) for edge in edges)
    return max(ways, 1)
