"""What native speakers say of a suite's sentences, and what follows for its items.

A speaker judges sentences one by one (`starbank.hub.review_page`). An item is confirmed where for each condition more
speakers agree with its label than disagree, and refuted where for one of them more disagree than agree, of two at least
who decided; a refuted item is published among the rejects.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import SuiteError
from starbank.files import write_json
from starbank.hub.suites import PublishedSuite
from starbank.suites import REJECTED
from starbank.treebanks.arrays import table_of

SCHEMA = "reviews/1"
# The source of forms that nobody wrote.
PREDICTED = "predicted"
REASON = "refuted by native speakers"
FILE = "reviews.json"
JUDGEMENTS = ("good", "bad", "unsure")
# What one speaker alone says of a sentence neither confirms nor refutes it.
DECIDING = 2
# So much of a wrong one is in a message.
_SHOWN = 80


@dataclass(frozen=True, order=True)
class Judgement:
    """What one speaker says of one sentence: `good`, `bad` or `unsure`, with a `comment` if there is one.

    `reviewer` stands for the speaker: it tells speakers of one name apart, and nobody their name.
    """

    item_id: str
    condition: str
    reviewer: str
    judgement: str
    comment: str = ""

    def as_json(self) -> dict[str, str]:
        """Return it as files have it."""
        return {key: value for key, value in vars(self).items() if value or key != "comment"}


@dataclass(frozen=True)
class Agreement:
    """Counts for the card. Agreement is a share of judgements that are not `unsure`, None where there are none.

    `predicted` counts the starred sentences with a predicted form on which somebody decided, `predicted_wrong` those
    that more speakers found good than bad.
    """

    speakers: int
    items: int
    confirmed: int
    refuted: int
    with_labels: float | None
    between_speakers: float | None
    predicted: int = 0
    predicted_wrong: int = 0


def read_reviews(path: Path) -> list[Judgement]:
    """Return the judgements in a file that `write_reviews` wrote; raise `SuiteError` where it is none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if value["schema"] != SCHEMA:
            raise ValueError(value["schema"])
        judgements = [Judgement(**entry) for entry in value["judgements"]]
        for parts in map(vars, judgements):
            if not all(isinstance(part, str) for part in parts.values()) or parts["judgement"] not in JUDGEMENTS:
                raise ValueError(f"{parts}"[:_SHOWN])
        return judgements
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise SuiteError(
            f"holds no reviews: {error}", file=path, hint="`starbank review import` writes them."
        ) from error


def write_reviews(judgements: Iterable[Judgement], path: Path) -> None:
    """Write judgements as sorted JSON; of what a speaker says of a sentence several times, the last counts."""
    last = {(judgement.item_id, judgement.condition, judgement.reviewer): judgement for judgement in judgements}
    write_json({"schema": SCHEMA, "judgements": [judgement.as_json() for judgement in sorted(last.values())]}, path)


def fold(suite: PublishedSuite, judgements: Sequence[Judgement]) -> tuple[PublishedSuite, Agreement | None]:
    """Return the suite with its judgements, and how they agree; None where they are of none of its items.

    Items and pairs get the columns `reviewers` (int32: speakers who judged the item, null for none) and `confirmed`
    (bool, null where neither holds); refuted items go to the rejects.
    """
    labels = expected(suite.items) if judgements else {}
    judgements = [judgement for judgement in judgements if judgement.condition in labels.get(judgement.item_id, {})]
    if not judgements:
        return suite, None
    by_item: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        by_item[judgement.item_id].append(judgement)
    verdicts = {item: verdict(of_item, labels) for item, of_item in by_item.items()}
    refuted = {item for item, verdict in verdicts.items() if verdict is False}
    speakers = {item: len({judgement.reviewer for judgement in of_item}) for item, of_item in by_item.items()}
    ids = suite.items["item_id"].to_pylist()
    out = suite.items.filter(pa.array([item in refuted for item in ids]))
    tables = {name: _judged(suite.tables[name], speakers, verdicts) for name in ("items", "pairs")}
    tables["rejected"] = pa.concat_tables(
        [suite.tables["rejected"], _rejects(out, judgements, labels)], promote_options="default"
    )
    balances = _balances(judgements, labels).items()
    of_predicted = _predicted(suite.items)
    predicted = [balance for sentence, balance in balances if sentence in of_predicted]
    agreement = Agreement(
        speakers=len({judgement.reviewer for judgement in judgements}),
        items=len(verdicts),
        confirmed=sum(verdict is True for verdict in verdicts.values()),
        refuted=len(refuted),
        with_labels=_share(_agrees(judgement, labels) for judgement in judgements if decided(judgement)),
        between_speakers=_share(_pairs(judgements)),
        predicted=len(predicted),
        predicted_wrong=sum(balance < 0 for balance in predicted),
    )
    return replace(suite, tables=tables), agreement


def expected(items: pa.Table) -> dict[str, dict[str, str]]:
    """Return by item and condition what a speaker should say."""
    return {
        row["item_id"]: {
            condition["name"]: "good" if condition["grammatical"] else "bad" for condition in row["conditions"]
        }
        for row in items.select(["item_id", "conditions"]).to_pylist()
    }


def decided(judgement: Judgement) -> bool:
    """Tell whether a speaker could decide."""
    return judgement.judgement != "unsure"


def _agrees(judgement: Judgement, labels: Mapping[str, Mapping[str, str]]) -> bool:
    return judgement.judgement == labels[judgement.item_id][judgement.condition]


def _balances(judgements: Iterable[Judgement], labels: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, str], int]:
    """Return by item and condition how many more speakers agree with the label than do not, where any decided."""
    balances: dict[tuple[str, str], int] = defaultdict(int)
    for judgement in filter(decided, judgements):
        balances[judgement.item_id, judgement.condition] += 1 if _agrees(judgement, labels) else -1
    return balances


def _predicted(items: pa.Table) -> set[tuple[str, str]]:
    """Return item and condition of the starred sentences whose form is predicted."""
    return {
        (row["item_id"], condition["name"])
        for row in items.select(["item_id", "conditions"]).to_pylist()
        for condition in row["conditions"]
        if condition["form_source"] == PREDICTED and condition["grammatical"] is False
    }


def verdict(judgements: Sequence[Judgement], labels: Mapping[str, Mapping[str, str]]) -> bool | None:
    """Tell of the judgements of an item whether it is confirmed (True), refuted (False) or neither (None).

    `labels` has by item and condition what a speaker should say.
    """
    deciding = Counter(judgement.condition for judgement in filter(decided, judgements))
    balances = {
        condition: balance
        for (_, condition), balance in _balances(judgements, labels).items()
        if deciding[condition] >= DECIDING
    }
    if any(count < 0 for count in balances.values()):
        return False
    (item,) = {judgement.item_id for judgement in judgements}
    return True if all(balances.get(condition, 0) > 0 for condition in labels[item]) else None


def _judged(table: pa.Table, speakers: Mapping[str, int], verdicts: Mapping[str, bool | None]) -> pa.Table:
    ids = table["item_id"].to_pylist()
    table = table.append_column("reviewers", pa.array([speakers.get(item) for item in ids], pa.int32()))
    table = table.append_column("confirmed", pa.array([verdicts.get(item) for item in ids], pa.bool_()))
    return table.filter(pc.fill_null(table["confirmed"], True))


def _rejects(items: pa.Table, judgements: Sequence[Judgement], labels: Mapping[str, Mapping[str, str]]) -> pa.Table:
    """Return the rows of refuted items for `rejected.parquet`."""
    against = Counter(
        (judgement.item_id, judgement.condition)
        for judgement in filter(decided, judgements)
        if not _agrees(judgement, labels)
    )
    rows = []
    for item in items.to_pylist():
        first, target = item["conditions"][0], item["target"] or {}
        names = [condition["name"] for condition in item["conditions"]]
        row = {
            **item, **target, "target_id": target.get("id"), "form": first["form"], "text": "".join(first["regions"]),
            "reason": REASON, "detail": ", ".join(f"{against[item['item_id'], name]} against {name}" for name in names),
        }  # fmt: skip
        rows.append(tuple(row.get(name) for name in REJECTED.names))
    return table_of(rows, **dict.fromkeys(REJECTED.names, str))


def _pairs(judgements: Sequence[Judgement]) -> Iterable[bool]:
    """Yield for each sentence and two speakers who decided on it whether they agree."""
    by_sentence: dict[tuple[str, str], list[str]] = defaultdict(list)
    for judgement in filter(decided, judgements):
        by_sentence[judgement.item_id, judgement.condition].append(judgement.judgement)
    for of_sentence in by_sentence.values():
        yield from (first == second for first, second in combinations(of_sentence, 2))


def _share(values: Iterable[bool]) -> float | None:
    truths = list(values)
    return sum(truths) / len(truths) if truths else None
