"""Labels and guesses -> accuracies, weighted F1, and what guesses without a probe get."""

from __future__ import annotations

import numpy as np


def accuracy_and_f1(label: np.ndarray, guesses: np.ndarray, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return accuracy and weighted F1 (both float64) of each row of `guesses` (probes, rows) against `label` (rows).

    F1 is that of each class, weighted by how many rows have it, and 0 for a class that is never guessed right, as
    scikit-learn has it. `label` is int64, or, with a row for each of `guesses`, of their shape.
    """
    probes = len(guesses)
    label = np.broadcast_to(label, guesses.shape)
    cell = (np.arange(probes)[:, None] * classes + label) * classes + guesses
    confused = np.bincount(cell.ravel(), minlength=probes * classes**2).reshape(probes, classes, classes)
    right = np.diagonal(confused, axis1=1, axis2=2)
    having, guessed = confused.sum(2), confused.sum(1)
    f1 = 2 * right / np.maximum(having + guessed, 1)
    rows = np.maximum(having.sum(1), 1)
    return right.sum(1) / rows, (f1 * having).sum(1) / rows


def majority(train: np.ndarray, test: np.ndarray, classes: int) -> tuple[float, float]:
    """Return accuracy and weighted F1 on `test` of the most frequent class of `train`."""
    guess = np.bincount(train, minlength=classes).argmax()
    accuracy, f1 = accuracy_and_f1(test, np.full((1, len(test)), guess), classes)
    return float(accuracy[0]), float(f1[0])


def control_labels(word: np.ndarray, label: np.ndarray, seed: int) -> np.ndarray:
    """Return labels for a control task (Hewitt & Liang 2019, Designing and Interpreting Probes with Control Tasks).

    Each type of `word` gets one class, drawn as often as `label` has it: a probe can learn it by heart only.
    """
    rng = np.random.default_rng(seed)
    return rng.choice(label, size=int(word.max(initial=-1)) + 1)[word]
