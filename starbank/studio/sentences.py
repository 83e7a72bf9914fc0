"""Matches as the page shows them: sentences cut into words, some of which are bound to nodes of the request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from starbank.grew import Engine, Request
from starbank.grew.show import by_sentence, node_names, to_trees, word_stretches
from starbank.treebanks import Treebank
from starbank.treebanks.draw import COLOURS, draw_tree
from starbank.treebanks.layout import is_right_to_left

# A long sentence may have more matches than fit into memory: that which is meant is looked for among the first.
MOST = 100_000
_WORDS = ("node", "id", "form", "start", "end")


@dataclass(frozen=True)
class Piece:
    """A stretch of a sentence: its text, the node that is there if it is a word, and the names that are bound to it."""

    text: str
    node: int | None = None
    names: tuple[str, ...] = ()
    colour: int = 0


@dataclass(frozen=True)
class Sentence:
    """A matched sentence in pieces; `bound` are the nodes of the match by their names."""

    sent: int
    sent_id: str
    pieces: tuple[Piece, ...]
    bound: Mapping[str, int]
    right_to_left: bool


def show_matches(matches: pa.Table, treebank: Treebank) -> Iterator[Sentence]:
    """Yield the sentence of each match, in pieces."""
    names = node_names(matches)
    for match in matches.to_pylist():
        yield show_sentence(match["sent"], treebank, {name: match[name] for name in names})


def show_sentence(sent: int, treebank: Treebank, bound: Mapping[str, int] | None = None) -> Sentence:
    """Return a sentence by its number, in pieces, with the words that are `bound` to names."""
    bound = bound or {}
    rows = by_sentence(treebank.tokens)(sent).select(_WORDS).to_pylist()
    (about,) = by_sentence(treebank.sentences)(sent).to_pylist()
    pieces = tuple(_pieces(about["text"] or "", rows, bound))
    return Sentence(sent, about["sent_id"] or "", pieces, bound, is_right_to_left([about["text"] or ""]))


def _pieces(text: str, rows: Sequence[Mapping[str, Any]], bound: Mapping[str, int]) -> Iterator[Piece]:
    names: dict[int, list[str]] = {}
    for name, node in bound.items():
        names.setdefault(node, []).append(name)
    places = {name: place % len(COLOURS) for place, name in enumerate(bound)}
    done = 0
    for (start, end), nodes in word_stretches(rows).items():
        of_words = tuple(name for node in nodes for name in names.get(node, ()))
        if start < done or (start == end and not of_words):
            continue
        if text[done:start]:
            yield Piece(text[done:start])
        # Of the words of a multiword token, that which is bound is meant.
        node = next((node for node in nodes if node in names), nodes[0])
        yield Piece(text[start:end] or "∅", node, of_words, places[of_words[0]] if of_words else 0)
        done = end
    if text[done:]:
        yield Piece(text[done:])


def draw_sentence(sent: int, treebank: Treebank, bound: Mapping[str, int], enhanced: bool) -> str:
    """Return the tree of a sentence as SVG, without the edges of a request."""
    (about,) = by_sentence(treebank.sentences)(sent).to_pylist()
    title = f"{about['sent_id']}: {about['text']}"
    return draw_tree(
        by_sentence(treebank.tokens)(sent), about["root"], title=title, nodes=dict(bound), enhanced=enhanced
    )


def draw_match(request: Request, sent: int, treebank: Treebank, bound: Mapping[str, int], enhanced: bool) -> str:
    """Return the tree of a sentence as SVG, with all that the match of `request` that has these nodes binds."""
    alone = only_sentence(treebank, sent)
    matches = Engine(alone).match(request, MOST)
    chosen = [all(row.get(name) == node for name, node in bound.items()) for row in matches.to_pylist()]
    trees = to_trees(matches.filter(pa.array(chosen, pa.bool_())).slice(0, 1), alone, request, enhanced)
    return next((svg for _, svg in trees), None) or draw_sentence(sent, treebank, bound, enhanced)


def only_sentence(treebank: Treebank, sent: int) -> Treebank:
    """Return a treebank of one sentence."""
    tokens, sentences = (by_sentence(table)(sent) for table in (treebank.tokens, treebank.sentences))
    return replace(treebank, tokens=tokens, sentences=sentences)
