"""Changed graphs -> their texts, or why there is none; how words are written that come to stand beside one another."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pyarrow as pa

from starbank.grew.sentence import Node, RewriteError
from starbank.guards.occurrences import CLOSED
from starbank.morphology.sandhi import UNINFLECTED, Sandhi
from starbank.sets.rewritten.graphs import Fault, Graph, feats_of
from starbank.sets.rewritten.text import Original, write
from starbank.sets.rewritten.units import JOINING, Unit, find_units

# Words that meet are written as one where at least this share of such meetings is.
_FUSED = 0.5
# So many letters of a word at its beginning may be others after some words: Irish *bean*, *bhean*.
_MUTATED = 2
_BESIDE = ("previous", "previous_upos", "following", "following_upos")
_Row = dict[str, str | None]
_COLUMNS = pa.schema({name: pa.string() for name in ("form", "lemma", "upos", "feats", *_BESIDE)})


def spell(
    graphs: Sequence[tuple[Graph, Original]], forms: Mapping[Node, str], free: Container[str], spelling: Spelling
) -> None:
    """Give each graph its `pieces`, words and what stands between them in turns, or the `fault` for which it has none.

    `forms` has the form of each word that needs another one, `free` those that stand by themselves.
    """
    waiting: list[tuple[Graph, Original, list[Unit]]] = []
    for graph, original in graphs:
        if graph.condition.rewriting is None:
            graph.pieces = original.pieces
            continue
        try:
            waiting.append((graph, original, _units(graph, original, forms, free)))
        except RewriteError as error:
            graph.fault = graph.fault or Fault("text", error.message)
    mended = spelling.mend([(units, original) for _, original, units in waiting])
    for (graph, original, _), units in zip(waiting, mended, strict=True):
        if isinstance(units, RewriteError):
            graph.fault = Fault("text", units.message)
            continue
        try:
            graph.pieces = write(units, original)
        except RewriteError as error:
            graph.fault = Fault("text", error.message)


def _units(graph: Graph, original: Original, forms: Mapping[Node, str], free: Container[str]) -> list[Unit]:
    """Return the words of a graph; notes the fault for which commands or forms are missing, and raises it."""
    for blank in graph.blanks:
        if graph.fault is None and blank.node not in forms:
            graph.fault = Fault("form", f"{blank.lemma} ({blank.upos}): {blank.feats}")
    if graph.fault is not None:
        raise RewriteError(graph.fault.detail)
    before = graph.before.by_id
    own = {
        node: _cased(forms[node], before.get(node.source or ""), original)
        for node in graph.sentence.order
        if node in forms
    }
    return find_units(graph.sentence, graph.before, own, original, free, graph.written)


def _cased(form: str, before: Node | None, original: Original) -> str:
    """Return a form with a capital where the word in whose place it stands had one that is not its lemma's.

    It may stand inside, after what a mutation puts before it: Irish *nDáil*, *Dáil*.
    """
    written, lemma = ("", "") if before is None else (before.features.get(name, "") for name in ("form", "lemma"))
    has_capital = any(map(str.isupper, written)) and not any(map(str.isupper, lemma))
    if not has_capital or (written.isupper() and len(written) > 1) or any(map(str.isupper, form)):
        return form
    return original.capital(form)


class Spelling:
    """How words are written that did not stand beside one another: by what a treebank shows of such neighbours."""

    def __init__(self, sandhi: Sandhi) -> None:
        self._sandhi = sandhi
        self._members = set(zip(*(sandhi.members[name].to_pylist() for name in ("form", "lemma", "upos")), strict=True))
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
            (number, *beside)
            for number, (units, (_, original)) in enumerate(zip(fused, sentences, strict=True))
            if not isinstance(units, RewriteError)
            for beside in _beside_new(units, original)
        ]
        if rows:
            words, stood = (pa.Table.from_pylist([row[column] for row in rows], _COLUMNS) for column in (2, 3))
            answers = (self._sandhi.fitting(words), self._sandhi.fits(words), self._sandhi.fits(stood))
            columns = (answer.to_pylist() for answer in answers)
            for (number, place, row, _), form, fits, did_fit in zip(rows, *columns, strict=True):
                mended = fused[number]
                if isinstance(mended, RewriteError):
                    continue
                unit = mended[place]
                changes = form not in (None, row["form"]) and self._may_become(row, form)
                # What it is not sure to have been where it stood may not go by its neighbours.
                if changes and (did_fit is True or unit.is_changed or unit.span is None):
                    mended[place] = replace(unit, form=form, is_changed=True)
                elif changes or (fits is not True and _leans(mended, place, sentences[number][1])):
                    fused[number] = RewriteError(f"whether {row['form']} can stand there is not known")
        return fused

    def _may_become(self, row: Mapping[str, str | None], form: str) -> bool:
        """Tell whether a word may have another form beside its neighbours: one of an open class changes its beginning
        only, or its accents, since with its end its features change."""
        bare, other = (_without_marks(text.lower()) for text in (row["form"] or "", form))
        if row["upos"] in UNINFLECTED:
            # It may have forms of other meanings, or words of other meanings may be the ones beside such neighbours:
            # Irish *i*, *sna*; Irish *i*, *ó*.
            is_of_lemma = (form.lower(), row["lemma"], row["upos"]) in self._members
            return bare[0] == other[0] or (len(bare) == len(other) == 1 and is_of_lemma)
        if row["upos"] in CLOSED:
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
            surface = self._fusions.get((*_kind(left), *_kind(unit)))
            if surface is not None:
                form = original.capital(surface) if left.form[0].isupper() else surface
                done[-1] = Unit(form, (first, second), left.span, is_changed=True)
            elif first.token is not None and first.token == second.token:
                raise RewriteError(f"how {left.form} and {unit.form} are written together is not known")
            else:
                done.append(unit)
        return done


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


def _beside_new(units: Sequence[Unit], original: Original) -> Iterator[tuple[int, _Row, _Row]]:
    """Yield the words that have a new neighbour, by their place, with what stands beside them, and what did."""
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
        yield place, row, row | _stood(unit, original)


def _stood(unit: Unit, original: Original) -> _Row:
    """Return what stood beside a word in the text; their parts of speech are not told."""
    if unit.span is None:
        return {}
    spans = {"previous": original.before.get(unit.span), "following": original.after.get(unit.span)}
    words = {side: original.text[slice(*span)] if span else None for side, span in spans.items()}
    return {**words, "previous_upos": None, "following_upos": None}
