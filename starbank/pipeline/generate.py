"""Constructions and treebanks -> suites: where requests, lexicons and generators meet."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import groupby
from pathlib import Path

from starbank.code import code_sum
from starbank.cores import hold_cores
from starbank.errors import StarbankError, SuiteError, UsageError
from starbank.pipeline.assemble import assemble, require_feature
from starbank.pipeline.choice import part_name
from starbank.pipeline.orders import Order, make_order
from starbank.pipeline.part_files import FILES, PartFiles, write_parts
from starbank.pipeline.parts import ALONE, LanguageParts, Part, Share, failed_part, joined_provenance
from starbank.pipeline.sources import Lexicons, Reference, Sources
from starbank.queries import Query, read_queries
from starbank.queries.benchmarks import Paradigm
from starbank.queries.constructions import Construction
from starbank.queries.imports import Import
from starbank.queries.templates import Template
from starbank.sets.imported import import_suite
from starbank.sets.templates import make_suite, provenance
from starbank.suites import is_fresh, touch_suite, write_suite
from starbank.suites.yields import Yield, read_yield

logger = logging.getLogger("starbank")

Tell = Callable[[Yield], object]


def generate(
    queries: Sequence[Path],
    treebanks: Sequence[Reference],
    output: Path,
    *,
    words: Sequence[Reference] = (),
    lexicons: Sequence[Path] = (),
    seed: int = 0,
    ingested: Path = Path("outputs/treebanks"),
    engine: str = "starbank",
    tell: Tell = lambda _: None,
) -> list[Yield]:
    """Make the suite of each construction file in `output/<construction>/` and return what became of its matches.

    A template (`.template`) needs no treebank: its lexicon stands beside it. Nor does a suite of others (`.json`). A
    construction runs on those of `treebanks` that are of its language or that it names, in place of all that it names;
    without `treebanks`, on those that it names, looked up in `ingested`; they may be open already. Its lexicons are
    among the files given, or are made from the treebanks `words`, or else from all of the language; what commands make
    is sought in the same. `engine` is what searches: `starbank` or `grewpy`. A suite that was made from the same before
    is left as it is, but for the time of its files. `tell` is given each suite's yield when it is made.

    One language is worked on after the other, and only its treebanks are open. Raises `StarbankError` where the
    treebanks, the lexicons or the engine cannot be used, and, when all other suites are made, where some cannot; of
    these nothing is written.
    """
    output = Path(output)
    work = _Work(queries)
    sources = Sources(treebanks, work.constructions, words, ingested, engine)
    opened = Lexicons(lexicons)
    orders = work.orders(sources, opened, seed)
    stale = [order for name, order in orders.items() if not is_fresh(output / name, order.provenance(order.sources))]
    parts: dict[str, list[Part]] = {order.construction.name: [] for order in stale}
    for order in stale:
        with work.failing(order.construction.name):
            require_feature(order)
    for language in sorted({language for order in stale for language in order.languages}):
        for name, part in work.make(stale, language).items():
            parts[name].append(part)
        sources.close()
        opened.close()
    yields = []
    for query in work.queries:
        if query.name not in work.failures:
            with work.failing(query.name):
                folder = output / query.name
                if query.name in parts:
                    made = _write(orders[query.name].construction, parts.pop(query.name), folder)
                elif query.name in orders:
                    made = _unchanged(folder)
                elif isinstance(query, Template):
                    made = _compose(query, seed, folder)
                elif isinstance(query, Import | Paradigm):
                    made = import_suite(query, folder)
                yields.append(made)
                tell(made)
    work.finish()
    return yields


def generate_parts(
    queries: Sequence[Path],
    treebanks: Sequence[Reference],
    output: Path,
    *,
    words: Sequence[Reference] = (),
    lexicons: Sequence[Path] = (),
    seed: int = 0,
    ingested: Path = Path("outputs/treebanks"),
    engine: str = "starbank",
    share: Share = ALONE,
) -> None:
    """Make what the treebanks of each language give for each construction, for `merge_parts`.

    That is two tables in `output/<part>/`, the part being a language (`Polish`), or, as `Polish.2of4`, the `share` of
    it that is asked for: of treebanks that are large, several jobs may each take one.

    What goes wrong with a construction is written there, and raised by `merge_parts`, so that all other suites are
    made; for the rest all is as in `generate`.
    """
    work = _Work(queries)
    sources = Sources(treebanks, work.constructions, words, ingested, engine)
    opened = Lexicons(lexicons)
    orders = work.orders(sources, opened, seed)
    named = {construction.name for construction in work.constructions}
    refused = {name: work.failures.pop(name) for name in named & work.failures.keys()}
    for language in sources.languages:
        work.failures |= refused
        work.make_part(orders, language, share, Path(output) / part_name(language, share))
        sources.close()
        opened.close()
    return work.finish()


def merge_parts(
    queries: Sequence[Path], parts: Sequence[Path], output: Path, tell: Tell = lambda _: None
) -> list[Yield]:
    """Make the suites of constructions in `output/<construction>/` of the folders that `generate_parts` has written.

    They are those that `generate` makes of all treebanks at once. Raises `SuiteError` where a part is missing, was made
    from another version of a construction, or has failed, when all other suites are made.
    """
    work = _Work(queries)
    files = sorted((PartFiles(folder) for folder in parts), key=lambda file: (file.language, file.share))
    yields = []
    for construction in work.constructions:
        folder, name = Path(output) / construction.name, construction.name
        with work.failing(name):
            heads = [file.head(name) for file in files]
            _require_version(construction, heads)
            if is_fresh(folder, joined_provenance([head.provenance for head in heads])):
                made = _unchanged(folder)
            else:
                made = _write(construction, [file.read(name) for file in files], folder)
            yields.append(made)
            tell(made)
    work.finish()
    return yields


class _Work:
    """The queries of one call, in order, and what went wrong with any of them: each fails alone."""

    def __init__(self, paths: Sequence[Path]) -> None:
        hold_cores()
        self.failures: dict[str, StarbankError] = {}
        self.queries: list[Query] = []
        self._total = len(paths)
        for path in paths:
            with self.failing(str(path)):
                self.queries += read_queries(Path(path))
        _require_distinct_names(self.queries)

    @property
    def constructions(self) -> list[Construction]:
        """The queries that search."""
        return [query for query in self.queries if isinstance(query, Construction)]

    def orders(self, sources: Sources, lexicons: Lexicons, seed: int) -> dict[str, Order]:
        """Return by name what each construction's suite is to be made from; its own seed goes before `seed`."""
        orders, code = {}, cache(partial(code_sum, "starbank.pipeline.generate"))
        for construction in self.constructions:
            with self.failing(construction.name):
                orders[construction.name] = make_order(construction, sources, lexicons, seed, code)
        return orders

    def make(self, orders: Iterable[Order], language: str, share: Share = ALONE) -> dict[str, Part]:
        """Return by name the parts that treebanks of a language give of suites that have not failed yet."""
        able = [order for order in orders if order.construction.name not in self.failures]
        parts = LanguageParts(
            [replace(order, sources=order.languages[language]) for order in able if language in order.languages], share
        )
        self.failures |= parts.failures
        return parts.made

    def make_part(self, orders: Mapping[str, Order], language: str, share: Share, output: Path) -> None:
        """Make what the treebanks of a language give for all constructions, or leave alone what is there already.

        What goes wrong with a construction is written in its place.
        """
        provenance = {
            name: order.provenance(order.languages[language])
            for name, order in orders.items()
            if language in order.languages
        }
        present = PartFiles(output, optional=True)
        fresh = {name for name, about in provenance.items() if present.is_fresh(name, about, share)}
        if fresh == present.heads.keys() == {construction.name for construction in self.constructions}:
            return touch_suite(output, FILES)
        parts = []
        made = self.make([order for name, order in orders.items() if name not in fresh], language, share)
        for construction in self.constructions:
            name = construction.name
            with self.failing(name):
                if part := present.read(name) if name in fresh else made.get(name):
                    parts.append(part)
            if error := self.failures.pop(name, None):
                logger.error("%s: %s: %s", construction.path, language, error)
                parts.append(failed_part(construction, language, str(error), share))
        return write_parts(output, parts)

    @contextmanager
    def failing(self, name: str) -> Iterator[None]:
        """Note what goes wrong with a query."""
        try:
            yield
        except StarbankError as error:
            self.failures[name] = error

    def finish(self) -> None:
        """Raise what went wrong."""
        errors = list(self.failures.values())
        if len(errors) > 1:
            message = f"{len(errors)} of {self._total} suites could not be made"
            raise SuiteError(message, hint="\n".join(map(str, errors)))
        if errors:
            raise errors[0]


def _require_distinct_names(queries: Sequence[Query]) -> None:
    seen: dict[str, Path] = {}
    for query in queries:
        if query.name in seen:
            hint = f"The other is {seen[query.name]}; give them two names, or two output folders."
            raise UsageError(f"a second construction named {query.name}", file=query.path, hint=hint)
        seen[query.name] = query.path


def _require_version(construction: Construction, parts: Sequence[Part]) -> None:
    for part in parts:
        if part.failure:
            raise SuiteError(part.failure)
        if part.provenance["construction"]["query_sha256"] != construction.query_sha256:
            message = f"the part of {part.language} was made from another version"
            raise SuiteError(message, file=construction.path, hint="Make it again.")
    for language, shares in groupby(parts, key=lambda part: part.language):
        numbers = [part.share for part in shares]
        if numbers != [(number, len(numbers)) for number in range(1, len(numbers) + 1)]:
            given = ", ".join(f"{number}/{of}" for number, of in numbers)
            raise SuiteError(
                f"of {language} there are the shares {given}", file=construction.path, hint="Give each once."
            )


def _write(construction: Construction, parts: Sequence[Part], folder: Path) -> Yield:
    """Put a suite together of its parts, and write it."""
    suite, about = assemble(construction, parts)
    write_suite(folder, suite, about)
    return read_yield(folder, unchanged=False)


def _unchanged(folder: Path) -> Yield:
    """Leave a suite as it is, but for the time of its files."""
    touch_suite(folder)
    return read_yield(folder, unchanged=True)


def _compose(template: Template, seed: int, folder: Path) -> Yield:
    """Make the suite of a template, or leave it as it is if it has been made from the same."""
    seed = seed if template.seed is None else template.seed
    inputs = {"code": code_sum("starbank.sets.templates"), "engine": "templates"}
    origin = {**provenance(template), "seed": seed, "inputs": inputs}
    if is_fresh(folder, origin):
        return _unchanged(folder)
    suite, about = make_suite(template, seed)
    items = suite.items.num_rows
    write_suite(folder, suite, origin | {"matches": items, "items": items, **about})
    return read_yield(folder, unchanged=False)
