"""What a request becomes, for people who want to know why it takes its time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from starbank.grew.compile import Plan
from starbank.grew.graph import Graph
from starbank.grew.part import Part

HEADER = f"{'rows':>12}{'estimated':>12}{'ms':>9}  step"
# What DuckDB says of a step beside its name, where it is not plain from the SQL.
DETAILS = ("Table", "Join Type", "Conditions", "Filters", "Order By", "Aggregates", "CTE Name")
PASSED_OVER = ("RESULT_COLLECTOR", "EXPLAIN_ANALYZE", "PROJECTION")
CODES = re.compile(r"\b(?:\w+\.)?(\w+) (?:= \d+|IN \([\d, ]+\)|BETWEEN \d+ AND \d+)(?! \*)")


def explain(plan: Plan, part: Part) -> str:
    """Return the SQL of `plan`, with the words that its codes stand for, and how DuckDB ran it in `part`.

    A line for each step tells how many rows it gave, how many DuckDB had expected, and its milliseconds (of all cores
    together); a step takes its rows from the steps below it that are further to the right.
    """
    result = part.run(f"EXPLAIN (ANALYZE, FORMAT JSON) {plan.matches()}", plan)
    profile = json.loads(result["explain_value"][0])
    steps = [line for root in profile["operator"] for line in _steps(root, 0)]
    return "\n".join([_readable(plan.matches(), part.graph), "", HEADER, *steps])


def _steps(operator: dict[str, Any], depth: int) -> Iterator[str]:
    children = operator.get("children", [])
    if operator["type"] in PASSED_OVER:
        for child in children:
            yield from _steps(child, depth)
        return
    info = operator["extra_info"]
    details = [_text(info[name]) for name in DETAILS if info.get(name)]
    estimated = f"{int(info['Estimated Cardinality']):,}" if "Estimated Cardinality" in info else ""
    figures = f"{operator['intermediate_rows']:12,}{estimated:>12}"
    name = operator["type"].lower().replace("_", " ")
    yield f"{figures}{operator['timing'] * 1000:9.1f}  {'  ' * depth}{name}{': ' * bool(details)}{'; '.join(details)}"
    for child in children:
        yield from _steps(child, depth + 1)


def _text(detail: str | list[str]) -> str:
    text = detail if isinstance(detail, str) else ", ".join(detail)
    return re.sub(r"\bmemory\.|\btables\.", "", text).replace("\n", " ")


def _readable(sql: str, graph: Graph) -> str:
    """Put the words that codes stand for beside them."""
    features = {graph.feats.column(name): name for name in graph.feats.columns}

    def comment(condition: re.Match[str]) -> str:
        column = condition[1]
        codes = [int(code) for code in re.findall(r"\d+", condition[0].partition(" ")[2])]
        if column == "label":
            words = [graph.labels.compact[code] for code in codes if code < len(graph.labels.compact)]
        elif column in graph.columns or column in features:
            words = graph.values.texts(np.array(codes))
            if column in features:
                words = [f"{features[column]}={word}" for word in words]
        else:
            return condition[0]
        return f"{condition[0]} /* {(' … ' if 'BETWEEN' in condition[0] else ', ').join(words)} */"

    return CODES.sub(comment, sql)
