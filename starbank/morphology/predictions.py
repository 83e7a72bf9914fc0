"""What has been predicted from a lexicon, kept beside its file: the next construction asks for much of it again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa

from starbank.errors import StarbankError
from starbank.files import read_metadata, read_parquet, write_parquet
from starbank.treebanks.arrays import integers, numbers, texts

# A form, None where no rule fits, and the probability that it is right.
Prediction = tuple[str | None, float]


class Predictions:
    """Predictions by question (`candidates.ASKED`), as far as they have been asked for, here or by another process.

    Of a lexicon in a file they stand in a file beside it, which may be removed at any time: it saves work, and no more.
    """

    def __init__(self, lexicon: Path | None = None, made_by: str = "") -> None:
        """Read what there is of the `lexicon` in a file; `made_by` sums up this lexicon and the code that predicts."""
        self._file = lexicon and lexicon.with_name(f".{lexicon.stem}.predictions.parquet")
        self._made_by, self._known = made_by, dict[str, Prediction]()
        if self._file:
            with suppress(StarbankError, OSError, ValueError, pa.ArrowException):
                if read_metadata(self._file).get("made_by") == made_by:
                    columns = read_parquet(self._file, ["question", "form"])
                    sure = numbers(read_parquet(self._file, ["confidence"])["confidence"])
                    self.add(columns["question"].to_pylist(), columns["form"].to_pylist(), sure)
        self._read = len(self._known)

    def unknown(self, questions: Iterable[str]) -> dict[str, int]:
        """Return the questions that have no answer yet, each once, with the place of one like it."""
        return {question: place for place, question in enumerate(questions) if question not in self._known}

    def add(self, questions: Sequence[str], forms: Sequence[str | None], confidence: np.ndarray) -> None:
        """Add answers."""
        self._known.update(zip(questions, zip(forms, confidence.tolist(), strict=True), strict=True))

    def answers(self, questions: Sequence[str]) -> tuple[list[str | None], np.ndarray]:
        """Return the form and the confidence for each of some questions, which all have an answer."""
        predictions = [self._known[question] for question in questions]
        return [form for form, _ in predictions], np.array([sure for _, sure in predictions], dtype=np.float64)

    def write(self) -> None:
        """Keep what has been asked for, where there is a file and there is more than it has."""
        if self._file is None or len(self._known) == self._read:
            return
        questions = list(self._known)
        forms, sure = self.answers(questions)
        table = pa.table({"question": texts(questions), "form": texts(forms), "confidence": integers(sure)})
        # Jobs that share a lexicon may write at once.
        written = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with suppress(StarbankError, OSError):
            write_parquet(table, written, "predictions/1", {"made_by": self._made_by})
            os.replace(written, self._file)
