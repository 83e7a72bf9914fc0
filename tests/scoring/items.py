"""Small suites, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from starbank.files import write_parquet

Condition = tuple[str, bool, Sequence[str]]


def item(
    number: int, *conditions: Condition, sent_id: str | None = None, treebank: str = "UD_Test-T"
) -> dict[str, Any]:
    """One item; a condition is (name, grammatical, regions: prefix, target and suffix)."""
    return {
        "item_id": f"{number:016x}",
        "construction": "ergative",
        "phenomenon": "case",
        "language": "kat",
        "treebank": treebank,
        "split": "test",
        "sent_id": sent_id or f"s{number}",
        "region_names": ["prefix", "target", "suffix"],
        "conditions": [
            {
                "name": name,
                "grammatical": good,
                "against": None if good else conditions[0][0],
                "regions": list(regions),
                "feats": None,
                "form": regions[1],
            }
            for name, good, regions in conditions
        ],
    }


def case_item(number: int, prefix: str, forms: Sequence[str], suffix: str, **place: str) -> dict[str, Any]:
    """An item whose conditions differ in the target: its first form is the grammatical one."""
    names = ["Erg", "Nom", "Dat"]
    return item(number, *((names[n], n == 0, (prefix, form, suffix)) for n, form in enumerate(forms)), **place)


ITEMS = [
    case_item(1, "", ["კაცმა", "კაცი", "კაცს"], " სახლი ააშენა."),
    case_item(2, "გუშინ ", ["ქალმა", "ქალი", "ქალს"], " წიგნი წაიკითხა, მაგრამ კაცი არ დაინახა."),
    case_item(3, "The man's ", ["dogs", "dog"], " don't bark."),
    case_item(4, "लड़की ने ", ["लड़के", "लड़का"], " को देखा।"),
    case_item(5, "დაინახა მან ბავშვ", ["მა", "ი"], "ც."),
]

_CONDITION = pa.struct(
    {"name": pa.string(), "grammatical": pa.bool_(), "regions": pa.list_(pa.string()), "feats": pa.string()}
    | {"form": pa.string(), "against": pa.string()}
)


def write_suite(items: Sequence[dict[str, Any]], folder: Path) -> Path:
    """Write `items` as a suite and return its folder."""
    columns = ["item_id", "construction", "phenomenon", "language", "treebank", "split", "sent_id"]
    fields = {name: pa.string() for name in columns} | {"region_names": pa.list_(pa.string())}
    table = pa.Table.from_pylist(list(items), schema=pa.schema(fields | {"conditions": pa.list_(_CONDITION)}))
    write_parquet(table, folder / "items.parquet", "items/1")
    return folder
