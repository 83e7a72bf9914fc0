"""Matches as text."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from starbank.grew.engine import Tables
from starbank.grew.labels import to_json


def to_jsonl(matches: pa.Table, treebank: Tables) -> Iterator[str]:
    """Yield each match as a line of JSON, as Grew prints it, with CoNLL-U ids; the root node is `0`.

    `{"edges":{"e":{"label":"nsubj","source":"7","target":"5"}},"nodes":{"V":"7"},"sent_id":"…"}`, keys sorted. A
    label with sub-features is an object, `{"1":"nsubj","2":"pass"}`.
    """
    ids = _conllu_ids(treebank)
    for row in matches.drop_columns(["sent"]).to_pylist():
        sent_id = row.pop("sent_id")
        nodes = {name: ids(value) for name, value in row.items() if not isinstance(value, dict)}
        edges = {
            name: {"source": ids(value["source"]), "label": to_json(value["label"]), "target": ids(value["target"])}
            for name, value in row.items()
            if isinstance(value, dict)
        }
        match = {"sent_id": sent_id, "nodes": nodes, "edges": edges}
        yield json.dumps(match, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _conllu_ids(treebank: Tables):  # type: ignore[no-untyped-def]
    numbers = treebank.tokens["node"].to_numpy()
    texts = treebank.tokens["id"]

    def conllu_id(number: int) -> str:
        place = int(np.searchsorted(numbers, number))
        return texts[place].as_py() if place < len(numbers) and numbers[place] == number else "0"

    return conllu_id
