"""A construction tried out: what it finds, what becomes of it, and which items to look at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starbank.guards.suspicion import Suspicion
from starbank.pipeline.sources import Lexicons, Sources
from starbank.pipeline.trial import try_out
from starbank.queries.constructions import Construction, read_construction
from starbank.treebanks.layout import is_right_to_left

SHOWN = 10
# How many characters of a sentence are shown on each side of what changes.
CONTEXT = 100
GOOD, BAD, FAINT, PLAIN = "\x1b[1;32m", "\x1b[1;31m", "\x1b[2m", "\x1b[0m"
ISOLATE, END_ISOLATE = "\u2068", "\u2069"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """What a construction gives: `items` and `rejected` as in its suite, and the suspicious among the items."""

    construction: Construction
    treebanks: tuple[str, ...]
    items: tuple[Row, ...]
    rejected: tuple[Row, ...]
    suspicious: tuple[Suspicion, ...]


def check(
    query: Path,
    treebanks: Sequence[str | Path],
    *,
    lexicon: Path | None = None,
    seed: int = 0,
    ingested: Path = Path("outputs/treebanks"),
) -> Check:
    """Try the construction file `query` out on `treebanks`, as `generate` would, and keep nothing on disk.

    Raises `StarbankError` where the construction, a treebank or the lexicon cannot be used.
    """
    construction = read_construction(query)
    sources = Sources(treebanks, [construction], (), ingested, "starbank")
    trial = try_out(construction, sources, Lexicons([lexicon] if lexicon else []), seed=seed)
    return Check(
        construction,
        tuple(source.name for source in trial.order.sources),
        tuple(trial.suite.items.to_pylist()),
        tuple(trial.suite.rejected.to_pylist()),
        tuple(trial.suspicious()),
    )


def to_lines(checked: Check, colour: bool = False) -> Iterator[str]:
    """Yield what a check found, line by line."""
    construction, items, rejected = checked.construction, checked.items, checked.rejected
    matches = len(items) + len(rejected)
    yield f"{construction.path}: {construction.title}"
    for condition in construction.conditions:
        if condition.rewriting:
            yield f"  {'*' if condition.starred else ''}{condition.name}: {condition.rewriting.commands}"
    good = Counter(next(c["name"] for c in item["conditions"] if c["grammatical"]) for item in items)
    kinds = ", ".join(f"{good[name]} {name}" for name in sorted(good, key=lambda name: (-good[name], name)))
    yield f"{matches} matches in {', '.join(checked.treebanks)}: {len(items)} items" + (f" ({kinds})" if kinds else "")
    if not matches:
        yield "Take conditions away until there are matches; `starbank match` counts them."
        return
    yield from _forms(checked)
    if rejected:
        yield ""
        yield f"{len(rejected)} rejected"
        yield from _rejects(rejected)
    if items:
        yield ""
        yield f"{min(SHOWN, len(items))} items" + (f" of {len(items)}" if len(items) > SHOWN else "")
        places = sorted({round(place * (len(items) - 1) / (SHOWN - 1)) for place in range(SHOWN)})
        for item in [items[place] for place in places]:
            yield f"  {_name(item['sent_id'], colour)}  {_sentence(item, None, colour)}"
        yield ""
    yield from _suspects(checked, colour)


def _forms(checked: Check) -> Iterator[str]:
    """Say where the starred forms come from, and for how many matches there is none."""
    starred = [c for item in checked.items for c in item["conditions"] if not c["grammatical"]]
    sources = Counter(c["form_source"] for c in starred)
    least = min((c["form_confidence"] for c in starred if c["form_source"] == "predicted"), default=None)
    counts = [
        f"{count} from {source}" + (f" (confidence from {least:.2f})" if source == "predicted" else "")
        for source, count in sources.most_common()
    ]
    missing = sum(row["reason"] == "no form" for row in checked.rejected)
    counts += [f"{missing} matches for which a form is missing"] if missing else []
    yield "Starred forms: " + "; ".join(counts or ["none"])


def _rejects(rejected: Sequence[Row]) -> Iterator[str]:
    for reason, count in Counter(row["reason"] for row in rejected).most_common():
        example = next(row for row in rejected if row["reason"] == reason)
        why = f"{_isolated(example['form'])}: {_isolated(example['detail'])}"
        yield f"  {count:5}  {reason}; such as {example['sent_id']}, {why}"


def _suspects(checked: Check, colour: bool) -> Iterator[str]:
    by_id = {item["item_id"]: item for item in checked.items}
    worst: dict[str, Suspicion] = {}
    for suspicion in checked.suspicious:
        worst.setdefault(suspicion.item_id, suspicion)
    shown = list(worst.values())[:SHOWN]
    if not shown:
        yield "No item looks suspicious."
        return
    yield f"The {len(shown)} most suspicious of {len(by_id)}: is the starred sentence really wrong?"
    for suspicion in shown:
        item = by_id[suspicion.item_id]
        yield f"  {_name(item['sent_id'], colour)}  {_sentence(item, suspicion.name, colour)}"
        for reason in suspicion.reasons:
            yield f"      - {_isolated(reason)}"


def _sentence(item: Row, name: str | None, colour: bool) -> str:
    """Return an item as linguists write it, `The baker sells / *sell bread.`, with one or all starred conditions."""
    conditions = [c for c in item["conditions"] if c["grammatical"] or name in (None, c["name"])]
    prefix, suffix = conditions[0]["regions"][0], conditions[0]["regions"][-1]
    same = all((c["regions"][0], c["regions"][-1]) == (prefix, suffix) for c in conditions)
    pieces = [
        _marked("".join(c["regions"][1:-1] if same else c["regions"]), c["grammatical"], colour) for c in conditions
    ]
    line = f"{_end_of(prefix)}{' / '.join(pieces)}{_beginning_of(suffix)}" if same else " / ".join(pieces)
    return _isolated(line)


def _end_of(text: str) -> str:
    return text if len(text) <= CONTEXT else "… " + text[-CONTEXT:].partition(" ")[2]


def _beginning_of(text: str) -> str:
    return text if len(text) <= CONTEXT else text[:CONTEXT].rpartition(" ")[0] + " …"


def _marked(text: str, grammatical: bool, colour: bool) -> str:
    starred = text if grammatical else f"*{text}"
    return f"{GOOD if grammatical else BAD}{starred}{PLAIN}" if colour else starred


def _name(sent_id: str, colour: bool) -> str:
    return f"{FAINT}{sent_id}{PLAIN}" if colour else sent_id


def _isolated(text: str) -> str:
    """Keep words that run from right to left from turning those around them."""
    return f"{ISOLATE}{text}{END_ISOLATE}" if is_right_to_left([text]) else text
