"""Changed graphs -> their texts, or why there is none; how words are written that come to stand beside one another."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.sentence import Node, RewriteError
from starbank.guards.occurrences import CLOSED
from starbank.languages import language_of
from starbank.morphology.sandhi import UNINFLECTED, Sandhi
from starbank.sets.rewritten.graphs import Fault, Graph, feats_of
from starbank.sets.rewritten.text import Original, write
from starbank.sets.rewritten.units import JOINING, Unit, find_units
from starbank.treebanks.arrays import table_of

# Words that meet are written as one where at least this share of such meetings is.
_FUSED = 0.5
# So many letters of a word at its beginning may be others after some words: Irish *bean*, *bhean*.
_MUTATED = 2
_BESIDE = ("previous", "previous_upos", "following", "following_upos")
_COLUMNS = dict.fromkeys(("form", "lemma", "upos", "feats", *_BESIDE), str)
_Row = tuple[str | None, ...]
# A word by its sentence and its place there.
_Place = tuple[Sequence[Unit], Original, int]
# A form, None for any, and a part of speech.
Kind = tuple[str | None, str | None]


def spell(
    graphs: Sequence[Graph],
    forms: Mapping[Node, str],
    alone: Mapping[Node, str],
    spelling: Spelling,
) -> None:
    """Give each graph its `pieces`, words and what stands between them in turns, or the `fault` for which it has none.

    `forms` has the form of each word that needs another one, `alone` that of each word which a multiword token loses.
    """
    waiting: list[tuple[Graph, list[Unit]]] = []
    for graph in graphs:
        if graph.condition.rewriting is None:
            graph.pieces = graph.original.pieces
            continue
        try:
            waiting.append((graph, _units(graph, forms, alone)))
        except RewriteError as error:
            graph.fault = graph.fault or Fault("text", error.message)
    mended = spelling.mend([(units, graph.original) for graph, units in waiting])
    for (graph, _), units in zip(waiting, mended, strict=True):
        if isinstance(units, RewriteError):
            graph.fault = Fault("text", units.message)
            continue
        try:
            graph.pieces = write(units, graph.window, graph.original)
        except RewriteError as error:
            graph.fault = Fault("text", error.message)


def _units(graph: Graph, forms: Mapping[Node, str], alone: Mapping[Node, str]) -> list[Unit]:
    """Return the words of a graph; notes the fault for which commands or forms are missing, and raises it."""
    for blank in graph.blanks:
        if graph.fault is None and blank.node not in forms:
            graph.fault = Fault("form", f"{blank.lemma} ({blank.upos}): {blank.feats}")
    if graph.fault is not None:
        raise RewriteError(graph.fault.detail)
    before = graph.before.by_id
    own = {
        node: _cased(forms[node], before.get(node.source or ""), graph.original)
        for node in graph.changed
        if node in forms
    }
    return find_units(graph.sentence, graph.window, own, graph.original, alone, graph.written)


def _cased(form: str, before: Node | None, original: Original) -> str:
    """Return a form with a capital where the word in whose place it stands had one that is not its lemma's.

    It may stand inside, after what a mutation puts before it: Irish *nDáil*, *Dáil*.
    """
    written, lemma = ("", "") if before is None else (before.features.get(name, "") for name in ("form", "lemma"))
    has_capital = any(map(str.isupper, written)) and not any(map(str.isupper, lemma))
    if not has_capital or (written.isupper() and len(written) > 1) or any(map(str.isupper, form)):
        return form
    return original.language.capital(form)


class Spelling:
    """How words are written that did not stand beside one another: by what a treebank shows of such neighbours."""

    def __init__(self, sandhi: Sandhi) -> None:
        self._sandhi = sandhi
        self._language = language_of(sandhi.language)
        surfaces = sandhi.fusions["surface"].to_pylist()
        fusions = zip(_shares(sandhi.fusions).items(), surfaces, strict=True)
        self._fusions = {kinds: surface for (kinds, share), surface in fusions if share >= _FUSED}
        self._meetings = _shares(sandhi.meetings)
        self._members = set(zip(*(sandhi.members[name].to_pylist() for name in ("form", "lemma", "upos")), strict=True))

    def mend(self, sentences: Sequence[tuple[Sequence[Unit], Original]]) -> list[list[Unit] | RewriteError]:
        """Return the units of changed sentences as they are written beside each other, or what is not known of them."""
        fused: list[list[Unit] | RewriteError] = []
        for units, original in sentences:
            try:
                fused.append(self._fused(units, original))
            except RewriteError as error:
                fused.append(error.with_traceback(None))
        new = [
            (number, units, original, place)
            for number, (units, (_, original)) in enumerate(zip(fused, sentences, strict=True))
            if not isinstance(units, RewriteError)
            for place in _beside_new(units, original)
        ]
        fitting = self._fitting([(units, original, place) for _, units, original, place in new])
        for (number, units, original, place), (form, was_sure) in zip(new, fitting, strict=True):
            if isinstance(fused[number], RewriteError):
                continue
            unit = units[place]
            changed = form if form and form != unit.form and self._may_become(unit, form) else None
            # What it is not sure to have been where it stood may not go by its neighbours.
            if changed and (was_sure or unit.is_changed or unit.span is None):
                units[place] = replace(unit, form=changed, is_changed=True)
            elif changed or (form != unit.form and _leans(units, place, original)):
                fused[number] = RewriteError(f"whether {unit.form} can stand there is not known")
        return fused

    def _fitting(self, words: Sequence[_Place]) -> list[tuple[str | None, bool]]:
        """Return the forms in which words fit beside their neighbours, None where that is not known, and of those that
        fit in another form, whether theirs was sure where they stood."""
        asked = [number for number, (units, _, place) in enumerate(words) if self._sandhi.alternates(units[place].form)]
        rows = {number: _beside(*words[number]) for number in asked}
        forms = dict(zip(asked, _answers(self._sandhi.fitting, rows.values()), strict=True))
        others = [number for number, form in forms.items() if form not in (None, rows[number][0])]
        stood = [_stood(*words[number]) for number in others]
        sure = dict(zip(others, _answers(self._sandhi.fits, stood), strict=True))
        return [(forms.get(number), sure.get(number) is True) for number in range(len(words))]

    def _may_become(self, unit: Unit, form: str) -> bool:
        """Tell whether a word may have another form beside its neighbours: one of an open class changes its beginning
        only, or its accents, since with its end its features change."""
        bare, other = (_without_marks(self._language.small(text)) for text in (unit.form, form))
        upos, lemma = (unit.nodes[0].features.get(name) for name in ("upos", "lemma"))
        if upos in UNINFLECTED:
            # It may have forms of other meanings, or words of other meanings may be the ones beside such neighbours:
            # Irish *i*, *sna*; Irish *i*, *ó*.
            is_of_lemma = (self._language.small(form), lemma, upos) in self._members
            return bare[0] == other[0] or (len(bare) == len(other) == 1 and is_of_lemma)
        if upos in CLOSED:
            # Without a letter in common it is another cell, which features may be silent on: Dutch *is*, *ben*.
            return not set(bare).isdisjoint(other)
        stem = min(bare[_MUTATED:], other[_MUTATED:], key=len)
        return bare == other or (len(stem) >= _MUTATED and bare.endswith(stem) and other.endswith(stem))

    def _fused(self, units: Sequence[Unit], original: Original) -> list[Unit]:
        """Write as one what mostly is; what is left of a multiword token side by side must be."""
        done: list[Unit] = []
        for unit in units:
            left = done[-1] if done else None
            if left is None or not original.is_new(left, unit) or len(left.nodes) > 1 or len(unit.nodes) > 1:
                done.append(unit)
                continue
            first, second = left.nodes[0], unit.nodes[0]
            surface = self._surface(left, unit)
            if surface is not None:
                form = original.language.capital(surface) if left.form[0].isupper() else surface
                done[-1] = Unit(form, (first, second), left.span, is_changed=True)
            elif _were_one(first, second) and not self._stand_apart(left, unit):
                raise RewriteError(f"how {left.form} and {unit.form} are written together is not known")
            else:
                done.append(unit)
        return [unit.spelt(unit.alone) if unit.alone else unit for unit in done]

    def _surface(self, left: Unit, right: Unit) -> str | None:
        """Return how two words are written as one, where they mostly are: *did* with *n't*, or else with *not*."""
        kinds = product(*map(self._kinds, (left, right)))
        return next((self._fusions[pair] for pair in kinds if pair in self._fusions), None)

    def _stand_apart(self, left: Unit, right: Unit) -> bool:
        """Tell whether two words are mostly written apart, or else words like one of them beside the other."""
        first, second = (self._kinds(unit)[-1] for unit in (left, right))
        share = self._meetings.get((first, second))
        sides = [self._meetings.get(kinds) for kinds in (((None, first[1]), second), (first, (None, second[1])))]
        shares = [each for each in sides if each is not None] if share is None else [share]
        return bool(shares) and max(shares) < _FUSED

    def _kinds(self, unit: Unit) -> list[Kind]:
        """Return a word as it stands in a contraction, and as it stands by itself where that is another form."""
        upos = unit.nodes[0].features.get("upos")
        return [(self._language.small(form), upos) for form in dict.fromkeys((unit.form, unit.alone or unit.form))]


def _shares(table: pa.Table) -> dict[tuple[Kind, Kind], float]:
    """Return how often words were written as one where they met, by their forms and parts of speech."""
    shares = pc.divide(pc.cast(table["fused"], pa.float64()), table["adjacent"]).to_pylist()
    columns = (table[name].to_pylist() for name in ("first", "first_upos", "second", "second_upos"))
    return {((row[0], row[1]), (row[2], row[3])): share for share, *row in zip(shares, *columns, strict=True)}


def _were_one(first: Node, second: Node) -> bool:
    """Tell whether two words were parts of one multiword token, in this order."""
    return first.token is not None and first.token == second.token and int(first.source or 0) < int(second.source or 0)


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


def _beside_new(units: Sequence[Unit], original: Original) -> Iterator[int]:
    """Yield the places of the words that have a new neighbour, and may have another form beside it."""
    new = [original.is_new(left, right) for left, right in pairwise(units)]
    for place, unit in enumerate(units):
        fixed = unit.is_punctuation or unit.is_given or len(unit.nodes) > 1
        if not fixed and any(new[max(place - 1, 0) : place + 1]):
            yield place


def _answers(ask: Callable[[pa.Table], pa.Array], rows: Collection[_Row]) -> list[Any]:
    return ask(table_of([*rows], **_COLUMNS)).to_pylist() if rows else []


def _beside(units: Sequence[Unit], original: Original, place: int) -> _Row:
    """Return a word, with what stands beside it."""
    unit, features = units[place], units[place].nodes[0].features
    row = [unit.form, features.get("lemma"), features.get("upos"), feats_of(unit.nodes[0]) or None]
    for neighbour in (place - 1, place + 1):
        beside = units[neighbour] if 0 <= neighbour < len(units) else None
        row.append(beside.form if beside else None)
        row.append(beside.nodes[0].features.get("upos") if beside and len(beside.nodes) == 1 else None)
    return tuple(row)


def _stood(units: Sequence[Unit], original: Original, place: int) -> _Row:
    """Return a word, with what stood beside it in the text; a new one with what stands there now.

    The parts of speech of what stood there are not told.
    """
    row, span = _beside(units, original, place), units[place].span
    if span is None:
        return row
    spans = (beside.get(span) for beside in (original.before, original.after))
    before, after = (original.text[slice(*other)] if other else None for other in spans)
    return (*row[:4], before, None, after, None)
