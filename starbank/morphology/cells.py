"""When two sets of features name the same cell of a paradigm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import pyarrow as pa

from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import parse_features

# What belongs to the lexeme rather than to one of its forms, so that treebanks annotate it or not as they see fit.
_OF_THE_LEXEME = {"NOUN": frozenset({"Animacy", "NameType", "VerbForm"}), "PROPN": frozenset({"Animacy", "NameType"})}
# How a whole fixed expression behaves, written at its first word (UD: ExtPos), whose inflection it says nothing of.
_OF_THE_EXPRESSION = frozenset({"ExtPos"})
# What a treebank may leave out because the lemma implies it, but which tells cells apart where both sides give it.
_IMPLIED = {"PRON": frozenset({"Animacy", "Person"})}


@cache
def features_of_lexeme(upos: str) -> frozenset[str]:
    """Return the features that say nothing of which form of its lemma a word with this UPOS is."""
    return _OF_THE_LEXEME.get(upos, frozenset()) | _OF_THE_EXPRESSION


def same_cell(upos: str, features: Mapping[str, str], candidate: Mapping[str, str]) -> bool:
    """Tell whether two sets of features of a lemma with this UPOS name the same cell: all features equal.

    Features of the lexeme, such as a noun's animacy, do not count; those that a lemma implies, such as a pronoun's
    person, count only where both sides give them.
    """
    lexeme, implied = features_of_lexeme(upos), _IMPLIED.get(upos, frozenset())
    different = {name for name, _ in features.items() ^ candidate.items()} - lexeme
    return all(name in implied and (name not in features or name not in candidate) for name in different)


def matching_cells(cells: pa.Table, candidates: pa.Table, relax: Sequence[str] = ()) -> pa.Table:
    """Return which of two sets of cells are the same: columns `upos`, `wanted`, `found`, `relaxed`.

    `cells`, the column `wanted`, and `candidates`, the column `found`, have one row per cell, with the columns `upos`
    and `feats`. Cells that differ in features of `relax` count as the same, too; `relaxed` (int64) is the number of
    those.
    """
    by_core: dict[tuple[str, str], list[tuple[str, dict[str, str]]]] = {}
    for upos, feats in _rows(candidates):
        by_core.setdefault(_core(upos, feats, tuple(relax)), []).append((feats, parse_features(feats)))
    same = []
    for upos, feats in _rows(cells):
        features = parse_features(feats)
        for candidate, candidate_features in by_core.get(_core(upos, feats, tuple(relax)), []):
            differing = [name for name in relax if features.get(name) != candidate_features.get(name)]
            if same_cell(upos, _without(features, differing), _without(candidate_features, differing)):
                same.append((upos, feats, candidate, len(differing)))
    return table_of(same, upos=str, wanted=str, found=str, relaxed=int)


def _rows(cells: pa.Table) -> Iterator[tuple[str, str]]:
    return zip(cells["upos"].to_pylist(), cells["feats"].to_pylist(), strict=True)


def _without(features: Mapping[str, str], names: Sequence[str]) -> Mapping[str, str]:
    return {name: value for name, value in features.items() if name not in names} if names else features


@cache
def _core(upos: str, feats: str, relax: tuple[str, ...]) -> tuple[str, str]:
    """Return what is equal in all feature sets that name the same cell."""
    free = features_of_lexeme(upos) | _IMPLIED.get(upos, frozenset()) | set(relax)
    return upos, "|".join(f"{name}={value}" for name, value in parse_features(feats).items() if name not in free)
