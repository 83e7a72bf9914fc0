"""What a reading says of a pair of cells: which of the two it may stand for, and whether it agrees there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pyarrow as pa

from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import is_compatible, parse_features

_AGREEING = ("Gender", "Number", "Person")


def find_licences(pairs: pa.Table, features: Sequence[Collection[str]]) -> pa.Table:
    """Return what a reading says of a pair of cells: whether it has what tells the other, or the own, from the rest.

    `pairs` has the cells, `own` and `other`, with the `feats` and the `source` of a reading, and the `construction`,
    which varies one of the lists of `features`. The result adds
    `licensed` (the reading has all of the other's values), `expected` (all of its own), `by_case` (the two differ in
    case), `in_case` (its case may be the other's), `fits` (it is no finite verb, or may agree as the other does),
    `agrees`, `same_value` (what is varied has the other's value, and so have case and agreement, unless the cell lacks
    other features that the other has). What the construction has `varied` counts also where the two are alike: an
    ergative singular is no reading of the absolutive singular. UniMorph has other features than the treebank: what it
    does not name does not count, and it agrees with the other cell where nothing contradicts that.
    """
    rows = []
    columns = (column.to_pylist() for column in pairs.columns)
    for number, own_text, other_text, feats, source in zip(*columns, strict=True):
        cell, opposite, reading = parse_features(own_text), parse_features(other_text), parse_features(feats)
        differing = [name for name in cell.keys() | opposite.keys() if cell.get(name) != opposite.get(name)]
        varied = [name for name in features[number] if name in reading and name in cell and name in opposite]
        telling = [*differing, *varied]
        if source == "unimorph":
            telling = [name for name in telling if name in reading]
        licensed, expected = (
            bool(telling) and all(has_value(reading, name, side.get(name)) for name in telling)
            for side in (opposite, cell)
        )
        agrees = source == "unimorph" and all(
            has_value(reading, name, value) for name, value in opposite.items() if name in reading
        )
        in_case = is_compatible(reading.get("Case", ""), opposite.get("Case", "")) or not (
            "Case" in reading and "Case" in opposite
        )
        fits = reading.get("VerbForm") != "Fin" or all(
            is_compatible(reading[name], opposite[name]) for name in _AGREEING if name in reading and name in opposite
        )
        by_case = "Case" in differing
        same_value = in_case and _keeps_value(reading, cell, opposite, features[number])
        values = (licensed, expected, by_case, in_case, fits, agrees, same_value)
        rows.append((number, own_text, other_text, feats, source, *values))
    flags = ("licensed", "expected", "by_case", "in_case", "fits", "agrees", "same_value")
    names = dict.fromkeys(("own", "other", "feats", "source"), str)
    return table_of(rows, construction=int, **names, **dict.fromkeys(flags, bool))


def _keeps_value(
    reading: dict[str, str], cell: dict[str, str], opposite: dict[str, str], varied: Collection[str]
) -> bool:
    """Tell whether a reading of a starred form has the other cell's values of what is varied, and agrees as that."""
    if not all(name in reading and name in opposite and reading[name] == opposite[name] for name in varied):
        return False
    lost = opposite.keys() - cell.keys() - set(_AGREEING) - {"Case"}
    return bool(lost) or all(
        is_compatible(reading.get(name, value), value) for name, value in opposite.items() if name in _AGREEING
    )


def agree_alike(cell: str, other: str) -> bool:
    """Tell whether two cells of verbs are both finite or both not, and agree with the same controllers."""
    reading, opposite = parse_features(cell), parse_features(other)
    return all(reading.get(name) == opposite.get(name) for name in ("VerbForm", "Polarity", *_AGREEING))


def has_value(features: dict[str, str], name: str, value: str | None) -> bool:
    """Tell whether a feature has a value, perhaps among others (`Nom,Acc`), or is absent where `value` is None."""
    return name not in features if value is None else is_compatible(value, features.get(name, ""))
