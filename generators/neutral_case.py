"""Words whose endings tell number and not case: *etxe<plur>* for Basque *etxeek* (Ravfogel et al. 2018)."""

from __future__ import annotations

from starbank.plugins import transform
from starbank.transforms import Derived
from starbank.transforms.without import without_endings
from starbank.treebanks import Treebank


@transform(own_forms=True)
def neutral_case(treebank: Treebank, *, seed: int = 0) -> Derived:
    """Return the treebank with `<sing>`, `<plur>`, … in the place of the endings of arguments, `<ambiguous>` where an
    ending does not tell the number."""
    return without_endings(treebank, form="if(suffix is null, form, stem || '<' || told || '>')")
