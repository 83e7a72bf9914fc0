"""The parts of a suite: what a construction gives in the treebanks of one language.

A part holds all that its matches gave, as often as they gave it: limits and duplicates are a matter of the whole suite,
which `starbank.pipeline.generate` puts together of its parts, here or in a later job.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import TreebankError, UsageError
from starbank.files import sha256
from starbank.morphology import Lexicon
from starbank.pipeline.choice import language_in
from starbank.pipeline.generators import Generator, run_generator, with_covariates
from starbank.pipeline.slips import Absences, covariate_warnings, find_absences
from starbank.pipeline.sources import Lexicons, Source
from starbank.queries.constructions import Construction, read_construction, with_values
from starbank.suites import Suite
from starbank.suites.schemas import ITEMS, REJECTED
from starbank.transforms.scripts import require_script
from starbank.treebanks import Treebank
from starbank.treebanks.features import parse_features

logger = logging.getLogger("starbank")

EMPTY = Suite(pa.Table.from_batches([], ITEMS), pa.Table.from_batches([], REJECTED))


@dataclass(frozen=True)
class Order:
    """A construction with all that its suite is made from: `related` are the sources of its words, `code` is a sum."""

    construction: Construction
    generator: Generator
    sources: Sequence[Source]
    related: Sequence[Source]
    lexicons: Lexicons
    code: str

    @property
    def languages(self) -> dict[str, list[Source]]:
        """The sources by language, each of which gives a part."""
        return {name: list(sources) for name, sources in groupby(self.sources, lambda source: language_in(source.name))}

    def provenance(self, sources: Sequence[Source]) -> dict[str, Any]:
        """Return what a suite of these sources says of its making."""
        words = [self._words(source) for source in sources]
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
                "tables": [sha256(table) for table in self.construction.tables],
                "code": self.code,
                "engine": self.sources[0].engine_name,
            },
        }

    def lexicon(self, source: Source) -> Lexicon:
        """Return the lexicon of a source's language."""
        return self.lexicons.get(self.construction.language or source.language or "und", self._words(source))

    def _words(self, source: Source) -> list[Source]:
        """Return the sources of words of a source's language, or of the construction's, which all of them have."""
        return [word for word in self.related if self.construction.language or word.language == source.language]


def distinct(values: Iterable[Any]) -> list[Any]:
    """Return each value once, in order; they may be anything that JSON can be."""
    return list({json.dumps(value, sort_keys=True): value for value in values}.values())


@dataclass
class Part:
    """What a construction gives in the treebanks of one language (`Polish`).

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


def failed_part(construction: Construction, language: str, failure: str) -> Part:
    """Return the part of a suite that could not be made."""
    construction_only = {"construction": {"name": construction.name, "query_sha256": construction.query_sha256}}
    return Part(language, construction_only, EMPTY, failure=failure)


def make_part(order: Order, sources: Sequence[Source]) -> Part:
    """Make the part of a suite that the treebanks of one language, `sources`, give.

    One that cannot be used is no more than a line in the log, and in the card, for what runs everywhere.
    """
    construction = order.construction
    part, suites = Part(language_in(sources[0].name), order.provenance(sources), EMPTY), [EMPTY]
    for source in sources:
        try:
            suites.append(_add(part, order, source))
        except (TreebankError, UsageError) as error:
            if construction.treebanks:
                raise
            logger.warning("%s: %s is left out: %s", construction.path, source.name, error)
            part.unserved[source.name] = error.message
    part.suite = Suite(
        pa.concat_tables([suite.items for suite in suites]), pa.concat_tables([suite.rejected for suite in suites])
    )
    return part


def _add(part: Part, order: Order, source: Source) -> Suite:
    """Return the suite that one treebank gives, and note what it lacks of what the request asks for.

    A construction without a language takes the treebank's.
    """
    construction = order.construction
    require_script(construction, [source.treebank])
    if construction.language is None:
        construction = _localised(construction, source.treebank)
    absences = find_absences(construction, source.treebank, source.engine)
    part.absences.append(absences)
    # What runs everywhere need not find everything everywhere.
    if construction.treebanks:
        for warning in [*absences.warnings, *covariate_warnings(construction, source.engine)]:
            logger.warning("%s: %s: %s", construction.path, source.name, warning)
    matches = with_covariates(construction, source.engine)
    if not matches.num_rows:
        part.unmatched[source.name] = list(dict.fromkeys(map(_plain, absences.warnings)))
    if construction.asked:
        construction = _with_values(construction, matches, source.treebank)
    lexicon = order.lexicon(source)
    return run_generator(order.generator, construction, matches, source.treebank, lexicon)


def _plain(warning: str) -> str:
    """Return a warning of an engine without its line and without what comes close."""
    return re.sub(r"^line \d+: |; the closest are .*", "", warning)


def _localised(construction: Construction, treebank: Treebank) -> Construction:
    """Give a construction that runs everywhere a treebank's language and its lists, and the conditions that it has.

    A language may lack a value, such as a neuter; where fewer than two conditions are left, all stay.
    """
    language = treebank.language or "und"
    local = read_construction(construction.path, language)
    construction = replace(
        construction, language=language, request=local.request, covariates=local.covariates, avoid=local.avoid
    )
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
    targets = pa.chunked_array([matches[node].cast(pa.int64()) for node in construction.targets])
    feats = tokens.filter(pc.is_in(tokens["node"], targets))["feats"].unique().to_pylist()
    values = {parse_features(text or "").get(construction.asked or "") for text in feats}
    return with_values(construction, sorted(value for value in values if value and "," not in value))
