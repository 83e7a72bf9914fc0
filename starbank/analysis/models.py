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

from starbank.files import read_metadata
from starbank.suites.provenance import require_table
from starbank.treebanks.arrays import table_of, texts

SCHEMA = "scores/1"
# The baseline of single words, and what a network calculates in unless told otherwise.
UNIGRAM, DTYPE = "unigram", "float32"

COLUMNS = (
    *("model", "model_kind", "origin", "requested_revision", "revision", "adapter", "dtype", "quantized"),
    *("fingerprint", "run"),
)
# How many steps of training, how many parameters, and the seed; null where the scores do not tell.
SIZES = ("step", "parameters", "seed")
# What scores cannot be read without.
_READ = pa.schema(
    [(name, pa.string()) for name in ("model", "model_kind", "level", "dataset", "construction", "item_id")]
    + [("condition", pa.string()), ("grammatical", pa.bool_())]
    + [(name, pa.list_(pa.string())) for name in ("regions", "region_names")]
    + [("logprobs", pa.list_(pa.float64()))]
)

# What a file says of its model; labels, and what one file of each model says, by the model's identity.
About = Mapping[str, Any]
Labels = Mapping[str, str]
Abouts = Mapping[str, About]


@dataclass(frozen=True)
class ScoredModel:
    """The model of one scores file, as its metadata tells; `label` is what results call it."""

    path: Path
    about: About
    label: str

    @property
    def name(self) -> str:
        """What its rows call it; the file, where the metadata does not tell."""
        return _name(self.path, self.about)

    @property
    def is_unigram(self) -> bool:
        """Whether it is, or, where the metadata does not tell, may be, the baseline whose scores SLOR takes away."""
        origin: str = self.about.get("origin") or self.about.get("model", UNIGRAM)
        return origin == UNIGRAM

    @property
    def suites(self) -> set[tuple[str, str]]:
        """The suites that it scored, by dataset and name."""
        return _suites(self.about)


def label_models(paths: Sequence[Path]) -> list[ScoredModel]:
    """Return the models of scores files, in their order.

    The label is the name in the file, where all files of this name are of one model. Where they are not, it is told
    what differs: the folder, the revision, the adapter, the dtype, the bits, the kind, the text of a baseline. A
    baseline that learnt from another text for each of several suites is one model, as long as no suite has it twice.
    Raises `SuiteError` where a file is missing or is no scores file.
    """
    for path in paths:
        require_table(path, SCHEMA, _READ, hint="`starbank score` writes it.")
    abouts = {path: read_metadata(path) for path in paths}
    namesakes: dict[str, list[Path]] = defaultdict(list)
    for path, about in abouts.items():
        namesakes[_name(path, about)].append(path)
    labels: dict[Path, str] = {}
    for name, group in namesakes.items():
        distinct = _tell_apart(name, {path: abouts[path] for path in group})
        # A name may be given that is a label of others.
        taken = set(labels.values())
        labels |= {path: f"{label} [{name}]" if label in taken else label for path, label in distinct.items()}
    return [ScoredModel(path, about, labels[path]) for path, about in abouts.items()]


def models_table(models: Sequence[ScoredModel]) -> pa.Table:
    """Return a row per model and content, with what it is, its sizes, and the datasets that it scored."""
    datasets: dict[tuple[str, str], set[str]] = defaultdict(set)
    for model in models:
        content = json.dumps([model.about.get(name) for name in (*COLUMNS[1:], *SIZES)])
        datasets[model.label, content] |= {dataset for dataset, _ in model.suites}
    ordered = sorted(datasets)
    contents = [(label, *json.loads(content)) for label, content in ordered]
    table = table_of([content[: len(COLUMNS)] for content in contents], **dict.fromkeys(COLUMNS, str))
    for place, name in enumerate(SIZES, start=len(COLUMNS)):
        table = table.append_column(name, pa.array([content[place] for content in contents], pa.int64()))
    return table.append_column("datasets", texts([", ".join(sorted(datasets[key])) for key in ordered]))


def _name(path: Path, about: About) -> str:
    return str(about.get("model") or path.stem)


def _suites(about: About) -> set[tuple[str, str]]:
    return {(suite["dataset"], suite["suite"]) for suite in about.get("suites", [])}


def _identity(about: About) -> str:
    """Return what two files of one model have in common: content and kind; of a baseline the text that was named."""
    kind, fingerprint = about.get("model_kind"), about.get("fingerprint")
    if training := about.get("training"):
        return json.dumps([kind, str(fingerprint).split()[0], training["text"]], sort_keys=True)
    return json.dumps([kind, fingerprint])


def _tell_apart(name: str, abouts: Mapping[Path, About]) -> dict[Path, str]:
    """Return a label for each of some files whose models have the same name."""
    models: dict[str, list[About]] = defaultdict(list)
    for about in abouts.values():
        models[_identity(about)].append(about)
    if len(models) == 1 or _share_out(list(models.values())):
        return dict.fromkeys(abouts, name)
    first = {identity: files[0] for identity, files in models.items()}
    labels = dict.fromkeys(models, name)
    for detail in (_folder, _revision, _commit, _adapter, _dtype, _quantized, _kind, _text, _sum):
        for group in _clashes(labels):
            labels |= detail({identity: labels[identity] for identity in group}, first)
    return {path: labels[_identity(about)] for path, about in abouts.items()}


def _share_out(models: Sequence[Sequence[About]]) -> bool:
    """Tell whether these are a baseline that learnt anew for each suite."""
    suites = [set().union(*map(_suites, files)) for files in models]
    baseline = all(about.get("training") for files in models for about in files)
    return baseline and sum(map(len, suites)) == len(set().union(*suites))


def _clashes(labels: Mapping[str, str]) -> list[list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for identity, label in labels.items():
        groups[label].append(identity)
    return [group for group in groups.values() if len(group) > 1]


def _folder(labels: Labels, abouts: Abouts) -> dict[str, str]:
    """Take as much of the end of each path, or the repository, as tells them apart."""
    paths = {model: PurePosixPath(str(abouts[model].get("origin") or label)) for model, label in labels.items()}
    different = len(set(paths.values()))
    if different == 1:
        return dict(labels)
    ends: dict[str, str] = {}
    for length in range(1, 1 + max(len(path.parts) for path in paths.values())):
        ends = {model: "/".join(path.parts[-length:]) for model, path in paths.items()}
        if len(set(ends.values())) == different:
            break
    return {
        model: ends[model] if label in (paths[model].name, str(paths[model])) else f"{label} ({ends[model]})"
        for model, label in labels.items()
    }


def _appended(detail: Callable[[About], str]) -> Callable[[Labels, Abouts], dict[str, str]]:
    """Return what appends a detail to the labels of models that differ in it."""

    def append(labels: Labels, abouts: Abouts) -> dict[str, str]:
        details = {model: detail(abouts[model]) for model in labels}
        return {model: label + details[model] * (len(set(details.values())) > 1) for model, label in labels.items()}

    return append


def _texts(about: About) -> str:
    names = ", ".join(text["name"] for text in (about.get("training") or {}).get("text", []))
    return f" ({names})" if names else ""


_revision = _appended(lambda about: f"@{about['requested_revision']}" if about.get("requested_revision") else "")
_commit = _appended(lambda about: f"@{about['revision'][:7]}" if about.get("revision") else "")
_adapter = _appended(lambda about: f" + {about['adapter']}" if about.get("adapter") else "")
_quantized = _appended(lambda about: f" ({about['quantized']})" if about.get("quantized") else "")
_dtype = _appended(lambda about: f" ({about['dtype']})" if about.get("dtype") not in (None, DTYPE) else "")
_kind = _appended(lambda about: f" ({about['model_kind']})" if about.get("model_kind") else "")
_text = _appended(_texts)
_sum = _appended(lambda about: f" [{hashlib.sha256(_identity(about).encode()).hexdigest()[:7]}]")
