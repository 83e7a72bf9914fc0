"""All sentences that a template allows: how many they are, and which is the n-th.

Words that agree in all that matters are one group. Which groups go together is a join over the slots; it is small,
however many sentences there are. A sentence is then a row of that join and a mixed-radix number over its groups.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

import duckdb
import numpy as np
import pyarrow as pa

from starbank.errors import ConstructionError
from starbank.queries.templates.template import Reference, Slot, Template
from starbank.sets.templates import different
from starbank.sets.templates.choices import Choice, Values, attributes, choices, is_difference
from starbank.treebanks.arrays import answer, integers, numbers, texts

_MOST_ROWS = 3_000_000


class Space:
    """The sentences of a template, numbered from 0."""

    def __init__(self, template: Template) -> None:
        """Count the sentences. Raises `ConstructionError` where nothing fits together."""
        self.template = template
        self.slots = list(template.slots.values())
        self._attributes = {slot.name: attributes(slot, template) for slot in self.slots}
        self.groups = {slot.name: self._grouped(slot) for slot in self.slots}
        self._keys = {name: list(groups) for name, groups in self.groups.items()}
        self._lemma_counts: dict[tuple[str, int], np.ndarray] = {}
        edges = [
            (self._place(constraint.first.slot), self._place(constraint.second.slot))
            for constraint in template.where
            if is_difference(constraint) and isinstance(constraint.second, Reference)
        ]
        self._edges = sorted({(min(edge), max(edge)) for edge in edges})
        self._parts = different.groups(len(self.slots), self._edges)
        self.rows = self._join()
        self.counts = self._count()
        self._borders = list(accumulate(self.counts))
        if not self.size:
            raise _nothing(template, self)

    @property
    def size(self) -> int:
        """The exact number of choices."""
        return self._borders[-1] if self._borders else 0

    def values(self, reference: Reference) -> list[str]:
        """Return the value that a reference has in each row of the join."""
        for slot in self.slots:
            for number, (attribute, variable) in enumerate(self._attributes[slot.name].items()):
                if (reference.variable or "") == variable or (reference.slot, reference.attribute) == (
                    slot.name,
                    attribute,
                ):
                    keys = self._keys[slot.name]
                    return [keys[group][number] for group in self.rows[slot.name]]
        raise KeyError(reference)

    def choose(self, number: int) -> tuple[int, dict[str, Choice]]:
        """Return the row of the join and the choices by slot for a number from 0 up to the size."""
        row = bisect_right(self._borders, number)
        return row, self.choose_in(row, number - (self._borders[row - 1] if row else 0))

    def choose_in(self, row: int, number: int) -> dict[str, Choice]:
        """Return the choices by slot for a number from 0 up to the count of a row of the join."""
        choices: dict[str, Choice] = {}
        for part in self._parts:
            slots = [self.slots[place] for place in part]
            members = [self.groups[slot.name][self._key(row, slot)] for slot in slots]
            if len(part) == 1:
                number, place = divmod(number, len(members[0]))
                choices[slots[0].name] = members[0][place]
                continue
            columns, edges = self._columns(row, part), self._inner(part)
            number, place = divmod(number, int(different.count(columns, edges)))
            chosen = different.choose(place, columns, edges)
            for slot, words, (thing, way) in zip(slots, members, chosen, strict=True):
                alike = [choice for choice in words if self._lemmas[choice.word.lemma] == thing]
                choices[slot.name] = alike[way]
        return choices

    @cached_property
    def _lemmas(self) -> dict[str, int]:
        lemmas = {
            choice.word.lemma
            for slot in self.slots
            for members in self.groups[slot.name].values()
            for choice in members
        }
        return {lemma: number for number, lemma in enumerate(sorted(lemmas))}

    def _place(self, name: str | None) -> int:
        return [slot.name for slot in self.slots].index(name or "")

    def _key(self, row: int, slot: Slot) -> Values:
        return self._keys[slot.name][self.rows[slot.name][row]]

    def _inner(self, part: Sequence[int]) -> list[tuple[int, int]]:
        return [(part.index(a), part.index(b)) for a, b in self._edges if a in part]

    def _columns(self, row: int, part: Sequence[int]) -> list[np.ndarray]:
        return [self._column(self.slots[place].name, self.rows[self.slots[place].name][row]) for place in part]

    def _column(self, slot: str, group: int) -> np.ndarray:
        """Return how many choices of a group each lemma has."""
        if (slot, group) not in self._lemma_counts:
            members = self.groups[slot][self._keys[slot][group]]
            lemmas = [self._lemmas[choice.word.lemma] for choice in members]
            self._lemma_counts[slot, group] = np.bincount(lemmas, minlength=len(self._lemmas))
        return self._lemma_counts[slot, group]

    def _grouped(self, slot: Slot) -> dict[Values, list[Choice]]:
        """Return the choices of a slot by the values that matter; a choice that differs in nothing else is one."""
        groups: dict[Values, dict[tuple[str, ...], Choice]] = {}
        for choice, values in choices(slot, self.template, self._attributes[slot.name]):
            forms = (choice.word.lemma, choice.word.form, *(f"{name}={word.form}" for name, word in choice.starred))
            groups.setdefault(values, {}).setdefault(forms, choice)
        return {values: list(groups[values].values()) for values in sorted(groups)}

    def _join(self) -> dict[str, list[int]]:
        """Return which groups of the slots go together: a column of numbers of groups for each slot."""
        connection = duckdb.cursor()
        for place, slot in enumerate(self.slots):
            keys = self._keys[slot.name]
            columns = {"g": integers(np.arange(len(keys), dtype=np.int32))}
            for number, attribute in enumerate(self._attributes[slot.name]):
                columns[f"a_{attribute}"] = texts([key[number] for key in keys])
            connection.register(f"s{place}", pa.table(columns))
        tests, constants = self._tests()
        chosen = ", ".join(f"s{place}.g as g{place}" for place in range(len(self.slots)))
        sources = ", ".join(f"s{place}" for place in range(len(self.slots)))
        query = f"select {chosen} from {sources} where {' and '.join(['true', *tests])} order by all"
        joined = answer(connection, f"{query} limit {_MOST_ROWS + 1}", params=constants or None)
        if joined.num_rows > _MOST_ROWS:
            hint = "Name fewer slots in `balance`, `weights` and `where`."
            raise ConstructionError("has too many kinds of sentences", file=self.template.path, hint=hint)
        return {slot.name: numbers(joined[f"g{place}"]).tolist() for place, slot in enumerate(self.slots)}

    def _tests(self) -> tuple[list[str], list[str]]:
        """Return the conditions of the join in SQL, and the constants in them."""
        tests, constants = [], []
        for variable in self._bound:
            first, *others = self._bound[variable]
            tests += [f"{first} = {column}" for column in others]
        for constraint in self.template.where:
            if is_difference(constraint):
                continue
            sign = "=" if constraint.equal else "<>"
            if isinstance(constraint.second, str):
                constants.append(constraint.second)
            second = "?" if isinstance(constraint.second, str) else self._sql(constraint.second)
            tests.append(f"{self._sql(constraint.first)} {sign} {second}")
        return tests, constants

    @cached_property
    def _bound(self) -> dict[str, list[str]]:
        """The columns that each variable binds."""
        bound: dict[str, list[str]] = {}
        for place, slot in enumerate(self.slots):
            for attribute, variable in self._attributes[slot.name].items():
                if variable:
                    bound.setdefault(variable, []).append(_column_name(place, attribute))
        return bound

    def _sql(self, reference: Reference) -> str:
        if reference.variable:
            return self._bound[reference.variable][0]
        return _column_name(self._place(reference.slot), reference.attribute)

    def _count(self) -> list[int]:
        """Return the number of choices of each row of the join."""
        counts = [1] * len(self.rows[self.slots[0].name])
        for part in self._parts:
            columns = [self.rows[self.slots[place].name] for place in part]
            ways: dict[tuple[int, ...], int] = {}
            for row, groups in enumerate(zip(*columns, strict=True)):
                if groups not in ways:
                    ways[groups] = int(different.count(self._columns(row, part), self._inner(part)))
                counts[row] *= ways[groups]
        return counts


def _column_name(place: int, attribute: str) -> str:
    return f's{place}."a_{attribute.replace(chr(34), chr(34) * 2)}"'


def _nothing(template: Template, space: Space) -> ConstructionError:
    """Tell why no sentence fits together."""
    for slot in space.slots:
        if not space.groups[slot.name]:
            hint = "Some attribute, or the form that is to vary, rules all of them out."
            return ConstructionError(
                f"no word of {slot.table.name} fits slot `{slot.name}`",
                file=template.path,
                line=slot.part.line,
                hint=hint,
            )
    for variable, places in space._bound.items():
        domains = [
            {key[number] for key in space._keys[slot.name]}
            for slot in space.slots
            for number, bound in enumerate(space._attributes[slot.name].values())
            if bound == variable
        ]
        if not set.intersection(*domains):
            listed = "; ".join(", ".join(sorted(values)) for values in domains)
            message = f"${variable} has no value that all of its {len(places)} slots have: {listed}"
            return ConstructionError(message, file=template.path)
    hint = "Take away the constraints of `where` one by one to see which of them leaves nothing."
    return ConstructionError("no sentence satisfies all constraints", file=template.path, hint=hint)
