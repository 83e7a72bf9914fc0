"""Who judges a suite on this machine, and what they said: a file for each speaker, as the page to send saves them."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from starbank.errors import SuiteError, UsageError, nearest
from starbank.files import write_json
from starbank.hub.review_page import ANSWERS, Answers, choose, in_order_of, only_suite, read_answers, sentence_id
from starbank.hub.reviews import JUDGEMENTS, Judgement, read_reviews, verdict, write_reviews
from starbank.hub.reviews import expected as labels_of
from starbank.hub.suites import PublishedSuite
from starbank.pipeline.plan import dataset_of
from starbank.queries import is_query
from starbank.studio.project import QUERIES

SUITES, REVIEWS = Path("outputs/suites"), Path("outputs/reviews")
# Items that a speaker judges, and by which draw.
ITEMS, SEED = 50, 0
_ID = re.compile(r"[0-9a-f]{16}")


def list_suites(project: Path) -> dict[str, Path]:
    """Return the folders of the suites that the project has made, by `dataset/name`."""
    files = sorted((project / SUITES).glob("*/*/items.parquet"))
    return {file.parent.relative_to(project / SUITES).as_posix(): file.parent for file in files}


@dataclass(frozen=True)
class Speaker:
    """Who judges: a name, what stands for them, what they told of themselves, and how many sentences they judged."""

    name: str
    id: str
    background: str
    judged: int


@dataclass(frozen=True)
class Review:
    """The judging of a suite: `name` is `dataset/suite`, `folder` has the suite."""

    project: Path
    name: str
    folder: Path

    @classmethod
    def of(cls, project: Path, name: str) -> Review:
        """Return that of a suite of the project; no path is taken. Raises `UsageError` where there is none."""
        suites = list_suites(project)
        if name not in suites:
            raise UsageError(f"there is no suite {name!r}", hint=nearest(name, suites) if suites else None)
        return cls(project, name, suites[name])

    @cached_property
    def suite(self) -> PublishedSuite:
        """The suite."""
        return only_suite(self.folder)

    @cached_property
    def sentences(self) -> dict[str, str]:
        """The sentences to judge, by what stands for them."""
        return {sentence_id(text, SEED): text for text in choose(self.suite, ITEMS, SEED)}

    @property
    def answers(self) -> Path:
        """The folder with a file of each speaker."""
        return self.project / REVIEWS / self.name

    @cached_property
    def home(self) -> Path:
        """The folder of the construction: that of `eng-syntax/x` is `queries/eng/syntax`."""
        queries, (dataset, _) = self.project / QUERIES, self.name.split("/")
        files = filter(is_query, sorted(queries.rglob("*")))
        return next((file.parent for file in files if dataset_of(file, queries) == dataset), queries / dataset)

    @property
    def kept(self) -> Path:
        """The file beside the construction, where the pipeline looks for what speakers say."""
        return self.home / f"{self.suite.name}.reviews.json"

    @property
    def instructions(self) -> Path:
        """The file with what speakers are told, one for all suites of a dataset."""
        return self.home / "instructions.txt"

    def speakers(self) -> list[Speaker]:
        """Return the speakers, by name."""
        values = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(self.answers.glob("*.json"))]
        return sorted(map(_speaker, values), key=lambda speaker: (speaker.name, speaker.id))

    def begin(self, name: str, background: dict[str, str]) -> str:
        """Write the file of a new speaker, and return what stands for them."""
        if not name.strip():
            raise UsageError("a name is missing", hint="Any name that you like.")
        speaker = secrets.token_hex(8)
        self._write({"reviewer": name.strip(), "speaker": speaker, "background": background, "judgements": []})
        return speaker

    def speaker(self, speaker: str) -> dict[str, Any]:
        """Return what a speaker has said; raises `UsageError` where there is no such speaker."""
        file = self.answers / f"{speaker}.json"
        if not _ID.fullmatch(speaker) or not file.is_file():
            raise UsageError("there is no such speaker here", hint="Begin as a new one.")
        value: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return value

    def order(self, speaker: str) -> list[str]:
        """Return what stands for the sentences in the order in which a speaker has them."""
        return in_order_of(speaker, list(self.sentences))

    def judge(self, speaker: str, sentence: str, judgement: str, comment: str) -> None:
        """Write down what a speaker says of a sentence; raises `UsageError` for what is none."""
        value = self.speaker(speaker)
        if sentence not in self.sentences or judgement not in JUDGEMENTS:
            raise UsageError("this is no judgement of a sentence of the suite")
        others = [answer for answer in value["judgements"] if answer["id"] != sentence]
        value["judgements"] = [*others, {"id": sentence, "judgement": judgement, "comment": comment.strip()}]
        self._write(value)

    def take(self, text: str) -> Answers:
        """Write down what a speaker has sent; raises `SuiteError` where that is none, or of another suite."""
        try:
            value = json.loads(text)
            speaker = value.get("speaker") or secrets.token_hex(8)
        except (ValueError, AttributeError, RecursionError) as error:
            raise SuiteError("this file holds no judgements", hint="Take what the page of a review saves.") from error
        if not isinstance(speaker, str) or not _ID.fullmatch(speaker):
            raise SuiteError("this file does not say which speaker it is of")
        sent = self.answers / f"{speaker}.json"
        if sent.exists():
            raise UsageError("what this speaker says is here already")
        write_json(value | {"speaker": speaker}, sent)
        try:
            (answers,) = read_answers([sent], self.folder)
        except SuiteError:
            sent.unlink()
            raise
        return answers

    def read(self) -> list[Answers]:
        """Return what the speakers say who have judged something."""
        judged = [speaker.id for speaker in self.speakers() if speaker.judged]
        return read_answers([self.answers / f"{speaker}.json" for speaker in judged], self.folder)

    def keep(self) -> Path:
        """Put what careful speakers say beside the construction: `starbank publish` leaves out what they refute."""
        present = read_reviews(self.kept) if self.kept.exists() else []
        said = [judgement for answers in self.read() if answers.careful for judgement in answers.judgements]
        write_reviews([*present, *said], self.kept)
        return self.kept

    def verdicts(self, judgements: Sequence[Judgement]) -> list[tuple[dict[str, Any], list[Judgement], bool | None]]:
        """Return each judged item with what was said of it and the verdict, those that are refuted first."""
        labels = labels_of(self.suite.items)
        by_item: dict[str, list[Judgement]] = {}
        for judgement in judgements:
            by_item.setdefault(judgement.item_id, []).append(judgement)
        rows = [row for row in self.suite.items.to_pylist() if row["item_id"] in by_item]
        judged = [(row, by_item[row["item_id"]], verdict(by_item[row["item_id"]], labels)) for row in rows]
        return sorted(judged, key=lambda entry: {False: 0, None: 1, True: 2}[entry[2]])

    def _write(self, value: dict[str, Any]) -> None:
        suite = {"schema": ANSWERS, "suite": self.suite.name, "seed": SEED}
        write_json(value | suite, self.answers / f"{value['speaker']}.json")


def _speaker(value: dict[str, Any]) -> Speaker:
    """Read the file of a speaker, who may have written it elsewhere: what they told of themselves may be anything."""
    told = value.get("background")
    parts = [told.get(key) for key in ("first_language", "dialect")] if isinstance(told, dict) else []
    background = ", ".join(part for part in parts if isinstance(part, str) and part)
    return Speaker(value["reviewer"], value["speaker"], background, len(value["judgements"]))
