"""Template files, read and checked; docs/templates.md says what they look like."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from starbank.documents import Entry, read_document, read_text
from starbank.errors import nearest
from starbank.queries.heading import read_heading
from starbank.queries.templates.template import (
    GRAMMATICAL,
    REST,
    STARRED,
    TARGET,
    Constraint,
    Reference,
    Region,
    Slot,
    Template,
    Vary,
)
from starbank.queries.templates.words import NONE, Lexicon, Table, make_word, open_lexicon
from starbank.suites.formulas import check_formulas

SUFFIX = ".template"
# In place of attributes: all those that the slot does not name.
OTHERS = "*"
_KEYS = (
    *("title", "language", "phenomenon", "cite", "sentence", "slots", "tables", "where", "vary"),
    *("predictions", "controller", "balance", "weights", "limit", "seed"),
)
_REQUIRED = ("language", "sentence", "slots", "vary", "limit")
_BRACKET = re.compile(r"\[(\w[\w-]*):?\s([^\[\]]*)\]")
_BRACE = re.compile(r"\{([^{}]*)\}")
_WHERE = re.compile(r"\s*(\S+)\s*(!=|=)\s*(\S+)\s*")


def read_template(path: Path) -> Template:
    """Read and check the template file at `path`; its name is the file's name without `.template`.

    Raises `ConstructionError` with file, line and the nearest valid name, `SuiteError` where a prediction is wrong,
    `UsageError` where there is no lexicon.
    """
    path = Path(path)
    return parse_template(read_text(path), path)


def parse_template(text: str, path: Path) -> Template:
    """Check the text of a template, which stands, or would stand, at `path`; as `read_template`."""
    document = read_document(text, path, "the template")
    document.require(_KEYS, _REQUIRED)
    lexicon = open_lexicon(path.parent)
    slots = _slots(document, lexicon)
    vary = _vary(document["vary"], slots)
    references = _References(slots, vary)
    sentence = _sentence(document["sentence"], slots, vary)
    template = Template(
        **read_heading(document, "a template"),
        sentence=sentence,
        slots=slots,
        where=document.get("where", references.constraints, ()),
        vary=vary,
        predictions=_predictions(document, vary, [region.name for region in sentence]),
        controller=document.get("controller", lambda part: references.read(part, part.text()), None),
        balance=tuple(references.read(part, part.text()) for part in _parts(document, "balance")),
        weights=document.get("weights", references.weights, {}),
        limit=document["limit"].integer(at_least=1),
        seed=document.get("seed", lambda part: part.integer(at_least=0), None),
        lexicon=lexicon,
        text=text,
    )
    _check_variables(template)
    return template


def _check_variables(template: Template) -> None:
    """Refuse a variable that stands alone: agreement with nothing is a slip of the pen that no sentence would show."""
    sides = [side for constraint in template.where for side in (constraint.first, constraint.second)]
    mentioned = [variable for slot in template.slots.values() for variable in slot.variables.values()]
    mentioned += [
        side.variable
        for side in [*sides, *template.balance, *template.weights, Reference(variable=template.vary.variable)]
        if isinstance(side, Reference) and side.variable
    ]
    for slot in template.slots.values():
        for attribute, variable in slot.variables.items():
            if mentioned.count(variable) == 1:
                others = sorted({f"${name}" for name in mentioned if name != variable})
                hint = "Leave the attribute out where any value will do. " + (
                    nearest(f"${variable}", others) if others else ""
                )
                slot.part[attribute].fail(f"is ${variable}, which nothing else mentions", hint)


def _predictions(document: Entry, vary: Vary, regions: list[str]) -> tuple[str, ...]:
    """Read formulas over the surprisals of regions, each with its line."""
    names = vary.values or (GRAMMATICAL, STARRED)
    formulas = _parts(document, "predictions")
    for formula in formulas:
        check_formulas([formula.text()], names, regions, formula.file, formula.line)
    return tuple(formula.text() for formula in formulas)


def _parts(document: Entry, key: str) -> list[Entry]:
    hint = "Write `- (target;%Plur%) > (target;%Sing%)`." if key == "predictions" else f"Write `{key}: [V, $number]`."
    return document.get(key, lambda part: part.entries(hint), [])


def _slots(document: Entry, lexicon: Lexicon) -> dict[str, Slot]:
    hint = "Write a name, then a list of words such as `- {form: that}`."
    tables = document.get("tables", lambda part: part.items(hint), [])
    inline = {name: _inline(name, part) for name, part in tables}
    hint = "Write lines such as `S: {from: nouns, Case: Erg, Number: $number}`."
    return {name: _slot(name, part, lexicon, inline) for name, part in document["slots"].items(hint)}


def _inline(name: str, part: Entry) -> Table:
    """Read a small table that is written in the template itself; a form there may have spaces around it."""
    words = []
    for row in part.entries("Write a list of words such as `- {form: that, Number: Sing}`."):
        fields = row.items("Write words such as `{form: that, Number: Sing}`.")
        if "form" not in row:
            row.fail("has a word without `form`")
        words.append(make_word({key: value.value for key, value in fields}, (part.file, row.line)))
    return Table(name, words)


def _slot(name: str, part: Entry, lexicon: Lexicon, inline: Mapping[str, Table]) -> Slot:
    attributes = dict(part.items("Write `{from: nouns, Number: $number}`."))
    if "from" not in part:
        part.fail("does not say which table its words are `from`")
    source = attributes.pop("from")
    for own in source.text().split("|"):
        if own not in lexicon.names and source.value not in inline:
            source.fail(f"is `{own}`, which is no table", nearest(own, [*inline, *lexicon.names]))
    table = inline.get(source.value) or lexicon.table(source.value)
    only = attributes.pop(OTHERS, None)
    fixed, variables = {}, {}
    for attribute, value in attributes.items():
        values = _values(value, attribute, table, NONE)
        if values[0].startswith("$"):
            variables[attribute] = values[0][1:]
        else:
            fixed[attribute] = frozenset(values)
    return Slot(name, table, fixed, variables, only is not None, part)


def _vary(part: Entry, slots: Mapping[str, Slot]) -> Vary:
    hint = "Write `vary: {AUX: {Number: [Sing, Plur]}}`, or `{AUX: {Number: $other}}`."
    (name, inner), *more = part.items(hint)
    if more:
        part.fail("names more than one slot", hint)
    if name not in slots:
        inner.fail("is no slot", nearest(name, slots))
    (attribute, value), *more = inner.items(hint)
    if more:
        inner.fail("names more than one attribute", hint)
    values = _values(value, attribute, slots[name].table)
    if values[0].startswith("$"):
        variables = sorted({f"${variable}" for slot in slots.values() for variable in slot.variables.values()})
        if values[0] not in variables:
            value.fail(f"is {values[0]}, which no slot has", nearest(values[0], variables))
        return Vary(name, attribute, (), values[0][1:])
    return Vary(name, attribute, tuple(values), None)


def _values(part: Entry, attribute: str, table: Table, *unsaid: str) -> list[str]:
    """Read a variable with its `$`, or values of an attribute that words of the table have or that are `unsaid`."""
    if attribute not in table.attributes:
        part.fail(f"is no attribute of the table {table.name}", nearest(attribute, sorted(table.attributes)))
    values: list[str] = part.value if isinstance(part.value, list) else [part.text()]
    valid = table.attributes[attribute]
    for value in () if values[0].startswith("$") else values:
        if value not in valid | {*unsaid}:
            part.fail(f"is `{value}`, which no word of the table {table.name} has", nearest(value, sorted(valid)))
    return values


@dataclass(frozen=True)
class _References:
    """What constraints can be about."""

    slots: Mapping[str, Slot]
    vary: Vary

    @property
    def variables(self) -> set[str]:
        """The variables of all slots, each with its `$`."""
        return {f"${name}" for slot in self.slots.values() for name in slot.variables.values()}

    def read(self, part: Entry, text: str) -> Reference:
        """Read `$variable`, `Slot` or `Slot.attribute`."""
        if text.startswith("$"):
            if text not in self.variables:
                part.fail(f"names {text}, which no slot has", nearest(text, sorted(self.variables)))
            return Reference(variable=text[1:])
        slot, _, attribute = text.partition(".")
        if slot not in self.slots:
            part.fail(f"names {slot}, which is no slot", nearest(slot, self.slots))
        attributes = {*self.slots[slot].table.attributes, "form"}
        if attribute and attribute not in attributes:
            part.fail(f"names {text}, and {slot} has no such attribute", nearest(attribute, sorted(attributes)))
        return Reference(slot=slot, attribute=attribute or "lemma")

    def constraints(self, part: Entry) -> tuple[Constraint, ...]:
        """Read the tests of `where`."""
        hint = "Write lines such as `- $subject != $object`, `- S != O`, `- N.class != 9`."
        constraints = []
        for test in part.entries(hint):
            match = _WHERE.fullmatch(test.text())
            if not match:
                test.fail(f"cannot be read: {test.value}", hint)
            left, sign, right = match.groups()
            is_name = right.startswith("$") or right.partition(".")[0] in self.slots
            second = self.read(test, right) if is_name else right
            constraints.append(Constraint(self.read(test, left), second, sign == "=", test))
        return tuple(constraints)

    def weights(self, part: Entry) -> dict[Reference, dict[str, float]]:
        """Read weights of values; a word's own are in the column `weight` of its table, asked for by `V: weight`."""
        hint = "Write `weights: {$tense: {Past: 2, Pres: 1}}`, or `{V: weight}` for the column `weight` of its table."
        weights: dict[Reference, dict[str, float]] = {}
        for name, value in part.items(hint):
            reference = self.read(value, name)
            if value.value == "weight" and reference.slot and reference.attribute == "lemma":
                weights[reference] = {word.lemma: word.weight for word in self.slots[reference.slot].table.words}
                continue
            try:
                weights[reference] = {key: float(weight.value) for key, weight in value.items(hint)}
            except (TypeError, ValueError):
                value.fail("has a weight that is no number", hint)
        return weights


def _sentence(part: Entry, slots: Mapping[str, Slot], vary: Vary) -> tuple[Region, ...]:
    """Read `[subject {S}] [target {V}].`: what is outside of brackets joins the region before it, if not the target."""
    hint = "Write a sentence such as `[subject The {N}] [target {V}].`, with a region named `target`."
    text, regions, end = part.text(), list[tuple[str, str]](), 0
    outside = ""
    for bracket in _BRACKET.finditer(text):
        between = text[end : bracket.start()]
        if regions and regions[-1][0] != TARGET:
            regions[-1] = (regions[-1][0], regions[-1][1] + between)
        else:
            outside = between
        regions.append((bracket[1], outside + bracket[2]))
        outside, end = "", bracket.end()
    if not regions:
        part.fail("has no regions", hint)
    rest = text[end:]
    if rest and regions[-1][0] == TARGET:
        regions.append((REST, rest))
    else:
        regions[-1] = (regions[-1][0], regions[-1][1] + rest)
    read = tuple(_region(part, name, content, slots) for name, content in regions)
    names = [region.name for region in read]
    if names.count(TARGET) != 1 or len(set(names)) < len(names):
        part.fail("must have one region `target`, and no two regions of one name", hint)
    _check_use(part, read, slots, vary)
    return read


def _region(part: Entry, name: str, content: str, slots: Mapping[str, Slot]) -> Region:
    pieces = _BRACE.split(content)
    for slot in pieces[1::2]:
        if slot not in slots:
            part.fail(f"mentions {{{slot}}}, which is no slot", nearest(slot, slots))
    return Region(name, tuple(pieces[0::2]), tuple(pieces[1::2]))


def _check_use(part: Entry, regions: Sequence[Region], slots: Mapping[str, Slot], vary: Vary) -> None:
    used = [slot for region in regions for slot in region.slots]
    for name, slot in slots.items():
        if used.count(name) != 1:
            slot.part.fail("must be mentioned in `sentence` once", f"It is there {used.count(name)} times.")
    target = next(region for region in regions if region.name == TARGET)
    if vary.slot not in target.slots:
        part.fail(f"does not have {{{vary.slot}}}, which varies, in the region `target`")
