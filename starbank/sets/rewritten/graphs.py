"""The graphs that commands make of matches, and which of their words need another form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
import pyarrow as pa

from starbank.grew.commands import mentioned
from starbank.grew.names import UD_FEATURES
from starbank.grew.rewrite import rewrite
from starbank.grew.rewriting import Match, read_matches
from starbank.grew.rules import Rule
from starbank.grew.sentence import Node, RewriteError, Sentence
from starbank.queries.conditions import Condition
from starbank.queries.constructions import Construction
from starbank.sets.rewritten.text import Original, originals_of
from starbank.sets.rewritten.window import Window, find_window
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import numbers
from starbank.treebanks.features import canonical

# The features of a node that say which cell of which paradigm it is in, beside those of UD.
_WORD = ("lemma", "upos")


@dataclass
class Blank:
    """A word that has another lemma or other features than before, and wants a form: `before` is None for a new one."""

    node: Node
    before: Node | None
    # How it stands in its sentence, as `describe_words` tells.
    use: str | None = None

    @cached_property
    def lemma(self) -> str | None:
        """Its lemma."""
        return self.node.features.get("lemma")

    @cached_property
    def upos(self) -> str:
        """Its part of speech."""
        return self.node.features.get("upos", "X")

    @cached_property
    def feats(self) -> str:
        """Its features as UD writes them."""
        return feats_of(self.node)

    @cached_property
    def form_before(self) -> str | None:
        """The form that it had, of the same lemma; None where the word is another one."""
        same = self.before is not None and self.before.features.get("lemma") == self.lemma
        return self.before.features.get("form") if self.before is not None and same else None

    @cached_property
    def feats_before(self) -> str | None:
        """The features that it had with that form."""
        return feats_of(self.before) if self.before is not None and self.form_before else None


@dataclass(frozen=True)
class Fault:
    """Why a condition cannot be made: for want of what `commands` ask for, of a well spelt `word` that they name, of a
    `form`, or of a sure `text`."""

    kind: Literal["commands", "word", "form", "text"]
    detail: str


@dataclass
class Graph:
    """What a condition makes of a match: the changed sentence and the nodes known by name.

    In the end it has `pieces`, its words as written and what stands between them in turns, or a `fault`.
    """

    row: int
    condition: Condition
    original: Original
    before: Sentence
    sentence: Sentence
    nodes: dict[str, Node] = field(default_factory=dict)
    # Words that are new, or not as they were.
    changed: list[Node] = field(default_factory=list)
    blanks: list[Blank] = field(default_factory=list)
    # Words that commands gave a form.
    written: list[Node] = field(default_factory=list)
    pieces: Sequence[str] = ()
    fault: Fault | None = None

    @cached_property
    def window(self) -> Window:
        """Where the sentence differs from what it was."""
        return find_window(self.sentence, self.before, self.original)


def make_graphs(
    construction: Construction, matches: pa.Table, treebank: Treebank, described: pa.Table
) -> Iterator[list[Graph]]:
    """Yield, sentence by sentence, what each condition makes of each match, in the order of matches and conditions.

    `described` tells of the words of these sentences what `describe_words` does.
    """
    chosen = treebank.only(matches["sent"].unique())
    matched = read_matches(construction.request, matches, chosen)
    originals = originals_of(chosen, construction.language)
    for (_, sentence, bound), original, uses in zip(matched, originals, _uses(chosen, described), strict=True):
        yield [
            _graph(sentence, original, match, condition, uses)
            for match in bound
            for condition in construction.conditions
        ]


def _uses(treebank: Treebank, described: pa.Table) -> Iterator[dict[str, str | None]]:
    """Yield, for each sentence, how its words stand in it, by their IDs."""
    words = treebank.tokens.filter(treebank.tokens["position"].is_valid())
    ids, uses = words["id"].to_pylist(), described["use"].to_pylist()
    borders = np.searchsorted(numbers(words["sent"]), numbers(treebank.sentences["sent"])).tolist()
    for first, end in pairwise([*borders, len(ids)]):
        yield dict(zip(ids[first:end], uses[first:end], strict=True))


def _graph(
    sentence: Sentence, original: Original, match: Match, condition: Condition, uses: Mapping[str, str | None]
) -> Graph:
    graph = Graph(match.row, condition, original, sentence, sentence)
    before = sentence.by_id
    if condition.rewriting is None:
        graph.nodes = {name: before[number] for name, number in match.nodes.items()}
        return graph
    bound = {name: before[number] for name, number in match.nodes.items()}
    touched = _touched(condition.rewriting.rule)
    for name, node in bound.items():
        if node.is_empty and name in touched:
            graph.fault = Fault("commands", f"{name} is a word that only the enhanced graph has")
            return graph
        # I didn't fought: what the construction speaks of is wrong already.
        if node.features.get("Typo") == "Yes":
            graph.fault = graph.fault or Fault("word", f"{name} is misspelt: {node.features['form']}")
    if graph.fault is not None:
        return graph
    try:
        # Of several words that a lexicon offers, the first.
        state = next(rewrite(condition.rewriting.rule, sentence, match.nodes, match.edges))
    except RewriteError as error:
        graph.fault = Fault("commands", error.message)
        return graph
    graph.sentence, graph.nodes = state.sentence, state.nodes
    gone = [name for name in condition.rewriting.request.nodes if name not in state.nodes]
    if gone:
        graph.fault = Fault("commands", f"{gone[0]} is gone with a phrase")
        return graph
    same = set(sentence.order)
    for node in state.sentence.order[1:]:
        if node not in same:
            number = node.source or ""
            _compare(graph, node, before.get(number), uses.get(number))
    return graph


def _touched(rule: Rule) -> list[str]:
    """Return the nodes and edges that commands name."""
    return sorted({name.text for command in rule.commands for name in mentioned(command)})


def _compare(graph: Graph, node: Node, before: Node | None, use: str | None) -> None:
    """Note a word that needs another form, or has got one."""
    if before is not None and node.features == before.features:
        return
    graph.changed.append(node)
    if node.features.get("form") != (before.features.get("form") if before else None):
        graph.written.append(node)
    elif before is None or _cell(node) != _cell(before):
        if "lemma" not in node.features:
            graph.fault = Fault("form", "a word has neither a form nor a lemma")
        graph.blanks.append(Blank(node, before, use))


def _cell(node: Node) -> dict[str, str]:
    return {name: value for name, value in node.features.items() if name in _WORD or is_feature(name)}


def is_feature(name: str) -> bool:
    """Tell whether a feature of a node is one of UD, perhaps layered: `Number__psor`."""
    return name in UD_FEATURES or ("__" in name and not name.startswith("_"))


def feats_of(node: Node) -> str:
    """Return the features of UD that a node has, as UD writes them."""
    if node.row is not None and node.is_read and "__" not in node.row[9]:
        return _feats_of_column(node.row[5])
    return _feats(tuple(node.features.items()))


@lru_cache(maxsize=10_000)
def _feats_of_column(feats: str) -> str:
    return _feats(tuple(Node("1", row=["1", "_", "_", "_", "_", feats, "_", "_", "_", "_"]).features.items()))


@lru_cache(maxsize=10_000)
def _feats(features: tuple[tuple[str, str], ...]) -> str:
    return canonical({_ud_name(name): value for name, value in features if is_feature(name)})


def _ud_name(name: str) -> str:
    layer, _, kind = name.partition("__")
    return f"{layer}[{kind}]" if kind else name


def in_order(graphs: Sequence[Graph]) -> list[Blank]:
    """Return the words without a form of some graphs, in their order."""
    return [blank for graph in graphs if graph.fault is None for blank in graph.blanks]
