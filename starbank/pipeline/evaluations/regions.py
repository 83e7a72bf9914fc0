"""Surprisals of regions: suites of SyntaxGym in JSON after it scored them, and tables with a row for each region."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from sys import float_info
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from starbank.errors import SuiteError
from starbank.names import as_name, is_name
from starbank.pipeline.evaluations.scored import UNITS, VALUES, Published, Scored
from starbank.queries.benchmarks import line_of, read_columns, read_header
from starbank.queries.imports import SUFFIX, read_import
from starbank.sets.imported import make_suite

# A table has SyntaxGym's own names for what a region is of.
COLUMNS = {"item": "item_number", "condition": "condition_name", "region": "region_number", "content": "content"}
SCORE = "surprisal"
UNIT = "surprisal"
_HINT = 'In the JSON that `syntaxgym compute-surprisals` writes, a region has a `metric_value`: {"sum": 9.5}.'


def is_suite(file: Path) -> bool:
    """Tell whether a file is JSON that is not the summary of a harness."""
    return file.suffix == SUFFIX and not file.name.startswith("results_")


def is_table(file: Path, published: Published) -> bool:
    """Tell whether a table has a row for each region."""
    return {*COLUMNS.values(), published.score or SCORE} <= set(read_header(file))


def read_suite(file: Path, published: Published) -> Scored:
    """Read a suite that SyntaxGym scored: the surprisal of each region, in bits, is its `metric_value`.

    The suite is called as in its `meta`. Raises `SuiteError` where a region has none, and as `read_import` does.
    """
    suite = read_import(file, language=published.language, grammatical=published.grammatical)
    value = json.loads(file.read_text(encoding="utf-8-sig"))
    meta = value["meta"] if isinstance(value, dict) else {}
    if not isinstance(value, dict):
        raise SuiteError("has no surprisals", file=file, hint=_HINT)
    title = as_name(str(meta.get("name") or file.stem))
    name = title if is_name(title) else suite.name
    factor = _factor(published.unit or UNIT, file)
    rows = [
        {
            "suite": name,
            "item": str(int(item["item_number"])),
            "condition": condition["condition_name"],
            "logprobs": [_value(region, item, file) * factor for region in condition["regions"]],
        }
        for item in value["items"]
        for condition in item["conditions"]
    ]
    model = meta.get("model")
    items = make_suite(replace(suite, name=name)).items
    told_model = model if isinstance(model, str) else None
    return Scored(published.model_of(file, told_model), items, pa.Table.from_pylist(rows, schema=VALUES))


def _factor(unit: str, file: Path) -> float:
    """Return what one of a unit is in nats of a log-probability; regions are added up, which probabilities are not."""
    factor = UNITS[unit]
    if factor is None:
        raise SuiteError(f"regions have no {unit} of their own", file=file, hint="Give logarithms, such as surprisals.")
    return factor


def _value(region: Mapping[str, Any], item: Mapping[str, Any], file: Path) -> float:
    metric = region.get("metric_value")
    value = metric.get("sum") if isinstance(metric, dict) else metric
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= float_info.max:
        where = f"item {item['item_number']}, region {region['region_number']}"
        raise SuiteError(f"{where}: has no surprisal", file=file, hint=_HINT)
    return float(value)


def read_table(file: Path, published: Published) -> Scored:
    """Read a table with a row for each region, as `COLUMNS` and one of scores; its suite is called as the file.

    Raises `SuiteError` where a number is none, and as `read_suite` does.
    """
    score = published.score or SCORE
    rows = read_columns(file, read_header(file), {**COLUMNS, "score": score}).to_pylist()
    numbers: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for row in rows:
        try:
            place, value = int(row["region"]), float(row["score"])
            item = str(int(row["item"]))
        except ValueError as error:
            line = line_of(file, row["row"])
            raise SuiteError(f"has a region, an item or a `{score}` that is no number", file=file, line=line) from error
        region = {"region_number": place, "content": row["content"], "metric_value": {"sum": value}}
        numbers.setdefault(item, {}).setdefault(row["condition"], []).append(region)
    for regions in (regions for conditions in numbers.values() for regions in conditions.values()):
        regions.sort(key=lambda region: region["region_number"])
    longest = max((len(regions) for conditions in numbers.values() for regions in conditions.values()), default=0)
    suite: dict[str, Any] = {
        "meta": {"name": file.stem, "metric": "sum", "model": published.model},
        "region_meta": {str(number): str(number) for number in range(1, 1 + longest)},
        "predictions": [],
        "items": [
            {
                "item_number": int(item),
                "conditions": [{"condition_name": name, "regions": regions} for name, regions in conditions.items()],
            }
            for item, conditions in numbers.items()
        ],
    }
    with TemporaryDirectory() as folder:
        scored = Path(folder) / f"{file.stem}.json"
        scored.write_text(json.dumps(suite, ensure_ascii=False), encoding="utf-8")
        try:
            return read_suite(scored, published)
        except SuiteError as error:
            raise SuiteError(error.message, file=file, hint=error.hint) from error
