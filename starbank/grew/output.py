"""Matches as text."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from starbank.grew.engine import Tables
from starbank.grew.labels import to_json
from starbank.grew.rows import column
from starbank.treebanks import arrays


def to_jsonl(matches: pa.Table, treebank: Tables) -> Iterator[str]:
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
            edges.append((_text(name), _labels(label), words_of(source, treebank)[0], words_of(target, treebank)[0]))
        else:
            nodes.append((_text(name), words_of(values.combine_chunks(), treebank)[0]))
    for row, sent_id in enumerate(matches.column(1).to_pylist()):
        node_texts = ",".join(f'{name}:"{ids[row]}"' for name, ids in nodes)
        edge_texts = ",".join(
            f'{name}:{{"label":{labels[row]},"source":"{sources[row]}","target":"{targets[row]}"}}'
            for name, labels, sources, targets in edges
        )
        yield f'{{"edges":{{{edge_texts}}},"nodes":{{{node_texts}}},"sent_id":{_text(sent_id)}}}'


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _field(column: pa.ChunkedArray, name: str) -> pa.Array:
    return column.combine_chunks().field(name)


def _labels(labels: pa.Array) -> list[str]:
    encoded = labels.dictionary_encode()
    texts = [_text(to_json(label)) for label in encoded.dictionary.to_pylist()]
    return [texts[index] if index is not None else "{}" for index in encoded.indices.to_pylist()]


def words_of(nodes: pa.Array, treebank: Tables) -> tuple[list[str], list[str | None]]:
    """Return the CoNLL-U id and the form of each node: `0` and None for root nodes, which the token table lacks."""
    rows, wanted = column(treebank.tokens, "node"), arrays.numbers(nodes)
    places = np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)
    ids, forms = (treebank.tokens[name].take(arrays.integers(places)).to_pylist() for name in ("id", "form"))
    root = rows[places] != wanted
    for row in np.flatnonzero(root):
        ids[row], forms[row] = "0", None
    return ids, forms
