"""The plug-ins that make suites: found, given their options, run, and held to their contract."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa

from starbank.errors import ConfigError, ConstructionError, StarbankError, nearest
from starbank.grew.engine import Engine
from starbank.morphology import Lexicon
from starbank.plugins import Plugin, load_plugin
from starbank.queries.constructions import Construction
from starbank.sets import CONCORD, COVARIATES
from starbank.sets.rewritten import Usage
from starbank.suites import ITEMS, Suite
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import answer, integers, numbers, take, texts
from starbank.treebanks.metadata import REPLACED, read_number

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine

logger = logging.getLogger("starbank")

# The covariates of a match.
_VALUES = ITEMS.field("covariates").type
_WORDS = pa.list_(pa.int64())

_IN_CONCORD = """
    select coalesce(list(distinct word order by word) filter (word is not null), []) as words
    from matches left join ({found}) as found using ({nodes}) group by row order by row
"""
# That which is the share of content words that a colorless treebank replaced in the sentence, in per cent.
SHARE = "share replaced"


@dataclass(frozen=True)
class Generator:
    """A plug-in that makes suites, with the options that a construction sets."""

    plugin: Plugin
    function: Callable[..., Any]


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


def run_generator(
    generator: Generator,
    constructions: Sequence[Construction],
    matches: Sequence[pa.Table],
    treebank: Treebank,
    lexicon: Lexicon,
    usage: Usage | None = None,
) -> list[Suite]:
    """Run a generator, which may be anybody's, for constructions of one language.

    `usage` is for generators that want to be told what the treebanks of the language show: without it, this one.
    Raises `ConstructionError` that says where it failed.
    """
    name = f"the generator `{generator.plugin.name}`"
    names = ", ".join(construction.name for construction in constructions)
    usage = usage or Usage(lambda: [(treebank, Engine(treebank))])
    settings = {"usage": usage} if generator.plugin.usage else {}
    try:
        suites: list[Suite] = (
            generator.plugin.require_result(
                generator.function(constructions, matches, treebank, lexicon, **settings), list
            )
            if generator.plugin.several
            else [
                generator.function(construction, table, treebank, lexicon, **settings)
                for construction, table in zip(constructions, matches, strict=True)
            ]
        )
        if len(suites) != len(constructions):
            message = f"{names}: {name} gives {len(suites)} suites for {len(constructions)} construction"
            raise ConstructionError(message + "s" * (len(constructions) > 1), file=generator.plugin.file)
        rows = [
            suite.items.num_rows + suite.rejected.num_rows
            for suite in (generator.plugin.require_result(suite, Suite) for suite in suites)
        ]
    except StarbankError:
        raise
    except Exception as error:
        logger.debug("%s failed", name, exc_info=True)
        file = generator.plugin.file.resolve()
        steps = [step for step in traceback.extract_tb(error.__traceback__) if Path(step.filename).resolve() == file]
        what = f"{names}: {name} failed in {treebank.name} with {type(error).__name__}: {error}"
        raise ConstructionError(what, file=generator.plugin.file, line=steps[-1].lineno if steps else None) from error
    # A generator may make several items of a match.
    for construction, table, number in zip(constructions, matches, rows, strict=True):
        if number < table.num_rows:
            message = f"{construction.name}: {name} tells of {number} of {table.num_rows} matches in {treebank.name}"
            raise ConstructionError(
                message, file=generator.plugin.file, hint="Reject what gives no item, with the reason."
            )
    return suites


def with_covariates(construction: Construction, engine: Engine | GrewpyEngine, limit: int | None = None) -> pa.Table:
    """Return the first matches of a construction with its named covariates, in the column `COVARIATES`.

    One with `concord` has the column `CONCORD`, too.
    """
    matches = engine.match(construction.request, limit)
    if not matches.num_rows:
        matches = matches.append_column(COVARIATES, pa.nulls(0, _VALUES))
        return matches.append_column(CONCORD, pa.nulls(0, _WORDS)) if construction.concord else matches
    bound = _bound(construction, matches)
    holding = {}
    for name, request in construction.covariates.items():
        # Of what only the construction's own conditions refuse there are no matches here.
        own = replace(request, conditions=request.conditions[len(construction.request.conditions) :])
        holding[name] = _are_among(bound, _bound(construction, engine.match(own)))
    matches = matches.append_column(COVARIATES, _listed(holding, matches.num_rows))
    if not construction.concord:
        return matches
    connection = duckdb.cursor()
    connection.register("matches", matches.append_column("row", integers(np.arange(matches.num_rows))))
    nodes = ", ".join(f'"{node}"' for node in construction.request.nodes)
    found = []
    for place, (node, request) in enumerate(construction.concord.items()):
        connection.register(f"concord_{place}", engine.match(request))
        found.append(f'select {nodes}, "{node}" as word from concord_{place}')
    query = _IN_CONCORD.format(found=" union all ".join(found), nodes=nodes)
    return matches.append_column(CONCORD, answer(connection, query)["words"].cast(_WORDS))


def _bound(construction: Construction, matches: pa.Table) -> np.ndarray:
    """Return what the nodes of a construction are bound to: nodes by matches."""
    return np.stack([numbers(matches[node]) for node in construction.request.nodes])


def _are_among(bound: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Tell which matches are among others, as `_bound` gives both; of neither is any there twice."""
    both = np.concatenate([others, bound], axis=1)
    order = np.lexsort(both)
    same = (both[:, order[1:]] == both[:, order[:-1]]).all(axis=0)
    among = np.zeros(both.shape[1], dtype=bool)
    # Of two that are equal the sort leaves the match behind the other.
    among[order[1:][same]] = True
    return among[others.shape[1] :]


def _listed(holding: Mapping[str, np.ndarray], matches: int) -> pa.ListArray:
    """Return the covariates of each match, by name whether they hold."""
    names = take(texts(list(holding)), np.tile(np.arange(len(holding)), matches))
    values = np.array([*holding.values()], dtype=np.int64).reshape(len(holding), matches).T.ravel()
    pairs = pa.StructArray.from_arrays([names, integers(values)], fields=list(_VALUES.value_type))
    borders = np.arange(matches + 1, dtype=np.int32) * np.int32(len(holding))
    return pa.ListArray.from_arrays(integers(borders), pairs, type=_VALUES)


def with_replaced(construction: Construction, matches: pa.Table, treebank: Treebank) -> pa.Table:
    """Return matches with one more covariate where the treebank is colorless, `SHARE`.

    That is how many content words in a hundred of the sentence are others.
    """
    if not matches.num_rows or not treebank.info.get("derived"):
        return matches
    told = read_number(treebank.sentences, REPLACED)
    if told.null_count == len(told):
        return matches
    node = numbers(matches[construction.request.nodes[0]])
    sent = numbers(treebank.tokens["sent"])[np.searchsorted(numbers(treebank.tokens["node"]), node)]
    replaced = take(told, np.searchsorted(numbers(treebank.sentences["sent"]), sent))
    connection = duckdb.cursor()
    row = integers(np.arange(matches.num_rows))
    connection.register("matches", pa.table({"row": row, "listed": matches[COVARIATES], "replaced": replaced}))
    query = f"""
        select if(replaced is null, listed, list_append(listed, {{'name': '{SHARE}', 'value': replaced}})) as listed
        from matches order by row
    """
    listed = answer(connection, query)["listed"].cast(_VALUES)
    return matches.set_column(matches.column_names.index(COVARIATES), COVARIATES, listed)
