"""Items -> a test suite in the JSON of SyntaxGym (Gauthier et al. 2020, https://syntaxgym.org).

SyntaxGym joins regions by one space. So a word that is written together with the one that varies, such as a quotation
mark or a full stop, goes into its region, and stretches of white space become one space.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from starbank.errors import SuiteError
from starbank.suites.formulas import parse_formula, rename, show

_WORD = re.compile(r"\S+")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


def to_syntaxgym(
    items: pa.Table,
    *,
    name: str,
    predictions: Sequence[str] = (),
    metric: str = "sum",
    **meta: str | Sequence[str] | None,
) -> dict[str, Any]:
    """Return a suite as SyntaxGym's JSON has it: `meta`, `region_meta`, `predictions` and `items`.

    `items` are those of one construction, in the order that numbers them from 1. `predictions` are formulas about the
    `metric` of regions, such as `(2;%Dat%) > (2;%Nom%)`; by default each starred condition has to be more surprising in
    sum than the grammatical one that it is held against, or than each. Conditions keep their names where `predictions`
    name them or the same ones are grammatical in all items, and are else named by their parts: `grammatical`,
    `starred`, or `starred-1`, `starred-2`. `meta` is told as it is, but for what is None, and `grammatical` in it names
    the grammatical conditions, of which SyntaxGym does not know.

    Raises `SuiteError` where there are no items, or where they differ in their regions or conditions: a suite of
    SyntaxGym has one design.
    """
    rows = [
        {**row, "conditions": sorted(row["conditions"], key=lambda condition: not condition["grammatical"])}
        for row in items.select(["region_names", "conditions"]).to_pylist()
    ]
    if predictions:
        places = {name: place for row in rows[:1] for place, name in enumerate(_condition_names(row))}
        for row in rows:
            row["conditions"].sort(key=lambda condition: places.get(condition["name"], len(places)))
    shape = _condition_names if predictions else _parts
    shapes = Counter((tuple(row["region_names"]), shape(row)) for row in rows)
    if len(shapes) != 1:
        raise SuiteError(f"{name}: the items are of {len(shapes)} designs, and a suite of SyntaxGym is of one")
    regions = tuple(rows[0]["region_names"])
    names = _names(rows, keep=bool(predictions))
    if predictions:
        renamed = dict(zip(_condition_names(rows[0]), names, strict=True))
        formulas = [show(rename(parse_formula(formula), renamed, regions)) for formula in predictions]
    else:
        metric, formulas = "sum", _predictions(names, _parts(rows[0]), len(regions))
    good = [name for place, name in enumerate(names) if all(row["conditions"][place]["grammatical"] for row in rows)]
    if good:
        meta["grammatical"] = good
    return {
        "meta": {"name": name, "metric": metric, **{key: value for key, value in meta.items() if value is not None}},
        "region_meta": {str(number): region for number, region in enumerate(regions, 1)},
        "predictions": [{"type": "formula", "formula": formula} for formula in formulas],
        "items": [{"item_number": number, "conditions": _conditions(row, names)} for number, row in enumerate(rows, 1)],
    }


def _condition_names(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(condition["name"] for condition in row["conditions"])


def _parts(row: dict[str, Any]) -> tuple[tuple[bool | None, int | None], ...]:
    """Return of each condition, in order, whether it is grammatical, and which one it is held against."""
    places = {name: place for place, name in enumerate(_condition_names(row))}
    return tuple((part["grammatical"], places.get(part.get("against"))) for part in row["conditions"])


def _names(rows: Sequence[dict[str, Any]], keep: bool) -> list[str]:
    """Return the names of conditions, in order: their own, which all items have where they are to be kept."""
    designs = {tuple((part["name"], part["grammatical"]) for part in row["conditions"]) for row in rows}
    names = [_NOT_IN_NAMES.sub("_", name) for name in _condition_names(rows[0])]
    if (keep or len(designs) == 1) and len(set(names)) == len(names):
        return names
    kinds = ["starred" if part["grammatical"] is False else "grammatical" for part in rows[0]["conditions"]]
    return [
        f"{kind}-{kinds[: place + 1].count(kind)}" if kinds.count(kind) > 1 else kind
        for place, kind in enumerate(kinds)
    ]


def _predictions(names: Sequence[str], parts: Sequence[tuple[bool | None, int | None]], regions: int) -> list[str]:
    """Return a formula for each starred condition. (`*` for all regions breaks parts of SyntaxGym.)"""
    sums = [" + ".join(f"({region};%{name}%)" for region in range(1, regions + 1)) for name in names]
    good = [place for place, (grammatical, _) in enumerate(parts) if grammatical]
    return [
        f"({sums[place]}) > ({sums[rival]})"
        for place, (grammatical, against) in enumerate(parts)
        if grammatical is False
        for rival in (good if against is None else [against])
    ]


def _conditions(row: dict[str, Any], names: Sequence[str]) -> list[dict[str, Any]]:
    conditions = row["conditions"]
    texts = [condition["regions"] for condition in conditions]
    varying = {place for place, forms in enumerate(zip(*texts, strict=True)) if len(set(forms)) > 1}
    return [
        {
            "condition_name": name,
            "regions": [
                {"region_number": number, "content": content}
                for number, content in enumerate(_spaced(condition["regions"], varying), 1)
            ],
        }
        for name, condition in zip(names, conditions, strict=True)
    ]


def _spaced(regions: Sequence[str], varying: set[int]) -> list[str]:
    """Move the borders of regions to white space: a word that several share goes to one that varies, or the first."""
    owners = [place for place, region in enumerate(regions) for _ in region]
    words: list[list[str]] = [[] for _ in regions]
    for word in _WORD.finditer("".join(regions)):
        sharing = owners[word.start() : word.end()]
        place = next((owner for owner in sharing if owner in varying), sharing[0])
        words[place].append(word[0])
    return [" ".join(part) for part in words]
