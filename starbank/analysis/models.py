"""Scores files -> the models that they are of, each with the shortest label that tells it from all others."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from starbank.errors import SuiteError
from starbank.files import read_metadata
from starbank.suites.provenance import require_columns

SCHEMA = "scores/1"
# The baseline of single words, and what a network calculates in unless told otherwise.
UNIGRAM, DTYPE = "unigram", "float32"

COLUMNS = ("model", "model_kind", "origin", "requested_revision", "revision", "dtype", "fingerprint", "datasets")
MODELS = pa.schema([(name, pa.string()) for name in COLUMNS])
# What scores cannot be read without.
_READ = pa.schema(
    [(name, pa.string()) for name in ("model", "model_kind", "level", "dataset", "construction", "item_id")]
    + [("condition", pa.string()), ("grammatical", pa.bool_())]
    + [(name, pa.list_(pa.string())) for name in ("regions", "region_names")]
    + [("logprobs", pa.list_(pa.float64()))]
)


@dataclass(frozen=True)
class ScoredModel:
    """The model of one scores file, as its metadata tells; `label` is what results call it."""

    path: Path
    about: Mapping[str, Any]
    label: str

    @property
    def name(self) -> str:
        """What its rows call it; the file, where the metadata does not tell."""
        return _name(self.path, self.about)

    @property
    def is_unigram(self) -> bool:
        """Whether it is, or, where the metadata does not tell, may be, the baseline whose scores SLOR takes away."""
        return (self.about.get("origin") or self.about.get("model", UNIGRAM)) == UNIGRAM

    @property
    def suites(self) -> set[tuple[str, str]]:
        """The suites that it scored, by dataset and name."""
        return _suites(self.about)


def label_models(paths: Sequence[Path]) -> list[ScoredModel]:
    """Return the models of scores files, in their order.

    The label is the name in the file, where all files of this name are of one model. Where they are not, it is told
    what differs: the folder, the revision, the dtype, the kind, the text of a baseline. A baseline that learnt from
    another text for each of several suites is one model, as long as no suite has it twice.
    Raises `SuiteError` where a file is missing or is no scores file.
    """
    for path in paths:
        require_schema(path, SCHEMA, hint="`starbank score` writes it.")
        require_columns(pq.read_schema(path), _READ, path)
    abouts = {path: read_metadata(path) for path in paths}
    namesakes: dict[str, list[Path]] = defaultdict(list)
    for path, about in abouts.items():
        namesakes[_name(path, about)].append(path)
    labels: dict[Path, str] = {}
    for name, group in namesakes.items():
        told = _tell_apart(name, {path: abouts[path] for path in group})
        # A name may be given that is a label of others.
        taken = set(labels.values())
        labels |= {path: f"{label} [{name}]" if label in taken else label for path, label in told.items()}
    return [ScoredModel(path, about, labels[path]) for path, about in abouts.items()]


def require_schema(path: Path, schema: str, *, hint: str) -> None:
    """Raise `SuiteError` unless the file at `path` is a table of that schema (`scores/1`)."""
    try:
        found = read_metadata(path).get("schema")
    except FileNotFoundError:
        raise SuiteError("there is no such file", file=path, hint=hint) from None
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SuiteError(f"cannot be read as Parquet: {error}", file=path, hint=hint) from error
    if found != schema:
        raise SuiteError(f"holds {found or 'no Starbank table'} instead of {schema}", file=path, hint=hint)


def models_table(models: Sequence[ScoredModel]) -> pa.Table:
    """Return a row per model and content, with what it is and the datasets that it scored."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for one in models:
        told = {name: one.about.get(name) for name in MODELS.names[1:-1]}
        row = rows.setdefault((one.label, json.dumps(told)), {"model": one.label, **told, "datasets": set()})
        row["datasets"] |= {dataset for dataset, _ in one.suites}
    listed = [{**rows[key], "datasets": ", ".join(sorted(rows[key]["datasets"]))} for key in sorted(rows)]
    return pa.Table.from_pylist(listed, MODELS)


def _name(path: Path, about: Mapping[str, Any]) -> str:
    return about.get("model") or path.stem


def _suites(about: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(suite["dataset"], suite["suite"]) for suite in about.get("suites", [])}


def _identity(about: Mapping[str, Any]) -> str:
    """Return what two files of one model have in common: content and kind; of a baseline the text that was named."""
    told: list[Any] = [about.get("model_kind"), about.get("fingerprint")]
    if training := about.get("training"):
        told = [about.get("model_kind"), str(about.get("fingerprint")).split()[0], training["text"]]
    return json.dumps(told, sort_keys=True)


def _tell_apart(name: str, abouts: Mapping[Path, Mapping[str, Any]]) -> dict[Path, str]:
    """Return a label for each of some files whose models have the same name."""
    models: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for about in abouts.values():
        models[_identity(about)].append(about)
    if len(models) == 1 or _share_out(list(models.values())):
        return dict.fromkeys(abouts, name)
    abouts_of = {identity: own[0] for identity, own in models.items()}
    labels = dict.fromkeys(models, name)
    for detail in (_folder, _revision, _commit, _dtype, _kind, _text, _sum):
        for group in _clashes(labels):
            labels |= detail({identity: labels[identity] for identity in group}, abouts_of)
    return {path: labels[_identity(about)] for path, about in abouts.items()}


def _share_out(models: Sequence[Sequence[Mapping[str, Any]]]) -> bool:
    """Tell whether these are a baseline that learnt anew for each suite."""
    suites = [set().union(*map(_suites, own)) for own in models]
    baseline = all(about.get("training") for own in models for about in own)
    return baseline and sum(map(len, suites)) == len(set().union(*suites))


def _clashes(labels: Mapping[str, str]) -> list[list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for identity, label in labels.items():
        groups[label].append(identity)
    return [group for group in groups.values() if len(group) > 1]


Labels = Mapping[str, str]
Abouts = Mapping[str, Mapping[str, Any]]


def _folder(labels: Labels, abouts: Abouts) -> dict[str, str]:
    """Take as much of the end of each path, or the repository, as tells them apart."""
    paths = {one: PurePosixPath(str(abouts[one].get("origin") or label)) for one, label in labels.items()}
    different = len(set(paths.values()))
    if different == 1:
        return dict(labels)
    ends: dict[str, str] = {}
    for length in range(1, 1 + max(len(path.parts) for path in paths.values())):
        ends = {one: "/".join(path.parts[-length:]) for one, path in paths.items()}
        if len(set(ends.values())) == different:
            break
    given = {one for one, label in labels.items() if label not in (paths[one].name, str(paths[one]))}
    return {one: f"{label} ({ends[one]})" if one in given else ends[one] for one, label in labels.items()}


def _appended(detail: Callable[[Mapping[str, Any]], str]) -> Callable[[Labels, Abouts], dict[str, str]]:
    """Return what appends a detail to the labels of models that differ in it."""

    def append(labels: Labels, abouts: Abouts) -> dict[str, str]:
        details = {one: detail(abouts[one]) for one in labels}
        return {one: label + details[one] * (len(set(details.values())) > 1) for one, label in labels.items()}

    return append


def _texts(about: Mapping[str, Any]) -> str:
    names = ", ".join(text["name"] for text in (about.get("training") or {}).get("text", []))
    return f" ({names})" if names else ""


_revision = _appended(lambda about: f"@{about['requested_revision']}" if about.get("requested_revision") else "")
_commit = _appended(lambda about: f"@{about['revision'][:7]}" if about.get("revision") else "")
_dtype = _appended(lambda about: f" ({about['dtype']})" if about.get("dtype") not in (None, DTYPE) else "")
_kind = _appended(lambda about: f" ({about['model_kind']})" if about.get("model_kind") else "")
_text = _appended(_texts)
_sum = _appended(lambda about: f" [{hashlib.sha256(_identity(about).encode()).hexdigest()[:7]}]")
