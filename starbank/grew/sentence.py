"""A sentence as Grew's commands see it: nodes with features, in an order, and edges; from CoNLL-U and back.

Multiword tokens live in the feature `textform` (https://grew.fr/doc/conllu): the first word has the token's form there,
the others have `_`. Where a change leaves nothing sensible to write, `RewriteError` says so: Grew's own engine then
writes multiword tokens over words that they never covered, words without an order, or empty columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import cast

from starbank.errors import StarbankError
from starbank.grew.labels import Parts, parse_label
from starbank.grew.names import UD_FEATURES

_COLUMNS = ("form", "lemma", "upos", "xpos")
_TEXTS = ("wordform", "textform")
_MISC = "__MISC__"
_EMPTY = "__EMPTY__"
ROOT = "0"


class RewriteError(StarbankError):
    """A match that commands cannot be applied to, or whose result cannot be written."""


class Node:
    """A word, an empty node, or the root.

    `source` is its ID in the sentence as it was, None for a new one; `token`, of a word, that of the multiword token
    that it was a part of; `row` its columns there, of which its `features` are read when they are first asked for: most
    words of a sentence stay as they are.
    """

    __slots__ = ("_features", "_is_changed", "_textform", "row", "source", "token")

    def __init__(
        self,
        source: str | None,
        features: dict[str, str] | None = None,
        token: str | None = None,
        row: Sequence[str] | None = None,
        textform: str | None = None,
    ) -> None:
        self.source = source
        self.token = token
        self.row = row
        self._textform = textform
        self._features = {} if features is None and row is None else features
        self._is_changed = row is None

    @property
    def features(self) -> Mapping[str, str]:
        """Its features; copies share them."""
        if self._features is None:
            self._features = _features(self.row or (), self._textform)
        return self._features

    def change(self) -> dict[str, str]:
        """Return its features, which are its own from now on."""
        if not self._is_changed:
            self._features, self._is_changed = dict(self.features), True
        return cast(dict[str, str], self._features)

    def copy(self) -> Node:
        """Return a copy, of which nothing changes when this one does."""
        features = dict(self.features) if self._is_changed else cast(dict[str, str], self.features)
        twin = Node(self.source, features, self.token, self.row, self._textform)
        twin._is_changed = self._is_changed
        return twin

    @property
    def is_read(self) -> bool:
        """Whether its features are those of its columns, since nothing has changed them."""
        return not self._is_changed

    def is_as(self, other: Node) -> bool:
        """Tell whether the node of a changed sentence is as one of the sentence was before."""
        if self is other:
            return True
        if self.row is None or self.row is not other.row:
            return self.source == other.source == ROOT and self.features == other.features
        return not self._is_changed or self.features == other.features

    @property
    def is_empty(self) -> bool:
        """Whether it is an empty node of the sentence as it was."""
        return self.source is not None and "." in self.source


@dataclass(eq=False, slots=True)
class Edge:
    """An edge; `parts` are those of its label (`starbank.grew.labels`), which others may share until it is copied."""

    source: Node
    parts: Parts
    target: Node


class Sentence:
    """The graph of a sentence.

    `order` has the nodes that have a place, the root first; `loose` those without; `misc` the MISC of multiword tokens,
    by their ID. Its `edges` are made when they are first asked for, by `make_edges`.
    """

    def __init__(
        self,
        order: list[Node],
        make_edges: Callable[[], list[Edge]],
        misc: Mapping[str, str],
        comments: Sequence[str],
    ) -> None:
        self.order = order
        self.loose: list[Node] = []
        self._make_edges = make_edges
        self.misc = misc
        self.comments = comments

    @cached_property
    def edges(self) -> list[Edge]:
        """The edges, those of the tree before the enhanced ones of each word."""
        return self._make_edges()

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """The nodes by their ID in the sentence as it was, before it is changed."""
        return {node.source: node for node in self.order if node.source is not None}

    def copy(
        self, changing: Iterable[Node], named: Iterable[Edge]
    ) -> tuple[Sentence, dict[Node, Node], dict[Edge, Edge]]:
        """Return a copy that shares with this one all nodes but those that are `changing`, and all edges but theirs and
        those that are `named`; and which is the copy of which."""
        nodes = {node: node.copy() for node in changing}
        edges = {edge: _between(nodes, edge) for edge in named if edge in self.edges}

        def make_edges() -> list[Edge]:
            return [
                edges.get(edge) or (_between(nodes, edge) if edge.source in nodes or edge.target in nodes else edge)
                for edge in self.edges
            ]

        order, loose = ([nodes.get(node, node) for node in several] for several in (self.order, self.loose))
        twin = Sentence(order, make_edges, self.misc, self.comments)
        twin.loose = loose
        return twin, nodes, edges

    def delete(self, nodes: Iterable[Node]) -> None:
        """Take nodes out, with all edges from and to them."""
        gone = set(nodes)
        self.order = [node for node in self.order if node not in gone]
        self.loose = [node for node in self.loose if node not in gone]
        made, make_edges = self.__dict__.pop("edges", None), self._make_edges

        def left() -> list[Edge]:
            edges = make_edges() if made is None else made
            return [edge for edge in edges if gone.isdisjoint((edge.source, edge.target))]

        self._make_edges = left


def _between(nodes: Mapping[Node, Node], edge: Edge) -> Edge:
    """Return the copy of an edge between copies of its ends."""
    return Edge(nodes.get(edge.source, edge.source), dict(edge.parts), nodes.get(edge.target, edge.target))


def read_sentence(rows: Sequence[Sequence[str]], comments: Sequence[str] = ()) -> Sentence:
    """Return the graph of a sentence from the ten columns of its lines in CoNLL-U."""
    root = Node(ROOT, {"form": "__0__"})
    nodes, misc, token, last = {ROOT: root}, {}, None, 0
    for row in rows:
        number = row[0]
        if "-" in number:
            token, last = number, int(number.partition("-")[2])
            misc[number] = row[9]
            form = row[1]
        elif token is None or "." in number:
            nodes[number] = Node(number, row=row)
        elif int(number) > last:
            token, nodes[number] = None, Node(number, row=row)
        else:
            textform = form if number == token.partition("-")[0] else "_"
            nodes[number] = Node(number, None, token, row, textform)
    return Sentence(list(nodes.values()), partial(_read_edges, nodes, rows), misc, comments)


def _read_edges(nodes: Mapping[str, Node], rows: Sequence[Sequence[str]]) -> list[Edge]:
    return [Edge(nodes[head], parts, nodes[row[0]]) for row in rows for head, parts in _heads(row) if head in nodes]


def _features(row: Sequence[str], textform: str | None) -> dict[str, str]:
    """Return the features of a word from its columns; `textform` where it is a part of a multiword token."""
    features = {name: value for name, value in zip(_COLUMNS, row[1:5], strict=True) if value != "_"}
    if row[1] == "_":
        features["form"] = "_"
    for pair in _pairs(row[5]):
        name, _, value = pair.partition("=")
        features[_layered(name)] = value
    for pair in _pairs(row[9]):
        name, _, value = pair.partition("=")
        features[f"{_MISC}{name}" if name in UD_FEATURES else name] = value
    text = "UNDERSCORE" if row[1] == "_" else row[1]
    is_empty = "." in row[0]
    features["wordform"] = _EMPTY if is_empty else text
    features["textform"] = "_" if is_empty else textform or text
    return features


def _pairs(column: str) -> list[str]:
    return [] if column == "_" else column.split("|")


def _layered(name: str) -> str:
    """Return a name as Grew has it: `Number__psor` for `Number[psor]`."""
    return name.replace("[", "__").removesuffix("]") if name.endswith("]") else name


def _heads(row: Sequence[str]) -> Iterator[tuple[str, Parts]]:
    """Yield head and label of each edge to a word, basic ones first."""
    if "-" in row[0]:
        return
    if row[6] != "_":
        yield row[6], _parts("" if row[7] == "_" else row[7])
    for pair in _pairs(row[8]):
        head, _, label = pair.partition(":")
        yield head, _parts(f"E:{label}")


_parts = lru_cache(maxsize=10_000)(parse_label)


def write_sentence(sentence: Sentence) -> list[list[str]]:
    """Return the ten columns of each line in CoNLL-U: words numbered anew, multiword tokens before their words.

    Raises `RewriteError` where the sentence cannot be written.
    """
    if sentence.loose:
        raise RewriteError("a word is left without a place in the sentence")
    if sentence.order[0].source != ROOT:
        raise RewriteError("a word stands before the root of the sentence")
    words = sentence.order[1:]
    ids = _number(words)
    numbers = dict(zip(words, ids, strict=True)) | {sentence.order[0]: ROOT}
    tokens = _tokens(words, numbers, sentence.misc)
    rows = []
    for node in words:
        rows += tokens.get(node, [])
        rows.append(_row(node, numbers, sentence.edges))
    return rows


def _number(words: Sequence[Node]) -> list[str]:
    ids, word, empty = [], 0, 0
    for node in words:
        if node.features.get("wordform") == _EMPTY:
            empty += 1
            ids.append(f"{word}.{empty}")
        else:
            word, empty = word + 1, 0
            ids.append(str(word))
    return ids


def _tokens(words: Sequence[Node], numbers: Mapping[Node, str], misc: Mapping[str, str]) -> dict[Node, list[list[str]]]:
    """Return the line of each multiword token, by its first word: words with the textform `_` go with those before."""
    spans: list[list[Node]] = []
    for node in (node for node in words if node.features.get("wordform") != _EMPTY):
        if node.features.get("textform") != "_":
            spans.append([node])
        elif not spans or "textform" not in spans[-1][0].features:
            raise RewriteError("a part of a multiword token has lost the word that it begins with")
        else:
            spans[-1].append(node)
    lines = {}
    for first, *others in (span for span in spans if len(span) > 1):
        if any(node.source is not None and (node.token is None or node.token != first.token) for node in others):
            raise RewriteError("a multiword token would cover words that it was not written for")
        number = f"{numbers[first]}-{numbers[others[-1]]}"
        misc_column = misc.get(number, "_") if first.token == number else "_"
        lines[first] = [[number, first.features["textform"], *["_"] * 7, misc_column]]
    return lines


def _row(node: Node, numbers: Mapping[Node, str], edges: Sequence[Edge]) -> list[str]:
    features = node.features
    form = features.get("form", "__NOFORM__")
    columns = [form, *(features.get(name, "_") for name in _COLUMNS[1:])]
    feats: list[str] = []
    misc: list[str] = []
    for name, value in features.items():
        if name in _COLUMNS or name in _TEXTS or (name.startswith("_") and not name.startswith(_MISC)):
            continue
        bare = name.removeprefix(_MISC)
        layer, _, kind = bare.partition("__")
        shown = f"{layer}[{kind}]" if kind and layer else bare
        pair = f"{shown}={value}" if value or name in UD_FEATURES else shown
        (feats if bare == name and (shown in UD_FEATURES or (kind and layer)) else misc).append(pair)
    basic: list[tuple[tuple[int, int], str, str]] = []
    enhanced: list[tuple[tuple[int, int], str, str]] = []
    for edge in edges:
        if edge.target is node and edge.source in numbers:
            edges_of_kind = enhanced if edge.parts.get("enhanced") == "yes" else basic
            edges_of_kind.append((_place(numbers[edge.source]), numbers[edge.source], _label(edge.parts)))
    heads = sorted(set(basic))
    row = [
        numbers[node],
        *columns,
        "|".join(sorted(feats, key=str.lower)) or "_",
        "|".join(head for _, head, _ in heads) or "_",
        "|".join(label or "_" for _, _, label in heads) or "_",
        "|".join(f"{head}:{label}" for _, head, label in sorted(set(enhanced))) or "_",
        "|".join(sorted(misc, key=str.lower)) or "_",
    ]
    empty = next((place for place, column in enumerate(row) if not column or "\t" in column or "\n" in column), None)
    if empty is not None:
        raise RewriteError(f"word {numbers[node]} has a column that is empty or holds a tab")
    return row


def _place(number: str) -> tuple[int, int]:
    whole, _, part = number.partition(".")
    return int(whole), int(part or 0)


def _label(parts: Parts) -> str:
    """Return a label as columns have it."""
    from starbank.grew.labels import compact_label

    bare = {name: value for name, value in parts.items() if name != "enhanced"}
    if bare and "1" in bare and bare.keys() <= {"1", "2", "type"}:
        return compact_label(bare)
    return ",".join(
        f"{name}={value}" for name, value in sorted(bare.items(), key=lambda pair: (pair[0].isdigit(), pair))
    )
