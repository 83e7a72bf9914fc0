"""Split swap: what was the test split is for training, and what was for training is the test."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

from starbank.plugins import transform
from starbank.transforms import Derived, Part
from starbank.treebanks import Treebank, parts_of
from starbank.treebanks.arrays import texts, whole

_OTHER = {"train": "test", "test": "train"}


@transform
def swapped(treebank: Treebank, *, seed: int = 0) -> Derived:
    """Return the treebank with its train and test splits exchanged, as Vyākarana has them (Patil et al. 2021).

    A treebank made from few training sentences leaves many to test on. Files change their names, sentences keep theirs.
    """
    return Derived(Part(part.tokens, _swapped(part.sentences)) for part in parts_of(treebank))


def _swapped(sentences: pa.Table) -> pa.Table:
    """Return the sentences with other names of their files."""
    names = pc.unique(sentences["file"])
    renamed = texts([re.sub(r"train|test", lambda split: _OTHER[split[0]], name) for name in names.to_pylist()])
    column = renamed.take(whole(pc.index_in(sentences["file"], names)))
    return sentences.set_column(sentences.column_names.index("file"), "file", column)
