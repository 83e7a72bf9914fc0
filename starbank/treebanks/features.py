"""The FEATS column: its canonical spelling, and the single features in it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import pairwise


@cache
def parse_features(text: str) -> dict[str, str]:
    """Return the features of a FEATS text, sorted by name as UD sorts them (case-insensitively); do not change it.

    A name that occurs several times gets all its values, sorted: `Voice=Rcp|Voice=Act` is `{"Voice": "Act,Rcp"}`.
    Published treebanks hold an empty part here and there (`Number=Sing||Person=3`); it says nothing and is let go.
    Raises `ValueError` with the offending part where a part is not `Name=Value`.
    """
    if text == "_":
        return {}
    features: dict[str, str] = {}
    for part in filter(None, text.split("|")):
        name, value = split_feature(part)
        if name in features:
            value = ",".join(sorted({*features[name].split(","), *value.split(",")}))
        features[name] = value
    return {name: features[name] for name in sort_names(features)}


def format_features(features: dict[str, str]) -> str | None:
    """Return the FEATS text of `features`, in their order; None where there are none."""
    return "|".join([f"{name}={value}" for name, value in features.items()]) or None


def canonical_features(text: str) -> str | None:
    """Return a FEATS text in its canonical spelling, which it mostly has; raises `ValueError` as `parse_features`."""
    try:
        order = [_sort_key(part) for part in text.split("|")]
        regular = all(one < other for one, other in pairwise(order))
    except ValueError:
        regular = False
    return text if regular else format_features(parse_features(text))


@cache
def split_feature(part: str) -> tuple[str, str]:
    """Return name and value of `Name=Value`; raises `ValueError` with `part` where it is not that."""
    name, equals, value = part.partition("=")
    if not (name and equals and value):
        raise ValueError(part)
    return name, value


@cache
def _sort_key(part: str) -> tuple[str, str]:
    name, _ = split_feature(part)
    return name.lower(), name


def sort_names(names: Iterable[str]) -> list[str]:
    """Return names of features as UD sorts them: capitals count as small letters."""
    return sorted(sorted(names), key=str.lower)
