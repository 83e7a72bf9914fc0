"""A construction file: a Grew request whose comments say what to do with its matches.

The settings are YAML inside `%` comments, between two `% ---` lines, so that the file as a whole stays a request which
Grew and Grew-match accept. `docs/formats.md` and the files under `queries/` show what one looks like.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.documents import Entry, read_settings, read_text
from starbank.errors import ConstructionError, RequestError, nearest
from starbank.grew import Request, parse_request
from starbank.languages import with_forms
from starbank.names import RULE, is_path, require_name
from starbank.suites.formulas import check_formulas
from starbank.treebanks.arrays import texts

_KEYS = (
    *("title", "language", "phenomenon", "cite", "treebanks", "target", "vary", "conditions", "relax", "forms"),
    *("confidence", "predictions", "lexicon"),
    *("avoid", "controller", "covariates", "control", "generator", "options", "vocabulary"),
    *("limit", "balance", "seed"),
)
# The keys that name files, in the order of `Construction.tables`.
_TABLES = ("lexicon", "vocabulary")
EVERYWHERE = "all"
SOURCES = ("table", "treebank", "unimorph", "predicted")
_OPTIONS_HINT = "Write lines such as `%   preset: strict`."
# What a generator cuts a sentence into.
REGIONS = ("prefix", "target", "suffix")

# What changes in a word: features and their new values, None for a feature that goes.
Change = Mapping[str, str | None]


@dataclass(frozen=True)
class Condition:
    """One variant of a match: what changes in which nodes.

    `starred` is None where the match decides: of the values of `vary`, the one that it has is grammatical. A match has
    it also where a target is in one of the `pooled` cells, such as those that look alike.
    """

    name: str
    changes: Mapping[str, Change]
    starred: bool | None
    pooled: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Construction:
    """One construction file, read and checked.

    - `language` is None, and each treebank's own counts, and `treebanks` is empty, for a construction that runs on all
      treebanks;
    - `cite`: the paper behind the construction;
    - `targets`: the nodes between whose first and last word the critical region lies;
    - `conditions`: the variants, from `vary` or `conditions`;
    - `predictions`: formulas over the surprisals of regions that a model with the right grammar satisfies;
    - `relax`: features in which a form may differ from the wanted cell where that is empty;
    - `forms`: the sources of forms, in order;
    - `confidence`: from which confidence predicted forms are taken, None for the usual one;
    - `paradigms`: the files with paradigms that `lexicon` names;
    - `avoid`: a regular expression for forms that no starred condition may have, such as those with a clitic; the empty
      one avoids none;
    - `controller`: the node with which the target agrees;
    - `covariates`: requests by name, each the construction's own with more clauses;
    - `control`: whether the starred conditions are only other readings;
    - `generator` makes the items, with these `options`, each a text or a list of texts;
    - `vocabulary`: lists of words that a generator may ask for;
    - `limit`: how many items to keep in each group of equal `balance`;
    - `request_text` is the whole file, `query_sha256` the sum of that text, `request` the request read from it.
    """

    name: str
    title: str
    language: str | None
    phenomenon: str
    cite: str
    treebanks: tuple[str, ...]
    targets: tuple[str, ...]
    conditions: tuple[Condition, ...]
    predictions: tuple[str, ...]
    relax: tuple[str, ...]
    forms: tuple[str, ...]
    confidence: float | None
    paradigms: tuple[Path, ...]
    avoid: str
    controller: str | None
    covariates: Mapping[str, Request]
    control: bool
    generator: str
    options: Mapping[str, Any]
    vocabulary: tuple[Path, ...]
    limit: int | None
    balance: tuple[str, ...]
    seed: int | None
    request: Request
    request_text: str
    query_sha256: str
    path: Path

    @property
    def features(self) -> dict[str, tuple[str, ...]]:
        """The features that vary, each with its values."""
        found: dict[str, dict[str, None]] = {}
        for condition in self.conditions:
            for change in (*condition.changes.values(), *condition.pooled):
                for feature, value in change.items():
                    found.setdefault(feature, {}).update({value: None} if value else {})
        return {feature: tuple(values) for feature, values in found.items()}

    @property
    def tables(self) -> tuple[Path, ...]:
        """The files that the construction names."""
        return (*self.paradigms, *self.vocabulary)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes that change in some condition, the targets first."""
        changed = (node for condition in self.conditions for node in condition.changes)
        return tuple(dict.fromkeys([*self.targets, *changed]))


def read_construction(path: Path) -> Construction:
    """Read and check the construction file at `path`; its name is the file's name without `.grew`.

    Raises `ConstructionError` where the settings are wrong, `SuiteError` where a prediction is, and `RequestError`
    where the request is, all with file and line.
    """
    path = Path(path)
    text = read_text(path)
    settings = read_settings(text, path)
    settings.require(_KEYS, _required(settings))
    request = parse_request(text, path)

    def get(key: str, read: Callable[[Entry], Any], default: Any = None) -> Any:
        return read(settings[key]) if key in settings else default

    targets = _targets(settings["target"], request)
    conditions = _conditions(settings, request, targets)
    names = [condition.name for condition in conditions]
    everywhere = settings["treebanks"].value == EVERYWHERE
    return Construction(
        name=require_name(path.stem, "a construction", ConstructionError, file=path),
        title=get("title", Entry.text, path.stem.replace("-", " ")),
        language=get("language", Entry.language),
        phenomenon=get("phenomenon", Entry.text, path.stem),
        cite=get("cite", Entry.text, ""),
        treebanks=() if everywhere else _treebanks(settings["treebanks"]),
        targets=targets,
        conditions=conditions,
        predictions=get(
            "predictions", lambda entry: check_formulas(entry.texts(), names, REGIONS, path, entry.line), ()
        ),
        relax=get("relax", Entry.texts, ()),
        forms=get("forms", lambda entry: _among(entry, SOURCES), SOURCES),
        confidence=get("confidence", Entry.share),
        paradigms=get("lexicon", _files, ()),
        avoid=get("avoid", _regexp, ""),
        controller=get("controller", lambda entry: _node(entry, entry.text(), request)),
        covariates=get("covariates", lambda entry: _covariates(entry, text), {}),
        control=get("control", Entry.truth, False),
        generator=get("generator", Entry.text, "minimal_sets"),
        options=get("options", lambda entry: {key: option.value for key, option in entry.items(_OPTIONS_HINT)}, {}),
        vocabulary=get("vocabulary", _files, ()),
        limit=get("limit", lambda entry: entry.integer(at_least=1)),
        balance=get("balance", Entry.texts, ()),
        seed=get("seed", lambda entry: entry.integer(at_least=0)),
        request=request,
        request_text=text,
        query_sha256=hashlib.sha256(text.encode()).hexdigest(),
        path=path,
    )


def first_target(text: str) -> str:
    """Return the node that `target` names first in the text of a construction file that has been read before."""
    target = read_settings(text, Path("query.grew"))["target"].value
    return target if isinstance(target, str) else target[0]


def table_names(text: str, path: Path) -> tuple[str, ...]:
    """Return the files that `lexicon` and `vocabulary` name in the text of a construction file, as they stand there.

    Raises `ConstructionError`, which names `path`, where the settings are wrong.
    """
    settings = read_settings(text, path)
    settings.require(_KEYS, _required(settings))
    return tuple(name for key in _TABLES if key in settings for name in settings[key].texts())


def _required(settings: Entry) -> tuple[str, ...]:
    """Return the keys that must be there; what runs everywhere has no language, and conditions stand in for `vary`."""
    everywhere = "treebanks" in settings and settings["treebanks"].value == EVERYWHERE
    language = () if everywhere else ("language",)
    return (*language, "treebanks", "target", *(() if "conditions" in settings else ("vary",)))


def _predictions(entry: Entry, conditions: Sequence[str]) -> tuple[str, ...]:
    return check_formulas(entry.texts(), conditions, REGIONS, entry.file, entry.line)


def _treebanks(entry: Entry) -> tuple[str, ...]:
    return tuple(
        require_name(name, "a treebank", ConstructionError, file=entry.file, line=entry.line) for name in entry.texts()
    )


def _among(entry: Entry, valid: tuple[str, ...]) -> tuple[str, ...]:
    values = entry.texts()
    for value in values:
        if value not in valid:
            entry.fail(f"names `{value}`", nearest(value, valid))
    return values


def _regexp(entry: Entry) -> str:
    """Read a regular expression that RE2 can match (https://github.com/google/re2/wiki/Syntax)."""
    pattern = with_forms(entry)
    try:
        re.compile(pattern)
        pc.match_substring_regex(texts([""]), pattern)
    except re.error as error:
        entry.fail(f"is no regular expression: {error}")
    except pa.ArrowInvalid as error:
        reason = str(error).removeprefix("Invalid regular expression: ")
        entry.fail(f"is no regular expression of RE2: {reason}", "RE2 has no look-around and no back references.")
    return pattern


def _files(entry: Entry) -> tuple[Path, ...]:
    hint = "The path begins at the folder of the construction, and stays in it."
    folder = entry.file.parent
    for path in entry.texts():
        if not is_path(path):
            entry.fail(f"names {path!r}, which is no path of such a file", f"{hint} {RULE}")
        if not (folder / path).is_file():
            entry.fail(f"names {folder / path}, which is no file", hint)
    return tuple(folder / path for path in entry.texts())


def _targets(entry: Entry, request: Request) -> tuple[str, ...]:
    names = (entry.text(),) if isinstance(entry.value, str | None) else entry.texts()
    return tuple(_node(entry, name, request) for name in names)


def _node(entry: Entry, name: str, request: Request) -> str:
    if name in request.nodes:
        return name
    if any(name in block.nodes for block in request.conditions):
        entry.fail(
            f"is `{name}`, which no match binds: only a `without` or `with` mentions it",
            "Mention it in the pattern. " + nearest(name, request.nodes),
        )
    entry.fail(f"is `{name}`, which is no node of the pattern", nearest(name, request.nodes))


def _conditions(settings: Entry, request: Request, targets: tuple[str, ...]) -> tuple[Condition, ...]:
    if "vary" not in settings:
        return _named(settings["conditions"], request, targets)
    if "conditions" in settings:
        settings["conditions"].fail("and `vary` exclude each other")
    return _vary(settings["vary"], targets)


def _vary(entry: Entry, targets: tuple[str, ...]) -> tuple[Condition, ...]:
    """Read `{Case: [Nom, Erg]}`, or cells by name: `{perfective: {Aspect: Perf}, habitual: {Aspect: Imp}}`."""
    hint = "Write `% vary: {Case: [Nom, Erg, Dat]}`."
    if not isinstance(entry.value, dict) or not entry.value:
        entry.fail("must name one feature and its values", hint)
    cells: Mapping[str, tuple[Change, ...]]
    if all(_is_cell(value) for value in entry.value.values()):
        cells = {name: _pooled(cell) for name, cell in entry.items(hint)}
        if len(cells) < 2:
            entry.fail("names only one cell", "Write `% vary: {perfective: {Aspect: Perf}, habitual: {Aspect: Imp}}`.")
    else:
        if len(entry.value) != 1:
            entry.fail("must name one feature and its values", hint)
        ((feature, listed),) = entry.items(hint)
        values = listed.texts(hint)
        if len(values) < 2:
            entry.fail(f"gives {feature} only one value", hint)
        cells = {value: ({feature: value},) for value in values}
    return tuple(
        Condition(name, dict.fromkeys(targets, cell), None, tuple(pooled)) for name, (cell, *pooled) in cells.items()
    )


def _is_cell(value: Any) -> bool:
    """Tell whether a value of `vary` is a cell, or several that count as one: `{Case: Abs}`, `[{Case: Abs}, …]`."""
    several = value if isinstance(value, list) else [value]
    return bool(several) and all(isinstance(cell, dict) for cell in several)


def _pooled(entry: Entry) -> tuple[Change, ...]:
    cells = entry.entries("Write a list of cells.") if isinstance(entry.value, list) else [entry]
    return tuple(_change(cell) for cell in cells)


def _named(entry: Entry, request: Request, targets: tuple[str, ...]) -> tuple[Condition, ...]:
    """Read conditions by name, each with the nodes that change: `{SUBJ: {Number: Sing}, V: {Number: Plur}}`."""
    hint = "Write lines such as `%   mismatch: {SUBJ: {Number: Sing}, V: {Number: Plur}, starred: yes}`."
    conditions = []
    for name, condition in entry.items(hint):
        parts = dict(condition.items(hint)) if condition.value else {}
        starred = parts.pop("starred").truth() if "starred" in parts else False
        changes: dict[str, Change] = {
            _node(part, node, request): _change(part) for node, part in parts.items() if isinstance(part.value, dict)
        }
        features = {feature: _value(part) for feature, part in parts.items() if not isinstance(part.value, dict)}
        if features:
            changes |= dict.fromkeys(targets, features)
        conditions.append(Condition(name, changes, starred))
    if all(condition.starred for condition in conditions) or not any(condition.starred for condition in conditions):
        entry.fail("must have a grammatical condition and a starred one", hint)
    return tuple(conditions)


def _change(entry: Entry) -> Change:
    """Read a change of features."""
    return {
        feature: _value(part) for feature, part in entry.items("Write features and values: `{Aspect: Imp, Tense: ~}`.")
    }


def _value(entry: Entry) -> str | None:
    """Read the new value of a feature; an empty one or `~` takes the feature away."""
    if not isinstance(entry.value, str):
        entry.fail("must be one value")
    return None if entry.value in ("", "~") else entry.value


def _covariates(entry: Entry, text: str) -> dict[str, Request]:
    """Read clauses by name, each tried on a match: does it have more of them?"""
    hint = 'Write lines such as `%   relative clause: "SUBJ -[acl:relcl]-> R"`.'
    requests = {}
    for name, clauses in entry.items(hint):
        if not isinstance(clauses.value, str):
            entry.fail(f"must give {name} the clauses of a request", hint)
        try:
            requests[name] = parse_request(f"{text}\nwith {{ {clauses.value} }}", entry.file)
        except RequestError as error:
            clauses.fail(f"has clauses that are no request: {error.message}", hint)
    return requests
