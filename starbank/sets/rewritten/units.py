"""The words of a changed sentence as they are written: alone, or several as one."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa

from starbank.grew.sentence import Node, RewriteError, Sentence
from starbank.guards.occurrences import CLOSED
from starbank.morphology.sandhi import Sandhi
from starbank.sets.rewritten.graphs import feats_of

if TYPE_CHECKING:
    from starbank.sets.rewritten.text import Original

Span = tuple[int, int]
_EMPTY = "__EMPTY__"
# What joins a word to its neighbour.
JOINING = ("'", "’", "ʼ", "-", "‐", "‑", "־")
# Words that meet are written as one where at least this share of such meetings is.
_FUSED = 0.5
# So many letters of a word at its beginning may be others after some words: Irish *bean*, *bhean*.
_MUTATED = 2
_BESIDE = ("previous", "previous_upos", "following", "following_upos")
_COLUMNS = pa.schema({name: pa.string() for name in ("form", "lemma", "upos", "feats", *_BESIDE)})


@dataclass(slots=True)
class Unit:
    """A word, or a multiword token, as it is written; `span` is where it stood in the text, None for what is new."""

    form: str
    nodes: tuple[Node, ...]
    span: Span | None
    is_changed: bool = False
    # A command gave it its form, which stands.
    is_given: bool = False

    @property
    def is_punctuation(self) -> bool:
        """Whether it is a mark, not a word."""
        return self.nodes[0].features.get("upos") == "PUNCT"

    def spelt(self, form: str) -> Unit:
        """Return the unit with another spelling."""
        return replace(self, form=form)


def find_units(
    sentence: Sentence,
    before: Sentence,
    forms: Mapping[Node, str],
    original: Original,
    free: Container[str],
    given: Container[Node] = (),
) -> list[Unit]:
    """Return the words in their order; those of a multiword token that is whole as one.

    `forms` has the new form of each word that has another one, which for those of `given` stands whatever is beside
    them; `free` are forms that stand by themselves: they may be left of a multiword token that is not whole. Raises
    `RewriteError` where it is not known how a word is written.
    """
    if sentence.loose:
        raise RewriteError("a word is left without a place in the sentence")
    words = [node for node in sentence.order[1:] if node.features.get("wordform") != _EMPTY]
    sizes = Counter(node.token for node in before.order if node.token)
    units: list[Unit] = []
    place = 0
    while place < len(words):
        node = words[place]
        group = tuple(words[place : place + sizes.get(node.token or "", 1)])
        if node.token and _is_whole(group, node.token, sizes[node.token], forms):
            units.append(Unit(_written(original, node.token, node), group, original.spans[node.token]))
            place += len(group)
            continue
        form = forms.get(node) or node.features.get("form", "")
        if not form or form == "_":
            raise RewriteError("a word has no form")
        if node.token and form not in free and form.lower() not in free:
            raise RewriteError(f"{form} is a part of a word that is written as one with others")
        if node.source and not node.token and node not in forms:
            form = _written(original, node.source, node)
        span, is_changed = original.spans.get(node.source or ""), bool(node.token) or node in forms
        units.append(Unit(form, (node,), span, is_changed, node in given))
        place += 1
    return units


def _written(original: Original, number: str, node: Node) -> str:
    form = original.written(number)
    if form is None:
        raise RewriteError(f"the text does not show {node.features.get('form')}")
    return form


def _is_whole(group: Sequence[Node], token: str, size: int, forms: Mapping[Node, str]) -> bool:
    """Tell whether all words of a multiword token stand together as they were."""
    first, last = (int(end) for end in token.split("-"))
    return (
        len(group) == size
        and [node.source for node in group] == [str(number) for number in range(first, last + 1)]
        and not any(node in forms for node in group)
    )


class Spelling:
    """How words are written that did not stand beside one another: by what a treebank shows of such neighbours."""

    def __init__(self, sandhi: Sandhi) -> None:
        self._sandhi = sandhi
        names = ("first", "first_upos", "second", "second_upos", "surface")
        fusions = sandhi.fusions
        common = (
            fused / adjacent >= _FUSED
            for fused, adjacent in zip(fusions["fused"].to_pylist(), fusions["adjacent"].to_pylist(), strict=True)
        )
        rows = zip(*(fusions[name].to_pylist() for name in names), strict=True)
        self._fusions = {tuple(row[:4]): row[4] for row, is_common in zip(rows, common, strict=True) if is_common}

    def mend(self, sentences: Sequence[tuple[Sequence[Unit], Original]]) -> list[list[Unit] | RewriteError]:
        """Return the units of changed sentences as they are written beside each other, or what is not known of them."""
        fused: list[list[Unit] | RewriteError] = []
        for units, original in sentences:
            try:
                fused.append(self._fused(units, original))
            except RewriteError as error:
                fused.append(error)
        rows = [
            (number, place, row)
            for number, (units, (_, original)) in enumerate(zip(fused, sentences, strict=True))
            if not isinstance(units, RewriteError)
            for place, row in _beside_new(units, original)
        ]
        if rows:
            words = pa.Table.from_pylist([row for *_, row in rows], _COLUMNS)
            answers = zip(self._sandhi.fitting(words).to_pylist(), self._sandhi.fits(words).to_pylist(), strict=True)
            for (number, place, row), (form, fits) in zip(rows, answers, strict=True):
                mended = fused[number]
                if isinstance(mended, RewriteError):
                    continue
                if form not in (None, row["form"]) and _may_become(row, form):
                    mended[place] = replace(mended[place], form=form, is_changed=True)
                elif fits is not True and _leans(mended, place, sentences[number][1]):
                    fused[number] = RewriteError(f"whether {row['form']} can stand there is not known")
        return fused

    def _fused(self, units: Sequence[Unit], original: Original) -> list[Unit]:
        """Write as one what mostly is; what is left of a multiword token side by side must be."""
        done: list[Unit] = []
        for unit in units:
            left = done[-1] if done else None
            if left is None or not original.is_new(left, unit) or len(left.nodes) > 1 or len(unit.nodes) > 1:
                done.append(unit)
                continue
            first, second = left.nodes[0], unit.nodes[0]
            surface = self._fusions.get((*_kind(left), *_kind(unit)))
            if surface is not None:
                capital = surface[0].upper() + surface[1:] if left.form[0].isupper() else surface
                done[-1] = Unit(capital, (first, second), left.span, is_changed=True)
            elif first.token is not None and first.token == second.token:
                raise RewriteError(f"how {left.form} and {unit.form} are written together is not known")
            else:
                done.append(unit)
        return done


def _may_become(row: Mapping[str, str | None], form: str) -> bool:
    """Tell whether a word may have another form beside its neighbours: one of an open class changes its beginning only,
    or its accents, since with its end its features change."""
    if row["upos"] in CLOSED:
        return True
    bare, other = (_without_marks(text.lower()) for text in (row["form"] or "", form))
    stem = min(bare[_MUTATED:], other[_MUTATED:], key=len)
    return bare == other or (len(stem) >= _MUTATED and bare.endswith(stem) and other.endswith(stem))


def _without_marks(text: str) -> str:
    return "".join(
        character for character in unicodedata.normalize("NFD", text) if not unicodedata.combining(character)
    )


def _leans(units: Sequence[Unit], place: int, original: Original) -> bool:
    """Tell whether a word leans on a neighbour that it did not have before: *l'*, *'s*, *-il*."""
    unit = units[place]
    ahead = place > 0 and original.is_new(units[place - 1], unit) and unit.form.startswith(JOINING)
    behind = place + 1 < len(units) and original.is_new(unit, units[place + 1]) and unit.form.endswith(JOINING)
    return (ahead or behind) and any(map(str.isalnum, unit.form))


def _kind(unit: Unit) -> tuple[str, str | None]:
    return unit.form.lower(), unit.nodes[0].features.get("upos")


def _beside_new(units: Sequence[Unit], original: Original) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Yield the words that have a new neighbour, by their place, with what stands beside them."""
    new = [original.is_new(left, right) for left, right in pairwise(units)]
    for place, unit in enumerate(units):
        fixed = unit.is_punctuation or unit.is_given or len(unit.nodes) > 1
        if fixed or not any(new[max(place - 1, 0) : place + 1]):
            continue
        features = unit.nodes[0].features
        row = {"form": unit.form, "lemma": features.get("lemma"), "upos": features.get("upos")}
        row["feats"] = feats_of(unit.nodes[0]) or None
        for side, neighbour in (("previous", place - 1), ("following", place + 1)):
            beside = units[neighbour] if 0 <= neighbour < len(units) else None
            row[side] = beside.form if beside else None
            row[f"{side}_upos"] = beside.nodes[0].features.get("upos") if beside and len(beside.nodes) == 1 else None
        yield place, row
