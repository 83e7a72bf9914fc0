"""The features `textform` and `wordform` (https://grew.fr/doc/conllu)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.rows import Rows
from starbank.grew.values import Values


def text_forms(tokens: pa.Table, rows: Rows, form: np.ndarray, values: Values) -> tuple[np.ndarray, np.ndarray]:
    """Return each node's `textform` and `wordform` (codes), given the codes of its form.

    The first word of a multiword token has the surface token as its `textform`, the others have `_`, like empty nodes.
    The `wordform` of an empty node is `__EMPTY__`. A form `_` is spelled `UNDERSCORE` in both.
    """
    underscore, spelled, empty = values.add(pa.array(["_", "UNDERSCORE", "__EMPTY__"]))
    wordform = np.where(form == underscore, spelled, form)
    wordform[rows.roots] = 0
    textform = wordform.copy()
    is_empty = pc.match_substring(tokens["id"], ".").to_numpy()
    empty_ids = rows.ids[is_empty[rows.words]]
    wordform[empty_ids] = empty
    textform[empty_ids] = underscore
    multiword = ~rows.words
    if multiword.any():
        ends = [part.split("-") for part in tokens["id"].filter(pa.array(multiword)).to_pylist()]
        lengths = np.array([int(last) - int(first) + 1 for first, last in ends])
        plain = rows.words & ~is_empty
        plain_ids = rows.ids[plain[rows.words]]
        first = np.cumsum(plain)[multiword]
        members = np.repeat(first - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        textform[plain_ids[members]] = underscore
        surface = values.encode(tokens["form"].filter(pa.array(multiword)))
        textform[plain_ids[first]] = np.where(surface == underscore, spelled, surface)
    return textform, wordform
