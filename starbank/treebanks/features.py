"""The FEATS column: its canonical spelling, and the single features in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.arrays import code, numbers

# Parts of speech that head arguments, and that others agree with.
NOMINALS = ("NOUN", "PROPN", "PRON")
# SQL: the value of a feature in a text of features, empty where it has none; most texts need no regular expression.
VALUE = "if(contains({feats}, '{name}='), regexp_extract({feats}, '(^|[|]){name}=([^|]*)', 2), '')"
CASE, NUMBER = (VALUE.replace("{name}", name) for name in ("Case", "Number"))
# What nouns share with what agrees with them, and SQL: the value of that of them which the column `feature` names. An
# expression that is no constant would be compiled for each word.
SHARED = ("Case", "Gender", "Number")
SHARED_VALUE = " ".join(
    ("case feature", *(f"when '{name}' then " + VALUE.replace("{name}", name) for name in SHARED), "end")
)
# SQL: all features but the case, and all but the gender.
UNCASED, UNGENDERED = (
    "regexp_replace(coalesce({feats}, ''), '" + name + "=[^|]*[|]?', '')" for name in ("Case", "Gender")
)
# SQL: is a text of features that of a relative pronoun?
RELATIVE = "regexp_matches({feats}, '(^|[|])PronType=([A-Z][a-z]+,)*Rel')"


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


def format_features(features: Mapping[str, str]) -> str | None:
    """Return the FEATS text of `features`, in their order; None where there are none."""
    return "|".join([f"{name}={value}" for name, value in features.items()]) or None


def canonical(features: Mapping[str, str]) -> str:
    """Return the FEATS text of `features`, in UD's order; empty where there are none."""
    return format_features({name: features[name] for name in sort_names(features)}) or ""


def canonical_features(column: pa.StringArray) -> tuple[list[str | None], dict[int, str]]:
    """Return FEATS texts in their canonical spelling, which they mostly have, None where they say nothing.

    Those with a part that is not `Name=Value` are None too, and this part is returned under their index.
    """
    lists = pc.split_pattern(column, "|")
    codes, parts = code(lists.flatten())
    keys = [_sort_key(part) for part in parts]
    rank = {key: place for place, key in enumerate(sorted(filter(None, keys)))}
    order = np.array([rank[key] if key else -1 for key in keys], dtype=np.int64)[codes]
    text = np.repeat(np.arange(len(column)), numbers(pc.list_value_length(lists)))
    unsorted = np.append(False, (text[1:] == text[:-1]) & (order[1:] <= order[:-1]))[: len(text)]
    canonical: list[str | None] = column.to_pylist()
    wrong: dict[int, str] = {}
    for index in dict.fromkeys(text[unsorted | (order < 0)].tolist()):
        try:
            canonical[index] = format_features(parse_features(canonical[index]))
        except ValueError as error:
            canonical[index], wrong[index] = None, str(error)
    return canonical, wrong


@cache
def split_feature(part: str) -> tuple[str, str]:
    """Return name and value of `Name=Value`; raises `ValueError` with `part` where it is not that."""
    name, equals, value = part.partition("=")
    if not (name and equals and value):
        raise ValueError(part)
    return name, value


@cache
def _sort_key(part: str) -> tuple[str, str] | None:
    try:
        name, _ = split_feature(part)
    except ValueError:
        return None
    return name.lower(), name


def sort_names(names: Iterable[str]) -> list[str]:
    """Return names of features as UD sorts them: capitals count as small letters."""
    return sorted(sorted(names), key=str.lower)


def changed(features: Mapping[str, str], change: Mapping[str, str | None]) -> dict[str, str]:
    """Return `features` with the values of `change`, those without a value left out."""
    merged = {**features, **change}
    return {name: value for name in sort_names(merged) if (value := merged[name]) is not None}


@cache
def plain(feature: str) -> str:
    """Return the name of a feature without its layer: `Number[subj]` is `Number`."""
    return feature.partition("[")[0]


@cache
def is_compatible(values: str, others: str) -> bool:
    """Tell whether two texts of values, such as `Acc` and `Acc,Nom`, have one in common."""
    return not set(values.split(",")).isdisjoint(others.split(","))
