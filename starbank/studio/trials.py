"""Constructions tried out while they are written, and what of a trial the page shows."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from starbank.grew import Engine, parse_request
from starbank.guards.suspicion import Suspicion
from starbank.pipeline.sources import Sources
from starbank.pipeline.trial import Trial, try_out
from starbank.queries.constructions import Construction, parse_construction
from starbank.studio.jobs import Job
from starbank.studio.sentences import MOST, only_sentence
from starbank.studio.shelf import OpenTreebank
from starbank.treebanks.arrays import text

# So many matches are tried on a machine of one's own: some thousand sets take as many seconds.
TRIED = 1000
# So many trials are kept, for those who look at their items page by page.
_KEPT = 8

Row = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Tried:
    """A trial on one treebank: items and rejects as rows, and how many matches there are in all."""

    construction: Construction
    trial: Trial
    matches: int

    @cached_property
    def items(self) -> list[Row]:
        """The items, in the order of the treebank."""
        rows: list[Row] = self.trial.suite.items.to_pylist()
        return rows

    @cached_property
    def rejected(self) -> dict[str, list[Row]]:
        """The rejects by reason, the most frequent reason first."""
        rows = self.trial.suite.rejected.to_pylist()
        reasons = Counter(row["reason"] for row in rows)
        return {reason: [row for row in rows if row["reason"] == reason] for reason, _ in reasons.most_common()}

    @cached_property
    def sources(self) -> Counter[str]:
        """How many of the starred forms are of which source."""
        return Counter(c["form_source"] for item in self.items for c in item["conditions"] if not c["grammatical"])

    @cached_property
    def suspicious(self) -> dict[str, Suspicion]:
        """What is suspicious of items, by their ids, the most suspicious first."""
        worst: dict[str, Suspicion] = {}
        for suspicion in self.trial.suspicious():
            worst.setdefault(suspicion.item_id, suspicion)
        return worst

    @property
    def doubted(self) -> Sequence[Row]:
        """The items, the most suspicious first."""
        order = {item: place for place, item in enumerate(self.suspicious)}
        return sorted(self.items, key=lambda item: order.get(item["item_id"], len(order)))


class Trials:
    """The latest trials, by treebank and text."""

    def __init__(self, limit: int = TRIED) -> None:
        """There are none yet; each is of the first `limit` matches."""
        self.limit = limit
        self._kept: OrderedDict[tuple[str, str, Path], Tried] = OrderedDict()
        self._mutex = threading.Lock()

    def get(self, written: str, path: Path, opened: OpenTreebank, job: Job) -> Tried:
        """Return the trial of a construction's text, which would stand at `path`, on the first matches in a treebank.

        Raises `StarbankError` where the construction cannot be read, or nothing be made of it.
        """
        key = (opened.name, written, path)
        with self._mutex:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        construction = parse_construction(written, path)
        opened.learn(job, construction.language)
        sources = Sources([opened.source], [construction], (), path.parent, "starbank")
        with opened.turn(job) as engine:
            matches = engine.count(parse_request(written, path, construction.language or opened.source.language))
        with opened.turn(job):
            tried = Tried(construction, try_out(construction, sources, opened.lexicons, limit=self.limit), matches)
        with self._mutex:
            self._kept[key] = tried
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return tried


def find_match(
    construction: Construction, opened: OpenTreebank, sent_id: str, target_id: str
) -> tuple[int, dict[str, int]] | None:
    """Return the sentence and the nodes by name of the match that an item or reject is of; None where it is gone."""
    sentences = opened.treebank.sentences
    for sent in sentences.filter(pc.equal(sentences["sent_id"], text(sent_id)))["sent"].to_pylist():
        alone = only_sentence(opened.treebank, sent)
        nodes = {row["node"]: row["id"] for row in alone.tokens.select(["node", "id"]).to_pylist()}
        request = parse_request(
            construction.request_text, construction.path, construction.language or opened.source.language
        )
        for match in Engine(alone).match(request, MOST).to_pylist():
            if nodes.get(match[construction.targets[0]]) == target_id:
                return sent, {name: match[name] for name in request.nodes}
    return None
