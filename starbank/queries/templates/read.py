"""Template files, read and checked; docs/templates.md says what they look like."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from starbank.documents import Entry, read_document, read_text
from starbank.errors import ConstructionError, nearest
from starbank.names import require_name
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
    text = read_text(path)
    document = read_document(text, path, "the template")
    document.require(_KEYS, _REQUIRED)
    lexicon = open_lexicon(path.parent)
    slots = _slots(document, lexicon)
    vary = _vary(document["vary"], slots)
    known = _References(slots, vary)
    sentence = _sentence(document["sentence"], slots, vary)

    def get(key: str, default: str = "") -> str:
        return document[key].text() if key in document else default

    template = Template(
        name=require_name(path.stem, "a template", ConstructionError, file=path),
        title=get("title", path.stem.replace("-", " ")),
        language=document["language"].language(),
        phenomenon=get("phenomenon", path.stem),
        cite=get("cite"),
        sentence=sentence,
        slots=slots,
        where=_where(document["where"], known) if "where" in document else (),
        vary=vary,
        predictions=_predictions(document, vary, [region.name for region in sentence]),
        controller=known.read(document["controller"], get("controller")) if "controller" in document else None,
        balance=tuple(known.read(one, one.text()) for one in _parts(document, "balance")),
        weights=_weights(document["weights"], known) if "weights" in document else {},
        limit=document["limit"].integer(at_least=1),
        seed=document["seed"].integer(at_least=0) if "seed" in document else None,
        lexicon=lexicon,
        text=text,
        path=path,
    )
    _check_variables(template)
    return template


def _check_variables(template: Template) -> None:
    """Refuse a variable that stands alone: agreement with nothing is a slip of the pen that no sentence would show."""
    sides = [side for one in template.where for side in (one.one, one.other)]
    mentioned = [one for slot in template.slots.values() for one in slot.variables.values()]
    mentioned += [
        side.variable
        for side in [*sides, *template.balance, *template.weights, Reference(variable=template.vary.variable)]
        if isinstance(side, Reference) and side.variable
    ]
    for slot in template.slots.values():
        for attribute, variable in slot.variables.items():
            if mentioned.count(variable) == 1:
                others = sorted({f"${one}" for one in mentioned if one != variable})
                hint = "Leave the attribute out where any value will do. " + (
                    nearest(f"${variable}", others) if others else ""
                )
                slot.part[attribute].fail(f"is ${variable}, which nothing else mentions", hint)


def _predictions(document: Entry, vary: Vary, regions: list[str]) -> tuple[str, ...]:
    """Read formulas over the surprisals of regions, each with its line."""
    names = vary.values or (GRAMMATICAL, STARRED)
    for one in _parts(document, "predictions"):
        check_formulas([one.text()], names, regions, one.file, one.line)
    return tuple(one.text() for one in _parts(document, "predictions"))


def _parts(document: Entry, key: str) -> list[Entry]:
    hint = "Write `- (target;%Plur%) > (target;%Sing%)`." if key == "predictions" else f"Write `{key}: [V, $number]`."
    return document[key].entries(hint) if key in document else []


def _slots(document: Entry, lexicon: Lexicon) -> dict[str, Slot]:
    inline = {}
    if "tables" in document:
        for name, part in document["tables"].items("Write a name, then a list of words such as `- {form: that}`."):
            inline[name] = _inline(name, part)
    hint = "Write lines such as `S: {from: nouns, Case: Erg, Number: $number}`."
    return {name: _slot(name, part, lexicon, inline) for name, part in document["slots"].items(hint)}


def _inline(name: str, part: Entry) -> Table:
    """Read a small table that is written in the template itself; a form there may have spaces around it."""
    words = []
    for row in part.entries("Write a list of words such as `- {form: that, Number: Sing}`."):
        given = dict(row.items("Write words such as `{form: that, Number: Sing}`."))
        if "form" not in given:
            row.fail("has a word without `form`")
        words.append(make_word({key: value.value for key, value in given.items()}, (part.file, row.line)))
    return Table(name, words)


def _slot(name: str, part: Entry, lexicon: Lexicon, inline: Mapping[str, Table]) -> Slot:
    given = dict(part.items("Write `{from: nouns, Number: $number}`."))
    if "from" not in given:
        part.fail("does not say which table its words are `from`")
    source = given.pop("from")
    names = [*inline, *lexicon.names]
    if source.text() not in names:
        source.fail(f"is `{source.value}`, which is no table", nearest(source.value, names))
    table = inline.get(source.value) or lexicon.table(source.value)
    only = given.pop(OTHERS, None)
    fixed, variables = {}, {}
    for attribute, value in given.items():
        if attribute not in table.attributes:
            value.fail(f"is no attribute of the table {table.name}", nearest(attribute, sorted(table.attributes)))
        values = value.value if isinstance(value.value, list) else [value.text()]
        if values[0].startswith("$"):
            variables[attribute] = values[0][1:]
            continue
        for one in values:
            if one not in table.attributes[attribute] | {NONE}:
                hint = nearest(one, sorted(table.attributes[attribute]))
                value.fail(f"is `{one}`, which no word of the table {table.name} has", hint)
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
    table = slots[name].table
    if attribute not in table.attributes:
        value.fail(f"is no attribute of the table {table.name}", nearest(attribute, sorted(table.attributes)))
    values = value.value if isinstance(value.value, list) else [value.text()]
    if values[0].startswith("$"):
        variables = sorted({f"${one}" for slot in slots.values() for one in slot.variables.values()})
        if values[0] not in variables:
            value.fail(f"is {values[0]}, which no slot has", nearest(values[0], variables))
        return Vary(name, attribute, (), values[0][1:])
    for one in values:
        if one not in table.attributes[attribute]:
            valid = sorted(table.attributes[attribute])
            value.fail(f"is `{one}`, which no word of the table {table.name} has", nearest(one, valid))
    return Vary(name, attribute, tuple(values), None)


@dataclass(frozen=True)
class _References:
    """What constraints can be about."""

    slots: Mapping[str, Slot]
    vary: Vary

    @property
    def variables(self) -> set[str]:
        return {name for slot in self.slots.values() for name in slot.variables.values()}

    def read(self, part: Entry, text: str) -> Reference:
        """Read `$variable`, `Slot` or `Slot.attribute`."""
        if text.startswith("$"):
            if text[1:] not in self.variables:
                part.fail(f"names {text}, which no slot has", nearest(text, [f"${one}" for one in self.variables]))
            return Reference(variable=text[1:])
        slot, _, attribute = text.partition(".")
        if slot not in self.slots:
            part.fail(f"names {slot}, which is no slot", nearest(slot, self.slots))
        attributes = {*self.slots[slot].table.attributes, "form"}
        if attribute and attribute not in attributes:
            part.fail(f"names {text}, and {slot} has no such attribute", nearest(attribute, sorted(attributes)))
        return Reference(slot=slot, attribute=attribute or "lemma")


def _where(part: Entry, known: _References) -> tuple[Constraint, ...]:
    hint = "Write lines such as `- $subject != $object`, `- S != O`, `- N.class != 9`."
    constraints = []
    for one in part.entries(hint):
        match = _WHERE.fullmatch(one.text())
        if not match:
            one.fail(f"cannot be read: {one.value}", hint)
        left, sign, right = match.groups()
        is_name = right.startswith("$") or right.partition(".")[0] in known.slots
        other = known.read(one, right) if is_name else right
        constraints.append(Constraint(known.read(one, left), other, sign == "=", one))
    return tuple(constraints)


def _weights(part: Entry, known: _References) -> dict[Reference, dict[str, float]]:
    """Read weights of values; a word's own are in the column `weight` of its table, and asked for by `V: weight`."""
    hint = "Write `weights: {$tense: {Past: 2, Pres: 1}}`, or `{V: weight}` for the column `weight` of its table."
    weights: dict[Reference, dict[str, float]] = {}
    for name, value in part.items(hint):
        reference = known.read(value, name)
        if value.value == "weight" and reference.slot and reference.attribute == "lemma":
            weights[reference] = {word.lemma: word.weight for word in known.slots[reference.slot].table.words}
            continue
        try:
            weights[reference] = {key: float(one.value) for key, one in value.items(hint)}
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
