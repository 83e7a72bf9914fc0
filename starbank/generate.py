"""Constructions and treebanks -> suites: where requests, lexicons and generators meet."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import starbank
from starbank.constructions import Construction, nearest
from starbank.errors import ConstructionError, UsageError
from starbank.files import read_metadata, sha256
from starbank.grew import Engine
from starbank.grew.engines import open_engine
from starbank.morphology import Lexicon, build_lexicon, read_lexicon
from starbank.plugins import Generator, load_generator
from starbank.queries import Query, read_query
from starbank.sets import COVARIATES
from starbank.slips import absences, covariate_warnings, slips
from starbank.suites import Suite, is_fresh, merge, touch_suite, write_suite
from starbank.suites.import_items import import_suite
from starbank.suites.yields import Yield, read_yield
from starbank.templates import Template, code, make_suite, provenance
from starbank.transforms.scripts import attests, require_script
from starbank.treebanks import Treebank, open_treebank
from starbank.treebanks.arrays import integers, texts
from starbank.treebanks.features import parse_features, sort_names

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine

logger = logging.getLogger("starbank")


def generate(
    queries: Sequence[Path],
    treebanks: Sequence[str | Path | Treebank],
    output: Path,
    *,
    lexicon: Path | None = None,
    seed: int = 0,
    ingested: Path = Path("outputs/treebanks"),
    engine: str = "starbank",
) -> list[Yield]:
    """Make the suite of each construction file in `output/<construction>/` and return what became of its matches.

    A template (`.template`) needs no treebank: its lexicon stands beside it. Nor does a suite of others (`.json`). A
    construction runs on those of `treebanks` that it names, or, where it names none of them, on all of its language;
    without `treebanks`, on those that it names, looked up in `ingested`; they may be open already. Its lexicon is the
    file given, or is made from all those treebanks that are of its language. `engine` is what searches: `starbank` or
    `grewpy`. A suite that was made from the same before is left as it is, but for the time of its files.
    Raises `StarbankError` where a construction, a treebank, the lexicon or the engine cannot be used.
    """
    files = [read_query(Path(query)) for query in queries]
    _require_distinct_names(files)
    constructions = [one for one in files if isinstance(one, Construction)]
    references = treebanks or sorted({name for construction in constructions for name in construction.treebanks})
    opened = (one if isinstance(one, Treebank) else open_treebank(one, ingested) for one in references)
    sources = [_Source(treebank, engine) for treebank in opened]
    lexicons = _Lexicons(lexicon)
    return [
        _make(one, sources, lexicons, seed, Path(output))
        if isinstance(one, Construction)
        else _compose(one, seed, output)
        if isinstance(one, Template)
        else import_suite(one, Path(output) / one.name)
        for one in files
    ]


def _compose(template: Template, seed: int, output: Path) -> Yield:
    """Make the suite of a template, or leave it as it is if it has been made from the same."""
    seed = seed if template.seed is None else template.seed
    folder = Path(output) / template.name
    inputs = {"code": _checksum([sha256(file) for file in code()]), "engine": "templates"}
    told = {**provenance(template), "seed": seed, "inputs": inputs}
    if is_fresh(folder, told):
        touch_suite(folder)
        return read_yield(folder, unchanged=True)
    suite, about = make_suite(template, seed)
    items = suite.items.num_rows
    write_suite(folder, suite, told | {"matches": items, "items": items, **about})
    return read_yield(folder, unchanged=False)


@dataclass(frozen=True, eq=False)
class _Source:
    """A treebank, with the engine and the checksum that are made when first asked for."""

    treebank: Treebank
    engine_name: str
    KEYS: ClassVar = ("name", "license", "release", "source", "files")

    @cached_property
    def engine(self) -> Engine | GrewpyEngine:
        return open_engine(self.engine_name, self.treebank)

    @property
    def provenance(self) -> dict[str, Any]:
        told = {key: self.treebank.info.get(key) for key in self.KEYS}
        derived = self.treebank.info.get("derived")
        return told | ({"derived": derived} if derived else {})


class _Lexicons:
    """The lexicons of one call, made when first asked for."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._lexicons: dict[tuple[str, ...], Lexicon] = {}

    def get(self, construction: Construction, source: _Source, related: Sequence[_Source]) -> Lexicon:
        """Return the lexicon of a treebank's language, or of the construction's, made from those that are `related`."""
        language = construction.language or source.treebank.language or "und"
        treebanks = [
            other.treebank
            for other in related
            if construction.language or other.treebank.language == source.treebank.language
        ]
        key = (language, *(treebank.name for treebank in treebanks))
        if key not in self._lexicons:
            table = _lexicon_of(self._file, language, treebanks) if self._file else build_lexicon(treebanks)
            self._lexicons[key] = Lexicon(table)
        return self._lexicons[key]

    def checksum(self, sources: Sequence[_Source]) -> str:
        """Return a sum that changes when the lexicon does, without making it."""
        if self._file:
            return sha256(self._file)
        return _checksum([source.provenance["files"] for source in sources])

    def treebanks(self, sources: Sequence[_Source]) -> list[dict[str, Any]]:
        """Return the treebanks that the lexicon was made from, as provenance tells of them."""
        if self._file:
            told = read_metadata(self._file).get("treebanks", [])
            return [{key: treebank.get(key) for key in _Source.KEYS} for treebank in told]
        return [source.provenance for source in sources]


def _lexicon_of(file: Path, language: str, treebanks: Sequence[Treebank]) -> pa.Table:
    """Read the forms of a language, which its treebanks may call by the name of its macrolanguage or not at all."""
    table = read_lexicon(file)
    languages = {language, *(treebank.language or "und" for treebank in treebanks)}
    forms = table.filter(pc.is_in(table["language"], texts(sorted(languages))))
    if not forms.num_rows:
        held = ", ".join(sorted(table["language"].unique().to_pylist())) or "none"
        raise UsageError(f"the lexicon has no forms of {language}", file=file, hint=f"It has forms of: {held}.")
    return forms


def _require_distinct_names(constructions: Sequence[Query]) -> None:
    seen: dict[str, Path] = {}
    for construction in constructions:
        if construction.name in seen:
            hint = f"The other is {seen[construction.name]}; give them two names, or two output folders."
            raise UsageError(f"a second construction named {construction.name}", file=construction.path, hint=hint)
        seen[construction.name] = construction.path


def _make(
    construction: Construction, sources: Sequence[_Source], lexicons: _Lexicons, seed: int, output: Path
) -> Yield:
    """Make one suite, or leave it as it is if it has been made from the same."""
    chosen, related = _choose(construction, sources)
    related = [one for one in related if attests(one.treebank, [other.treebank.name for other in related])]
    _require_feature(construction, chosen)
    opened = [source.treebank for source in chosen]
    misspelt = slips(construction, opened)
    for slip in misspelt:
        logger.warning("%s: %s", construction.path, slip)
    require_script(construction, [source.treebank for source in chosen])
    generator = load_generator(construction)
    seed = seed if construction.seed is None else construction.seed
    folder = output / construction.name
    provenance = {
        "construction": {
            "name": construction.name,
            "title": construction.title,
            "language": construction.language,
            "phenomenon": construction.phenomenon,
            "cite": construction.cite,
            "query": construction.request_text,
            "query_sha256": construction.query_sha256,
            "control": construction.control,
            "predictions": list(construction.predictions),
        },
        "treebanks": [source.provenance for source in chosen],
        "seed": seed,
        "inputs": {
            "lexicon": lexicons.checksum(related),
            "lexicon_treebanks": lexicons.treebanks(related),
            "tables": [sha256(table) for table in construction.tables],
            "code": _code(generator),
            "engine": chosen[0].engine_name,
        },
    }
    if is_fresh(folder, provenance):
        touch_suite(folder)
        return read_yield(folder, unchanged=True)
    construction = replace(construction, seed=seed)
    parts = [_part(generator, construction, source, lexicons.get(construction, source, related)) for source in chosen]
    suite = merge(parts, construction.limit, seed, construction.balance)
    items, rejected = suite.items.num_rows, suite.rejected.num_rows
    if not items:
        for absence in absences(construction, opened, [source.engine for source in chosen], rejected):
            if absence not in misspelt:
                logger.warning("%s: the suite is empty: %s", construction.path, absence)
    write_suite(folder, suite, provenance | {"matches": items + rejected, "items": items})
    return read_yield(folder, unchanged=False)


def _choose(construction: Construction, sources: Sequence[_Source]) -> tuple[list[_Source], list[_Source]]:
    """Return the sources that a construction runs on, and those whose words make its lexicons."""
    if not construction.treebanks:
        language = construction.language
        everywhere = [source for source in sources if language in (None, source.treebank.language)]
        return everywhere, everywhere
    # What was derived from a named treebank, such as UD_Hindi-PUD+colorless, is named with it.
    named = [
        source
        for source in sources
        if any(f"{source.treebank.name}+".startswith(f"{name}+") for name in construction.treebanks)
    ]
    related = [
        source for source in sources if source in named or source.treebank.language in (construction.language, None)
    ]
    return named or related, related


def _require_feature(construction: Construction, sources: Sequence[_Source]) -> None:
    """Refuse to vary a feature that no word has, which is a slip of the pen more often than not."""
    if not sources:
        wanted = f"{', '.join(construction.treebanks)}, or any" if construction.treebanks else "any"
        hint = f"It wants {wanted} treebank of the language {construction.language}."
        raise UsageError("none of the treebanks is for this construction", file=construction.path, hint=hint)
    if not construction.treebanks:
        return  # What runs everywhere need not find something everywhere.
    feats = {text for source in sources for text in source.treebank.tokens["feats"].unique().to_pylist() if text}
    known = sort_names({name for text in feats for name in parse_features(text)})
    for feature in construction.features:
        if feature not in known:
            message = f"`{feature}` is to vary, which no word of the treebanks has"
            raise ConstructionError(message, file=construction.path, hint=nearest(feature, known))


def _part(generator: Generator, construction: Construction, source: _Source, lexicon: Lexicon) -> Suite:
    """Return the suite that one treebank gives; a construction without a language takes the treebank's."""
    if construction.language is None:
        construction = _localised(construction, source.treebank)
    # What runs everywhere need not find everything everywhere.
    if construction.treebanks:
        engine = source.engine
        for warning in [*engine.warnings(construction.request), *covariate_warnings(construction, engine)]:
            logger.warning("%s: %s: %s", construction.path, source.treebank.name, warning)
    matches = with_covariates(construction, source.engine)
    suite = generator.function(construction, matches, source.treebank, lexicon)
    told = suite.items.num_rows + suite.rejected.num_rows
    # A generator may make several items of a match.
    assert told >= matches.num_rows, f"{construction.generator} tells of {told} of {matches.num_rows} matches"
    return suite


def _localised(construction: Construction, treebank: Treebank) -> Construction:
    """Give a construction that runs everywhere a treebank's language, and only the conditions that it knows of.

    A language may lack a value, such as a neuter; where fewer than two conditions are left, all stay.
    """
    column_names = set(treebank.tokens.column_names)
    known = {
        feature: set(treebank.tokens[feature].unique().to_pylist()) if feature in column_names else set()
        for feature in construction.features
    }
    conditions = tuple(
        condition
        for condition in construction.conditions
        if all(value in known[name] for change in condition.changes.values() for name, value in change.items() if value)
    )
    language = treebank.language or "und"
    return replace(
        construction, language=language, conditions=conditions if len(conditions) > 1 else construction.conditions
    )


def with_covariates(construction: Construction, engine: Engine | GrewpyEngine) -> pa.Table:
    """Return the matches of a construction with its named covariates, in the column `COVARIATES`."""
    matches = engine.match(construction.request)
    connection = duckdb.cursor()
    connection.register("matches", matches.append_column("row", integers(np.arange(matches.num_rows))))
    nodes = ", ".join(f'"{node}"' for node in construction.request.nodes)
    values = []
    for place, (name, request) in enumerate(construction.covariates.items()):
        connection.register(f"holds_{place}", engine.match(request))
        told = name.replace("'", "''")
        values.append(f"{{'name': '{told}', 'value': ({nodes}) in (select ({nodes}) from holds_{place})}}")
    listed = connection.sql(f"select [{', '.join(values)}] as covariates from matches order by row").to_arrow_table()
    return matches.append_column(COVARIATES, listed["covariates"])


def _code(generator: Generator) -> str:
    """Return a sum of the code that makes suites, so that a suite made by older code is made again."""
    package = Path(starbank.__file__).parent
    own = re.findall(r"^from starbank\.(\w+)", generator.file.read_text(encoding="utf-8"), re.MULTILINE)
    rooms = sorted({"grew", "morphology", "sets", "suites", "treebanks", *own})
    files = [
        package / "constructions.py",
        Path(__file__),
        *(file for room in rooms for file in (package / room).glob("*.*")),
    ]
    return _checksum([sha256(file) for file in [*sorted(files), generator.file]])


def _checksum(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
