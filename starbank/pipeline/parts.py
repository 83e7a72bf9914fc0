"""The parts of a suite: what a construction gives in the treebanks of one language.

A part holds all that its matches gave, as often as they gave it: limits and duplicates are a matter of the whole suite,
which `starbank.pipeline.generate` puts together of its parts, here or in a later job.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from starbank.errors import StarbankError, TreebankError, UsageError
from starbank.files import sha256
from starbank.morphology import Lexicon
from starbank.pipeline.choice import language_in
from starbank.pipeline.generators import (
    Generator,
    load_generator,
    run_generator,
    with_covariates,
    with_replaced,
)
from starbank.pipeline.slips import Absences, find_absences, joined
from starbank.pipeline.sources import Lexicons, Source, Sources
from starbank.progress import shown
from starbank.queries.constructions import Construction, parse_construction, with_values
from starbank.sets.rewritten import Usage
from starbank.suites import Suite
from starbank.suites.schemas import ITEMS, REJECTED
from starbank.transforms.scripts import require_script
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, numbers
from starbank.treebanks.features import parse_features

if TYPE_CHECKING:
    from starbank.grew import Engine
    from starbank.grew.grewpy_engine import GrewpyEngine

logger = logging.getLogger("starbank")

# Which of how many.
Share = tuple[int, int]
ALONE: Share = (1, 1)

# So many matches at a time, unless one construction has more, keep memory within bounds.
_MATCHES = 200_000

EMPTY = Suite(pa.Table.from_batches([], ITEMS), pa.Table.from_batches([], REJECTED))


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
        return [word for word in self.related if self.construction.language or word.language == source.language]


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
    lacks; `unserved` those that cannot be used, and why; `absences` what is asked for in vain, by treebank; `failure`
    is what went wrong with all of it.
    """

    language: str
    provenance: dict[str, Any]
    suite: Suite
    unmatched: dict[str, list[str]] = field(default_factory=dict)
    unserved: dict[str, str] = field(default_factory=dict)
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
            items, rejected = zip(*((suite.items, suite.rejected) for suite in self._suites[name]), strict=True)
            part.suite = Suite(pa.concat_tables(items), pa.concat_tables(rejected))

    def _add(self, source: Source, places: Sequence[int], done: Callable[[int], object]) -> None:
        """Add what some pieces of a treebank give, and note what these lack of what requests ask for."""
        orders = [order for name, order in self._orders.items() if name in self.made and source in order.sources]
        lacking: dict[str, list[Absences]] = {}
        matched = set()
        try:
            for piece in source.pieces(places):
                for searches in _batches(self._searches(orders, piece)):
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
                    yield _search(order, piece)
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


@dataclass(frozen=True)
class Search:
    """What a construction finds in a treebank: the construction as it is there, its matches, and what it goes with."""

    construction: Construction
    matches: pa.Table
    absences: Absences
    key: tuple[Any, ...]


def _size(source: Source) -> int:
    """Return how many pieces a treebank has; one that cannot be read says so when it is."""
    try:
        return source.size
    except StarbankError:
        return 1


def _batches(searches: Iterable[Search]) -> Iterator[list[Search]]:
    """Return searches that can go through a generator together, not too many matches at a time."""
    batches: dict[tuple[Any, ...], list[Search]] = {}
    for search in searches:
        batch = batches.setdefault(search.key, [])
        if batch and sum(each.matches.num_rows for each in (*batch, search)) > _MATCHES:
            yield batches.pop(search.key)
        batches.setdefault(search.key, []).append(search)
    yield from batches.values()


def _search(order: Order, source: Source) -> Search:
    """Search a treebank for what a construction asks for; one without a language takes the treebank's."""
    construction, plugin = order.construction, order.generator.plugin
    require_script(construction, [source.treebank])
    if construction.language is None:
        construction = _localised(construction, source.treebank)
    absences = find_absences(construction, source.treebank, source.engine)
    matches = with_covariates(construction, source.engine, order.limit)
    matches = with_replaced(construction, matches, source.treebank)
    if construction.asked:
        construction = _with_values(construction, matches, source.treebank)
    options = json.dumps(dict(construction.options), sort_keys=True) if plugin.several else construction.name
    key = (plugin.name, options, construction.language, *(word.name for word in order.words(source)))
    return Search(construction, matches, absences, key)


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


def _localised(construction: Construction, treebank: Treebank) -> Construction:
    """Give a construction that runs everywhere a treebank's language and its lists, and the conditions that it has.

    A language may lack a value, such as a neuter; where fewer than two conditions are left, all stay.
    """
    language = treebank.language or "und"
    local = parse_construction(construction.request_text, construction.path, language)
    construction = replace(
        construction,
        language=language,
        request=local.request,
        covariates=local.covariates,
        concord=local.concord,
        avoid=local.avoid,
    )
    if any(condition.rewriting for condition in local.conditions):
        return replace(construction, conditions=local.conditions)
    columns = set(treebank.tokens.column_names).intersection(construction.features)
    pairs = {(name, value) for name in columns for value in treebank.tokens[name].unique().to_pylist()}
    conditions = tuple(
        condition
        for condition in construction.conditions
        if all(pair in pairs for change in condition.changes.values() for pair in change.items() if pair[1])
    )
    return replace(construction, conditions=conditions) if len(conditions) > 1 else construction


def _with_values(construction: Construction, matches: pa.Table, treebank: Treebank) -> Construction:
    """Give a construction the values of its feature that its targets have in a treebank."""
    tokens = treebank.tokens
    targets = np.unique(np.concatenate([numbers(matches[node]) for node in construction.targets]))
    rows = np.searchsorted(numbers(tokens["node"]), targets)
    feats = tokens["feats"].take(integers(rows)).unique().to_pylist()
    values = {parse_features(text or "").get(construction.asked or "") for text in feats}
    return with_values(construction, sorted(value for value in values if value and "," not in value))
