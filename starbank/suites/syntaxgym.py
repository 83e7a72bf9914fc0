"""Items -> a test suite in the JSON of SyntaxGym (Gauthier et al. 2020, https://syntaxgym.org).

SyntaxGym joins regions by one space. So a word that is written together with the one that varies, such as a quotation
mark or a full stop, goes into its region, and stretches of white space become one space.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise
from json.encoder import encode_basestring
from textwrap import indent
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import SuiteError
from starbank.suites.formulas import parse_formula, rename, show

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True)
class _Design:
    """What items have in common: the names of regions, and of each condition its name, whether it is grammatical, and
    the name of the one that it is held against.
    """

    regions: tuple[str, ...]
    conditions: tuple[tuple[str, bool | None, str | None], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.conditions)

    @property
    def parts(self) -> tuple[tuple[bool | None, int | None], ...]:
        """Of each condition, whether it is grammatical, and which one it is held against."""
        places: dict[str | None, int] = {name: place for place, name in enumerate(self.names)}
        return tuple((grammatical, places.get(against)) for _, grammatical, against in self.conditions)

    def order(self, names: Sequence[str]) -> list[int]:
        """Return the places of conditions, those with one of `names` in their order, else grammatical ones first."""
        places = {name: place for place, name in enumerate(names)}
        keys = [(places.get(name, len(places)), not grammatical) for name, grammatical, _ in self.conditions]
        return sorted(range(len(keys)), key=keys.__getitem__)

    def ordered(self, order: Sequence[int]) -> _Design:
        return replace(self, conditions=tuple(self.conditions[place] for place in order))


def to_syntaxgym(
    items: pa.Table,
    *,
    name: str,
    predictions: Sequence[str] = (),
    metric: str = "sum",
    **meta: str | Sequence[str] | None,
) -> str:
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
    of_items = _designs(items)
    distinct = list(dict.fromkeys(of_items))
    first = distinct[0].ordered(distinct[0].order(())).names if predictions and distinct else ()
    orders = {design: design.order(first) for design in distinct}
    designs = [design.ordered(order) for design, order in orders.items()]
    shapes = {(design.regions, design.names if predictions else design.parts) for design in designs}
    if len(shapes) != 1:
        raise SuiteError(f"{name}: the items are of {len(shapes)} designs, and a suite of SyntaxGym is of one")
    regions, names = designs[0].regions, _names(designs, keep=bool(predictions))
    if predictions:
        renamed = dict(zip(designs[0].names, names, strict=True))
        formulas = [show(rename(parse_formula(formula), renamed, regions)) for formula in predictions]
    else:
        metric, formulas = "sum", _predictions(names, designs[0].parts, len(regions))
    good = [name for place, name in enumerate(names) if all(design.conditions[place][1] for design in designs)]
    if good:
        meta["grammatical"] = good
    value = {
        "meta": {"name": name, "metric": metric, **{key: value for key, value in meta.items() if value is not None}},
        "region_meta": {str(number): region for number, region in enumerate(regions, 1)},
        "predictions": [{"type": "formula", "formula": formula} for formula in formulas],
    }
    return _json(value, _item(names, len(regions)), _contents(items, [orders[design] for design in of_items]))


def _designs(items: pa.Table) -> list[_Design]:
    """Return the design of each item."""
    conditions = items["conditions"].combine_chunks()
    parts = list(zip(*(_flat(conditions, name) for name in ("name", "grammatical", "against")), strict=True))
    ends = accumulate(pc.list_value_length(conditions).to_pylist(), initial=0)
    names = map(tuple, items["region_names"].to_pylist())
    return [
        _Design(regions, tuple(parts[begin:end])) for regions, (begin, end) in zip(names, pairwise(ends), strict=True)
    ]


def _flat(conditions: pa.ListArray, name: str) -> list[Any]:
    """Return what the conditions of all items have in a field."""
    values: list[Any] = pc.struct_field(conditions.flatten(), name).to_pylist()
    return values


def _contents(items: pa.Table, orders: Sequence[Sequence[int]]) -> Iterator[list[str]]:
    """Yield of each item what its regions have, condition by condition."""
    texts = iter(_flat(items["conditions"].combine_chunks(), "regions"))
    for order in orders:
        of_item = list(islice(texts, len(order)))
        varying = {place for place, forms in enumerate(zip(*of_item, strict=True)) if len(set(forms)) > 1}
        yield [text for place in order for text in _spaced(of_item[place], varying)]


def _item(names: Sequence[str], regions: int) -> dict[str, Any]:
    """Return an item with `%s` in place of its number and of what its regions have."""
    numbers = range(1, regions + 1)
    contents = [{"region_number": number, "content": "%s"} for number in numbers]
    return {
        "item_number": "%s",
        "conditions": [{"condition_name": name, "regions": contents} for name in names],
    }


def _json(value: dict[str, Any], item: dict[str, Any], contents: Iterable[Sequence[str]]) -> str:
    """Return the JSON of a suite, whose items are alike but for what they have: `json` indents much more slowly."""
    head = json.dumps(value | {"items": []}, ensure_ascii=False, indent=1).removesuffix("]\n}")
    like = indent(json.dumps(item, indent=1), "  ").replace('"%s"', "%s")
    items = (like % (number, *map(encode_basestring, texts)) for number, texts in enumerate(contents, 1))
    return head + "\n" + ",\n".join(items) + "\n ]\n}\n"


def _names(designs: Sequence[_Design], keep: bool) -> list[str]:
    """Return the names of conditions, in order: their own, which all items have where they are to be kept."""
    known = {tuple((name, grammatical) for name, grammatical, _ in design.conditions) for design in designs}
    names = [_NOT_IN_NAMES.sub("_", name) for name in designs[0].names]
    if (keep or len(known) == 1) and len(set(names)) == len(names):
        return names
    kinds = ["starred" if grammatical is False else "grammatical" for _, grammatical, _ in designs[0].conditions]
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


def _spaced(regions: Sequence[str], varying: Set[int]) -> list[str]:
    """Move the borders of regions to white space: a word that several share goes to one that varies, or the first."""
    words = [region.split() for region in regions]
    sharing: list[int] = []
    for place, region in enumerate(regions):
        if not region:
            continue
        if region[0].isspace():
            _give(words, sharing, varying)
            sharing = []
        sharing.append(place)
        if len(words[place]) > 1 or region[-1].isspace():
            _give(words, sharing, varying)
            sharing = [] if region[-1].isspace() else [place]
    _give(words, sharing, varying)
    return [" ".join(part) for part in words]


def _give(words: Sequence[list[str]], sharing: Sequence[int], varying: Set[int]) -> None:
    """Give a word that several regions share to one: it is the last of the first region's and begins the others'."""
    if len(sharing) > 1:
        first, *others = sharing
        word = words[first].pop() + "".join(words[place].pop(0) for place in others)
        owner = next((place for place in sharing if place in varying), first)
        words[owner].insert(len(words[owner]) if owner == first else 0, word)
