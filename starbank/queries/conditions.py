"""What changes in which nodes: the targets of a construction, and its conditions by `vary` or `conditions`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starbank.documents import Entry
from starbank.errors import nearest
from starbank.grew import Request
from starbank.queries.changes import Rewriting, RewritingReader, has_commands

# In place of the values of a feature: those that a treebank shows.
ALL_VALUES = "all"
# The settings that only commands have.
_OF_COMMANDS = ("lexicons", "unless", "obligatory")
# What the sentence as it is is called where only starred conditions have names.
AS_IT_IS = "grammatical"
# What changes in a word: features and their new values, None for a feature that goes.
Change = Mapping[str, str | None]


@dataclass(frozen=True)
class Condition:
    """One variant of a match: what changes in which nodes.

    `starred` is None where the match decides: of the values of `vary`, the one that it has is grammatical. A match has
    it also where a target is in one of the `pooled` cells, such as those that look alike. Where commands make one of
    the conditions of a construction, each has a `rewriting`, but for one that is the sentence as it is.
    """

    name: str
    changes: Mapping[str, Change]
    starred: bool | None
    pooled: tuple[Change, ...] = ()
    rewriting: Rewriting | None = None


def read_targets(entry: Entry, request: Request) -> tuple[str, ...]:
    """Read the nodes of `target`, one or several."""
    names = (entry.text(),) if isinstance(entry.value, str | None) else entry.texts()
    return tuple(read_node(entry, name, request) for name in names)


def read_node(entry: Entry, name: str, request: Request) -> str:
    """Return the name of a node that matches of the request bind; `entry` is where it stands."""
    if name in request.nodes:
        return name
    if any(name in block.nodes for block in request.conditions):
        entry.fail(
            f"is `{name}`, which no match binds: only a `without` or `with` mentions it",
            "Mention it in the pattern. " + nearest(name, request.nodes),
        )
    entry.fail(f"is `{name}`, which is no node of the pattern", nearest(name, request.nodes))


def conditions_of_values(feature: str, values: Iterable[str], targets: tuple[str, ...]) -> tuple[Condition, ...]:
    """Return a condition for each value of a feature that the targets may have."""
    return tuple(Condition(value, {target: {feature: value} for target in targets}, None) for value in values)


def read_conditions(
    settings: Entry, request: Request, targets: tuple[str, ...], language: str | None = None
) -> tuple[Condition, ...]:
    """Read the conditions of the settings of a construction; there are none where treebanks are asked for them."""
    if "vary" not in settings:
        if has_commands(settings["conditions"]):
            return _rewritten(settings["conditions"], RewritingReader(settings, request, language), targets)
        for key in _OF_COMMANDS:
            if key in settings:
                settings[key].fail("is for conditions that are made by commands", "See docs/perturb.md.")
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
        if listed.value == ALL_VALUES:
            return ()
        values = listed.texts(hint)
        if len(values) < 2:
            entry.fail(f"gives {feature} only one value", hint)
        return conditions_of_values(feature, values, targets)
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
        conditions.append(Condition(name, _changes(parts, request, targets), starred))
    if all(condition.starred for condition in conditions) or not any(condition.starred for condition in conditions):
        entry.fail("must have a grammatical condition and a starred one", hint)
    return tuple(conditions)


def _rewritten(entry: Entry, reader: RewritingReader, targets: tuple[str, ...]) -> tuple[Condition, ...]:
    """Read conditions some of which are lists of commands; without a grammatical one, that is the sentence as it is."""
    hint = "Write a name, and below it lines such as `%     - del_node NEG`."
    conditions = []
    for name, condition in entry.items(hint):
        if isinstance(condition.value, list):
            conditions.append(Condition(name, {}, True, rewriting=reader.read(condition)))
            continue
        parts = dict(condition.items(hint)) if condition.value else {}
        starred = parts.pop("starred").truth() if "starred" in parts else "commands" in parts
        if "commands" in parts:
            commands = parts.pop("commands")
            if parts:
                next(iter(parts.values())).fail("stands beside `commands`", "Write it as a command: `N.Number = Sing`.")
            conditions.append(Condition(name, {}, starred, rewriting=reader.read(commands)))
        else:
            changes = _changes(parts, reader.request, targets)
            rewriting = reader.of_features(changes, condition) if changes else None
            conditions.append(Condition(name, {}, starred, rewriting=rewriting))
    if not any(condition.starred for condition in conditions):
        entry.fail("must have a starred condition", hint)
    if all(condition.starred for condition in conditions):
        conditions.insert(0, Condition(AS_IT_IS, {}, False))
    return tuple(conditions)


def _changes(parts: Mapping[str, Entry], request: Request, targets: tuple[str, ...]) -> dict[str, Change]:
    """Read features by node; features without a node are those of the targets."""
    nodes = {node: part for node, part in parts.items() if isinstance(part.value, dict)}
    changes = {read_node(part, node, request): _change(part) for node, part in nodes.items()}
    features = {feature: _value(part) for feature, part in parts.items() if feature not in nodes}
    return changes | (dict.fromkeys(targets, features) if features else {})


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
