"""Transliteration into Latin letters: a treebank as those write who switch codes (Patil et al. 2021)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.plugins import transform
from starbank.transforms import Derived, Part, respell
from starbank.transforms.romanisation import Scheme, find_schemes
from starbank.treebanks import Treebank, parts_of
from starbank.treebanks.arrays import code, integers, mask, texts, truths

_SIGNS = ("PUNCT", "SYM")


@transform(own_forms=True)
def latin(treebank: Treebank, *, seed: int = 0, scheme: str = "auto") -> Derived:
    """Return the treebank with forms, lemmas and texts in Latin letters; signs stay, and what has no scheme.

    `scheme` is one of `SCHEMES`, or `auto`: the standards of ISO, the national system for Georgian, each for its
    script, so that a Greek word in a Russian text is written by ISO 843. MISC loses its transliterations.
    """
    forms = _forms(parts_of(treebank, (["sent", "form"], ["sent"])))
    schemes = find_schemes(scheme, forms, treebank.language)
    # The parts have most of their words in common.
    romanised = cache(lambda text: _written_by(schemes, text))
    parts = (_romanised(part, romanised) for part in parts_of(treebank))
    names = {found.script: found.name for found in schemes}
    notes = tuple(f"{script}, by the scheme {name}" for script, name in names.items())
    return Derived(parts, notes=notes, about={"schemes": names})


def _forms(parts: Iterable[Treebank]) -> Iterable[str]:
    """Return the different forms of a treebank."""
    forms: dict[str, None] = {}
    for part in parts:
        forms |= dict.fromkeys(pc.unique(part.tokens["form"]).to_pylist())
    return forms


def _written_by(schemes: Sequence[Scheme], text: str) -> str:
    for scheme in schemes:
        text = scheme.write(text)
    return text


def _romanised(treebank: Treebank, romanise: Callable[[str], str]) -> Part:
    tokens = treebank.tokens
    word = ~mask(pc.is_in(tokens["upos"].combine_chunks(), texts(_SIGNS)))
    columns = {key: _written(tokens[key].combine_chunks(), word, romanise) for key in ("form", "lemma")}
    stripped = pc.replace_substring_regex(tokens["misc"].combine_chunks(), r"(^|\|)[LMT]?Translit=[^|]*", "")
    stripped = pc.utf8_ltrim(stripped, "|")
    columns["misc"] = pc.if_else(pc.equal(stripped, ""), pa.scalar(None, pa.string()), stripped)
    return Part(*respell(treebank, columns))


def _written(column: pa.StringArray, word: np.ndarray, romanise: Callable[[str], str]) -> pa.StringArray:
    """Return texts in Latin letters where `word` is true."""
    valid = mask(column.is_valid())
    codes, distinct = code(column.filter(column.is_valid()))
    written = texts([romanise(text) for text in distinct])
    made = np.full(len(column), -1, dtype=np.int64)
    made[valid] = codes
    return pc.if_else(truths(word), written.take(integers(np.maximum(made, 0), made < 0)), column)
