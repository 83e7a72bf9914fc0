"""Transforms: treebank -> treebank. What the modules in `generators/` that change treebanks stand on."""

from starbank.transforms.derived import Derived, Part, derive
from starbank.transforms.respell import copy_sentences, respell

__all__ = ["Derived", "Part", "copy_sentences", "derive", "respell"]
