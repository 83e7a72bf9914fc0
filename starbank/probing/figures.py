"""Labels and guesses -> accuracies, weighted F1, and what guesses without a probe get."""

from __future__ import annotations

import numpy as np


def accuracy_and_f1(label: np.ndarray, guesses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return accuracy and weighted F1 (both float64) of `guesses` (…, rows) against `label` (rows, or the same shape).

    F1 is that of each class, weighted by how many rows have it, and 0 for a class that is never guessed right, as
    scikit-learn has it. What is returned has the shape of `guesses` without its last axis.
    """
    classes = int(max(guesses.max(initial=0), label.max(initial=0))) + 1
    probes = np.arange(guesses[..., 0].size).reshape(*guesses.shape[:-1], 1)
    cell = (probes * classes + label) * classes + guesses
    confused = np.bincount(cell.ravel(), minlength=probes.size * classes**2).reshape(-1, classes, classes)
    right = np.diagonal(confused, axis1=1, axis2=2)
    having, guessed = confused.sum(2), confused.sum(1)
    f1 = 2 * right / np.maximum(having + guessed, 1)
    rows = np.maximum(having.sum(1), 1)
    shape = guesses.shape[:-1]
    return (right.sum(1) / rows).reshape(shape), ((f1 * having).sum(1) / rows).reshape(shape)


def majority(train: np.ndarray, test: np.ndarray) -> tuple[float, float]:
    """Return accuracy and weighted F1 on `test` of the most frequent class of `train`."""
    accuracy, f1 = accuracy_and_f1(test, np.full(len(test), np.bincount(train).argmax()))
    return float(accuracy), float(f1)


def control_labels(word: np.ndarray, label: np.ndarray, seed: int) -> np.ndarray:
    """Return labels for a control task (Hewitt & Liang 2019, Designing and Interpreting Probes with Control Tasks).

    Each type of `word` gets one class, drawn as often as `label` has it: a probe can learn it by heart only.
    """
    return np.random.default_rng(seed).choice(label, size=int(word.max(initial=-1)) + 1).take(word)
