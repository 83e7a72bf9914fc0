"""Scores -> the items that the page shows one by one: sentences, surprisals, and who was right."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from starbank.analysis.report import Shown

# From the items of a suite and the identifiers of some of them to their trees, as SVG.
Draw = Callable[[Path, Collection[str]], Mapping[str, str]]

# So many trees are on a page, or of each suite these: they are most of what a browser has to hold.
TREES, AT_LEAST = 2000, 5

# The items of the page by their identifier, by dataset and construction.
Items = Mapping[tuple[str, str], Mapping[str, dict[str, Any]]]

# Identifiers are sums of the content, so the first ones are a sample that stays.
_CHOSEN = """
    CREATE OR REPLACE TEMP TABLE chosen AS
    SELECT dataset, construction, item_id FROM (SELECT DISTINCT dataset, construction, item_id FROM judged)
    QUALIFY row_number() OVER (PARTITION BY dataset, construction ORDER BY item_id) <= $shown
"""
_TEXTS = """
    SELECT dataset, construction, item_id, any_value(language) AS language, any_value(treebank) AS treebank,
        list(DISTINCT {name: condition, good: grammatical, regions: regions, names: region_names}) AS conditions
    FROM scores SEMI JOIN chosen USING (dataset, construction, item_id)
    GROUP BY ALL ORDER BY ALL
"""
_TOTALS = "SELECT dataset, construction, count(DISTINCT item_id) FROM judged GROUP BY ALL"
# Six digits of a bit are more than a page can show; three tell equal from nearly equal.
_SCORES = """
    SELECT dataset, construction, item_id, model, level,
        any_value(CASE WHEN NOT complete THEN 'none' WHEN correct THEN 'right' WHEN tied THEN 'tied' ELSE 'wrong' END)
            AS verdict,
        list({
            name: condition,
            bits: [round(-nat / ln(2), 3) FOR nat IN logprobs],
            starts: token_starts,
            tokens: [round(-nat / ln(2), 1) FOR nat IN token_logprobs]
        }) AS conditions
    FROM (FROM single SEMI JOIN chosen USING (dataset, construction, item_id))
        JOIN judged USING (dataset, construction, model, level, item_id)
    GROUP BY ALL ORDER BY ALL
"""


def browse(
    database: duckdb.DuckDBPyConnection,
    suites: Sequence[Shown],
    models: Mapping[str, str],
    shown: int,
    draw: Draw | None = None,
) -> str:
    """Return what the item browser of the page needs, as gzipped JSON in base64.

    Of each suite the first `shown` items are in it. `models` maps the names of models, in their order, to labels;
    `draw` gives trees for the items of a suite on the disk; where there are many suites, only the first items have
    one. The JSON has `models` (labels), `trees` (SVG) and `suites`, each with `dataset`, `title`, `language`, `total`
    (of its items) and `items`. An item has `id`, `source`, `conditions` ({`name`, `good`, `regions`, `names`},
    grammatical ones first), `tree` (a place in `trees`, or null) and `scores`: by the place of the model and by level a
    verdict and, per condition, bits by region and by token.
    """
    database.execute(_CHOSEN, {"shown": shown})
    items: dict[tuple[str, str], dict[str, dict[str, Any]]] = defaultdict(dict)
    for row in database.sql(_TEXTS).to_arrow_table().to_pylist():
        items[row["dataset"], row["construction"]][row["item_id"]] = _item(row)
    places = {name: str(place) for place, name in enumerate(models)}
    for row in database.sql(_SCORES).to_arrow_table().to_pylist():
        item = items[row["dataset"], row["construction"]][row["item_id"]]
        by_condition = {condition["name"]: _reading(condition) for condition in row["conditions"]}
        readings = [by_condition.get(condition["name"]) for condition in item["conditions"]]
        item["scores"].setdefault(places[row["model"]], {})[row["level"]] = [row["verdict"], readings]
    trees = _draw_trees(items, suites, draw) if draw else []
    totals = {(dataset, name): total for dataset, name, total in database.sql(_TOTALS).fetchall()}
    content = {
        "models": list(models.values()),
        "trees": trees,
        "suites": [
            {
                "dataset": suite.dataset,
                "title": suite.title,
                "language": suite.lang,
                "total": totals[suite.dataset, suite.name],
                "items": list(items[suite.dataset, suite.name].values()),
            }
            for suite in suites
            if (suite.dataset, suite.name) in items
        ],
    }
    raw = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return base64.b64encode(gzip.compress(raw, mtime=0)).decode()


def _item(row: Mapping[str, Any]) -> dict[str, Any]:
    conditions = sorted(row["conditions"], key=lambda condition: (not condition["good"], condition["name"]))
    return {"id": row["item_id"], "source": row["treebank"], "conditions": conditions, "tree": None, "scores": {}}


def _reading(condition: Mapping[str, Any]) -> list[Any]:
    """Return the bits of each region, and the first character and the bits of each token; impossible is null."""
    bits, tokens = (
        [None if value is None or not math.isfinite(value) else value for value in condition[part] or []]
        for part in ("bits", "tokens")
    )
    return [bits, condition["starts"] or [], tokens]


def _draw_trees(items: Items, suites: Sequence[Shown], draw: Draw) -> list[str]:
    """Draw the trees of the first items, tell each item the place of its tree, and return them, each once."""
    places: dict[str, int] = {}
    number = max(AT_LEAST, TREES // max(1, len(items)))
    for suite in suites:
        members = items.get((suite.dataset, suite.name))
        if suite.summary and members:
            for name, tree in draw(suite.summary.file, list(members)[:number]).items():
                members[name]["tree"] = places.setdefault(tree, len(places))
    return list(places)
