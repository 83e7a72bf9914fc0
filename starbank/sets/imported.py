"""A suite of others, read -> items: the files of a suite, with which all else is done as with any other."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from starbank.code import code_sum
from starbank.files import sha256
from starbank.queries.benchmarks import Paradigm
from starbank.queries.imports import Import
from starbank.sets import paradigms
from starbank.suites.files import is_fresh, touch_suite, write_suite
from starbank.suites.formulas import Formula, Logic, parse_formula, regions
from starbank.suites.schemas import ITEMS, REJECTED, Suite
from starbank.suites.yields import Yield, read_yield

# What tells in the provenance that a suite is one of others.
KIND = "imported"
SPLIT = "test"


def import_suite(suite: Import | Paradigm, folder: Path) -> Yield:
    """Write the suite of a file, or of a paradigm, into `folder`, or leave it as it is if it was made from the same."""
    about = paradigms.provenance(suite) if isinstance(suite, Paradigm) else provenance(suite)
    origin = {**about, "seed": 0, "inputs": {"code": code_sum("starbank.sets.imported"), "engine": KIND}}
    if is_fresh(folder, origin):
        touch_suite(folder)
        return read_yield(folder, unchanged=True)
    made = paradigms.make_paradigm(suite) if isinstance(suite, Paradigm) else make_suite(suite)
    items, rejected = made.items.num_rows, made.rejected.num_rows
    write_suite(folder, made, origin | {"matches": items + rejected, "items": items})
    return read_yield(folder, unchanged=False)


def tell(suite: Import, shown: int = 3) -> list[str]:
    """Return lines that tell what a file holds, with its first items; starred sentences have a star."""
    good = ", ".join(suite.grammatical) or "nobody says which"
    lines = [
        f"{suite.name}: {len(suite.items)} items in {suite.language}, {len(suite.predictions)} predictions",
        f"    regions: {', '.join(suite.region_names)}",
        f"    conditions: {', '.join(suite.conditions)}; grammatical: {good}",
    ]
    for number, conditions in suite.items[:shown]:
        lines.append(f"item {number}")
        for name in suite.conditions:
            star = "*" if suite.grammatical and name not in suite.grammatical else ""
            lines.append(f"    {star}{''.join(joined(conditions[name]))}")
    return lines


def provenance(suite: Import) -> dict[str, Any]:
    """Return what a suite says of the file that it is from."""
    checksum = sha256(suite.path)
    return {
        "construction": {
            **suite.heading,
            "comment": suite.comment,
            "query": "\n".join(suite.predictions),
            "query_sha256": checksum,
            "control": False,
            "metric": suite.metric,
            "predictions": list(suite.predictions),
            "grammatical": list(suite.grammatical),
            KIND: True,
        },
        "treebanks": [
            {
                "name": suite.name,
                "kind": KIND,
                "license": suite.license,
                "release": None,
                "source": None,
                "files": [{"name": suite.path.name, "sha256": checksum}],
            }
        ],
    }


def make_suite(suite: Import) -> Suite:
    """Return the items of a file; an item with a starred condition that is no other than a grammatical one is rejected.

    `treebank` is the suite's name and `sent_id` the item's number. Of a condition `form` is the text from the first
    region that varies to the last; what else a treebank would tell is null.
    """
    against = _against(suite)
    items, rejected = [], []
    for number, conditions in suite.items:
        same = [name for name, good in against.items() if good and conditions[name] == conditions[good]]
        item = _item(suite, number, conditions, against)
        if same:
            rejected.append(_reject(item, f"{same[0]} is the same as {against[same[0]]}"))
        else:
            items.append(item)
    return Suite(pa.Table.from_pylist(items, schema=ITEMS), pa.Table.from_pylist(rejected, schema=REJECTED))


def _against(suite: Import) -> dict[str, str | None]:
    """Return for each starred condition the grammatical one that it is held against, and None for the others.

    That is one that a prediction compares it with, or else the one that differs from it in the fewest words, in all
    items together.
    """
    if not suite.grammatical:
        return dict.fromkeys(suite.conditions)
    compared = {pair for text in suite.predictions for pair in _compared(parse_formula(text))}
    against: dict[str, str | None] = dict.fromkeys(suite.conditions)
    for starred in (name for name in suite.conditions if name not in suite.grammatical):
        apart = {good: _apart(suite, starred, good) for good in suite.grammatical}
        against[starred] = min(
            suite.grammatical, key=lambda good: (frozenset({starred, good}) not in compared, apart[good])
        )
    return against


def _compared(formula: Formula) -> Iterator[frozenset[str]]:
    """Return the conditions of each comparison in a formula that is about two."""
    if isinstance(formula, Logic):
        yield from _compared(formula.left)
        yield from _compared(formula.right)
    else:
        named = frozenset(region.condition for region in regions(formula))
        if len(named) == 2:
            yield named


def _apart(suite: Import, *pair: str) -> int:
    """Return how many words two conditions do not share, in all items together."""
    words = ([Counter(" ".join(texts[name]).split()) for _, texts in suite.items] for name in pair)
    return sum(((a - b) + (b - a)).total() for a, b in zip(*words, strict=True))


def _item(
    suite: Import, number: int, conditions: dict[str, tuple[str, ...]], against: dict[str, str | None]
) -> dict[str, Any]:
    texts = [conditions[name] for name in suite.conditions]
    varying = [place for place, forms in enumerate(zip(*texts, strict=True)) if len(set(forms)) > 1]
    first, last = (varying[0], varying[-1] + 1) if varying else (0, len(texts[0]))
    content = [suite.name, suite.language, str(number), *(" ".join(filter(None, text)) for text in texts)]
    return {
        "item_id": hashlib.sha256("\x1f".join(content).encode()).hexdigest()[:16],
        "construction": suite.name,
        "phenomenon": suite.phenomenon,
        "language": suite.language,
        "treebank": suite.name,
        "split": SPLIT,
        "sent_id": str(number),
        "region_names": list(suite.region_names),
        "conditions": [
            {
                "name": name,
                "grammatical": name in suite.grammatical if suite.grammatical else None,
                "against": against[name],
                "regions": joined(conditions[name]),
                "form": " ".join(filter(None, conditions[name][first:last])),
            }
            for name in suite.conditions
        ],
        "length": len(" ".join(texts[0]).split()),
        "covariates": [],
        "left_out": [],
    }


def joined(contents: Sequence[str]) -> list[str]:
    """Return regions that concatenate to what SyntaxGym joins by spaces: each but the last with the space after it.

    >>> joined(["As the criminal", "shot", "", "the woman", ""])
    ['As the criminal ', 'shot ', '', 'the woman', '']
    """
    last = max((place for place, content in enumerate(contents) if content), default=-1)
    return [f"{content} " if content and place < last else content for place, content in enumerate(contents)]


def _reject(item: dict[str, Any], detail: str) -> dict[str, Any]:
    first = item["conditions"][0]
    text = "".join(first["regions"])
    return {**item, "form": first["form"], "reason": "identical form", "detail": detail, "text": text}
