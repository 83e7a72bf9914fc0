"""A model that has learnt -> what it answers, beside what is right, and figures of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.suffixes import NONE
from starbank.probing.datasets import UNLABELLED
from starbank.probing.learning.reading import covariates
from starbank.probing.learning.run import Run
from starbank.scoring.loading import torch
from starbank.treebanks.arrays import integers, numbers, texts, whole


@dataclass(frozen=True)
class Answers:
    """`predictions` has a row for each label: `question`, `sent_id`, `position`, `label`, `guess`, and the covariates
    of its word; `figures` has `accuracy`, `recall` of what is not `none`, and `majority`, by question."""

    predictions: pa.Table
    figures: dict[str, dict[str, float]]


@torch.inference_mode()
def answer(run: Run, split: str) -> Answers:
    """Ask a model that has learnt the questions of its task about the rows of a split."""
    run.network.eval()
    tables = []
    for rows in run.rows.stretches(split):
        counts = numbers(pc.list_value_length(whole(rows["tokens"]))).astype(np.int64)
        borders = np.append(0, np.cumsum(counts))
        guesses = np.full((len(run.rows.columns), borders[-1]), -1)
        for batch, which in run.batches(rows):
            answers, _ = run.network(batch)
            asked = (batch.labels != UNLABELLED).any(0).cpu().numpy()
            row, place = np.nonzero(asked)
            at = borders[which[row]] + place
            for number, logits in enumerate(answers):
                guesses[number, at] = logits.argmax(-1).cpu().numpy()
        tables += _tables(run, rows, guesses, counts)
    predictions = pa.concat_tables(tables)
    majority = {
        name: _most_frequent(run, column) for name, column in zip(run.rows.questions, run.rows.columns, strict=True)
    }
    return Answers(predictions, figures(predictions.to_pandas(), majority))


def _tables(run: Run, rows: pa.Table, guesses: np.ndarray, counts: np.ndarray) -> list[pa.Table]:
    row = np.repeat(np.arange(len(rows)), counts)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    common = {"sent_id": whole(rows["sent_id"]).take(integers(row))}
    common["position"] = integers((np.arange(len(row)) - first).astype(np.int32))
    tables = []
    for number, (name, classes) in enumerate(run.rows.questions.items()):
        column = list(run.rows.columns)[number]
        label = numbers(whole(rows[column]).flatten())
        named = texts(classes)
        found = {"question": pa.repeat(name, len(row)), **common}
        found |= {"label": named.take(integers(np.maximum(label, 0)))}
        found |= {"guess": named.take(integers(np.maximum(guesses[number], 0))), **covariates(rows)}
        tables.append(pa.table(found).filter(pa.array(label != UNLABELLED)))
    return tables


def _most_frequent(run: Run, column: str) -> str:
    counts = np.zeros(len(run.rows.columns[column]), np.int64)
    for rows in run.rows.stretches("train"):
        label = numbers(whole(rows[column]).flatten())
        counts += np.bincount(label[label >= 0], minlength=len(counts))
    return run.rows.columns[column][int(counts.argmax())]


def figures(predictions: pd.DataFrame, majority: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Return accuracy, recall and majority by question.

    Recall is the share of labels other than `none` whose answer is other than `none` (Ravfogel et al. 2018); `majority`
    is the accuracy of the class that training rows have most often.
    """
    found = {}
    for question, rows in predictions.groupby("question", sort=False):
        there = rows[rows["label"] != NONE]
        found[str(question)] = {
            "rows": len(rows),
            "accuracy": float((rows["label"] == rows["guess"]).mean()),
            "recall": float((there["guess"] != NONE).mean()) if len(there) else None,
            "majority": float((rows["label"] == majority[str(question)]).mean()),
        }
    return found


def by_class(predictions: pd.DataFrame) -> pd.DataFrame:
    """Return `precision`, `recall` and `f1` of each class of one question but `none`, and of `any` of them; `rows` is
    how many labels have it.

    `any` asks only whether the answer is `none`.
    """
    label, guess = predictions["label"], predictions["guess"]
    classes = sorted(set(label) - {NONE})
    cases = {name: (label == name, guess == name) for name in classes} | {"any": (label != NONE, guess != NONE)}
    rows = []
    for name, (having, guessed) in cases.items():
        right = int((having & guessed).sum())
        precision, recall = right / max(1, int(guessed.sum())), right / max(1, int(having.sum()))
        f1 = 2 * right / max(1, int(having.sum() + guessed.sum()))
        rows.append({"class": name, "rows": int(having.sum()), "precision": precision, "recall": recall, "f1": f1})
    return pd.DataFrame(rows)
