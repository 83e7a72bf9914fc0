"""The file of a lexicon: what treebanks attest, what UniMorph adds, and what was learned from both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.cores import hold_cores
from starbank.errors import UsageError
from starbank.files import write_parquet
from starbank.morphology.inflection import learn
from starbank.morphology.lexicon import build_lexicon
from starbank.morphology.paradigms import Paradigms
from starbank.morphology.unimorph import describe_unimorph, read_unimorph
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import texts


def write_lexicon(treebanks: Iterable[Treebank], output: Path, unimorph: Sequence[Path] = ()) -> tuple[int, list[str]]:
    """Write the lexicon of some treebanks, with the weights of learned inflection for each language in its metadata.

    Treebanks may come in parts, as `build_lexicon` takes them; `unimorph` are files or folders of UniMorph that have
    the name of their language. Returns how many forms there are and the languages with too few of them to learn from.
    Raises `UsageError` for a language of no treebank.
    """
    hold_cores()
    infos: list[dict[str, Any]] = []
    # A treebank without lemmas attests no forms, and yet has a language.
    found: set[str] = set()

    def noted() -> Iterator[Treebank]:
        for treebank in treebanks:
            found.add(treebank.language or "und")
            # The parts of a treebank share what is said of it.
            if not infos or infos[-1] is not treebank.info:
                infos.append(treebank.info)
            yield treebank

    attested, languages = build_lexicon(noted()), sorted(found)
    for path in unimorph:
        if path.name not in languages:
            hint = f"UniMorph's files have the name of their language; the treebanks' is {', '.join(languages)}."
            raise UsageError(f"{path} has the name of no language of the treebanks", hint=hint)
    table = pa.concat_tables([attested, *(read_unimorph([path], path.name, attested) for path in unimorph)])
    learned = {
        language: learn(Paradigms(table.filter(pc.equal(table["language"], texts([language])[0]))))
        for language in languages
    }
    weights = {language: asdict(model) for language, model in learned.items() if model}
    provenance = {"treebanks": infos, "inflection": weights}
    provenance |= {"unimorph": describe_unimorph(unimorph)} if unimorph else {}
    write_parquet(table, output, "lexicon/1", provenance)
    return table.num_rows, sorted(set(languages) - set(weights))
