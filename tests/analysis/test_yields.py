"""How many matches became items, and why the others did not."""

import pytest

from starbank.analysis.yields import read_suites, yields
from starbank.errors import SuiteError


def test_matches_are_items_and_rejects_together(write_suite):
    folder = write_suite(["დღეს", "გუშინ"], ["no form"] * 3 + ["same form"])
    assert yields(read_suites([folder])).to_pylist() == [
        {
            "dataset": "kat",
            "construction": "erg-subj",
            "matches": 6,
            "items": 2,
            "reason": "no form",
            "rejects": 3,
        },
        {"dataset": "kat", "construction": "erg-subj", "matches": 6, "items": 2, "reason": "same form", "rejects": 1},
    ]


def test_a_suite_that_rejected_nothing_has_a_row_without_a_reason(write_suite):
    (row,) = yields(read_suites([write_suite(["დღეს"])])).to_pylist()
    assert (row["matches"], row["items"], row["reason"], row["rejects"]) == (1, 1, None, 0)


def test_matches_without_an_attested_form_are_told(write_suite):
    (suite,) = read_suites([write_suite([], ["no form"] * 2 + ["same form"])])
    assert (suite.matches, suite.items, suite.unattested) == (3, 0, 2)


def test_suites_are_found_in_their_dataset_and_once_each(write_suite):
    first, second = write_suite([], name="erg-subj"), write_suite([], name="dat-obj")
    suites = read_suites([first, second.parent])
    assert [(suite.dataset, suite.name) for suite in suites] == [("kat", "dat-obj"), ("kat", "erg-subj")]


def test_the_example_is_the_sentence_nearest_to_eight_words(write_suite):
    (suite,) = read_suites([write_suite(["დღეს", "გუშინ ჩვენს დიდ სოფელში", "ზოგჯერ"])])
    assert suite.example["sent_id"] == "s2"


def test_a_suite_without_items_has_no_example(write_suite):
    (suite,) = read_suites([write_suite([])])
    assert suite.example is None


def test_folders_that_are_no_suites_are_refused(tmp_path, write_suite):
    (tmp_path / "empty").mkdir()
    with pytest.raises(SuiteError, match="holds no suite"):
        read_suites([tmp_path / "empty"])
    folder = write_suite(["დღეს"])
    (folder / "rejected.parquet").unlink()
    with pytest.raises(SuiteError, match=r"rejected\.parquet: there is no such file"):
        read_suites([folder])


def test_no_suites_give_an_empty_table():
    assert yields([]).num_rows == 0
