"""Scores of a project, compared live: accuracies by suite and model, items on which models differ, their surprisals."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from starbank.analysis import groups, tables
from starbank.analysis.compare import compare_models
from starbank.analysis.items import open_items
from starbank.analysis.judgements import open_scores
from starbank.analysis.predictions import predictions
from starbank.analysis.yields import SuiteSummary, read_suites
from starbank.studio.readings import Word, by_word, surprisal
from starbank.studio.speakers import SUITES

SCORES = Path("outputs/scores")
# By so many measures scores are judged in memory.
_KEPT = 3

_LEVELS = "SELECT level FROM judged GROUP BY level ORDER BY level <> 'sentence', level"
_MODELS = "SELECT model FROM judged JOIN kinds USING (model) GROUP BY model, kind ORDER BY kind, lower(model), model"
# Items that every chosen model judged, and not all alike; those that most models miss come first.
_DISPUTED = """
    SELECT item_id, count(*) FILTER (correct) AS solved
    FROM judged
    WHERE dataset = $dataset AND construction = $construction AND level = $level
        AND list_contains($models, model) AND complete
    GROUP BY item_id
    HAVING count(*) = len($models) AND ($every OR count(DISTINCT correct) > 1)
    ORDER BY solved, item_id
"""
_ITEM = """
    SELECT DISTINCT ON (model, condition) model, condition, grammatical, regions, logprobs, token_starts, token_logprobs
    FROM scores
    WHERE dataset = $dataset AND construction = $construction AND level = $level AND item_id = $item
        AND list_contains($models, model)
    ORDER BY ALL
"""


@dataclass(frozen=True)
class Reading:
    """What a model makes of a condition: its words, and the surprisal of all that was scored in bits."""

    condition: str
    grammatical: bool
    words: tuple[Word, ...]
    bits: float | None


class Comparison:
    """The scores of a project as they are; `stamp` tells whether they have changed since."""

    def __init__(self, project: Path, measure: str) -> None:
        """Open all scores files and suites of the project, which are judged by a measure of `MEASURES`.

        Raises `SuiteError` where one is not what it should be.
        """
        self.stamp = stamp_of(project)
        self.paths = [path for path, _ in self.stamp]
        self._mutex = threading.Lock()
        self._database = open_scores(self.paths, measure=measure)
        folder = project / SUITES
        self.suites = read_suites([folder]) if any(folder.glob("*/*/items.parquet")) else []
        open_items(self._database, self.suites)

    def _rows(self, query: str, **values: Any) -> list[dict[str, Any]]:
        with self._mutex:
            rows: list[dict[str, Any]] = self._database.sql(query, params=values or None).to_arrow_table().to_pylist()
        return rows

    @cached_property
    def models(self) -> list[str]:
        """The models, baselines first."""
        return [row["model"] for row in self._rows(_MODELS)]

    @cached_property
    def levels(self) -> list[str]:
        """The levels, that of sentences first."""
        return [row["level"] for row in self._rows(_LEVELS)]

    @cached_property
    def accuracy(self) -> list[dict[str, Any]]:
        """A row per suite, model and level, as results have them."""
        return self._table(tables.accuracy)

    @cached_property
    def grouped(self) -> dict[str, list[dict[str, Any]]]:
        """Such rows by what items are grouped by, a covariate or their treebank, each with the name of its `group`."""
        found: dict[str, list[dict[str, Any]]] = {}
        for row in self._table(tables.by_treebank):
            found.setdefault("treebank", []).append(row | {"group": row["treebank"]})
        if len({row["group"] for row in found.get("treebank", [])}) < 2:
            found.clear()
        for row in self._table(groups.accuracy_by):
            bounds = dict.fromkeys([row["value_from"], row["value_to"]])
            found.setdefault(row["covariate"], []).append(row | {"group": "–".join(map(str, bounds))})
        return found

    @cached_property
    def errors(self) -> list[dict[str, Any]]:
        """A row per suite, model, level and condition: how often it misled the model, as results have them."""
        return [row for row in self._table(tables.preferred) if row["wrong"]]

    @cached_property
    def pairs(self) -> list[dict[str, Any]]:
        """A row per suite, level and two models: what one of them alone got right, as results have them."""
        return self._table(compare_models)

    @cached_property
    def predictions(self) -> list[dict[str, Any]]:
        """A row per suite, model, level and prediction: how often it comes true, as results have them."""
        return self._table(lambda database: predictions(database, self.suites))

    def _table(self, make: Callable[[duckdb.DuckDBPyConnection], pa.Table]) -> list[dict[str, Any]]:
        """Return the rows of a table of results that are about one suite."""
        with self._mutex:
            rows: list[dict[str, Any]] = make(self._database).to_pylist()
        return [row for row in rows if row["construction"] is not None]

    @cached_property
    def titles(self) -> dict[tuple[str, str], str]:
        """What suites are called, by dataset and name; where two have one title, with what tells them apart."""
        summaries: Mapping[tuple[str, str], SuiteSummary] = {
            (suite.dataset, suite.name): suite for suite in self.suites
        }
        rows = [*self.accuracy, *self.predictions]
        keys = list(dict.fromkeys((row["dataset"], row["construction"]) for row in rows))
        titles = {
            key: (summaries[key].construction.get("title") if key in summaries else None) or key[1] for key in keys
        }
        several = {title for title in titles.values() if list(titles.values()).count(title) > 1}
        return {key: f"{title} ({'/'.join(key)})" if title in several else title for key, title in titles.items()}

    def disputed(self, suite: tuple[str, str], level: str, models: Sequence[str], every: bool) -> list[dict[str, Any]]:
        """Return the items of a suite on which models differ, or all: `item_id`, `solved` by so many models."""
        named = {"dataset": suite[0], "construction": suite[1], "level": level}
        return self._rows(_DISPUTED, **named, models=list(models), every=every)

    def readings(
        self, suite: tuple[str, str], level: str, models: Sequence[str], item: str
    ) -> dict[str, list[Reading]]:
        """Return what each model makes of the conditions of an item, the grammatical ones first."""
        named = {"dataset": suite[0], "construction": suite[1], "level": level, "item": item}
        readings: dict[str, list[Reading]] = {model: [] for model in models}
        for row in self._rows(_ITEM, **named, models=list(models)):
            readings[row["model"]].append(_reading(row))
        return {
            model: sorted(each, key=lambda reading: (not reading.grammatical, reading.condition))
            for model, each in readings.items()
            if each
        }


class Comparisons:
    """The comparisons of the scores that a project has now, by measure; the latest are kept while these stay."""

    def __init__(self) -> None:
        """There is none yet."""
        self._kept: OrderedDict[str, Comparison] = OrderedDict()
        self._mutex = threading.Lock()

    def get(self, project: Path, measure: str) -> Comparison | None:
        """Return it by a measure of `MEASURES`, None where nothing has been scored."""
        with self._mutex:
            stamp = stamp_of(project)
            if not stamp:
                return None
            if measure not in self._kept or self._kept[measure].stamp != stamp:
                self._kept[measure] = Comparison(project, measure)
            self._kept.move_to_end(measure)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return self._kept[measure]


def stamp_of(project: Path) -> list[tuple[Path, int]]:
    """Return the scores files of a project, each with the time of its last change."""
    return [(path, path.stat().st_mtime_ns) for path in sorted((project / SCORES).glob("*/*.parquet"))]


def _reading(row: Mapping[str, Any]) -> Reading:
    text, sums = "".join(row["regions"]), [value for value in row["logprobs"] or [] if value is not None]
    # Without tokens, the words are one.
    starts, nats = (row["token_starts"], row["token_logprobs"]) if row["token_logprobs"] else ([0], [sum(sums)])
    return Reading(row["condition"], bool(row["grammatical"]), tuple(by_word(text, starts, nats)), surprisal(sums))
