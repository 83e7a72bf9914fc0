"""Small tables of texts, made in Python and joined in SQL."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from starbank.treebanks.arrays import texts


def text_table(rows: Sequence[tuple[str | None, ...]], names: Sequence[str]) -> pa.Table:
    """Return rows of texts as a table with these columns."""
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return pa.table(list(map(texts, columns)), names=list(names))
