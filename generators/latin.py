"""Transliteration into Latin letters: a treebank as those write who switch codes (Patil et al. 2021)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.plugins import transform
from starbank.transforms import Derived, Part, respell
from starbank.transforms.romanise import Romanise, find_scheme, script_of
from starbank.treebanks import Treebank, parts_of
from starbank.treebanks.arrays import code, integers, mask, texts, truths

_SIGNS = ("PUNCT", "SYM")


@transform(own_forms=True)
def latin(treebank: Treebank, *, seed: int = 0, scheme: str = "auto") -> Derived:
    """Return the treebank with forms, lemmas and texts in Latin letters; signs and words in other scripts stay.

    `scheme` is one of `SCHEMES`, or `auto`: ISO 15919 for Indic scripts, the national system for Georgian. MISC loses
    its transliterations.
    """
    script = _script(parts_of(treebank, (["sent", "form"], ["sent"])))
    name, romanise = find_scheme(scheme, script, treebank.language)
    # The parts have most of their words in common.
    romanised = cache(lambda text: romanise(text) if script_of(text) == script else text)
    parts = (_romanised(part, romanised) for part in parts_of(treebank))
    return Derived(parts, notes=(f"{script}, by the scheme {name}",), about={"scheme": name})


def _script(parts: Iterable[Treebank]) -> str:
    """Return the script that most letters of a treebank's different forms are of."""
    forms: dict[str, None] = {}
    for part in parts:
        forms |= dict.fromkeys(pc.unique(part.tokens["form"]).to_pylist())
    return script_of(forms)


def _romanised(treebank: Treebank, romanise: Romanise) -> Part:
    tokens = treebank.tokens
    word = ~mask(pc.is_in(tokens["upos"].combine_chunks(), texts(_SIGNS)))
    columns = {key: _written(tokens[key].combine_chunks(), word, romanise) for key in ("form", "lemma")}
    stripped = pc.replace_substring_regex(tokens["misc"].combine_chunks(), r"(^|\|)[LMT]?Translit=[^|]*", "")
    stripped = pc.utf8_ltrim(stripped, "|")
    columns["misc"] = pc.if_else(pc.equal(stripped, ""), pa.scalar(None, pa.string()), stripped)
    return Part(*respell(treebank, columns))


def _written(column: pa.StringArray, word: np.ndarray, romanise: Romanise) -> pa.StringArray:
    """Return texts in Latin letters where `word` is true."""
    valid = mask(column.is_valid())
    codes, distinct = code(column.filter(column.is_valid()))
    written = texts([romanise(text) for text in distinct])
    made = np.full(len(column), -1, dtype=np.int64)
    made[valid] = codes
    return pc.if_else(truths(word), written.take(integers(np.maximum(made, 0), made < 0)), column)
