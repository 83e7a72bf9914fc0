"""When two sets of features name the same cell of a paradigm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from starbank.treebanks.features import parse_features

# What belongs to the lexeme rather than to one of its forms, so that treebanks annotate it or not as they see fit.
_OF_THE_LEXEME = {
    "NOUN": frozenset({"Animacy", "NameType", "VerbForm"}),
    "PROPN": frozenset({"Animacy", "NameType"}),
}
# What a treebank may leave out because the lemma implies it, but which tells cells apart where both sides give it.
_IMPLIED = {"PRON": frozenset({"Animacy", "Person"})}


def same_cell(upos: str, one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Tell whether two sets of features of a lemma with this UPOS name the same cell: all features equal.

    Features of the lexeme, such as a noun's animacy, do not count; those that a lemma implies, such as a pronoun's
    person, count only where both sides give them.
    """
    lexeme, implied = _OF_THE_LEXEME.get(upos, frozenset()), _IMPLIED.get(upos, frozenset())
    different = {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)} - lexeme
    return all(name in implied and (name not in one or name not in other) for name in different)


def matching_cells(
    wanted: Iterable[tuple[str, str]], found: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str, str]]:
    """Yield (upos, wanted feats, found feats) wherever a wanted and a found (upos, feats) name the same cell."""
    by_core: dict[tuple[str, str], list[tuple[str, dict[str, str]]]] = {}
    for upos, feats in found:
        features = parse_features(feats)
        by_core.setdefault(_core(upos, features), []).append((feats, features))
    for upos, feats in wanted:
        features = parse_features(feats)
        for candidate, candidate_features in by_core.get(_core(upos, features), []):
            if same_cell(upos, features, candidate_features):
                yield upos, feats, candidate


def _core(upos: str, features: Mapping[str, str]) -> tuple[str, str]:
    """Return what is equal in all feature sets that name the same cell."""
    free = _OF_THE_LEXEME.get(upos, frozenset()) | _IMPLIED.get(upos, frozenset())
    return upos, "|".join(f"{name}={value}" for name, value in features.items() if name not in free)
