"""Where the words and arcs of a dependency tree go in a picture. Lengths are in pixels; places count words from 0."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

MARGIN, GAP, PADDING = 16.0, 18.0, 6.0
# Between the lines that end at one word, and the room of a label beside its text.
PORT, ROOM = 8.0, 24.0
FORM_SIZE, TAG_SIZE, LABEL_SIZE, TOKEN_SIZE = 16.0, 10.0, 11.0, 13.0

NARROW, WIDE = frozenset("fijlrtI.,:;'’|!()[] -"), frozenset("mwMW@%—…")


@dataclass(frozen=True)
class Word:
    """What stands at a place: a word, or an empty node; `names` are those of the nodes that it is bound to."""

    node: int
    form: str
    tag: str
    empty: bool = False
    names: tuple[str, ...] = ()
    tooltip: str = ""

    @cached_property
    def width(self) -> float:
        """The room that it needs."""
        texts = [(self.form, FORM_SIZE), (self.tag, TAG_SIZE * 1.12), (" ".join(self.names), LABEL_SIZE * 1.25)]
        return max(text_width(text, size) for text, size in texts)


@dataclass(frozen=True)
class Arc:
    """An edge between two places; the root edge has no `source`."""

    source: int | None
    target: int
    label: str
    bound: bool = False

    @cached_property
    def ends(self) -> tuple[int, int]:
        """Its two places, in order."""
        source = self.target if self.source is None else self.source
        return min(source, self.target), max(source, self.target)


@dataclass(frozen=True)
class Side:
    """The arcs on one side of the words: the level of each, from 1, and how far its ends lie from their words' centres.

    `ends` has the offsets at its lower and its higher place.
    """

    arcs: tuple[Arc, ...]
    levels: tuple[int, ...]
    ends: tuple[tuple[float, float], ...]

    @property
    def height(self) -> int:
        """The highest level."""
        return max(self.levels, default=0)


@dataclass(frozen=True)
class Layout:
    """The centre of each word, the arcs above and below, and the width of the picture."""

    centres: tuple[float, ...]
    above: Side
    below: Side
    width: float


def lay_out(words: Sequence[Word], above: Sequence[Arc], below: Sequence[Arc], mirrored: bool) -> Layout:
    """Find a place for everything such that no label touches another; `mirrored` puts the first word to the right."""
    sides = [arrange(above, len(words)), arrange(below, len(words))]
    centres: list[float] = []
    last = 0.0
    for place, word in enumerate(words):
        half = max(word.width, *(ports(side, place) * PORT for side in sides)) / 2 + PADDING
        centre = MARGIN + half if not centres else centres[-1] + last + half + GAP - 2 * PADDING
        for side in sides:
            for arc, (left, right) in zip(side.arcs, side.ends, strict=True):
                if arc.source is not None and arc.ends[1] == place:
                    room = text_width(arc.label, LABEL_SIZE, bold=arc.bound) + ROOM
                    centre = max(centre, centres[arc.ends[0]] + left + room - right)
        centres.append(centre)
        last = half
    width = centres[-1] + last + MARGIN if centres else 2 * MARGIN
    if mirrored:
        centres = [width - centre for centre in centres]
        sides = [Side(side.arcs, side.levels, tuple((-left, -right) for left, right in side.ends)) for side in sides]
    return Layout(tuple(centres), sides[0], sides[1], width)


def arrange(arcs: Sequence[Arc], places: int) -> Side:
    """Give each arc a level above those that it spans, and its ends an order in which nested arcs do not cross."""
    ordered = sorted(
        (arc for arc in arcs if arc.source is not None), key=lambda arc: (arc.ends[1] - arc.ends[0], arc.ends)
    )
    levels: list[int] = []
    for number, arc in enumerate(ordered):
        low, high = arc.ends
        spans = [(*span.ends, level) for span, level in zip(ordered[:number], levels, strict=True)]
        spanned = [level for first, last, level in spans if low <= first and last <= high]
        occupied = {level for first, last, level in spans if max(low, first) < min(high, last)}
        level = max(spanned, default=0) + 1
        while level in occupied:
            level += 1
        levels.append(level)
    for root in [arc for arc in arcs if arc.source is None]:
        spans = [(*span.ends, level) for span, level in zip(ordered, levels, strict=True)]
        levels.append(max((level for first, last, level in spans if first <= root.target <= last), default=0) + 1)
        ordered.append(root)
    offsets: list[dict[int, float]] = [{} for _ in ordered]
    for place in range(places):
        from_left = [number for number, arc in enumerate(ordered) if arc.source is not None and arc.ends[1] == place]
        roots = [number for number, arc in enumerate(ordered) if arc.source is None and arc.target == place]
        to_right = [number for number, arc in enumerate(ordered) if arc.source is not None and arc.ends[0] == place]
        ending = [*from_left, *roots, *reversed(to_right)]
        for rank, number in enumerate(ending):
            offsets[number][place] = (rank - (len(ending) - 1) / 2) * PORT
    ends = tuple((offset[arc.ends[0]], offset[arc.ends[1]]) for arc, offset in zip(ordered, offsets, strict=True))
    return Side(tuple(ordered), tuple(levels), ends)


def ports(side: Side, place: int) -> int:
    """Return how many lines end at a place."""
    return sum(place in arc.ends for arc in side.arcs)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Estimate how wide a text is in a usual sans-serif font, rather too wide than too narrow."""
    return sum(map(_width, text)) * size * (1.08 if bold else 1.0)


@cache
def _width(character: str) -> float:
    """Return the width of a character as a part of the font's size."""
    category = unicodedata.category(character)
    if category in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in NARROW:
        return 0.4
    if character in WIDE or category == "Lu":
        return 0.98 if character in WIDE else 0.73
    return 0.63


def is_right_to_left(texts: Sequence[str]) -> bool:
    """Tell whether most letters belong to a script that runs from right to left."""
    kinds = [unicodedata.bidirectional(character) for text in texts for character in text]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")
