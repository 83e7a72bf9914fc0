"""What is to be made of a construction: with which generator, of which treebanks, with which lexicons."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from starbank.files import sha256
from starbank.morphology import Lexicon
from starbank.pipeline.choice import language_in
from starbank.pipeline.generators import Generator, load_generator
from starbank.pipeline.sources import Lexicons, Source, Sources
from starbank.queries.constructions import Construction


@dataclass(frozen=True)
class Order:
    """A construction with all that its suite is made from: `related` are the sources of its words, `code` is a sum.

    Of each treebank no more than `limit` matches are looked at, None for all of them.
    """

    construction: Construction
    generator: Generator
    sources: Sequence[Source]
    related: Sequence[Source]
    lexicons: Lexicons
    code: str
    limit: int | None = None

    @property
    def languages(self) -> dict[str, list[Source]]:
        """The sources by language, each of which gives a part."""
        return {name: list(sources) for name, sources in groupby(self.sources, lambda source: language_in(source.name))}

    def provenance(self, sources: Sequence[Source]) -> dict[str, Any]:
        """Return what a suite of these sources says of its making."""
        words = [self.words(source) for source in sources]
        # What usage is learned from, where the generator asks for it.
        related = [word.provenance for several in words for word in several] if self.generator.plugin.usage else []
        return {
            "construction": {
                "name": self.construction.name,
                "title": self.construction.title,
                "language": self.construction.language,
                "phenomenon": self.construction.phenomenon,
                "cite": self.construction.cite,
                "query": self.construction.request_text,
                "query_sha256": self.construction.query_sha256,
                "control": self.construction.control,
                "predictions": list(self.construction.predictions),
            },
            "treebanks": [source.provenance for source in sources],
            "seed": self.construction.seed,
            "inputs": {
                "lexicons": distinct(map(self.lexicons.provenance, words)),
                **({"usage": distinct(related)} if related else {}),
                "tables": [sha256(table) for table in self.construction.tables],
                "code": self.code,
                "engine": self.sources[0].engine_name,
            },
        }

    def lexicon(self, source: Source) -> Lexicon:
        """Return the lexicon of a source's language."""
        return self.lexicons.get(self.construction.language or source.language or "und", self.words(source))

    def words(self, source: Source) -> list[Source]:
        """Return the sources of words of a source's language, or of the construction's, which all of them have."""
        return [word for word in self.related if self.construction.language or _spoken(word) == _spoken(source)]


def _spoken(source: Source) -> str:
    """Return the language of a source: its code, or what its name says where there is none."""
    return source.language or language_in(source.name)


def make_order(
    construction: Construction, sources: Sources, lexicons: Lexicons, seed: int, code: Callable[[Path], str]
) -> Order:
    """Return what a construction's suite is to be made from; its own seed goes before `seed`, `code` sums code up.

    Raises `StarbankError` where there is no treebank for it, or no generator of that name.
    """
    chosen, related = sources.choose(construction)
    generator = load_generator(construction)
    seeded = replace(construction, seed=seed if construction.seed is None else construction.seed)
    return Order(seeded, generator, chosen, related, lexicons, code(generator.plugin.file))


def distinct(values: Iterable[Any]) -> list[Any]:
    """Return each value once, in order; they may be anything that JSON can be."""
    return list({json.dumps(value, sort_keys=True): value for value in values}.values())
