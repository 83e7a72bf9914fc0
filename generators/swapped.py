"""Split swap: what was the test split is for training, and what was for training is the test."""

from __future__ import annotations

import re

import pyarrow.compute as pc

from starbank.plugins import transform
from starbank.transforms import Derived
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import texts

_OTHER = {"train": "test", "test": "train"}


@transform
def swapped(treebank: Treebank, *, seed: int = 0) -> Derived:
    """Return the treebank with its train and test splits exchanged, as Vyākarana has them (Patil et al. 2021).

    A treebank made from few training sentences leaves many to test on. Files change their names, sentences keep theirs.
    """
    files = treebank.sentences["file"]
    names = pc.unique(files)
    renamed = texts([re.sub(r"train|test", lambda split: _OTHER[split[0]], name) for name in names.to_pylist()])
    column = renamed.take(pc.index_in(files, names).combine_chunks())
    sentences = treebank.sentences
    return Derived(treebank.tokens, sentences.set_column(sentences.column_names.index("file"), "file", column))
