"""Matches as text: lines of JSON, and lines for people to read."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from starbank.grew.labels import to_json
from starbank.grew.rows import column
from starbank.treebanks import Treebank, arrays


def to_jsonl(matches: pa.Table, treebank: Treebank) -> Iterator[str]:
    """Yield each match as a line of JSON, as Grew prints it, with CoNLL-U ids; the root node is `0`.

    `{"edges":{"e":{"label":"nsubj","source":"7","target":"5"}},"nodes":{"V":"7"},"sent_id":"…"}`, keys sorted. A
    label with sub-features is an object, `{"1":"nsubj","2":"pass"}`.
    """
    nodes, edges = [], []
    # By place, not by name: a node may be called `sent`.
    named = zip(matches.column_names[2:], matches.columns[2:], strict=True)
    for name, values in sorted(named, key=lambda pair: pair[0]):
        if pa.types.is_struct(values.type):
            label, source, target = (_field(values, part) for part in ("label", "source", "target"))
            edges.append((_text(name), _labels(label), _words(source, treebank)[0], _words(target, treebank)[0]))
        else:
            nodes.append((_text(name), _words(values.combine_chunks(), treebank)[0]))
    for row, sent_id in enumerate(matches.column(1).to_pylist()):
        node_texts = ",".join(f'{name}:"{ids[row]}"' for name, ids in nodes)
        edge_texts = ",".join(
            f'{name}:{{"label":{labels[row]},"source":"{sources[row]}","target":"{targets[row]}"}}'
            for name, labels, sources, targets in edges
        )
        yield f'{{"edges":{{{edge_texts}}},"nodes":{{{node_texts}}},"sent_id":{_text(sent_id)}}}'


def to_text(matches: pa.Table, treebank: Treebank) -> Iterator[str]:
    """Yield each match as a line: the sentence, each node with its CoNLL-U id and form, each edge with its label.

    `wiki_art_00190<TAB>V=7:ესმის<TAB>SUBJ=3:ჩვენ<TAB>e=nsubj`; the root node is `0`, a label that is not there empty.
    """
    columns = [matches["sent_id"].to_pylist()]
    for name in matches.column_names[2:]:
        if pa.types.is_integer(matches.schema.field(name).type):
            words = zip(*_words(matches[name].combine_chunks(), treebank), strict=True)
            columns.append([f"{name}={i}" + (f":{form}" if form else "") for i, form in words])
        else:
            columns.append([f"{name}={edge['label'] or ''}" for edge in matches[name].to_pylist()])
    for row in zip(*columns, strict=True):
        yield "\t".join(row)


def to_tsv(matches: pa.Table, treebank: Treebank) -> Iterator[str]:
    """Yield a line of names of columns, and a line for each match: sentence, id and form of each node, edges, text."""
    # By place, not by name: a node may be called `sent`.
    named = list(zip(matches.column_names[2:], matches.columns[2:], strict=True))
    names, columns = ["sent_id"], [matches.column(1).to_pylist()]
    for name, values in named:
        if pa.types.is_integer(values.type):
            names += [name, f"{name}.form"]
            columns += _words(values.combine_chunks(), treebank)
        else:
            names.append(f"{name}.label")
            columns.append(_field(values, "label").to_pylist())
    sents = column(treebank.sentences, "sent")
    places = arrays.integers(np.searchsorted(sents, arrays.numbers(matches.column(0))))
    for row in [
        [*names, "text"],
        *zip(*columns, treebank.sentences["text"].take(places).to_pylist(), strict=True),
    ]:
        yield "\t".join(" ".join((value or "").split()) for value in row)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _field(column: pa.ChunkedArray, name: str) -> pa.Array:
    return column.combine_chunks().field(name)


def _labels(labels: pa.Array) -> list[str]:
    encoded = labels.dictionary_encode()
    texts = [_text(to_json(label)) for label in encoded.dictionary.to_pylist()]
    return [texts[index] if index is not None else "{}" for index in encoded.indices.to_pylist()]


def _words(nodes: pa.Array, treebank: Treebank) -> tuple[list[str], list[str | None]]:
    """Return the CoNLL-U id and the form of each node: `0` and None for root nodes, which the token table lacks."""
    rows, numbers = column(treebank.tokens, "node"), arrays.numbers(nodes)
    places = np.minimum(np.searchsorted(rows, numbers), len(rows) - 1)
    ids, forms = (treebank.tokens[name].take(arrays.integers(places)).to_pylist() for name in ("id", "form"))
    for row in np.flatnonzero(rows[places] != numbers):
        ids[row], forms[row] = "0", None
    return ids, forms
