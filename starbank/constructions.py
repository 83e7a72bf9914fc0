"""A construction file: a Grew request whose comments say what to do with its matches.

The settings are YAML inside `%` comments, between two `% ---` lines, so that the file as a whole stays a request which
Grew and Grew-match accept. `docs/formats.md` and the files under `queries/` show what one looks like.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starbank.errors import ConstructionError, RequestError
from starbank.grew import Request, parse_request
from starbank.names import RULE, is_path, require_name
from starbank.settings import (
    Setting,
    distinct,
    integer,
    language,
    mapping,
    nearest,
    read_settings,
    regexp,
    share,
    string,
    strings,
    truth,
)
from starbank.suites.formulas import check_formulas

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
    text = _read_text(path)
    settings = read_settings(text, path, _KEYS, _required)
    request = parse_request(text, path)

    def get(key: str, read: Callable[[Setting], Any], default: Any = None) -> Any:
        return read(settings[key]) if key in settings else default

    targets = _targets(settings["target"], request)
    conditions = _conditions(settings, request, targets)
    names = [condition.name for condition in conditions]
    everywhere = settings["treebanks"].value == EVERYWHERE
    return Construction(
        name=require_name(path.stem, "a construction", ConstructionError, file=path),
        title=get("title", string, path.stem.replace("-", " ")),
        language=get("language", language),
        phenomenon=get("phenomenon", string, path.stem),
        cite=get("cite", string, ""),
        treebanks=() if everywhere else _treebanks(settings["treebanks"]),
        targets=targets,
        conditions=conditions,
        predictions=get(
            "predictions", lambda setting: check_formulas(strings(setting), names, REGIONS, path, setting.line), ()
        ),
        relax=get("relax", strings, ()),
        forms=get("forms", lambda setting: _among(setting, SOURCES), SOURCES),
        confidence=get("confidence", share),
        paradigms=get("lexicon", lambda setting: _files(setting, path.parent), ()),
        avoid=get("avoid", regexp, ""),
        controller=get("controller", lambda setting: _node(setting, string(setting), request)),
        covariates=get("covariates", lambda setting: _covariates(setting, text, path), {}),
        control=get("control", lambda setting: truth(setting, setting.value), False),
        generator=get("generator", string, "minimal_sets"),
        options=get("options", lambda setting: mapping(setting, setting.value, _OPTIONS_HINT), {}),
        vocabulary=get("vocabulary", lambda setting: _files(setting, path.parent), ()),
        limit=get("limit", lambda setting: integer(setting, at_least=1)),
        balance=get("balance", strings, ()),
        seed=get("seed", lambda setting: integer(setting, at_least=0)),
        request=request,
        request_text=text,
        query_sha256=hashlib.sha256(text.encode()).hexdigest(),
        path=path,
    )


def first_target(text: str) -> str:
    """Return the node that `target` names first in the text of a construction file that has been read before."""
    target = read_settings(text, Path("query.grew"), _KEYS, _required)["target"].value
    return target if isinstance(target, str) else target[0]


def table_names(text: str, path: Path) -> tuple[str, ...]:
    """Return the files that `lexicon` and `vocabulary` name in the text of a construction file, as they stand there.

    Raises `ConstructionError`, which names `path`, where the settings are wrong.
    """
    settings = read_settings(text, path, _KEYS, _required)
    return tuple(name for key in _TABLES if key in settings for name in strings(settings[key]))


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConstructionError("is not UTF-8 text", file=path, hint="Save the file as UTF-8.") from error
    except OSError as error:
        raise ConstructionError(f"cannot be read: {error.strerror}", file=path) from error


def _required(settings: Mapping[str, Setting]) -> tuple[str, ...]:
    """Return the keys that must be there; what runs everywhere has no language, and conditions stand in for `vary`."""
    everywhere = "treebanks" in settings and settings["treebanks"].value == EVERYWHERE
    language = () if everywhere else ("language",)
    return (*language, "treebanks", "target", *(() if "conditions" in settings else ("vary",)))


def _treebanks(setting: Setting) -> tuple[str, ...]:
    return tuple(
        require_name(name, "a treebank", ConstructionError, file=setting.file, line=setting.line)
        for name in strings(setting)
    )


def _among(setting: Setting, valid: tuple[str, ...]) -> tuple[str, ...]:
    values = strings(setting)
    for value in values:
        if value not in valid:
            setting.error(f"names `{value}`", nearest(value, valid))
    return values


def _files(setting: Setting, folder: Path) -> tuple[Path, ...]:
    hint = "The path begins at the folder of the construction, and stays in it."
    for path in strings(setting):
        if not is_path(path):
            setting.error(f"names {path!r}, which is no path of such a file", f"{hint} {RULE}")
        if not (folder / path).is_file():
            setting.error(f"names {folder / path}, which is no file", hint)
    return tuple(folder / path for path in strings(setting))


def _targets(setting: Setting, request: Request) -> tuple[str, ...]:
    names = (string(setting),) if isinstance(setting.value, str) else strings(setting)
    return tuple(_node(setting, name, request) for name in names)


def _node(setting: Setting, name: str, request: Request) -> str:
    if name in request.nodes:
        return name
    if any(name in block.nodes for block in request.conditions):
        setting.error(
            f"is `{name}`, which no match binds: only a `without` or `with` mentions it",
            "Mention it in the pattern. " + nearest(name, request.nodes),
        )
    setting.error(f"is `{name}`, which is no node of the pattern", nearest(name, request.nodes))


def _conditions(settings: Mapping[str, Setting], request: Request, targets: tuple[str, ...]) -> tuple[Condition, ...]:
    if "vary" not in settings:
        return _named(settings["conditions"], request, targets)
    if "conditions" in settings:
        settings["conditions"].error("and `vary` exclude each other")
    return _vary(settings["vary"], targets)


def _vary(setting: Setting, targets: tuple[str, ...]) -> tuple[Condition, ...]:
    """Read `{Case: [Nom, Erg]}`, or cells by name: `{perfective: {Aspect: Perf}, habitual: {Aspect: Imp}}`."""
    hint = "Write `% vary: {Case: [Nom, Erg, Dat]}`."
    given = setting.value
    if not isinstance(given, dict) or not given:
        setting.error("must name one feature and its values", hint)
    if all(_is_cell(value) for value in given.values()):
        cells = {name: _pooled(setting, cell) for name, cell in given.items()}
        if len(cells) < 2:
            setting.error(
                "names only one cell", "Write `% vary: {perfective: {Aspect: Perf}, habitual: {Aspect: Imp}}`."
            )
    else:
        if len(given) != 1:
            setting.error("must name one feature and its values", hint)
        ((feature, values),) = given.items()
        values = distinct(setting, values, hint)
        if len(values) < 2:
            setting.error(f"gives {feature} only one value", hint)
        cells = {value: ({feature: value},) for value in values}
    return tuple(
        Condition(name, dict.fromkeys(targets, cell), None, tuple(pooled)) for name, (cell, *pooled) in cells.items()
    )


def _is_cell(value: Any) -> bool:
    """Tell whether a value of `vary` is a cell, or several that count as one: `{Case: Abs}`, `[{Case: Abs}, …]`."""
    several = value if isinstance(value, list) else [value]
    return bool(several) and all(isinstance(cell, dict) for cell in several)


def _pooled(setting: Setting, value: Any) -> tuple[Change, ...]:
    return tuple(_change(setting, cell) for cell in (value if isinstance(value, list) else [value]))


def _named(setting: Setting, request: Request, targets: tuple[str, ...]) -> tuple[Condition, ...]:
    """Read conditions by name, each with the nodes that change: `{SUBJ: {Number: Sing}, V: {Number: Plur}}`."""
    hint = "Write lines such as `%   mismatch: {SUBJ: {Number: Sing}, V: {Number: Plur}, starred: yes}`."
    conditions = []
    for name, given in mapping(setting, setting.value, hint).items():
        given = dict(mapping(setting, given, hint)) if given else {}
        starred = truth(setting, given.pop("starred", "no"))
        changes: dict[str, Change] = {
            _node(setting, node, request): _change(setting, change)
            for node, change in given.items()
            if isinstance(change, dict)
        }
        own = {feature: value for feature, value in given.items() if not isinstance(value, dict)}
        if own:
            changes |= dict.fromkeys(targets, _change(setting, own))
        conditions.append(Condition(name, changes, starred))
    if all(condition.starred for condition in conditions) or not any(condition.starred for condition in conditions):
        setting.error("must have a grammatical condition and a starred one", hint)
    return tuple(conditions)


def _change(setting: Setting, value: Any) -> Change:
    """Read a change of features; an empty value or `~` takes the feature away."""
    change = mapping(setting, value, "Write features and values: `{Aspect: Imp, VerbForm: Part}`.")
    for feature, wanted in change.items():
        if not isinstance(wanted, str):
            setting.error(f"must give {feature} one value")
    return {feature: None if wanted in ("", "~") else wanted for feature, wanted in change.items()}


def _covariates(setting: Setting, text: str, path: Path) -> dict[str, Request]:
    """Read clauses by name, each tried on a match: does it have more of them?"""
    hint = 'Write lines such as `%   relative clause: "SUBJ -[acl:relcl]-> R"`.'
    requests = {}
    for name, clauses in mapping(setting, setting.value, hint).items():
        if not isinstance(clauses, str):
            setting.error(f"must give {name} the clauses of a request", hint)
        try:
            requests[name] = parse_request(f"{text}\nwith {{ {clauses} }}", path)
        except RequestError as error:
            setting.error(f"gives {name} clauses that are no request: {error.message}", hint)
    return requests
