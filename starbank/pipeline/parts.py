"""The parts of a suite: what a construction gives in the treebanks of one language.

A part holds all that its matches gave, as often as they gave it: limits and duplicates are a matter of the whole suite,
which `starbank.pipeline.generate` puts together of its parts, here or in a later job.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import StarbankError, TreebankError, UsageError
from starbank.pipeline.choice import language_in
from starbank.pipeline.generators import run_generator
from starbank.pipeline.orders import Order, distinct
from starbank.pipeline.searches import Search, batches, find
from starbank.pipeline.slips import Absences, joined
from starbank.pipeline.sources import Source
from starbank.progress import shown
from starbank.queries.constructions import Construction
from starbank.sets.rewritten import Usage
from starbank.suites import Suite
from starbank.suites.schemas import ITEMS, REJECTED
from starbank.suites.select import is_filled
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, numbers, whole

if TYPE_CHECKING:
    from starbank.grew import Engine
    from starbank.grew.grewpy_engine import GrewpyEngine

logger = logging.getLogger("starbank")

# Which of how many.
Share = tuple[int, int]
ALONE: Share = (1, 1)

EMPTY = Suite(pa.Table.from_batches([], ITEMS), pa.Table.from_batches([], REJECTED))


def joined_provenance(several: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the provenance of a suite from that of its parts."""
    treebanks = distinct(treebank for each in several for treebank in each["treebanks"])
    inputs = {
        key: distinct(entry for each in several for entry in each["inputs"].get(key, []))
        for key in ("lexicons", "usage")
        if key in several[0]["inputs"]
    }
    return {**several[0], "treebanks": treebanks, "inputs": several[0]["inputs"] | inputs}


@dataclass
class Part:
    """What a construction gives in the treebanks of one language (`Polish`), or in a `share` of them (the second of 4).

    `provenance` is what it was made from, as a suite has it; `unmatched` has treebanks without a match, and what each
    lacks; `unserved` those that cannot be used, and why; `searched` those of which a share gave all items that are
    wanted, and what share; `absences` what is asked for in vain, by treebank; `failure` is what went wrong with all.
    """

    language: str
    provenance: dict[str, Any]
    suite: Suite
    unmatched: dict[str, list[str]] = field(default_factory=dict)
    unserved: dict[str, str] = field(default_factory=dict)
    searched: dict[str, float] = field(default_factory=dict)
    absences: list[Absences] = field(default_factory=list)
    failure: str | None = None
    share: Share = ALONE


def failed_part(construction: Construction, language: str, failure: str, share: Share) -> Part:
    """Return the part of a suite that could not be made."""
    construction_only = {"construction": {"name": construction.name, "query_sha256": construction.query_sha256}}
    return Part(language, construction_only, EMPTY, failure=failure, share=share)


class LanguageParts:
    """The parts of several suites, made of the treebanks of one language: `made` by construction, and `failures`.

    A treebank's matches of all constructions go through a generator together, where it can take them so.
    """

    def __init__(self, orders: Sequence[Order], share: Share = ALONE) -> None:
        """Make them of the sources of the orders, all of which are of one language, or of a share of these."""
        self.failures: dict[str, StarbankError] = {}
        self._orders = {order.construction.name: order for order in orders}
        self.made = {
            name: Part(language_in(order.sources[0].name), order.provenance(order.sources), EMPTY, share=share)
            for name, order in self._orders.items()
        }
        self._usage: dict[tuple[str, ...], Usage] = {}
        self._suites: dict[str, list[Suite]] = {name: [EMPTY] for name in self._orders}
        sources = {source.name: source for order in orders for source in order.sources}
        pieces = [(name, place) for name in sorted(sources) for place in range(_size(sources[name]))]
        number, shares = share
        share_pieces = pieces[(number - 1) * len(pieces) // shares : number * len(pieces) // shares]
        with shown(len(share_pieces) * len(orders), "suites", " searches") as done:
            for name, places in groupby(share_pieces, lambda piece: piece[0]):
                self._add(sources[name], [place for _, place in places], done)
        for name, part in self.made.items():
            part.suite = _united(self._suites[name])

    def _add(self, source: Source, places: Sequence[int], done: Callable[[int], object]) -> None:
        """Add what some pieces of a treebank give."""
        orders = [order for name, order in self._orders.items() if name in self.made and source in order.sources]
        large = _size(source) > 1
        sampled = [order for order in orders if large and order.construction.limit]
        if others := [order for order in orders if not (large and order.construction.limit)]:
            self._add_pieces(others, source, source.pieces(places), done)
        # Where the search ends must not depend on shares: the first has all samples.
        if sampled and 0 in places:
            self._add_samples(sampled, source, done)

    def _add_samples(self, orders: Sequence[Order], source: Source, done: Callable[[int], object]) -> None:
        """Add what a large treebank gives, sample by sample until there are as many items as are wanted."""
        due = list(orders)
        before = {order.construction.name: len(self._suites[order.construction.name]) for order in orders}
        sentences = []

        def samples() -> Iterator[Source]:
            for sample, share in source.samples():
                sentences.append(sample.treebank.sentences.select(["sent", "sent_id"]))
                yield sample
                for order in list(due):
                    name = order.construction.name
                    if name not in self.made or source.name in self.made[name].unserved:
                        due.remove(order)
                    elif self._is_filled(order.construction, before[name]):
                        due.remove(order)
                        if share < 1:
                            self.made[name].searched[source.name] = round(share, 3)
                if not due:
                    return

        self._add_pieces(due, source, samples(), done)
        for name, first in before.items():
            if name in self.made:
                made = _united([EMPTY, *self._suites[name][first:]])
                self._suites[name][first:] = [_in_order(made, pa.concat_tables(sentences))]

    def _is_filled(self, construction: Construction, first: int) -> bool:
        """Tell whether the suites of a construction, from the `first` on, have as many items as it wants."""
        suites = self._suites[construction.name][first:]
        return construction.limit is not None and is_filled([EMPTY, *suites], construction.limit, construction.balance)

    def _add_pieces(
        self, orders: Sequence[Order], source: Source, pieces: Iterable[Source], done: Callable[[int], object]
    ) -> None:
        """Add what pieces of a treebank give, and note what these lack of what requests ask for."""
        lacking: dict[str, list[Absences]] = {}
        matched = set()
        try:
            for piece in pieces:
                for searches in batches(self._searches(orders, piece)):
                    self._run(searches, piece)
                    done(len(searches))
                    for search in searches:
                        lacking.setdefault(search.construction.name, []).append(search.absences)
                        matched.update([search.construction.name] * bool(search.matches.num_rows))
        except StarbankError as error:  # The treebank cannot be read.
            for order in orders:
                self._note(order.construction.name, source, error)
        for name, absences in lacking.items():
            if name in self.made:
                _tell(self.made[name], self._orders[name].construction, source.name, joined(absences), name in matched)

    def _searches(self, orders: Sequence[Order], piece: Source) -> Iterator[Search]:
        """Search a treebank, or a part of it, for all constructions that have not failed in it."""
        for order in orders:
            name = order.construction.name
            if name in self.made and piece.name not in self.made[name].unserved:
                try:
                    yield find(order, piece)
                except StarbankError as error:
                    self._note(name, piece, error)

    def _run(self, searches: Sequence[Search], source: Source) -> None:
        """Make suites of what was found; what goes wrong with one of several is its own affair."""
        orders = [self._orders[search.construction.name] for search in searches]
        constructions, matches = zip(*((search.construction, search.matches) for search in searches), strict=True)
        try:
            lexicon = orders[0].lexicon(source)
            usage = self._usage_of(orders[0].words(source))
            suites = run_generator(orders[0].generator, constructions, matches, source.treebank, lexicon, usage)
        except StarbankError as error:
            if len(searches) == 1:
                return self._note(constructions[0].name, source, error)
            for search in searches:
                self._run([search], source)
            return None
        for construction, suite in zip(constructions, suites, strict=True):
            self._suites[construction.name].append(suite)
        return None

    def _usage_of(self, words: Sequence[Source]) -> Usage:
        """Return what some treebanks of the language show, which is found out once."""

        def treebanks() -> Iterator[tuple[Treebank, Engine | GrewpyEngine]]:
            for source in words:
                yield from ((piece.treebank, piece.engine) for piece in source.pieces(range(source.size)))

        return self._usage.setdefault(tuple(source.name for source in words), Usage(treebanks))

    def _note(self, name: str, source: Source, error: StarbankError) -> None:
        """Note what went wrong: for what runs everywhere, a treebank that cannot be used is one line."""
        construction = self._orders[name].construction
        if name not in self.made:
            return
        if construction.treebanks or not isinstance(error, TreebankError | UsageError):
            self.failures[name] = error
            del self.made[name]
        else:
            logger.warning("%s: %s is left out: %s", construction.path, source.name, error)
            self.made[name].unserved[source.name] = error.message


def _size(source: Source) -> int:
    """Return how many pieces a treebank has; one that cannot be read says so when it is."""
    try:
        return source.size
    except StarbankError:
        return 1


def _united(suites: Sequence[Suite]) -> Suite:
    """Put suites together, one behind the other."""
    return Suite(*(pa.concat_tables([getattr(suite, name) for suite in suites]) for name in ("items", "rejected")))


def _in_order(suite: Suite, sentences: pa.Table) -> Suite:
    """Put what is of one treebank in corpus order, which the numbers (`sent`) of its `sentences` tell."""
    sents, ids = numbers(sentences["sent"]), whole(sentences["sent_id"])
    places = (sents[numbers(pc.index_in(table["sent_id"], ids))] for table in (suite.items, suite.rejected))
    items, rejected = (integers(np.argsort(place, kind="stable")) for place in places)
    return Suite(suite.items.take(items), suite.rejected.take(rejected))


def _tell(part: Part, construction: Construction, treebank: str, absences: Absences, matched: bool) -> None:
    """Note what a treebank lacks, and warn of it where it is one that a construction names."""
    part.absences.append(absences)
    if construction.treebanks:
        for warning in [*absences.warnings, *absences.of_covariates]:
            logger.warning("%s: %s: %s", construction.path, treebank, warning)
    if not matched:
        part.unmatched[treebank] = list(dict.fromkeys(map(_plain, absences.warnings)))


def _plain(warning: str) -> str:
    """Return a warning of an engine without its line and without what comes close."""
    return re.sub(r"^line \d+: |; the closest are .*", "", warning)
