"""Ingested treebanks whose files have many row groups, as only large ones have."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc
import pytest

from starbank.treebanks import ingest, parquet, store


def ingest_in_groups(source: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ingest a treebank into `folder`, with a row group for every six sentences, however long they are."""
    with monkeypatch.context() as small:
        small.setattr(parquet, "ROW_GROUP", 1)
        small.setattr(store, "ROW_GROUP", 4)
        whole = ingest([source], folder)
        with parquet.table_file(folder / "tokens.parquet", "tokens/1") as tokens:
            for first in range(0, len(whole.sentences), 6):
                sents = whole.tokens["sent"]
                tokens.add(whole.tokens.filter(pc.and_(pc.greater_equal(sents, first), pc.less(sents, first + 6))))
            tokens.close({})
    return folder
