"""The FEATS column: its canonical spelling and one column per feature."""

from __future__ import annotations

import pyarrow as pa


def parse_features(text: str) -> dict[str, str]:
    """Return the features of a FEATS text, sorted by name as UD sorts them (case-insensitively).

    A name that occurs several times gets all its values, sorted: `Voice=Rcp|Voice=Act` is `{"Voice": "Act,Rcp"}`.
    Published treebanks hold an empty part here and there (`Number=Sing||Person=3`); it says nothing and is let go.
    Raises `ValueError` with the offending part where a part is not `Name=Value`.
    """
    features: dict[str, str] = {}
    for part in filter(None, text.split("|")):
        name, equals, value = part.partition("=")
        if not (name and equals and value):
            raise ValueError(part)
        if name in features:
            value = ",".join(sorted({*features[name].split(","), *value.split(",")}))
        features[name] = value
    return dict(sorted(features.items(), key=lambda item: (item[0].lower(), item[0])))


def format_features(features: dict[str, str]) -> str:
    """Return the FEATS text of `features`, in their order."""
    return "|".join(f"{name}={value}" for name, value in features.items())


def feature_names(dictionary: list[dict[str, str]]) -> list[str]:
    """Return the names that occur in any of the feature sets, sorted as UD sorts them."""
    return sorted({name for features in dictionary for name in features}, key=lambda name: (name.lower(), name))


def feature_columns(dictionary: list[dict[str, str]], codes: pa.Array) -> dict[str, pa.Array]:
    """Return one text column per feature for rows that name their feature set by its index in `dictionary`."""
    return {
        name: pa.array([features.get(name) for features in dictionary], pa.string()).take(codes)
        for name in feature_names(dictionary)
    }
