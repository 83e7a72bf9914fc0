"""Words without the endings of arguments: *etxe* for Basque *etxea* and *etxeak* (Ravfogel et al. 2018)."""

from __future__ import annotations

from starbank.plugins import transform
from starbank.transforms import Derived
from starbank.transforms.without import without_endings
from starbank.treebanks import Treebank


@transform(own_forms=True)
def without_suffixes(treebank: Treebank, *, seed: int = 0) -> Derived:
    """Return the treebank with nominals that lack the endings of the cases of arguments; MISC keeps them."""
    return without_endings(treebank, form="stem")
