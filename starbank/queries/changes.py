"""Conditions that are made by Grew commands: what stands under `conditions`, `lexicons`, `unless` and `obligatory`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from starbank.documents import Entry, read_text
from starbank.errors import RequestError, nearest
from starbank.grew import Request, parse_request
from starbank.grew.changed import changed_request
from starbank.grew.commands import Command, DeleteFeature, SetFeature, Text
from starbank.grew.lexicons import Lexicon, read_lexicon
from starbank.grew.rules import Constraint, Rule, parse_commands
from starbank.grew.syntax import Attribute, Name, Place
from starbank.names import RULE, is_path

# What a word of a changed graph has in MISC, which requests on that graph find it by.
BOUND = "Bound"
LEXICON_HINT = "Write lines such as `%   negatives: {file: lexicon/negatives.tsv, PRON.lemma: negative}`."
_UNLESS_HINT = 'Write clauses of a request: `% unless: "V -[obj]-> X"`, or a list of such.'
_COMMANDS_HINT = (
    'Write each command as a line `%     - del_node NEG`, and with quotes what has a colon: `- "e: X -> Y"`.'
)


@dataclass(frozen=True)
class Rewriting:
    """What makes a condition: a `rule` for the matches of the construction's request, and its `commands` as a text.

    `request` finds what the rule makes, in any treebank, and `unless` has, by its clauses, each request on the changed
    sentence itself, in which words of the match have their name as `Bound=` in MISC.
    """

    rule: Rule
    commands: str
    request: Request
    unless: Mapping[str, Request]


@dataclass(frozen=True)
class Lexicons:
    """The lexicons that commands may ask, by name, with the `files` that they are in and what ties rows to words."""

    tables: Mapping[str, Lexicon]
    files: tuple[Path, ...] = ()
    constraints: tuple[Constraint, ...] = ()


def read_lexicons(entry: Entry, request: Request) -> Lexicons:
    """Read the files that `lexicons` names, and which field of a row a feature of the match must be equal to."""
    tables, files, constraints = {}, [], []
    for name, described in entry.items(LEXICON_HINT):
        parts = dict(described.items(LEXICON_HINT))
        if "file" not in parts:
            described.fail("must have a `file`", LEXICON_HINT)
        file = lexicon_file(parts.pop("file"))
        table = read_lexicon(read_text(file), file)
        for key, part in parts.items():
            node, _, feature = key.partition(".")
            if not feature or node not in request.nodes:
                part.fail("is no feature of a node, such as `N.lemma`", nearest(node, request.nodes))
            if part.value not in table.fields:
                part.fail(f"is {part.value!r}, which is no field of {file.name}", nearest(part.text(), table.fields))
            constraints.append(Constraint(node, feature, name, part.text(), negated=False))
        tables[name] = table
        files.append(file)
    return Lexicons(tables, tuple(files), tuple(constraints))


def lexicon_file(entry: Entry) -> Path:
    """Return the file that an entry names, beside the construction."""
    hint = "The path begins at the folder of the construction, and stays in it."
    if not is_path(entry.text()):
        entry.fail(f"names {entry.text()!r}, which is no path of such a file", f"{hint} {RULE}")
    file = entry.file.parent / entry.text()
    if not file.is_file():
        entry.fail(f"names {file}, which is no file", hint)
    return file


def has_commands(entry: Entry) -> bool:
    """Tell whether some condition under `conditions` is made by commands."""
    conditions = entry.value.values() if isinstance(entry.value, dict) else ()
    return any(isinstance(value, list) or (isinstance(value, dict) and "commands" in value) for value in conditions)


class RewritingReader:
    """Reads what makes the conditions of one construction."""

    def __init__(self, settings: Entry, request: Request, language: str | None) -> None:
        self.request = request
        self.language = language
        self.lexicons = settings.get("lexicons", lambda entry: read_lexicons(entry, request), Lexicons({}))
        self.unless = list(_clauses(settings["unless"])) if "unless" in settings else []

    def read(self, entry: Entry) -> Rewriting:
        """Read a list of commands."""
        lines: list[str] = []
        for command in entry.entries(_COMMANDS_HINT):
            if not isinstance(command.value, str):
                command.fail("must be a command", _COMMANDS_HINT)
            # Each on its line of the file, which errors name.
            lines += [""] * (command.line - 1 - len(lines))
            lines.append(f"{command.value};")
        return self._rewriting(self._rule("\n".join(lines)), "; ".join(entry.value), entry)

    def of_features(self, changes: Mapping[str, Mapping[str, str | None]], entry: Entry) -> Rewriting:
        """Return what makes features by node: the commands `N.Number = Sing`, `del_feat N.Number`."""
        place = Place(entry.line, 1)
        several = tuple(
            _feature_command(Attribute(Name(node, place), Name(feature, place)), value)
            for node, change in changes.items()
            for feature, value in change.items()
        )
        changed = (
            f"{node}.{feature} = {value}" if value else f"del_feat {node}.{feature}"
            for node, change in changes.items()
            for feature, value in change.items()
        )
        return self._rewriting(Rule("conditions", self.request, several, {}, ()), "; ".join(changed), entry)

    def _rule(self, text: str) -> Rule:
        return parse_commands(text, self.request, self.lexicons.tables, self.lexicons.constraints, self.language)

    def _rewriting(self, rule: Rule, commands: str, entry: Entry) -> Rewriting:
        try:
            request = changed_request(rule)
        except RequestError as error:
            entry.fail(f"makes what no request can describe: {error.message}")
        if not request.nodes:
            hint = "Name in the pattern something that stays, such as the head of what is deleted."
            entry.fail("leaves no node of the match, so that there is nothing to seek in the treebanks", hint)
        gone = set(self.request.nodes) - set(request.nodes)
        bound = {clauses.text(): self._bound(clauses, request, gone) for clauses in self.unless}
        return Rewriting(rule, commands, request, {clauses: unless for clauses, unless in bound.items() if unless})

    def _bound(self, clauses: Entry, changed: Request, gone: set[str]) -> Request | None:
        """Return the request for clauses about nodes of a changed graph; none where one of these is gone."""
        bindings = " ".join(f'{node} [{BOUND}="{node}"];' for node in changed.nodes)
        try:
            request = parse_request(f"pattern {{ {bindings} {clauses.text()} }}", clauses.file, self.language)
        except RequestError as error:
            clauses.fail(f"has clauses that are no request: {error.message}", _UNLESS_HINT)
        return None if gone.intersection(request.nodes) else request


def _feature_command(attribute: Attribute, value: str | None) -> Command:
    return DeleteFeature(attribute) if value is None else SetFeature(attribute, (Text(value),))


def _clauses(entry: Entry) -> Iterator[Entry]:
    yield from entry.entries(_UNLESS_HINT) if isinstance(entry.value, list) else [entry]


def read_obligatory(entry: Entry, rewritings: Sequence[Rewriting], request: Request) -> tuple[str, ...]:
    """Read the nodes whose lemma must show that what a rule takes away, or changes, has to be as it was."""
    names = (entry.text(),) if isinstance(entry.value, str | None) else entry.texts()
    for name in names:
        if name not in request.nodes or not any(name in rewriting.request.nodes for rewriting in rewritings):
            entry.fail(f"names `{name}`, which is no node that is there before and after", nearest(name, request.nodes))
    return names
