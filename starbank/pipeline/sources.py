"""The treebanks of one call: which of them a construction runs on, and the lexicons that are made of them."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import StarbankError, UsageError
from starbank.files import read_metadata, sha256
from starbank.grew import Engine
from starbank.grew.engine import open_engine
from starbank.morphology import Lexicon, build_lexicon, read_lexicon
from starbank.pipeline.choice import is_for, treebanks_of
from starbank.queries.constructions import Construction
from starbank.transforms.scripts import attests
from starbank.treebanks import Treebank, open_treebank
from starbank.treebanks.arrays import texts

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine

logger = logging.getLogger("starbank")

Reference = str | Path | Treebank


@dataclass(frozen=True, eq=False)
class Source:
    """A treebank, with the engine that is made when first asked for."""

    treebank: Treebank
    engine_name: str
    KEYS: ClassVar = ("name", "license", "release", "source", "files")

    @cached_property
    def engine(self) -> Engine | GrewpyEngine:
        """What searches the treebank."""
        return open_engine(self.engine_name, self.treebank)

    @property
    def provenance(self) -> dict[str, Any]:
        """What a suite says of the treebank."""
        about = {key: self.treebank.info.get(key) for key in self.KEYS}
        derived = self.treebank.info.get("derived")
        return about | ({"derived": derived} if derived else {})


class Sources:
    """The treebanks that were given, or those that the constructions name, and those that only lend their words."""

    def __init__(
        self,
        given: Sequence[Reference],
        constructions: Sequence[Construction],
        words: Sequence[Reference],
        ingested: Path,
        engine: str,
    ) -> None:
        """Open the treebanks; one that was given must be there, one that is named is missed by those that name it."""
        self._given = bool(given)
        self._missing: dict[str, StarbankError] = {}
        named = sorted({name for construction in constructions for name in construction.treebanks})
        self._all = [source for reference in given or named if (source := self._open(reference, ingested, engine))]
        self._words = [source for reference in words if (source := self._open(reference, ingested, engine))]

    def _open(self, reference: Reference, ingested: Path, engine: str) -> Source | None:
        if isinstance(reference, Treebank):
            return Source(reference, engine)
        try:
            return Source(open_treebank(reference, ingested), engine)
        except StarbankError as error:
            if self._given:
                raise
            self._missing[str(reference)] = error
            return None

    def choose(self, construction: Construction) -> tuple[list[Source], list[Source]]:
        """Return the sources that a construction runs on, and those whose words make its lexicons.

        Raises `UsageError` where none of those given is for it, and what opening one that it names has raised.
        """
        names = [source.treebank.name for source in self._all if is_for(source.treebank, construction)]
        used = treebanks_of(construction, names if self._given else (), [*names, *self._missing])
        for name in used:
            if name in self._missing:
                raise self._missing[name]
        chosen = [source for source in self._all if source.treebank.name in used]
        if not chosen:
            raise _none_for(construction)
        unused = [source.treebank.name for source in self._all if self._given and source not in chosen]
        if unused:
            logger.warning("%s: not run on %s, which it is not for", construction.name, ", ".join(unused))
        related = self._words or [
            source for source in self._all if source in chosen or is_for(source.treebank, construction)
        ]
        names = [source.treebank.name for source in related]
        return chosen, [source for source in related if attests(source.treebank, names)]


def _none_for(construction: Construction) -> UsageError:
    language = f" of the language {construction.language}" if construction.language else ""
    named = f"{', '.join(construction.treebanks)}, or any" if construction.treebanks else "any"
    hint = f"It wants {named} treebank{language}."
    return UsageError("none of the treebanks is for this construction", file=construction.path, hint=hint)


class Lexicons:
    """The lexicons of one call, made when first asked for."""

    def __init__(self, file: Path | None) -> None:
        """Use the lexicon in `file`, or make some of the treebanks."""
        self._file = file
        self._lexicons: dict[tuple[str, ...], Lexicon] = {}

    def get(self, construction: Construction, source: Source, related: Sequence[Source]) -> Lexicon:
        """Return the lexicon of a treebank's language, or of the construction's, made from those that are `related`.

        Raises `UsageError` where the file has no forms of the language and was made of others' words.
        """
        language = construction.language or source.treebank.language or "und"
        treebanks = [
            relative.treebank
            for relative in related
            if construction.language or relative.treebank.language == source.treebank.language
        ]
        key = (language, *(treebank.name for treebank in treebanks))
        if key not in self._lexicons:
            table = _lexicon_of(self._file, language, treebanks) if self._file else build_lexicon(treebanks)
            self._lexicons[key] = Lexicon(table)
        return self._lexicons[key]

    def checksum(self, sources: Sequence[Source]) -> str:
        """Return a sum that changes when the lexicon does, without making it."""
        if self._file:
            return sha256(self._file)
        return sum_of_files([source.provenance for source in sources])

    def treebanks(self, sources: Sequence[Source]) -> list[dict[str, Any]]:
        """Return the treebanks that the lexicon was made from, as provenance tells of them."""
        if self._file:
            return [{key: treebank.get(key) for key in Source.KEYS} for treebank in _made_from(self._file)]
        return [source.provenance for source in sources]


def sum_of_files(treebanks: Sequence[Mapping[str, Any]]) -> str:
    """Return a sum of the files of treebanks, as provenance tells of them."""
    files = [treebank["files"] for treebank in treebanks]
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()


def _made_from(file: Path) -> list[dict[str, Any]]:
    treebanks: list[dict[str, Any]] = read_metadata(file).get("treebanks", [])
    return treebanks


def _lexicon_of(file: Path, language: str, treebanks: Sequence[Treebank]) -> pa.Table:
    """Read the forms of a language, which its treebanks may call by the name of its macrolanguage or not at all."""
    table = read_lexicon(file)
    languages = {language, *(treebank.language or "und" for treebank in treebanks)}
    forms = table.filter(pc.is_in(table["language"], texts(sorted(languages))))
    # A treebank without lemmas attests no forms.
    sources = {treebank["name"] for treebank in _made_from(file)}
    if not forms.num_rows and sources.isdisjoint(treebank.name for treebank in treebanks):
        names = ", ".join(sorted(table["language"].unique().to_pylist())) or "none"
        raise UsageError(f"the lexicon has no forms of {language}", file=file, hint=f"It has forms of: {names}.")
    return forms
