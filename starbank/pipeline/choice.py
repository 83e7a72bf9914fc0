"""Which treebanks does a construction run on, and which of them belong together? Asked by the plan, which knows their
names, and by what makes suites."""

from __future__ import annotations

from collections.abc import Sequence

from starbank.queries.constructions import Construction
from starbank.transforms.plan import on_the_way
from starbank.treebanks.treebank import Described


def treebanks_of(construction: Construction, given: Sequence[str], everywhere: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the treebanks that a construction runs on.

    They are those `given` for its language, which take the place of those that it names, or else these; one that names
    none runs on those that are `everywhere`.
    """
    return tuple(given or construction.treebanks or everywhere)


def is_for(treebank: Described, construction: Construction) -> bool:
    """Tell whether a treebank can be given for a construction: of its language, of an unknown one, or named by it.

    What was derived from a treebank that it names, such as UD_Hindi-PUD+colorless, is named with it.
    """
    spoken = construction.language is None or treebank.language in (construction.language, None)
    return spoken or not set(on_the_way(treebank.name)).isdisjoint(construction.treebanks)


def language_in(treebank: str) -> str:
    """Return the language as the name of a treebank has it: treebanks of one are worked on together.

    >>> language_in("UD_Old_French-PROFITEROLE+colorless")
    'Old_French'
    """
    return treebank.removeprefix("UD_").partition("-")[0]


def part_name(language: str, share: tuple[int, int] = (1, 1)) -> str:
    """Return what the part that a language gives of suites is called, or a share of it.

    >>> part_name("Irish"), part_name("Polish", (2, 4))
    ('Irish', 'Polish.2of4')
    """
    number, shares = share
    return language if shares == 1 else f"{language}.{number}of{shares}"
