"""Words that are no more than the endings of arguments: *ak* for Basque *etxeak* (Ravfogel et al. 2018)."""

from __future__ import annotations

from starbank.plugins import transform
from starbank.transforms import Derived
from starbank.transforms.without import BLANK, without_endings
from starbank.treebanks import Treebank


@transform(own_forms=True)
def suffixes_only(treebank: Treebank, *, seed: int = 0) -> Derived:
    """Return the treebank with the endings of arguments for forms and lemmas, and `_` where a word has none.

    Punctuation stays.
    """
    shown = f"if(upos = 'PUNCT', {{}}, coalesce(suffix, '{BLANK}'))"
    return without_endings(treebank, form=shown.format("form"), lemma=shown.format("lemma"))
