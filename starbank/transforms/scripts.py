"""What a derived treebank means for those that read words: which treebanks attest any, and which lost their script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pyarrow.compute as pc

from starbank.errors import ConstructionError
from starbank.queries.constructions import Construction
from starbank.transforms.derived import words_of
from starbank.transforms.plan import PLUS
from starbank.transforms.romanisation import script_of
from starbank.treebanks import Treebank
from starbank.treebanks.treebank import Described


def attests(treebank: Described, names: Iterable[str]) -> bool:
    """Tell whether a lexicon should count a treebank's words: not where it rearranges those of one among `names`."""
    words = words_of(treebank)
    return words == treebank.name or words not in names


def require_script(construction: Construction, treebanks: Sequence[Treebank]) -> None:
    """Refuse a request that mentions words in a script that a transform of some of the treebanks took away.

    It would pass over what it means, and star what its author had excluded. Raises `ConstructionError`.
    """
    letters = "".join(re.findall(r"[^\x00-\x7F]+", re.sub("%.*", "", construction.request.text)))
    script = script_of([letters])
    for treebank in treebanks:
        rewritten = PLUS in words_of(treebank)
        if rewritten and script not in ("", "latin", script_of(pc.unique(treebank.tokens["form"]).to_pylist())):
            message = f"the request mentions words in {script.title()} letters, and {treebank.name} has none"
            hint = "Run it on the treebank in its own script."
            raise ConstructionError(message, file=construction.path, hint=hint)
