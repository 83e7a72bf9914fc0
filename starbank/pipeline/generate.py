"""Constructions and treebanks -> suites: where requests, lexicons and generators meet."""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.code import code_sum
from starbank.errors import ConfigError, ConstructionError, StarbankError, SuiteError, UsageError, nearest
from starbank.files import sha256
from starbank.grew.engine import Engine
from starbank.morphology import Lexicon
from starbank.pipeline.slips import absences, covariate_warnings, slips
from starbank.pipeline.sources import Lexicons, Reference, Source, Sources
from starbank.plugins import Plugin, load_plugin
from starbank.queries import Query, read_query
from starbank.queries.constructions import Construction, read_construction, with_values
from starbank.queries.templates import Template
from starbank.sets import COVARIATES
from starbank.sets.imported import import_suite
from starbank.sets.templates import make_suite, provenance
from starbank.suites import Suite, is_fresh, merge, touch_suite, write_suite
from starbank.suites.yields import Yield, read_yield
from starbank.transforms.scripts import require_script
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers
from starbank.treebanks.features import parse_features, sort_names

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine

logger = logging.getLogger("starbank")


def generate(
    queries: Sequence[Path],
    treebanks: Sequence[Reference],
    output: Path,
    *,
    words: Sequence[Reference] = (),
    lexicon: Path | None = None,
    seed: int = 0,
    ingested: Path = Path("outputs/treebanks"),
    engine: str = "starbank",
    tell: Callable[[Yield], object] = lambda _: None,
) -> list[Yield]:
    """Make the suite of each construction file in `output/<construction>/` and return what became of its matches.

    A template (`.template`) needs no treebank: its lexicon stands beside it. Nor does a suite of others (`.json`). A
    construction runs on those of `treebanks` that are of its language or that it names, in place of all that it names;
    without `treebanks`, on those that it names, looked up in `ingested`; they may be open already. Its lexicon is the
    file given, or is made from the treebanks `words`, or else from all of its language. `engine` is what searches:
    `starbank` or `grewpy`. A suite that was made from the same before is left as it is, but for the time of its files.
    `tell` is given each suite's yield when it is made.

    Raises `StarbankError` where the treebanks, the lexicon or the engine cannot be used, and, when all other suites are
    made, where some cannot; of these nothing is written.
    """
    failures: list[StarbankError] = []
    readable = [query for path in queries if (query := _read(Path(path), failures))]
    _require_distinct_names(readable)
    constructions = [query for query in readable if isinstance(query, Construction)]
    sources = Sources(treebanks, constructions, words, ingested, engine)
    lexicons = Lexicons(lexicon)
    yields = []
    for query in readable:
        try:
            yields.append(_suite(query, sources, lexicons, seed, Path(output)))
        except StarbankError as error:
            failures.append(error)
        else:
            tell(yields[-1])
    if len(failures) > 1:
        message = f"{len(failures)} of {len(queries)} suites could not be made"
        raise SuiteError(message, hint="\n".join(map(str, failures)))
    if failures:
        raise failures[0]
    return yields


def _read(path: Path, failures: list[StarbankError]) -> Query | None:
    """Read a construction file, or note what is wrong with it."""
    try:
        return read_query(path)
    except StarbankError as error:
        failures.append(error)
        return None


def _suite(query: Query, sources: Sources, lexicons: Lexicons, seed: int, output: Path) -> Yield:
    """Make one suite, or leave it as it is if it has been made from the same."""
    if isinstance(query, Construction):
        return _make(query, sources, lexicons, seed, output)
    if isinstance(query, Template):
        return _compose(query, seed, output)
    return import_suite(query, output / query.name)


def _compose(template: Template, seed: int, output: Path) -> Yield:
    seed = seed if template.seed is None else template.seed
    folder = output / template.name
    inputs = {"code": code_sum("starbank.sets.templates"), "engine": "templates"}
    origin = {**provenance(template), "seed": seed, "inputs": inputs}
    if is_fresh(folder, origin):
        touch_suite(folder)
        return read_yield(folder, unchanged=True)
    suite, about = make_suite(template, seed)
    items = suite.items.num_rows
    write_suite(folder, suite, origin | {"matches": items, "items": items, **about})
    return read_yield(folder, unchanged=False)


def _require_distinct_names(constructions: Sequence[Query]) -> None:
    seen: dict[str, Path] = {}
    for construction in constructions:
        if construction.name in seen:
            hint = f"The other is {seen[construction.name]}; give them two names, or two output folders."
            raise UsageError(f"a second construction named {construction.name}", file=construction.path, hint=hint)
        seen[construction.name] = construction.path


def _make(construction: Construction, sources: Sources, lexicons: Lexicons, seed: int, output: Path) -> Yield:
    chosen, related = sources.choose(construction)
    opened = [source.treebank for source in chosen]
    _require_feature(construction, opened)
    misspelt = slips(construction, opened)
    for slip in misspelt:
        logger.warning("%s: %s", construction.path, slip)
    require_script(construction, opened)
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
            "code": code_sum("starbank.pipeline.generate", generator.plugin.file),
            "engine": chosen[0].engine_name,
        },
    }
    if is_fresh(folder, provenance):
        touch_suite(folder)
        return read_yield(folder, unchanged=True)
    construction = replace(construction, seed=seed)
    parts = [_part(generator, construction, source, lexicons.get(construction, source, related)) for source in chosen]
    suite = merge([part for part, _ in parts], construction.limit, seed, construction.balance)
    items, rejected = suite.items.num_rows, suite.rejected.num_rows
    if not items:
        for absence in absences(construction, opened, [source.engine for source in chosen], rejected):
            if absence not in misspelt:
                logger.warning("%s: the suite is empty: %s", construction.path, absence)
    unmatched = {source.treebank.name: why for source, (_, why) in zip(chosen, parts, strict=True) if why is not None}
    about = {"matches": items + rejected, "items": items} | ({"unmatched": unmatched} if unmatched else {})
    write_suite(folder, suite, provenance | about)
    return read_yield(folder, unchanged=False)


def _require_feature(construction: Construction, treebanks: Sequence[Treebank]) -> None:
    """Refuse to vary a feature that no word has, which is a slip of the pen more often than not."""
    if not construction.treebanks:
        return  # What runs everywhere need not find something everywhere.
    feats = {text for treebank in treebanks for text in treebank.tokens["feats"].unique().to_pylist() if text}
    features = sort_names({name for text in feats for name in parse_features(text)})
    for feature in construction.features:
        if feature not in features:
            message = f"`{feature}` is to vary, which no word of the treebanks has"
            raise ConstructionError(message, file=construction.path, hint=nearest(feature, features))


@dataclass(frozen=True)
class Generator:
    """A plug-in that makes suites, with the options that a construction sets."""

    plugin: Plugin
    function: Callable[[Construction, pa.Table, Treebank, Lexicon], Suite]


def load_generator(construction: Construction) -> Generator:
    """Load the generator that a construction names.

    Raises `ConstructionError` where there is none of that name or it has no such option, `PluginError` where it breaks
    its contract.
    """
    try:
        plugin = load_plugin(construction.generator, "generator")
    except ConfigError as error:
        raise ConstructionError(error.message, file=construction.path, hint=error.hint) from error
    return Generator(plugin, partial(plugin.function, **_options(construction, plugin)))


def _options(construction: Construction, plugin: Plugin) -> dict[str, Any]:
    """Return the options that a construction sets, each as the type of its default."""
    options = {}
    for name, text in construction.options.items():
        if name not in plugin.options:
            hint = nearest(name, plugin.options) if plugin.options else "It has none."
            message = f"the generator `{plugin.name}` has no option `{name}`"
            raise ConstructionError(message, file=construction.path, hint=hint)
        try:
            options[name] = type(plugin.options[name])(text)
        except (TypeError, ValueError) as error:
            message = f"the option `{name}` of the generator `{plugin.name}` cannot be {text!r}"
            hint = f"By default it is {plugin.options[name]!r}."
            raise ConstructionError(message, file=construction.path, hint=hint) from error
    return options


def _part(
    generator: Generator, construction: Construction, source: Source, lexicon: Lexicon
) -> tuple[Suite, list[str] | None]:
    """Return the suite that one treebank gives, and, where it has no match, what it lacks of what the request asks for.

    A construction without a language takes the treebank's.
    """
    if construction.language is None:
        construction = _localised(construction, source.treebank)
    warnings = source.engine.warnings(construction.request)
    # What runs everywhere need not find everything everywhere.
    if construction.treebanks:
        for warning in [*warnings, *covariate_warnings(construction, source.engine)]:
            logger.warning("%s: %s: %s", construction.path, source.treebank.name, warning)
    matches = with_covariates(construction, source.engine)
    if construction.asked:
        construction = _with_values(construction, matches, source.treebank)
    suite = _run(generator, construction, matches, source.treebank, lexicon)
    return suite, None if matches.num_rows else list(dict.fromkeys(map(_plain, warnings)))


def _plain(warning: str) -> str:
    """Return a warning of an engine without its line and without what comes close."""
    return re.sub(r"^line \d+: |; the closest are .*", "", warning)


def _run(
    generator: Generator, construction: Construction, matches: pa.Table, treebank: Treebank, lexicon: Lexicon
) -> Suite:
    """Run a generator, which may be anybody's; raises `ConstructionError` that says where it failed."""
    name = f"the generator `{construction.generator}`"
    try:
        suite: Suite = generator.plugin.require_result(
            generator.function(construction, matches, treebank, lexicon), Suite
        )
        rows = suite.items.num_rows + suite.rejected.num_rows
    except StarbankError:
        raise
    except Exception as error:
        logger.debug("%s failed", name, exc_info=True)
        file = generator.plugin.file.resolve()
        steps = [step for step in traceback.extract_tb(error.__traceback__) if Path(step.filename).resolve() == file]
        what = f"{construction.name}: {name} failed in {treebank.name} with {type(error).__name__}: {error}"
        raise ConstructionError(what, file=generator.plugin.file, line=steps[-1].lineno if steps else None) from error
    # A generator may make several items of a match.
    if rows < matches.num_rows:
        message = f"{construction.name}: {name} tells of {rows} of {matches.num_rows} matches in {treebank.name}"
        raise ConstructionError(message, file=generator.plugin.file, hint="Reject what gives no item, with the reason.")
    return suite


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


def with_covariates(construction: Construction, engine: Engine | GrewpyEngine) -> pa.Table:
    """Return the matches of a construction with its named covariates, in the column `COVARIATES`."""
    matches = engine.match(construction.request)
    connection = duckdb.cursor()
    connection.register("matches", matches.append_column("row", integers(np.arange(matches.num_rows))))
    nodes = ", ".join(f'"{node}"' for node in construction.request.nodes)
    values = []
    for place, request in enumerate(construction.covariates.values()):
        connection.register(f"holds_{place}", engine.match(request))
        values.append(f"{{'name': ?::varchar, 'value': ({nodes}) in (select ({nodes}) from holds_{place})}}")
    query = f"select [{', '.join(values)}] as covariates from matches order by row"
    listed = connection.sql(query, params=list(construction.covariates)).to_arrow_table()
    return matches.append_column(COVARIATES, listed["covariates"])
