"""What can stand in a slot: its words, by the values that matter elsewhere, and where it varies with starred forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from starbank.queries.templates.template import GRAMMATICAL, STARRED, Constraint, Reference, Slot, Template
from starbank.queries.templates.words import ANY, NONE, Word

Values = tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """A word in a slot, and where that varies the name of its condition and its starred forms by theirs."""

    word: Word
    condition: str = GRAMMATICAL
    starred: tuple[tuple[str, Word], ...] = ()


def is_difference(constraint: Constraint) -> bool:
    """Tell whether two slots are to hold different words, of which there are too many to join."""
    sides = (constraint.one, constraint.other)
    return not constraint.equal and all(
        isinstance(side, Reference) and side.slot is not None and side.attribute == "lemma" for side in sides
    )


def attributes(slot: Slot, template: Template) -> dict[str, str | None]:
    """Return the attributes of a slot that matter elsewhere, each with the variable that it is bound to."""
    found: dict[str, str | None] = dict(slot.variables)
    if slot.name == template.vary.slot and template.vary.variable:
        found[STARRED] = template.vary.variable
    sides = [side for one in template.where if not is_difference(one) for side in (one.one, one.other)]
    for reference in [*sides, *template.balance, *template.weights]:
        if isinstance(reference, Reference) and reference.slot == slot.name:
            found.setdefault(reference.attribute, None)
    return found


def choices(slot: Slot, template: Template, attributes: Mapping[str, str | None]) -> Iterator[tuple[Choice, Values]]:
    """Return what can stand in a slot, with the values of the attributes that matter."""
    varies = slot.name == template.vary.slot
    for word in slot.table.words:
        if not _fits(word, slot):
            continue
        for choice, value in _starred(word, slot, template) if varies else [(Choice(word), "")]:
            options = [
                [value] if name == STARRED else _values(word, name, variable, template)
                for name, variable in attributes.items()
            ]
            for values in product(*options):
                yield choice, values


def _fits(word: Word, slot: Slot) -> bool:
    for attribute, wanted in slot.fixed.items():
        held = word.values(attribute)
        if not (held & wanted or ANY in held):
            return False
    if any(word.values(attribute) == {NONE} for attribute in slot.variables):
        return False
    named = {*slot.fixed, *slot.variables, "lemma"}
    return not (slot.only and any(word.values(other) != {NONE} for other in word.attributes.keys() - named))


def _values(word: Word, attribute: str, variable: str | None, template: Template) -> list[str]:
    if attribute == "form":
        return [word.form]
    held = word.values(attribute)
    if variable is not None and ANY in held:
        slots = template.slots.values()
        bound = [(slot.table, name) for slot in slots for name, other in slot.variables.items() if other == variable]
        held = frozenset[str]().union(*(table.attributes[name] for table, name in bound))
    return sorted(held - {NONE} if variable is not None else held)


def _starred(word: Word, slot: Slot, template: Template) -> Iterator[tuple[Choice, str]]:
    """Return a word with its starred forms; with a variable, one choice for each value that this may have."""
    vary = template.vary
    own = word.values(vary.attribute)
    others = vary.values or sorted(slot.table.attributes[vary.attribute])
    forms: dict[str, Word] = {}
    for value in others:
        if value in own:
            continue
        found = {
            other.form: other
            for other in slot.table.by_lemma[word.lemma]
            if _is_variant(other, word, vary.attribute, value)
        }
        if len(found) > 1:
            one, two, *_ = found
            slot.part.fail(f"has two forms of {word.lemma} with {vary.attribute} {value}: {one} and {two}")
        found.pop(word.form, None)
        for other in found.values():
            forms[value] = other
    if vary.variable:
        for value, other in forms.items():
            yield Choice(word, GRAMMATICAL, ((STARRED, other),)), value
    elif forms:
        yield Choice(word, "|".join(sorted(own)), tuple(forms.items())), ""


def _is_variant(other: Word, word: Word, attribute: str, value: str) -> bool:
    """Tell whether a word differs from another of the same lemma in the attribute that varies, and in no other."""
    if value not in other.values(attribute):
        return False
    names = (other.attributes.keys() | word.attributes.keys()) - {attribute}
    return all(
        other.values(name) & word.values(name) or ANY in other.values(name) | word.values(name) for name in names
    )
