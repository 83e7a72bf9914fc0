"""A construction file: a Grew request whose comments say what to do with its matches.

The settings are YAML inside `%` comments, between two `% ---` lines, so that the file as a whole stays a request which
Grew and Grew-match accept. `docs/formats.md` and the files under `queries/` show what one looks like.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.documents import Entry, read_settings, read_text
from starbank.errors import ConstructionError, RequestError, nearest
from starbank.grew import Request, parse_request
from starbank.languages import UNDETERMINED, with_forms
from starbank.names import RULE, is_path, require_name
from starbank.queries.changes import LEXICON_HINT, lexicon_file, read_obligatory
from starbank.queries.conditions import (
    ALL_VALUES,
    Condition,
    conditions_of_values,
    read_conditions,
    read_node,
    read_targets,
)
from starbank.queries.heading import Heading, read_heading
from starbank.suites.formulas import check_formulas
from starbank.treebanks.arrays import texts

KEYS = (
    *("title", "language", "phenomenon", "cite", "treebanks", "target", "vary", "conditions", "relax", "forms"),
    *("complete", "confidence", "predictions", "lexicon", "lexicons", "unless", "obligatory"),
    *("avoid", "concord", "controller", "governor", "covariates", "control", "generator", "options", "vocabulary"),
    *("limit", "balance", "seed"),
)
# The keys that name files, in the order of `Construction.tables`.
_TABLES = ("lexicon", "vocabulary")
EVERYWHERE = "all"
SOURCES = ("table", "treebank", "unimorph", "predicted")
_OPTIONS_HINT = "Write lines such as `%   preset: strict`."
# What a generator cuts a sentence into.
REGIONS = ("prefix", "target", "suffix")


@dataclass(frozen=True, kw_only=True)
class Construction(Heading):
    """One construction file, read and checked.

    - `language` is None, and each treebank's own counts, and `treebanks` is empty, for a construction that runs on all
      treebanks;
    - `targets`: the nodes between whose first and last word the critical region lies;
    - `conditions`: the variants, from `vary` or `conditions`;
    - `asked`: the feature whose values treebanks are asked for (`{Gender: all}`), None where `conditions` has them;
    - `complete`: whether a match is given up where one of its conditions is, by default where there are predictions;
    - `predictions`: formulas over the surprisals of regions that a model with the right grammar satisfies;
    - `relax`: features in which a form may differ from the wanted cell where that is empty;
    - `forms`: the sources of forms, in order;
    - `confidence`: from which confidence predicted forms are taken, None for the usual one;
    - `paradigms`: the files with paradigms that `lexicon` names;
    - `avoid`: a regular expression for forms that no starred condition may have, such as those with a clitic; the empty
      one avoids none;
    - `concord`: requests by the name of a node, each the pattern with more clauses; the words that it binds to this
      node, none, one or several of a match, change as the first target does;
    - `controller`: the node with which the target agrees;
    - `governor`: the node that governs the value of the target, such as an adposition;
    - `covariates`: requests by name, each the construction's own with more clauses;
    - `control`: whether the starred conditions are only other readings;
    - `generator` makes the items, with these `options`, each a text or a list of texts;
    - `vocabulary`: lists of words that a generator may ask for;
    - `word_lists`: the files of the lexicons that commands ask;
    - `obligatory`: nodes whose lemma must show that what commands take away or change has to be as it was;
    - `limit`: how many items to keep in each group of equal `balance`;
    - `request_text` is the whole file, `query_sha256` the sum of that text, `request` the request read from it.
    """

    treebanks: tuple[str, ...]
    targets: tuple[str, ...]
    conditions: tuple[Condition, ...]
    asked: str | None
    complete: bool
    predictions: tuple[str, ...]
    relax: tuple[str, ...]
    forms: tuple[str, ...]
    confidence: float | None
    paradigms: tuple[Path, ...]
    avoid: str
    concord: Mapping[str, Request]
    controller: str | None
    governor: str | None
    covariates: Mapping[str, Request]
    control: bool
    generator: str
    options: Mapping[str, Any]
    vocabulary: tuple[Path, ...]
    word_lists: tuple[Path, ...]
    obligatory: tuple[str, ...]
    limit: int | None
    balance: tuple[str, ...]
    seed: int | None
    request: Request
    request_text: str
    query_sha256: str

    @cached_property
    def features(self) -> dict[str, tuple[str, ...]]:
        """The features that vary, each with its values."""
        features: dict[str, dict[str, None]] = {self.asked: {}} if self.asked else {}
        for condition in self.conditions:
            for change in (*condition.changes.values(), *condition.pooled):
                for feature, value in change.items():
                    features.setdefault(feature, {}).update({value: None} if value else {})
        return {feature: tuple(values) for feature, values in features.items()}

    @property
    def tables(self) -> tuple[Path, ...]:
        """The files that the construction names."""
        return (*self.paradigms, *self.vocabulary, *self.word_lists)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes that change in some condition, the targets first."""
        changed = (node for condition in self.conditions for node in condition.changes)
        return tuple(dict.fromkeys([*self.targets, *changed]))


def with_values(construction: Construction, values: Iterable[str]) -> Construction:
    """Return a construction with conditions for the values of the feature that it asks treebanks for."""
    assert construction.asked
    conditions = conditions_of_values(construction.asked, values, construction.targets)
    return replace(construction, conditions=conditions)


def read_construction(path: Path, language: str | None = None) -> Construction:
    """Read and check the construction file at `path`; its name is the file's name without `.grew`.

    What languages list are the words of the construction's own language, or else of `language`; without one, of none.
    Raises `ConstructionError` where the settings are wrong, `SuiteError` where a prediction is, and `RequestError`
    where the request is, all with file and line.
    """
    return parse_construction(read_text(Path(path)), Path(path), language)


def parse_construction(text: str, path: Path, language: str | None = None) -> Construction:
    """Check the text of a construction file as `read_construction` does; `path` is where it stands, or would stand."""
    settings = read_settings(text, path)
    settings.require(KEYS, _required(settings))
    heading = read_heading(settings, "a construction")
    language = heading["language"] or language or UNDETERMINED
    request = parse_request(text, path, language)
    targets = read_targets(settings["target"], request)
    conditions = read_conditions(settings, request, targets, language)
    rewritings = [condition.rewriting for condition in conditions if condition.rewriting]
    names = [condition.name for condition in conditions]
    everywhere = settings["treebanks"].value == EVERYWHERE
    get = settings.get
    generator = get("generator", Entry.text, "rewritten_sets" if rewritings else "minimal_sets")
    return Construction(
        **heading,
        treebanks=() if everywhere else _treebanks(settings["treebanks"]),
        targets=targets,
        conditions=conditions,
        asked=_asked(settings),
        predictions=get(
            "predictions", lambda entry: check_formulas(entry.texts(), names, REGIONS, path, entry.line), ()
        ),
        complete=get("complete", Entry.truth, "predictions" in settings),
        relax=get("relax", Entry.texts, ()),
        forms=get("forms", lambda entry: _among(entry, SOURCES), SOURCES),
        confidence=get("confidence", Entry.share, None),
        paradigms=get("lexicon", _files, ()),
        avoid=get("avoid", lambda entry: _regexp(entry, language), ""),
        concord=get("concord", lambda entry: _concord(entry, text, request, language, generator), {}),
        controller=get("controller", lambda entry: read_node(entry, entry.text(), request), None),
        governor=get("governor", lambda entry: read_node(entry, entry.text(), request), None),
        covariates=get("covariates", lambda entry: _covariates(entry, text, language), {}),
        control=get("control", Entry.truth, False),
        generator=generator,
        options=get("options", lambda entry: {key: option.value for key, option in entry.items(_OPTIONS_HINT)}, {}),
        vocabulary=get("vocabulary", _files, ()),
        word_lists=get("lexicons", _lexicon_files, ()),
        obligatory=get("obligatory", lambda entry: read_obligatory(entry, rewritings, request), ()),
        limit=get("limit", lambda entry: entry.integer(at_least=1), None),
        balance=get("balance", Entry.texts, ()),
        seed=get("seed", lambda entry: entry.integer(at_least=0), None),
        request=request,
        request_text=text,
        query_sha256=hashlib.sha256(text.encode()).hexdigest(),
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
    settings.require(KEYS, _required(settings))
    tables = [name for key in _TABLES if key in settings for name in settings[key].texts()]
    lexicons = settings["lexicons"].items(LEXICON_HINT) if "lexicons" in settings else []
    described = (dict(lexicon.items(LEXICON_HINT)) for _, lexicon in lexicons)
    return (*tables, *(parts["file"].text() for parts in described if "file" in parts))


def _required(settings: Entry) -> tuple[str, ...]:
    """Return the keys that must be there; what runs everywhere has no language, and conditions stand in for `vary`."""
    everywhere = "treebanks" in settings and settings["treebanks"].value == EVERYWHERE
    language = () if everywhere else ("language",)
    return (*language, "treebanks", "target", *(() if "conditions" in settings else ("vary",)))


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


def _asked(settings: Entry) -> str | None:
    """Return the feature that has `all` in place of its values."""
    varied = settings["vary"].value if "vary" in settings else {}
    return next((feature for feature, values in varied.items() if values == ALL_VALUES), None)


def _regexp(entry: Entry, language: str | None) -> str:
    """Read a regular expression that RE2 can match (https://github.com/google/re2/wiki/Syntax)."""
    pattern = with_forms(entry, language)
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


def _lexicon_files(entry: Entry) -> tuple[Path, ...]:
    return tuple(lexicon_file(entry[name]["file"]) for name in entry.value)


def _covariates(entry: Entry, text: str, language: str | None) -> dict[str, Request]:
    """Read clauses by name, each tried on a match: does it have more of them?"""
    return _extended(entry, text, language, "with", '%   relative clause: "SUBJ -[acl:relcl]-> R"')


def _concord(entry: Entry, text: str, request: Request, language: str | None, generator: str) -> dict[str, Request]:
    """Read clauses by the name of a node that they bring in: the words that change along with the target."""
    example = '%   M: "SUBJ -[amod|det]-> M; M.Case = SUBJ.Case"'
    requests = _extended(entry, text, language, "pattern", example)
    for node, extended in requests.items():
        if node in request.nodes or node not in extended.nodes:
            message = f"names `{node}`, which must be a node of its clauses, and none of the pattern"
            entry.fail(message, f"Write lines such as `{example}`.")
    if generator != "minimal_sets":
        entry.fail(f"is not for the generator `{generator}`", "Name in the request each word that is to change.")
    # A match is held to the other blocks by itself: there these words are as all others.
    return {node: replace(extended, conditions=()) for node, extended in requests.items()}


def _extended(entry: Entry, text: str, language: str | None, block: str, example: str) -> dict[str, Request]:
    """Read clauses by name: the construction's own request with each in one more block."""
    hint = f"Write lines such as `{example}`."
    requests = {}
    for name, clauses in entry.items(hint):
        if not isinstance(clauses.value, str):
            entry.fail(f"must give {name} the clauses of a request", hint)
        try:
            requests[name] = parse_request(text, entry.file, language, conditions=f"{block} {{ {clauses.value} }}")
        except RequestError as error:
            clauses.fail(f"has clauses that are no request: {error.message}", hint)
    return requests
