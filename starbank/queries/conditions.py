"""What changes in which nodes: the targets of a construction, and its conditions by `vary` or `conditions`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starbank.documents import Entry
from starbank.errors import nearest
from starbank.grew import Request

# In place of the values of a feature: those that a treebank shows.
ALL_VALUES = "all"
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


def read_conditions(settings: Entry, request: Request, targets: tuple[str, ...]) -> tuple[Condition, ...]:
    """Read the conditions of the settings of a construction; there are none where treebanks are asked for them."""
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
        nodes = {node: part for node, part in parts.items() if isinstance(part.value, dict)}
        changes = {read_node(part, node, request): _change(part) for node, part in nodes.items()}
        features = {feature: _value(part) for feature, part in parts.items() if feature not in nodes}
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
