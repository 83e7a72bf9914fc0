"""Accuracy, weighted F1, and what is to be had without a probe."""

from __future__ import annotations

import numpy as np
import pytest

from starbank.probing.figures import accuracy_and_f1, control_labels, majority


def test_f1_is_weighted_by_how_often_a_class_occurs():
    # Class 0: precision 2/3, recall 2/2, F1 0.8; class 1: 1/1, 1/2, F1 2/3; class 2 is never guessed right.
    accuracy, f1 = accuracy_and_f1(np.array([0, 0, 1, 1, 2]), np.array([[0, 0, 0, 1, 1]]))
    assert accuracy[0] == pytest.approx(3 / 5)
    assert f1[0] == pytest.approx((2 * 0.8 + 2 * 0.5) / 5)


def test_f1_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    label, guesses = rng.integers(0, 5, 200), rng.integers(0, 7, (3, 200))
    _, f1 = accuracy_and_f1(label, guesses)
    expected = [metrics.f1_score(label, one, average="weighted", zero_division=0) for one in guesses]
    assert f1 == pytest.approx(expected)


def test_the_majority_is_that_of_the_training_rows():
    assert majority(np.array([1, 1, 0]), np.array([0, 0, 1])) == pytest.approx((1 / 3, 1 / 6))


def test_a_control_task_gives_each_word_type_one_label():
    word = np.array([0, 1, 2, 0, 1, 2, 3])
    labels = control_labels(word, np.array([4, 4, 5]), seed=1)
    assert (labels[:3] == labels[3:6]).all()
    assert set(labels) <= {4, 5}
    assert (labels == control_labels(word, np.array([4, 4, 5]), seed=1)).all()


def test_control_labels_are_drawn_as_often_as_the_task_has_them():
    labels = control_labels(np.arange(4000), np.array([0, 0, 0, 1]), seed=0)
    assert np.mean(labels) == pytest.approx(0.25, abs=0.03)
