"""What a template file makes, for the eyes of who writes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from starbank.queries.templates import Template, read_template
from starbank.sets.templates.draw import draw
from starbank.sets.templates.sentences import gloss, identity
from starbank.sets.templates.space import Space

STAR = "*"


@dataclass(frozen=True)
class Example:
    """A sentence, its starred variants, and its words with their glosses."""

    good: str
    starred: tuple[str, ...]
    gloss: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """Return the sentences, starred ones with a star, and the glosses below."""
        gloss = " ".join(f"{form}={meaning}" for form, meaning in self.gloss)
        return "\n".join([self.good, *(STAR + text for text in self.starred), f"    {gloss}"])


@dataclass(frozen=True)
class Description:
    """The size of a template's space, how many words may fill each slot, and some of its sentences."""

    name: str
    size: int
    limit: int
    slots: dict[str, int]
    examples: tuple[Example, ...]

    def __str__(self) -> str:
        """Return all this in lines."""
        slots = ", ".join(f"{name} {count}" for name, count in self.slots.items())
        taken = "all of them" if self.size <= self.limit else f"of which {self.limit} are taken"
        head = f"{self.name}: {self.size} sentences, {taken}; words by slot: {slots}"
        return "\n".join([head, *map(str, self.examples)])


def describe(file: Path, examples: int = 10, seed: int = 0) -> Description:
    """Read and check a template file and tell what it makes, with some of its sentences.

    Raises `ConstructionError` or `UsageError` where the template or its lexicon are wrong, see `read_template`.
    """
    return describe_template(read_template(file), examples, seed)


def describe_template(template: Template, examples: int = 10, seed: int = 0) -> Description:
    """Tell what a template makes, with some of its sentences."""
    space = Space(template)
    sentences = []
    for _, choices in draw(space, examples, f"{template.name} {seed}"):
        good, *starred = identity(template, choices)
        sentences.append(Example(good, tuple(starred), tuple(gloss(template, choices))))
    counts = {name: sum(map(len, groups.values())) for name, groups in space.groups.items()}
    return Description(template.name, space.size, template.limit, counts, tuple(sentences))
