"""What can stand in a slot: its words, by the values that matter elsewhere, and where it varies with starred forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from starbank.queries.templates.template import GRAMMATICAL, STARRED, Constraint, Reference, Slot, Template
from starbank.queries.templates.words import ANY, NONE, Word, overlap

Values = tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """A word in a slot, and where that varies the name of its condition and its starred forms by theirs."""

    word: Word
    condition: str = GRAMMATICAL
    starred: tuple[tuple[str, Word], ...] = ()


def is_difference(constraint: Constraint) -> bool:
    """Tell whether two slots are to hold different words, of which there are too many to join."""
    sides = (constraint.first, constraint.second)
    return not constraint.equal and all(
        isinstance(side, Reference) and side.slot is not None and side.attribute == "lemma" for side in sides
    )


def attributes(slot: Slot, template: Template) -> dict[str, str | None]:
    """Return the attributes of a slot that matter elsewhere, each with the variable that it is bound to."""
    attributes: dict[str, str | None] = dict(slot.variables)
    if slot.name == template.vary.slot and template.vary.variable:
        attributes[STARRED] = template.vary.variable
    joined = (constraint for constraint in template.where if not is_difference(constraint))
    sides = [side for constraint in joined for side in (constraint.first, constraint.second)]
    for reference in [*sides, *template.balance, *template.weights]:
        if isinstance(reference, Reference) and reference.slot == slot.name:
            attributes.setdefault(reference.attribute, None)
    return attributes


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
    if not all(word.values(attribute) & {*values, ANY} for attribute, values in slot.fixed.items()):
        return False
    if any(word.values(attribute) == {NONE} for attribute in slot.variables):
        return False
    named = {*slot.fixed, *slot.variables, "lemma"}
    return not (slot.only and any(word.values(name) != {NONE} for name in word.attributes.keys() - named))


def _values(word: Word, attribute: str, variable: str | None, template: Template) -> list[str]:
    if attribute == "form":
        return [word.form]
    values = word.values(attribute)
    if variable is None:
        return sorted(values)
    if ANY in values:
        bound = ((slot.table, *item) for slot in template.slots.values() for item in slot.variables.items())
        values = frozenset[str]().union(
            *(table.attributes[name] for table, name, symbol in bound if symbol == variable)
        )
    return sorted(values - {NONE})


def _starred(word: Word, slot: Slot, template: Template) -> Iterator[tuple[Choice, str]]:
    """Return a word with its starred forms; with a variable, one choice for each value that this may have."""
    vary = template.vary
    grammatical = word.values(vary.attribute)
    forms: dict[str, Word] = {}
    for value in vary.values or sorted(slot.table.attributes[vary.attribute]):
        if value in grammatical:
            continue
        paradigm = slot.table.by_lemma[word.lemma]
        variants = {form.form: form for form in paradigm if _is_variant(form, word, vary.attribute, value)}
        if len(variants) > 1:
            first, second, *_ = variants
            slot.part.fail(f"has two forms of {word.lemma} with {vary.attribute} {value}: {first} and {second}")
        variants.pop(word.form, None)
        for variant in variants.values():
            forms[value] = variant
    if vary.variable:
        for value, variant in forms.items():
            yield Choice(word, GRAMMATICAL, ((STARRED, variant),)), value
    elif forms:
        yield Choice(word, "|".join(sorted(grammatical)), tuple(forms.items())), ""


def _is_variant(form: Word, word: Word, attribute: str, value: str) -> bool:
    """Tell whether a form differs from another of the same lemma in the attribute that varies, and in no other."""
    names = (form.attributes.keys() | word.attributes.keys()) - {attribute}
    return value in form.values(attribute) and all(overlap(form.values(name), word.values(name)) for name in names)
