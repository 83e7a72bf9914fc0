"""The features `textform` and `wordform` (https://grew.fr/doc/conllu)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from starbank.grew.rows import Rows
from starbank.grew.values import Values
from starbank.treebanks import arrays


def text_forms(tokens: pa.Table, rows: Rows, form: np.ndarray, values: Values) -> tuple[np.ndarray, np.ndarray]:
    """Return each node's `textform` and `wordform` (codes), given the codes of its form.

    The first word of a multiword token has the surface token as its `textform`, the others have `_`, like empty nodes.
    The `wordform` of an empty node is `__EMPTY__`. A form `_` is spelled `UNDERSCORE` in both.
    """
    underscore, spelled, empty = values.add_texts(["_", "UNDERSCORE", "__EMPTY__"])
    wordform = np.where(form == underscore, spelled, form)
    wordform[rows.roots] = 0
    textform = wordform.copy()
    is_empty = _is_empty_node(tokens, rows)
    empty_ids = rows.ids[is_empty[rows.words]]
    wordform[empty_ids] = empty
    textform[empty_ids] = underscore
    multiword = ~rows.words
    if multiword.any():
        spans = np.flatnonzero(multiword)
        ends = [part.split("-") for part in _taken(tokens, "id", spans).to_pylist()]
        lengths = np.array([int(last) - int(first) + 1 for first, last in ends])
        plain = rows.words & ~is_empty
        plain_ids = rows.ids[plain[rows.words]]
        first = np.cumsum(plain)[multiword]
        members = np.repeat(first - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        textform[plain_ids[members]] = underscore
        surface = values.encode(_taken(tokens, "form", spans).dictionary_encode())
        textform[plain_ids[first]] = np.where(surface == underscore, spelled, surface)
    return textform, wordform


def _is_empty_node(tokens: pa.Table, rows: Rows) -> np.ndarray:
    """Tell which rows of the token table are empty nodes; only a node without a head can be one."""
    headless = np.flatnonzero(rows.words & ~arrays.mask(tokens["head"].combine_chunks().is_valid()))
    is_empty = np.zeros(len(rows.words), bool)
    is_empty[headless] = ["." in id_ for id_ in _taken(tokens, "id", headless).to_pylist()]
    return is_empty


def _taken(tokens: pa.Table, name: str, places: np.ndarray) -> pa.StringArray:
    return arrays.take(tokens[name].combine_chunks(), places)
