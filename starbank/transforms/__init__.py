"""Transforms: treebank -> treebank. What the modules in `generators/` that change treebanks stand on."""

from starbank.transforms.derived import Derived, derive
from starbank.transforms.respell import copy_sentences, respell

__all__ = ["Derived", "copy_sentences", "derive", "respell"]
