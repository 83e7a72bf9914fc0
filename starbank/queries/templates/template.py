"""What a template file says: a sentence with slots, what fills them, what agrees with what, and what varies."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starbank.documents import Entry
from starbank.queries.heading import Heading
from starbank.queries.templates.words import Lexicon, Table

TARGET, REST = "target", "suffix"
# Conditions without values of their own; `starred` is also the attribute that holds the value of the starred form.
GRAMMATICAL, STARRED = "grammatical", "starred"


@dataclass(frozen=True)
class Slot:
    """A place in the sentence that words of a table fill.

    `fixed` are attributes and the values that they may have, `variables` those that agree; `only` tells that a word
    has no other attributes than these.
    """

    name: str
    table: Table
    fixed: Mapping[str, frozenset[str]]
    variables: Mapping[str, str]
    only: bool
    part: Entry


@dataclass(frozen=True)
class Region:
    """A named stretch of the sentence, as an alternation of text and slots: `texts[0] slots[0] texts[1] …`."""

    name: str
    texts: tuple[str, ...]
    slots: tuple[str, ...]


@dataclass(frozen=True)
class Vary:
    """Which attribute of which slot makes the starred conditions: its other `values`, or that of a `variable`."""

    slot: str
    attribute: str
    values: tuple[str, ...]
    variable: str | None


@dataclass(frozen=True)
class Reference:
    """What a constraint is about: the value of a variable, or of a slot's attribute (`lemma` for the word itself)."""

    variable: str | None = None
    slot: str | None = None
    attribute: str = "lemma"


@dataclass(frozen=True)
class Constraint:
    """Two values that are to be `equal` or to differ; the second may be a constant."""

    first: Reference
    second: Reference | str
    equal: bool
    part: Entry


@dataclass(frozen=True, kw_only=True)
class Template(Heading):
    """One template file, read and checked; see docs/templates.md.

    `predictions` are formulas over the surprisals of its regions; `controller` is the slot and attribute that the
    target agrees with; `balance` are values that shall occur equally often, or as their `weights` say; `text` is the
    whole file.
    """

    language: str
    sentence: tuple[Region, ...]
    slots: Mapping[str, Slot]
    where: tuple[Constraint, ...]
    vary: Vary
    predictions: tuple[str, ...]
    controller: Reference | None
    balance: tuple[Reference, ...]
    weights: Mapping[Reference, Mapping[str, float]]
    limit: int
    seed: int | None
    lexicon: Lexicon
    text: str

    @property
    def sha256(self) -> str:
        """The checksum of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def tables(self) -> tuple[Path, ...]:
        """The files of the lexicon that the template uses."""
        return tuple(self.lexicon.files(slot.table.name for slot in self.slots.values()))
