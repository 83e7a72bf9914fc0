"""The treebanks of one call: which of them a construction runs on, and the lexicons that are made of them."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from starbank.code import code_sum
from starbank.errors import StarbankError, UsageError
from starbank.files import read_metadata, sha256
from starbank.grew import Engine
from starbank.grew.engine import open_engine
from starbank.morphology import Lexicon, build_lexicon, read_lexicon
from starbank.morphology.predictions import Predictions
from starbank.pipeline.choice import is_for, language_in, treebanks_of
from starbank.queries.constructions import Construction
from starbank.transforms.derived import words_of
from starbank.transforms.scripts import attests
from starbank.treebanks import Parts, Treebank, count_rows, open_treebank
from starbank.treebanks.arrays import texts
from starbank.treebanks.store import describe, find_ingested, no_damage

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine

logger = logging.getLogger("starbank")


# What guards learn of a language from half so many words does not change with more, and memory stays within bounds.
WHOLE = 1_000_000


@dataclass(eq=False)
class Source:
    """A treebank: what is said of it, and, when first asked for, its tables and the engine that searches them."""

    info: dict[str, Any]
    reference: Path | Treebank
    engine_name: str
    KEYS: ClassVar = ("name", "license", "release", "source", "files")

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.info["name"])

    @property
    def language(self) -> str | None:
        """Its language (ISO 639-3)."""
        return self.reference.language if isinstance(self.reference, Treebank) else self.info["language"]

    @cached_property
    def treebank(self) -> Treebank:
        """Its tables."""
        return self.reference if isinstance(self.reference, Treebank) else open_treebank(self.reference)

    @cached_property
    def engine(self) -> Engine | GrewpyEngine:
        """What searches it."""
        return open_engine(self.engine_name, self.treebank)

    @cached_property
    def _parts(self) -> Sequence[Treebank]:
        """The parts of what is too large to be worked on as a whole, which are read when they are asked for."""
        if isinstance(self.reference, Treebank) or count_rows(self.reference) <= WHOLE:
            return []
        return Parts(self.reference, WHOLE // 3)

    @property
    def size(self) -> int:
        """How many pieces it has."""
        return len(self._parts) or 1

    def pieces(self, places: Iterable[int]) -> Iterator[Source]:
        """Yield some pieces, one after the other: the treebank itself where it has one."""
        yield from (replace(self, reference=self._parts[place]) if self._parts else self for place in places)

    def samples(self) -> Iterator[tuple[Source, float]]:
        """Yield pieces of a large treebank, each from all over it, and what share of it there was so far."""
        assert isinstance(self.reference, Path), "no other treebank is large"
        parts = Parts(self.reference, WHOLE // 3, spread=True)
        for number, part in enumerate(parts, 1):
            yield replace(self, reference=part), number / len(parts)

    def close(self) -> None:
        """Let go of tables and engine, which are made again where they are asked for."""
        for name in ("treebank", "engine"):
            self.__dict__.pop(name, None)

    @property
    def provenance(self) -> dict[str, Any]:
        """What a suite says of the treebank."""
        about = {key: self.info.get(key) for key in self.KEYS}
        derived = self.info.get("derived")
        return about | ({"derived": derived} if derived else {})


# What may be open already.
Reference = str | Path | Treebank | Source


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
        try:
            return open_source(reference, ingested, engine)
        except StarbankError as error:
            if self._given:
                raise
            self._missing[str(reference)] = error
            return None

    def choose(self, construction: Construction) -> tuple[list[Source], list[Source]]:
        """Return the sources that a construction runs on, in order, and those that make its lexicons.

        Raises `UsageError` where none of those given is for it, and what opening one that it names has raised.
        """
        names = [source.name for source in self._all if is_for(source, construction)]
        used = treebanks_of(construction, names if self._given else (), [*names, *self._missing])
        for name in used:
            if name in self._missing:
                raise self._missing[name]
        chosen = [source for source in self._all if source.name in used]
        if not chosen:
            raise _none_for(construction)
        unused = [source.name for source in self._all if self._given and source not in chosen]
        if unused:
            logger.warning("%s: not run on %s, which it is not for", construction.name, ", ".join(unused))
        related = self._words or [source for source in self._all if source in chosen or is_for(source, construction)]
        names = [source.name for source in related]
        chosen.sort(key=lambda source: (language_in(source.name), source.name))
        return chosen, [source for source in related if attests(source, names)]

    @property
    def languages(self) -> list[str]:
        """The languages of all but those that only lend words, as the names of treebanks have them."""
        return sorted({language_in(source.name) for source in self._all})

    def close(self) -> None:
        """Let go of the tables of all of them."""
        for source in (*self._all, *self._words):
            source.close()


def _none_for(construction: Construction) -> UsageError:
    language = f" of the language {construction.language}" if construction.language else ""
    named = f"{', '.join(construction.treebanks)}, or any" if construction.treebanks else "any"
    hint = f"It wants {named} treebank{language}."
    return UsageError("none of the treebanks is for this construction", file=construction.path, hint=hint)


def open_source(reference: Reference, ingested: Path, engine: str = "starbank") -> Source:
    """Return the source of a treebank: of an ingested one, no more is read than what is said of it."""
    if isinstance(reference, Source):
        return reference
    if isinstance(reference, Treebank):
        return Source(reference.info | {"name": reference.name}, reference, engine)
    folder = find_ingested(reference, ingested)
    if folder is None:
        return open_source(open_treebank(reference, ingested), ingested, engine)
    with no_damage(folder):
        return Source(describe(folder), folder, engine)


class Lexicons:
    """The lexicons of one call, made when first asked for: one is kept, the latest."""

    def __init__(self, files: Sequence[Path]) -> None:
        """Use the lexicons in `files`, each for the treebanks that it was made of; without, make some of treebanks."""
        self._files = files
        self._made_from, self._sum, self._code = cache(_made_from), cache(sha256), cache(code_sum)
        self._latest: tuple[tuple[str, ...], Lexicon] | None = None

    def get(self, language: str, sources: Sequence[Source]) -> Lexicon:
        """Return the lexicon of a language, made from its `sources`.

        Raises `UsageError` where the file has no forms of the language and was made of others' words.
        """
        key = (language, *(source.name for source in sources))
        if self._latest is None or self._latest[0] != key:
            self.close()
            file = self._file(sources)
            table = _lexicon_of(file, language, sources) if file else build_lexicon([s.treebank for s in sources])
            made_by = [self._sum(file), self._code("starbank.morphology"), *key] if file else []
            self._latest = key, Lexicon(table, Predictions(file, " ".join(made_by)))
        return self._latest[1]

    def close(self) -> None:
        """Let go of the lexicon, and keep what has been predicted from it."""
        if self._latest:
            self._latest[1].predictions.write()
        self._latest = None

    def _file(self, sources: Sequence[Source]) -> Path | None:
        """Return the file that was made of one of the sources at least; where there is only one, that."""
        if len(self._files) < 2:
            return next(iter(self._files), None)
        names = {name for source in sources for name in (source.name, words_of(source))}
        for file in self._files:
            if not names.isdisjoint(treebank["name"] for treebank in self._made_from(file)):
                return file
        hint = "Make one of them: starbank lexicon build."
        raise UsageError(f"none of the lexicons was made of {', '.join(sorted(names))}", hint=hint)

    def provenance(self, sources: Sequence[Source]) -> dict[str, Any]:
        """Return what a suite says of the lexicon, without making it: its treebanks, and a sum that changes with it."""
        if file := self._file(sources):
            treebanks = [{key: treebank.get(key) for key in Source.KEYS} for treebank in self._made_from(file)]
            return {"sha256": self._sum(file), "treebanks": treebanks}
        treebanks = [source.provenance for source in sources]
        return {"sha256": sum_of_files(treebanks), "treebanks": treebanks}


def sum_of_files(treebanks: Sequence[Mapping[str, Any]]) -> str:
    """Return a sum of the files of treebanks, as provenance tells of them."""
    files = [treebank["files"] for treebank in treebanks]
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()


def _made_from(file: Path) -> list[dict[str, Any]]:
    treebanks: list[dict[str, Any]] = read_metadata(file).get("treebanks", [])
    return treebanks


def _lexicon_of(file: Path, language: str, treebanks: Sequence[Source]) -> pa.Table:
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
