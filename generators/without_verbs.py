"""Sentences whose verbs are not to be seen (Ravfogel et al. 2018)."""

from __future__ import annotations

from starbank.plugins import transform
from starbank.transforms import Derived
from starbank.transforms.without import without_words
from starbank.treebanks import Treebank


@transform(own_forms=True)
def without_verbs(treebank: Treebank, *, seed: int = 0) -> Derived:
    """Return the treebank with `<verb>` for the form and the lemma of each VERB and AUX."""
    return without_words(treebank, "upos in ('VERB', 'AUX')", "<verb>")
