"""A construction tried out on treebanks that may be open already; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pyarrow.compute as pc

from starbank.guards.suspicion import Suspicion, find_suspicious
from starbank.pipeline.assemble import assemble, require_feature
from starbank.pipeline.orders import Order, make_order
from starbank.pipeline.parts import LanguageParts, Part
from starbank.pipeline.sources import Lexicons, Source, Sources
from starbank.queries.constructions import Construction
from starbank.suites import Suite
from starbank.treebanks.arrays import texts


@dataclass(frozen=True)
class Trial:
    """What a construction gives: its suite, and what that was made from."""

    order: Order
    suite: Suite

    def suspicious(self) -> Iterator[Suspicion]:
        """Yield what is suspicious language by language, since forms of one are no readings in another."""
        languages: dict[str, list[Source]] = {}
        for source in self.order.sources:
            languages.setdefault(source.language or "und", []).append(source)
        for language in sorted(languages):
            spoken = languages[language]
            names = texts([source.name for source in spoken])
            chosen = self.suite.items.filter(pc.is_in(self.suite.items["treebank"], names))
            searched = ((source.treebank, source.engine) for source in spoken)
            lexicon = self.order.lexicon(spoken[0])
            yield from find_suspicious(self.order.construction, chosen, searched, lexicon)


def try_out(
    construction: Construction, sources: Sources, lexicons: Lexicons, *, seed: int = 0, limit: int | None = None
) -> Trial:
    """Make the suite of a construction as `generate` would, of the first `limit` matches in each treebank.

    Raises `StarbankError` where it cannot be made.
    """
    # What is kept nowhere need not tell by which code it was made.
    order = replace(make_order(construction, sources, lexicons, seed, lambda file: ""), limit=limit)
    require_feature(order)
    parts: list[Part] = []
    for chosen in order.languages.values():
        made = LanguageParts([replace(order, sources=chosen)])
        for failure in made.failures.values():
            raise failure
        parts += made.made.values()
    suite, _ = assemble(order.construction, parts)
    return Trial(order, suite)
