"""What scores a pair of sentences that somebody types: baselines that have read a treebank, models of the project."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from starbank.analysis.models import label_models
from starbank.errors import UsageError, nearest
from starbank.models import BASELINES
from starbank.scoring.baselines import Baseline
from starbank.scoring.conditions import SENTENCE, Text
from starbank.scoring.scorers import Scorer
from starbank.scoring.training import Training
from starbank.scoring.words import split_words
from starbank.studio.comparison import stamp_of
from starbank.studio.jobs import Job
from starbank.studio.readings import Word, by_word
from starbank.studio.shelf import OpenTreebank

# Sentences that are longer are none that a person types.
LONGEST = 2_000


def models_of(project: Path) -> dict[str, tuple[str, str | None]]:
    """Return the language models that have scored the project's suites, by label: folder or repository, revision."""
    models = label_models([path for path, _ in stamp_of(project)])
    return {
        model.label: (str(model.about["origin"]), model.about.get("requested_revision"))
        for model in models
        if model.about.get("origin", model.name) not in BASELINES and "origin" in model.about
    }


class Scorers:
    """The latest scorer, with its weights or what it has learnt."""

    def __init__(self) -> None:
        """There is none yet."""
        self._latest: tuple[tuple[str, str], Scorer] | None = None
        self._mutex = threading.Lock()

    def read(
        self,
        name: str,
        sentences: Sequence[str],
        opened: OpenTreebank,
        models: dict[str, tuple[str, str | None]],
        job: Job,
    ) -> list[list[Word]]:
        """Return the words of sentences with their surprisals by a baseline, which has read `opened`, or a model.

        Raises `UsageError` for what is neither, or no sentence, and `ModelError` where the model cannot be had.
        """
        if name not in (*BASELINES, *models):
            raise UsageError(f"there is no model {name!r} here", hint=nearest(name, [*BASELINES, *models]))
        if not all(sentences) or max(map(len, sentences)) > LONGEST:
            raise UsageError("a pair is two sentences", hint=f"Write both, of at most {LONGEST:,} characters.")
        with job.turn(self._mutex, lambda: None):
            scorer = self._scorer(name, opened, models, job)
            texts = [Text(text, (len(text),), None) for text in sentences]
            scores = scorer.token_scores(texts, [SENTENCE])[SENTENCE]
        readings = []
        for number, text in enumerate(sentences):
            of_text = scores.text == number
            readings.append(list(by_word(text, scores.start[of_text].tolist(), scores.logprob[of_text].tolist())))
        return readings

    def _scorer(self, name: str, opened: OpenTreebank, models: dict[str, tuple[str, str | None]], job: Job) -> Scorer:
        key = (name, opened.name if name in BASELINES else "")
        if self._latest is None or self._latest[0] != key:
            self._latest = None  # Its memory is needed.
            scorer = _baseline(name, opened, job) if name in BASELINES else _model(*models[name])
            self._latest = key, scorer
        return self._latest[1]


def _baseline(name: str, opened: OpenTreebank, job: Job) -> Scorer:
    with opened.turn(job):
        texts = [text or "" for text in opened.treebank.sentences["text"].to_pylist()]
    return Baseline(name, Training([[word for _, _, word in split_words(text)] for text in texts], {}))


def _model(origin: str, revision: str | None) -> Scorer:
    from starbank.scoring.language_models import LanguageModel
    from starbank.scoring.sources import Settings, find_model

    return LanguageModel(find_model(origin, revision), Settings())
