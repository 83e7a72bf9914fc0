"""Matched sentences with their bound words highlighted, for a terminal, and drawn as trees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from starbank.grew import syntax
from starbank.grew.labels import Labels, compact_label, parse_label
from starbank.grew.output import to_text
from starbank.grew.request import Request
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import numbers
from starbank.treebanks.draw import Edge, draw_tree
from starbank.treebanks.layout import is_right_to_left

# Blue, yellow, green, magenta, cyan and red, which all terminals have.
COLOURS = (34, 33, 32, 35, 36, 31)
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
Row = Mapping[str, Any]
COLUMNS = ["node", "id", "form", "start", "end", "head", "deprel", "deps"]


def to_sentences(matches: pa.Table, treebank: Treebank, colour: bool = False) -> Iterator[str]:
    """Yield each match as lines: what `to_text` tells, the sentence with the bound words marked, and an empty line.

    The marks are colours, one for each node, or else brackets: `The [S baker] [V sells] bread.`
    """
    names = node_names(matches)
    tokens, sentences = by_sentence(treebank.tokens), by_sentence(treebank.sentences)
    for line, match in zip(to_text(matches, treebank), matches.to_pylist(), strict=True):
        rows, (sentence,) = tokens(match["sent"]).select(COLUMNS).to_pylist(), sentences(match["sent"]).to_pylist()
        heading = "\t".join(_painted(field, names) for field in line.split("\t")) if colour else line
        yield from (heading, "  " + _marked(sentence["text"], _spans(rows, names, match), names, colour), "")


def to_trees(
    matches: pa.Table, treebank: Treebank, request: Request, enhanced: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield `sent_id` and the text of an SVG picture for each match; `enhanced` draws all enhanced edges."""
    names = node_names(matches)
    tokens_of, sentences = by_sentence(treebank.tokens), by_sentence(treebank.sentences)
    for match in matches.to_pylist():
        tokens, (sentence,) = tokens_of(match["sent"]), sentences(match["sent"]).to_pylist()
        rows = tokens.select(COLUMNS).to_pylist()
        bound = {name: match[name] for name in names}
        named = (match[name] for name in request.edges)
        edges: list[Edge] = [(edge["source"], edge["label"], edge["target"]) for edge in named]
        edges += _unnamed_edges(request, match, rows)
        title = f"{sentence['sent_id']}: {sentence['text']}"
        yield (
            sentence["sent_id"],
            draw_tree(tokens, sentence["root"], title=title, nodes=bound, edges=edges, enhanced=enhanced),
        )


def picture_name(number: int, sent_id: str) -> str:
    """Return the name of the file of a tree.

    >>> picture_name(7, "dev/12")
    '0007-dev_12.svg'
    """
    name = re.sub(r"[^\w.-]+", "_", sent_id)[:100]
    return f"{number:04}-{name}.svg"


def node_names(matches: pa.Table) -> list[str]:
    """Return the nodes that matches bind."""
    return [field.name for field in list(matches.schema)[2:] if pa.types.is_integer(field.type)]


def by_sentence(table: pa.Table) -> Callable[[int], pa.Table]:
    """Return what gives the rows of a sentence by its number; a table has its sentences in their order."""
    sents = numbers(table["sent"])

    def rows(sent: int) -> pa.Table:
        first, last = np.searchsorted(sents, [sent, sent + 1])
        return table.slice(first, last - first)

    return rows


def _unnamed_edges(request: Request, match: Row, rows: Sequence[Row]) -> list[Edge]:
    """Return the edges that edge clauses without a name found; an enhanced one only where no basic one would do."""
    by_node = {row["node"]: row for row in rows}
    bound: list[Edge] = []
    for clause in request.pattern.edge_clauses:
        if clause.edge is None and clause.source is not None and clause.target is not None:
            source, target = match[clause.source.text], match[clause.target.text]
            row = by_node.get(target, {})
            basic = [row["deprel"] or ""] if row and row["head"] == source else []
            enhanced = [f"E:{edge['deprel']}" for edge in row.get("deps") or () if edge["head"] == source]
            labels = _accepted(basic, clause.label) or _accepted(enhanced, clause.label)
            bound += [(source, label, target) for label in labels]
    return bound


def _accepted(labels: Sequence[str], test: syntax.LabelTest) -> list[str]:
    spelled = Labels([compact_label(parse_label(label)) for label in labels])
    return [labels[code] for code in spelled.satisfying(test)]


def _spans(rows: Sequence[Row], names: Sequence[str], match: Row) -> dict[tuple[int, int], list[str]]:
    """Return which names each stretch of the text has; a node without characters of its own has an empty stretch."""
    stretches = {node: stretch for stretch, nodes in word_stretches(rows).items() for node in nodes}
    spans: dict[tuple[int, int], list[str]] = {}
    for name in names:
        spans.setdefault(stretches.get(match[name], (0, 0)), []).append(name)
    return dict(sorted(spans.items()))


def word_stretches(rows: Sequence[Row]) -> dict[tuple[int, int], list[int]]:
    """Return the stretches of a sentence's text that are words, in order, each with the nodes that it has.

    `rows` are those of its tokens, with `node`, `id`, `start` and `end`. The words of a multiword token share its
    stretch, if they have none of their own; that of an empty node is empty.
    """
    stretches: dict[tuple[int, int], list[int]] = {}
    for place, row in enumerate(rows):
        if "-" not in row["id"]:
            stretches.setdefault(_span(rows, place), []).append(row["node"])
    return dict(sorted(stretches.items()))


def _span(rows: Sequence[Row], place: int) -> tuple[int, int]:
    """Return the characters of a word, of the multiword token around it, or the place where an empty node stands."""
    row = rows[place]
    if row["start"] is not None:
        return row["start"], row["end"]
    before = [earlier for earlier in rows[:place] if earlier["end"] is not None]
    if "." not in row["id"]:
        for token in reversed(before):
            first, _, last = token["id"].partition("-")
            if last and int(first) <= int(row["id"]) <= int(last):
                return token["start"], token["end"]
    end = max((token["end"] for token in before), default=0)
    return end, end


def _marked(text: str, spans: Mapping[tuple[int, int], Sequence[str]], names: Sequence[str], colour: bool) -> str:
    pieces, done = [], 0
    turned = is_right_to_left([text]) and not colour
    for (start, end), bound in spans.items():
        word = text[start:end] or "∅"
        mark = _paint(word, names.index(bound[0])) if colour else f"[{' '.join([*bound, word])}]"
        # A name in Latin letters must not turn the words around it.
        pieces += [text[done:start], f"{ISOLATE}{mark}{END_ISOLATE}" if turned else mark]
        done = end
    return "".join([*pieces, text[done:]])


def _painted(field: str, names: Sequence[str]) -> str:
    name = field.partition("=")[0]
    return _paint(field, names.index(name)) if name in names else field


def _paint(text: str, place: int) -> str:
    return f"\x1b[1;{COLOURS[place % len(COLOURS)]}m{text}\x1b[0m"
