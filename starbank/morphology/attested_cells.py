"""Which cells a language has: features that go together, as a treebank attests them.

A word in another cell keeps all features that it can. It cannot keep those that no word has beside the new value: the
past tense of Slavic verbs has no gender in the plural, Polish animacy is of masculines only. And it gains those that
every word has there, with the value of the word that it agrees with. A treebank may also say of one form that it has
two values, where others have one: Hebrew and Czech plurals of both genders (`Gender=Fem,Masc`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from functools import cache
from typing import Any

import duckdb

from starbank.morphology.cells import features_of_lexeme
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import changed, format_features, is_compatible, parse_features

# Slips of annotation make cells, too; those of a few frequent words, such as auxiliaries, are seen often.
_FEWEST_LEMMAS = 3
_FEWEST_WORDS = 10
# A cell that is so many times rarer than those with more features lacks one by a slip.
_RARER = 5

_ATTESTED = """
    select upos, feats, sum(count)::bigint as count from lexicon where source = 'treebank'
    group by upos, feats having count(distinct lemma) >= $lemmas or sum(count) >= $words order by all
"""

_CELLS = "select distinct upos, feats from lexicon where source = 'treebank'"

_OF_LEMMAS = """
    select upos, lemma, list(distinct feats order by feats)
    from lexicon semi join unattested using (upos, feats) where source = 'treebank' group by upos, lemma
"""

Features = Mapping[str, str]


class AttestedCells:
    """The cells that some lemmas of a treebank are attested in, by UPOS."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Take the cells from the table `lexicon` (schema `LEXICON`)."""
        rows = connection.execute(_ATTESTED, {"lemmas": _FEWEST_LEMMAS, "words": _FEWEST_WORDS}).fetchall()
        self._counts: dict[str, dict[frozenset[tuple[str, str]], int]] = defaultdict(lambda: defaultdict(int))
        for upos, feats, count in rows:
            self._counts[upos][_core(upos, parse_features(feats))] += count
        self._of_several_values = {
            upos: [cell for cell in counts if any("," in value for _, value in cell)]
            for upos, counts in self._counts.items()
        }
        self._companions = cache(self._find_companions)
        self._is_attested = cache(self._find_attested)
        # Lemmas are many; those that have cells of their own are few.
        cells = connection.execute(_CELLS).fetchall()
        unattested = [cell for cell in cells if not self._is_attested(cell[0], _core(cell[0], parse_features(cell[1])))]
        connection.register("unattested", table_of(unattested, upos=str, feats=str))
        rows = connection.execute(_OF_LEMMAS).fetchall()
        self._of_lemmas = {(upos, lemma): feats for upos, lemma, feats in rows}
        # Words are many, their cells few.
        self._nearest, self._changed = cache(self._find_nearest), cache(self._find_changed)
        self._lemma_cores, self._with = cache(self._find_lemma_cores), cache(self._find_with)

    def nearest(
        self, upos: str, lemma: str | None, features: Features, change: Mapping[str, str | None], ruler: Features
    ) -> Features:
        """Return the cell of a word whose features change, or the attested cell nearest to it where nothing attests it.

        One form of the lemma is enough to attest it. `ruler` has the features of the word that this one agrees with. A
        cell is near that contradicts the asked one in no feature, lacks only those that words have always before the
        change and never after it, and has of others the ruler's values; where the asked one has several values, it may
        have one of them, and several where that has one.
        """
        kind = (upos, tuple(features.items()), tuple(change.items()))
        cell, core, attested = self._changed(*kind)
        if attested or core in self._lemma_cores(upos, lemma or ""):
            return cell
        return self._nearest(*kind, tuple(ruler.items()))

    def has_of_its_own(self, upos: str, lemma: str | None) -> bool:
        """Tell whether a lemma has a cell that too few others have to attest it: only then `nearest` asks for it."""
        return (upos, lemma) in self._of_lemmas

    def _find_changed(
        self, upos: str, *items: tuple[tuple[str, Any], ...]
    ) -> tuple[Features, frozenset[tuple[str, str]], bool]:
        """Return the cell that a change leads to, what of it is not of the lexeme, and whether that is attested."""
        features, change = map(dict, items)
        cell = changed(features, change)
        core = _core(upos, cell)
        return cell, core, self._is_attested(upos, core)

    def _find_lemma_cores(self, upos: str, lemma: str) -> frozenset[frozenset[tuple[str, str]]]:
        return frozenset(_core(upos, parse_features(feats)) for feats in self._of_lemmas.get((upos, lemma), ()))

    def _find_nearest(self, upos: str, *items: tuple[tuple[str, Any], ...]) -> Features:
        """Return the attested cell that is nearest to one that nothing attests, or that itself."""
        features, change, ruler = map(dict, items)
        counts = self._counts[upos]
        literal = changed(features, change)
        # What no word of this kind shows is none of its features: the person of Dutch verbs in some treebanks.
        shown = {name for cell in counts for name, _ in cell}
        change = {name: value for name, value in change.items() if name in shown or name in features}
        cell = changed(features, change)
        core = _core(upos, cell)
        if cell != literal and change and self._is_attested(upos, core):
            return cell
        before = {name: features[name] for name in change if name in features}
        near = [
            (self._distance(candidate, cell, ruler), -counts[items], sorted(items))
            for items, candidate in self._with(upos, tuple(change.items()), tuple(before.items()))
            if items != core
            and all(is_compatible(value, cell.get(name, value)) for name, value in items)
            and all(
                is_compatible(value, ruler.get(name, value)) for name, value in items - core if change.get(name) is None
            )
            and not any(name in self._companions(upos, items) for name, _ in core if name not in candidate)
            and (
                all(name in candidate for name, _ in core)
                or not self._is_attested(upos, _core(upos, {**candidate, **before}))
            )
        ]
        if not near or not change:
            return literal
        of_lexeme = {name: value for name, value in cell.items() if name in features_of_lexeme(upos)}
        return changed(dict(min(near)[2]), of_lexeme)

    def _find_with(
        self, upos: str, change: tuple[tuple[str, Any], ...], before: tuple[tuple[str, str], ...]
    ) -> list[tuple[frozenset[tuple[str, str]], Features]]:
        """Return the attested cells that a change of values leads to, each as a set and as a mapping."""
        cells = [(items, dict(items)) for items in self._counts[upos]]
        return [(items, cell) for items, cell in cells if _has_changed(cell, dict(change), dict(before))]

    def alike(
        self, upos: str, own: str, other: str, varied: Iterable[str], inherent: Container[tuple[str, str]]
    ) -> list[str]:
        """Return the attested cells that have of another cell all that tells it from a word's own, or is `varied`."""
        features, opposite = parse_features(own), parse_features(other)
        telling = {name for name in features.keys() | opposite.keys() if features.get(name) != opposite.get(name)}
        telling.update(name for name in varied if name in features and name in opposite)
        kept = {name for name in features if (upos, name) in inherent}
        return [
            format_features(changed(dict(cell), {})) or ""
            for cell in self._counts[upos]
            if all(dict(cell).get(name) == opposite.get(name) for name in telling)
            and all(dict(cell).get(name, features[name]) == features[name] for name in kept)
        ]

    @staticmethod
    def _distance(candidate: Features, cell: Features, ruler: Features) -> int:
        """Count the features that two cells do not share; what the ruler decides, or has other values, counts half."""
        decided = sum(name in ruler for name in candidate.keys() - cell.keys())
        differing = sum(candidate[name] != cell[name] for name in candidate.keys() & cell.keys())
        return 2 * len(candidate.keys() ^ cell.keys()) - decided + differing

    def _find_attested(self, upos: str, cell: frozenset[tuple[str, str]]) -> bool:
        """Tell whether some words have a cell, and others with more features or values are not much more frequent."""
        counts = self._counts[upos]
        fuller = max((count for other, count in counts.items() if cell < other), default=0)
        wider = max(
            (counts[other] for other in self._of_several_values.get(upos, ()) if _covers(other, cell)), default=0
        )
        return cell in counts and _RARER * counts[cell] >= max(fuller, wider)

    def _find_companions(self, upos: str, cell: frozenset[tuple[str, str]]) -> frozenset[str]:
        """Return the features that attested cells have beside all those of a cell."""
        return frozenset(name for other in self._counts[upos] if cell < other for name, _ in other - cell)


def _core(upos: str, features: Features) -> frozenset[tuple[str, str]]:
    return frozenset(item for item in features.items() if item[0] not in features_of_lexeme(upos))


def _has_changed(cell: Features, change: Mapping[str, str | None], before: Features) -> bool:
    """Tell whether a cell has all values of a change, and none beside them that the word had before."""
    return all(
        cell.get(name) == value
        or (
            value is not None
            and is_compatible(value, cell.get(name, ""))
            and not is_compatible(before.get(name, ""), cell[name])
        )
        for name, value in change.items()
    )


def _covers(cell: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> bool:
    """Tell whether a cell has all values of another, and more."""
    values = dict(cell)
    return cell != other and all(set(value.split(",")) <= set(values.get(name, "").split(",")) for name, value in other)
