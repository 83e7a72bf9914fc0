"""What has been predicted from a lexicon is kept beside its file, for that lexicon and that code only."""

from __future__ import annotations

import numpy as np

from starbank.morphology.predictions import Predictions

QUESTION, OTHER = "talo|NOUN|Case=Ine", "talo|NOUN|Case=Ade"


def kept(folder, made_by="first"):
    """Predictions of a lexicon `fin.parquet` in a folder, of which one is told there."""
    predictions = Predictions(folder / "fin.parquet", "first")
    predictions.add([QUESTION], ["talossa"], np.array([0.97]))
    predictions.write()
    return Predictions(folder / "fin.parquet", made_by)


def test_another_process_knows_them(tmp_path):
    again = kept(tmp_path)
    assert again.unknown([QUESTION, OTHER, OTHER]) == {OTHER: 2}
    forms, confidence = again.answers([QUESTION])
    assert (forms, confidence.tolist()) == (["talossa"], [0.97])


def test_that_nothing_can_be_predicted_is_known_too(tmp_path):
    predictions = kept(tmp_path)
    predictions.add([OTHER], [None], np.array([0.0]))
    predictions.write()
    again = Predictions(tmp_path / "fin.parquet", "first")
    assert again.unknown([QUESTION, OTHER]) == {}
    assert again.answers([OTHER])[0] == [None]


def test_another_lexicon_or_other_code_does_not(tmp_path):
    assert kept(tmp_path, made_by="second").unknown([QUESTION]) == {QUESTION: 0}


def test_a_damaged_file_tells_nothing(tmp_path):
    kept(tmp_path)
    (tmp_path / ".fin.predictions.parquet").write_bytes(b"PAR1")
    assert Predictions(tmp_path / "fin.parquet", "first").unknown([QUESTION]) == {QUESTION: 0}


def test_a_lexicon_without_a_file_keeps_them_for_itself(tmp_path):
    predictions = Predictions()
    predictions.add([QUESTION], ["talossa"], np.array([0.97]))
    predictions.write()
    assert predictions.unknown([QUESTION]) == {}
