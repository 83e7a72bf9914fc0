"""The models that a configuration names: what each is, and the name that its files have."""

from __future__ import annotations

import os.path
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from pathlib import PurePath
from typing import Any

from starbank.errors import ConfigError
from starbank.names import RULE, as_name, is_name, is_path

BASELINES = ("unigram", "ngram", "characters")
# What makes two entries of one repository or folder two models; all else says how to run it.
IDENTITY = ("revision", "adapter", "dtype", "quantize", "kind", "text")
# An entry that names these says what is so without saying it.
DEFAULTS = {"dtype": "auto"}
# An entry that lists these is as many models, each of which has one.
LISTS = {"seeds": "seed", "revisions": "revision", "adapters": "adapter", "dtypes": "dtype"}
# Where the seed stands in what an entry with `seeds` names.
SEED = "{seed}"
# step1000 … step10000 by 1000
_RANGE = re.compile(
    r"(?P<before>.*?)(?P<first>\d+)(?P<after>\D*?)\s*(?:…|\.\.\.)\s*(?P=before)(?P<last>\d+)(?P=after)"
    r"(?:\s+(?P<how>by|times)\s+(?P<pace>\d+))?"
)
RANGE = "Write a range as `step1000 … step10000 by 1000`, or `step1 … step512 times 2`."

Entry = Mapping[str, Any]


def read_models(named: Iterable[str | Entry], sets: Mapping[str, Sequence[str | Entry]]) -> dict[str, Entry]:
    """Return the entries of the models `named`, and of those in the `sets` that are named, by the name of their files.

    An entry has `model` (baseline, repository or folder), `name` where it was given one, and options. Without
    `model`, a `name` is the repository. One with any of `LISTS` (see `read_range`) is as many models. Of entries that
    differ in how the model is run only, the first counts. Models that would have the same name get one that tells them
    apart: `gpt2+step1000`, `gpt2+bfloat16`, `gpt2+us--lora`, `ngram+corpus.txt`.
    Raises `ConfigError` where nothing does, and for a given name that breaks the rule.
    """
    listed = chain.from_iterable(sets.get(entry, [entry]) if isinstance(entry, str) else [entry] for entry in named)
    models: dict[tuple[Any, ...], Entry] = {}
    for entry in chain.from_iterable(map(_versions, map(_read, listed))):
        models.setdefault(_identity(entry), entry)
    namesakes: dict[str, list[Entry]] = defaultdict(list)
    for entry in models.values():
        if "name" not in entry:
            namesakes[_as_name(entry["model"])].append(entry)
    by_name: dict[str, Entry] = {}
    for entry in models.values():
        name = entry.get("name") or _distinctive_name(entry, namesakes[_as_name(entry["model"])])
        if name in by_name:
            message = f"models: two that differ would be called {name!r}: {by_name[name]['model']} and {entry['model']}"
            hint = f"Give one of them a name: {{model: {entry['model']}, name: …}}."
            raise ConfigError(message, file="config.yaml", hint=hint)
        by_name[name] = entry
    return by_name


def _read(entry: str | Entry) -> Entry:
    if isinstance(entry, str):
        return {"model": entry}
    if "model" not in entry:
        return {"model": entry["name"], **{key: value for key, value in entry.items() if key != "name"}}
    if "name" in entry and not is_name(entry["name"]):
        raise ConfigError(f"models: {entry['name']!r} cannot be a name", file="config.yaml", hint=RULE)
    return entry


def read_range(written: str | int | Sequence[str | int]) -> list[str]:
    """Return what a list names, each of whose texts may be a range.

    >>> read_range(["step0", "step1 … step4 times 2", "step1000 ... step3000 by 1000"])
    ['step0', 'step1', 'step2', 'step4', 'step1000', 'step2000', 'step3000']

    Raises `ConfigError` for a range that is none, or that does not arrive at its end.
    """
    texts = [written] if isinstance(written, str | int) else written
    return list(dict.fromkeys(chain.from_iterable(map(_range, map(str, texts)))))


def _range(text: str) -> Iterator[str]:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        yield text
        return
    number, last, pace = int(match["first"]), int(match["last"]), int(match["pace"] or 1)
    width = len(match["first"]) if match["first"].startswith("0") else 0
    times = match["how"] == "times"
    if number > last or pace < 1 + times or (times and not number):
        raise ConfigError(f"models: {text!r} is no range", file="config.yaml", hint=RANGE)
    while number <= last:
        yield f"{match['before']}{number:0{width}d}{match['after']}"
        number, arrived = number * pace if times else number + pace, number
    if arrived != last:
        message = f"models: the range {text!r} goes by {arrived} to {number}, past its end"
        raise ConfigError(message, file="config.yaml", hint=RANGE)


def _versions(entry: Entry) -> Iterator[Entry]:
    """Yield an entry for each of the seeds, revisions, adapters and dtypes that it lists, or itself."""
    for many, one in LISTS.items():
        if many in entry and one in entry:
            message = f"models: {entry['model']} has both `{one}` and `{many}`"
            raise ConfigError(message, file="config.yaml", hint="Write one of them.")
    listed = {one: read_range(entry[many]) for many, one in LISTS.items() if many in entry}
    common = {key: value for key, value in entry.items() if key not in LISTS}
    for values in product(*listed.values()):
        name = {"name": "+".join([entry["name"], *map(_as_name, values)])} if "name" in entry else {}
        version = {**common, **name, **dict(zip(listed, values, strict=True))}
        yield _seeded(version, version.pop("seed", None))


def _seeded(entry: Entry, seed: str | None) -> Entry:
    """Return the entry with the `seed` where its place is; check what else a list may have named."""
    named = {key: entry[key] for key in ("model", "revision", "adapter") if key in entry}
    if seed is not None and not any(SEED in value for value in named.values()):
        hint = f"Write where it stands: {{model: 'us/small-seed{SEED}', seeds: 1 … 5}}."
        raise ConfigError(f"models: {entry['model']} has `seeds`, but no {SEED}", file="config.yaml", hint=hint)
    entry = {**entry, **{key: value.replace(SEED, seed or SEED) for key, value in named.items()}}
    if not is_path(entry.get("revision", "main")):
        raise ConfigError(f"models: {entry['revision']!r} cannot be a revision", file="config.yaml", hint=RANGE)
    return entry


def _identity(entry: Entry) -> tuple[Any, ...]:
    """Return what tells an entry's model from all others: where it is from, and how it is read."""
    details = (_detail(entry, key) for key in IDENTITY)
    return entry.get("name"), os.path.normpath(entry["model"]), *details


def _detail(entry: Entry, key: str) -> Any:
    value = entry.get(key)
    return tuple(value) if isinstance(value, list) else None if value == DEFAULTS.get(key) else value


def _distinctive_name(entry: Entry, namesakes: Sequence[Entry]) -> str:
    """Return the model's name with what an entry says that its namesakes do not say, or say otherwise."""
    details = []
    for key in IDENTITY:
        detail = _detail(entry, key)
        if detail is not None and len({_detail(namesake, key) for namesake in namesakes}) > 1:
            details += [PurePath(text).name for text in detail] if key == "text" else [detail]
    return "+".join(map(_as_name, [entry["model"], *details]))


def _as_name(text: str) -> str:
    name = as_name(text)
    if not name:
        raise ConfigError(f"models: {text!r} cannot be the name of a model", file="config.yaml", hint=RULE)
    return name
