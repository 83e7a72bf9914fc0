"""What a configuration and a folder of queries ask for: datasets, batches of work, treebanks, models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from starbank.code import generator_files
from starbank.errors import ConfigError, ConstructionError, nearest
from starbank.models import BASELINES, read_models
from starbank.names import require_name
from starbank.pipeline.choice import language_in, part_name, treebanks_of
from starbank.probing.tasks import TASKS
from starbank.queries import Query, is_query, read_queries
from starbank.queries.constructions import Construction
from starbank.transforms.plan import Step, find_steps, on_the_way, words_of

ALL = "all"

_CONFIG = "config.yaml"
_SHARE = re.compile(r"\.([0-9]+)of([0-9]+)$")
# A job for a few languages begins once; larger ones would leave cores without work at the end.
_TOGETHER = 3


@dataclass(frozen=True)
class Batch:
    """Constructions of one dataset and language that run on the same treebanks, and so share their jobs.

    Templates and suites of others run on none. The language of constructions that run on treebanks of any language is
    `all`: each language gives a part of all suites, which another job puts together.
    """

    name: str
    dataset: str
    language: str
    treebanks: tuple[str, ...]
    constructions: tuple[Query, ...]
    shares: Mapping[str, int]

    @cached_property
    def parts(self) -> dict[str, list[str]]:
        """The treebanks by part, a language (`Polish`) or share of it (`Polish.2of4`), where there are parts."""
        named = any(isinstance(query, Construction) and query.treebanks for query in self.constructions)
        languages = sorted({language_in(treebank) for treebank in self.treebanks})
        everywhere = self.language == ALL and not named and len(languages) > 1
        if not everywhere and not self.shares.keys() & set(languages):
            return {}
        return {
            name: [treebank for treebank in self.treebanks if language_in(treebank) == language]
            for language in languages
            for name in _shares(language, self.shares.get(language, 1))
        }

    @cached_property
    def part_jobs(self) -> dict[str, list[str]]:
        """The parts by the job that makes them, which is called by its first and last: `Albanian-Bulgarian`.

        A few languages share a job, which is less work than to begin a job for each; a share is a job of its own.
        """
        whole = [part for part in self.parts if not _SHARE.search(part)]
        several = [whole[first : first + _TOGETHER] for first in range(0, len(whole), _TOGETHER)]
        shares = [[part] for part in self.parts if part not in whole]
        return {"-".join(dict.fromkeys((job[0], job[-1]))): job for job in [*several, *shares]}

    @property
    def generators(self) -> list[Path]:
        """The files of the generators that make the suites, as far as there are such."""
        names = {query.generator for query in self.constructions if isinstance(query, Construction)}
        return [file for name, file in generator_files().items() if name in names]


@dataclass(frozen=True)
class Probes:
    """The treebanks that labelled tasks are made of, which, by which definition, the models that are probed, how, and
    the recipes by which others learn the tasks."""

    treebanks: tuple[str, ...]
    names: tuple[str, ...]
    definition: str
    models: Mapping[str, Mapping[str, Any]]
    recipe: str
    train: tuple[str, ...]

    def options(self, model: str) -> list[str]:
        """Return the options of `starbank probe` that a model's entry asks for."""
        return _options({name: value for name, value in self.models[model].items() if name != "level"})


@dataclass(frozen=True)
class Plan:
    """All that is to be made.

    `batches` has one entry per job of `starbank generate`; `models` maps the name of a model's score files to its entry
    in the configuration, a mapping with `model` and options of `starbank score` (see `models.read_models`); `pushes`
    maps the name of a dataset to the options of `starbank push`; `transforms` has those of derived treebanks, by name;
    `probes` is what is to be probed.
    """

    batches: tuple[Batch, ...]
    models: Mapping[str, Mapping[str, Any]]
    pushes: Mapping[str, list[str]]
    transforms: Mapping[str, Step]
    probes: Probes

    @property
    def datasets(self) -> list[str]:
        """The names of the datasets."""
        return _unique(batch.dataset for batch in self.batches)

    @property
    def languages(self) -> list[str]:
        """The languages of all constructions (ISO 639-3, or `all`)."""
        return _unique(batch.language for batch in self.batches)

    @cached_property
    def lexicons(self) -> dict[str, list[str]]:
        """The treebanks that have the words of each lexicon, by its name: a language's, or a part's of `all`."""
        parts = {self.lexicon(part): self._words_of_part(part) for batch in self.batches for part in batch.parts}
        return self._of_languages | parts

    def lexicon(self, part: str) -> str:
        """Return the name of the lexicon of a part: that of a language (`pol`), if it has the same words."""
        words = self._words_of_part(part)
        alike = (name for name, treebanks in self._of_languages.items() if set(treebanks) == set(words))
        return next(alike, f"{ALL}-{_SHARE.sub('', part)}")

    @cached_property
    def _of_languages(self) -> dict[str, list[str]]:
        languages = _unique(
            batch.language for batch in self.batches if batch.treebanks and not (batch.parts and batch.language == ALL)
        )
        return {language: self.words(language=language) for language in languages}

    def _words_of_part(self, part: str) -> list[str]:
        several = chain.from_iterable(batch.parts.get(part, ()) for batch in self.batches)
        return _unique(words_of(treebank, self.transforms) for treebank in several)

    def constructions(self, dataset: str) -> list[str]:
        """Return the names of a dataset's constructions."""
        return [query.name for query in self._queries(dataset)]

    def reviews(self, dataset: str) -> list[Path]:
        """Return the files beside a dataset's constructions that tell what native speakers say of them."""
        paths = (query.path.with_suffix(".reviews.json") for query in self._queries(dataset))
        return [path for path in paths if path.is_file()]

    def _queries(self, dataset: str) -> list[Query]:
        return [query for batch in self.batches if batch.dataset == dataset for query in batch.constructions]

    def text(self, dataset: str) -> list[str]:
        """Return the treebanks that a baseline learns from: a dataset's own, or, if it has none, its languages'."""
        languages = {batch.language for batch in self.batches if batch.dataset == dataset}
        return self.words(dataset=dataset) or _unique(
            treebank for language in sorted(languages) for treebank in self.words(language=language)
        )

    def scores(
        self, datasets: Iterable[str] | None = None, models: Iterable[str] | None = None
    ) -> list[tuple[str, str]]:
        """Return the datasets with the models that score them: all but baselines without text to learn from."""
        return [
            (dataset, model)
            for dataset in (self.datasets if datasets is None else datasets)
            for model in (self.models if models is None else models)
            if self.models[model]["model"] not in BASELINES or self.models[model].get("text") or self.text(dataset)
        ]

    @property
    def baselines(self) -> list[str]:
        """The models that need no model: those that know frequencies only."""
        return [name for name, entry in self.models.items() if entry["model"] in BASELINES]

    def options(self, model: str) -> list[str]:
        """Return the options of `starbank score` that a model's entry asks for."""
        entry = self.models[model]
        # With a device the entry says itself how these are used: spread over all by `auto`.
        copies = self.gpus(model) if "device" not in entry else 1
        return [*_options(entry), *([_option("gpus", copies)] if copies > 1 else [])]

    def gpus(self, model: str) -> int:
        """Return how many GPUs a model's job asks for: one, unless its entry says otherwise; a baseline none."""
        gpus: int = self.models[model].get("gpus", int(self.models[model]["model"] not in BASELINES))
        return gpus

    def treebanks(self, *, dataset: str | None = None, language: str | None = None) -> list[str]:
        """Return the treebanks of a dataset, of a language, or of all."""
        return _unique(
            treebank
            for batch in self.batches
            if dataset in (None, batch.dataset) and language in (None, batch.language)
            for treebank in batch.treebanks
        )

    def words(self, *, dataset: str | None = None, language: str | None = None) -> list[str]:
        """Return the treebanks that have the words of a dataset's or a language's, which lexicons are made from."""
        names = self.treebanks(dataset=dataset, language=language)
        return _unique(words_of(name, self.transforms) for name in names)

    @property
    def tables(self) -> list[str]:
        """All treebanks that become tables: those named, those that have their words, and those on the way to them."""
        named = [*self.treebanks(), *self.words(), *self.probes.treebanks]
        return _unique(chain.from_iterable(map(on_the_way, named)))


def make_plan(config: Mapping[str, Any]) -> Plan:
    """Return what `config` (as `check_config` accepts it) and the construction files in its folder of queries ask for.

    A folder of queries is a dataset: that of `queries/kat/x.grew` is `kat`, that of `queries/kat/published/x.grew` is
    `kat-published`; a configuration that names `datasets` asks for those only. A construction runs on the treebanks
    that the configuration has for its language, or else on those it names itself; one that runs everywhere on those
    that the configuration has for `all`, or else on all of the others'; a template or a suite of others on none. Raises
    `ConstructionError` for a file that cannot be read, `ConfigError` for a dataset that there is not.
    """
    folder = Path(config["queries"])
    paths = sorted(_queries(config, folder), key=lambda path: (dataset_of(path, folder), path.name))
    queries = [query for path in paths for query in read_queries(path)]
    given = config["treebanks"]
    searching = [query for query in queries if isinstance(query, Construction)]
    used = chain.from_iterable(treebanks_of(query, given.get(query.language or ALL, ()), ()) for query in searching)
    given = {ALL: _unique(used), **given}
    by_dataset = groupby(queries, key=lambda query: dataset_of(query.path, folder))
    shares = config.get("shares", {})
    batches = tuple(chain.from_iterable(_batches(dataset, members, given, shares) for dataset, members in by_dataset))
    probes = _probes(config)
    named = chain.from_iterable([*(batch.treebanks for batch in batches), probes.treebanks])
    steps = find_steps(config.get("transforms") or {}, named)
    models = read_models(config["models"], config.get("sets", {}))
    plan = Plan(batches, models, _pushes(config.get("push", {})), steps, probes)
    unknown = sorted(set(plan.pushes) - set(plan.datasets))
    if unknown:
        hint = f"The datasets are {', '.join(plan.datasets)}." if plan.datasets else None
        raise ConfigError(f"push: there is no dataset {unknown[0]!r}", file=_CONFIG, hint=hint)
    return plan


def _probes(config: Mapping[str, Any]) -> Probes:
    """Return what a configuration has under `tasks`; there are no treebanks, and so nothing to do, without it."""
    tasks = config.get("tasks") or {}
    models = read_models(tasks.get("models", []), config.get("sets", {}))
    for model in models.values():
        if model["model"] in BASELINES:
            raise ConfigError(f"tasks: {model['model']} has no layers to probe", file=_CONFIG)
    treebanks, train = (tuple(_unique(tasks.get(key, []))) for key in ("treebanks", "train"))
    names = tuple(_unique(tasks.get("names", TASKS)))
    return Probes(treebanks, names, tasks.get("definition", "strict"), models, tasks.get("recipe", "starbank"), train)


def _queries(config: Mapping[str, Any], folder: Path) -> list[Path]:
    """Return the construction files, templates and suites of others of the datasets that are to be made."""
    paths = [path for path in folder.rglob("*") if is_query(path)]
    datasets = config.get("datasets")
    if datasets is None:
        return paths
    names = sorted({dataset_of(path, folder) for path in paths})
    for name in datasets:
        if name not in names:
            raise ConfigError(f"datasets: there is no {name!r}", file=_CONFIG, hint=nearest(name, names))
    return [path for path in paths if dataset_of(path, folder) in datasets]


def _pushes(config: Mapping[str, Any]) -> dict[str, list[str]]:
    entries = {name: {"repo": entry} if isinstance(entry, str) else entry for name, entry in config.items()}
    return {name: [_option(*item) for item in entry.items() if item[1] is not False] for name, entry in entries.items()}


def _options(model: Mapping[str, Any]) -> list[str]:
    """Return the options of a command that a model's entry in the configuration asks for."""
    options = {name: value for name, value in model.items() if name not in ("model", "text", "gpus")}
    return [
        _option(name, value)
        for name, entry in options.items()
        for value in (entry if isinstance(entry, list) else [entry])
        if entry is not False
    ]


def _option(key: str, value: Any) -> str:
    return f"--{key}" if value is True else f"--{key}={value}"


def dataset_of(path: Path, folder: Path) -> str:
    """Return the dataset of a file in a `folder` of queries; raises `ConstructionError` where its folder is no name."""
    parts = path.parent.relative_to(folder).parts or (folder.name,)
    return "-".join(require_name(part, "a dataset", ConstructionError, file=path) for part in parts)


def _batches(
    dataset: str, queries: Iterable[Query], given: Mapping[str, Sequence[str]], shares: Mapping[str, int]
) -> list[Batch]:
    groups: dict[tuple[str, tuple[str, ...]], list[Query]] = {}
    for query in queries:
        language = query.language or ALL
        chosen = given.get(language, ())
        treebanks = treebanks_of(query, chosen, given[ALL]) if isinstance(query, Construction) else ()
        groups.setdefault((language, treebanks), []).append(query)
    return [
        Batch(
            f"{dataset}-{number}" if len(groups) > 1 else dataset, dataset, language, treebanks, tuple(members), shares
        )
        for number, ((language, treebanks), members) in enumerate(groups.items(), 1)
    ]


def _shares(language: str, number: int) -> list[str]:
    """Return the names of the parts that a language's treebanks are cut into."""
    return [part_name(language, (place, number)) for place in range(1, number + 1)]


def share_of(part: str) -> str:
    """Return which share of a language a part is.

    >>> share_of("Polish.2of4"), share_of("Irish")
    ('2/4', '1/1')
    """
    share = _SHARE.search(part)
    return "/".join(share.groups()) if share else "1/1"


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
