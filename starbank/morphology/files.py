"""The file of a lexicon: what treebanks attest, what UniMorph adds, and what was learned from both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import UsageError
from starbank.files import write_parquet
from starbank.morphology.inflection import learn
from starbank.morphology.lexicon import build_lexicon
from starbank.morphology.paradigms import Paradigms
from starbank.morphology.unimorph import describe_unimorph, read_unimorph
from starbank.treebanks import Treebank


def write_lexicon(treebanks: Sequence[Treebank], output: Path, unimorph: Sequence[Path] = ()) -> tuple[int, list[str]]:
    """Write the lexicon of some treebanks, with the weights of learned inflection for each language in its metadata.

    `unimorph` are files or folders of UniMorph that have the name of their language. Returns how many forms there are
    and the languages with too few of them to learn from. Raises `UsageError` for a language of no treebank.
    """
    attested = build_lexicon(treebanks)
    # A treebank without lemmas attests no forms, and yet has a language.
    languages = sorted({treebank.language or "und" for treebank in treebanks})
    for path in unimorph:
        if path.name not in languages:
            hint = f"UniMorph's files have the name of their language; the treebanks' is {', '.join(languages)}."
            raise UsageError(f"{path} has the name of no language of the treebanks", hint=hint)
    table = pa.concat_tables([attested, *(read_unimorph([path], path.name, attested) for path in unimorph)])
    learned = {language: learn(Paradigms(table.filter(pc.field("language") == language))) for language in languages}
    weights = {language: asdict(model) for language, model in learned.items() if model}
    provenance = {"treebanks": [treebank.info for treebank in treebanks], "inflection": weights}
    provenance |= {"unimorph": describe_unimorph(unimorph)} if unimorph else {}
    write_parquet(table, output, "lexicon/1", provenance)
    return table.num_rows, sorted(set(languages) - set(weights))
