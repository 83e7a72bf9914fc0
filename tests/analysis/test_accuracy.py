"""Which items are correct, how sure that is, and which condition a model prefers."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from starbank.analysis.judgements import open_scores
from starbank.analysis.statistics import clopper_pearson
from starbank.analysis.tables import accuracy, coverage, preferred
from starbank.errors import SuiteError


def only_row(table: pa.Table) -> dict:
    (row,) = table.to_pylist()
    return row


def test_two_of_three_items_correct(write_scores):
    path = write_scores(
        {
            "a": {"Erg": -1.0, "Nom": -2.0, "Dat": -3.0},
            "b": {"Erg": -4.0, "Nom": -9.0, "Dat": -4.5},
            "c": {"Erg": -4.0, "Nom": -1.0, "Dat": -5.0},
        }
    )
    assert only_row(accuracy(open_scores([path]))) == {
        "dataset": "kat",
        "construction": "erg-subj",
        "model": "ngram",
        "level": "word",
        "items": 3,
        "correct": 2,
        "accuracy": 2 / 3,
        # qbeta(0.025, 2, 2) and qbeta(0.975, 3, 1) in R
        "low": pytest.approx(0.09429932),
        "high": pytest.approx(0.99159624),
        "ties": 0,
        "strict": 2 / 3,
        "chance": 1 / 3,
        # Two or three of three: 7 / 27, and as much again for the other direction.
        "p_value": pytest.approx(14 / 27),
        "p_holm": pytest.approx(14 / 27),
    }


def test_beating_only_one_of_the_starred_conditions_is_an_error(write_scores):
    row = only_row(accuracy(open_scores([write_scores({"a": {"Erg": -2.0, "Nom": -1.0, "Dat": -9.0}})])))
    assert (row["correct"], row["ties"]) == (0, 0)


def test_a_tie_is_not_right_and_is_counted(write_scores):
    path = write_scores(
        {
            "tied with one": {"Erg": -2.0, "Nom": -2.0, "Dat": -9.0},
            "tied with all": {"Erg": -2.0, "Nom": -2.0, "Dat": -2.0},
            "impossible for the model": {"Erg": -np.inf, "Nom": -np.inf, "Dat": -np.inf},
            "tied below a better one": {"Erg": -2.0, "Nom": -2.0, "Dat": -1.0},
            "starred ones tied": {"Erg": -1.0, "Nom": -2.0, "Dat": -2.0},
        }
    )
    row = only_row(accuracy(open_scores([path])))
    assert (row["items"], row["correct"], row["ties"]) == (5, 1, 3)
    # A guess among two equals is right once in two times, one among three once in three.
    assert row["accuracy"] == pytest.approx((1 / 2 + 1 / 3 + 1 / 3 + 0 + 1) / 5)
    assert row["strict"] == 1 / 5


def test_a_model_that_tells_nothing_apart_is_at_chance(write_scores):
    alike = {"Erg": -1.0, "Nom": -1.0, "Dat": -1.0}
    row = only_row(accuracy(open_scores([write_scores({f"i{number}": alike for number in range(9)})])))
    assert (row["accuracy"], row["chance"], row["strict"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3), 0)
    assert row["low"] < row["chance"] < row["high"]


def test_the_sentence_level_sums_all_regions_and_the_word_level_the_target(write_scores):
    sentence = {"a": {"Erg": [-1.0, -3.0, -1.0], "Nom": [-1.0, -2.0, -9.0], "Dat": [-1.0, -4.0, -1.0]}}
    word = {"a": {"Erg": [None, -3.0, None], "Nom": [None, -2.0, None], "Dat": [None, -4.0, None]}}
    paths = [
        write_scores(sentence, name="sentence.parquet", level="sentence"),
        write_scores(word, name="word.parquet", level="word"),
    ]
    rows = accuracy(open_scores(paths)).to_pylist()
    assert [(row["level"], row["correct"]) for row in rows] == [("sentence", 1), ("word", 0)]


def test_the_grammatical_condition_may_differ_between_items(write_scores):
    singular = write_scores({"a": {"Sing": -1.0, "Plur": -2.0}}, good=("Sing",), name="singular.parquet")
    plural = write_scores({"b": {"Sing": -1.0, "Plur": -2.0}}, good=("Plur",), name="plural.parquet")
    database = open_scores([singular, plural])
    row = only_row(accuracy(database))
    assert (row["items"], row["correct"], row["chance"]) == (2, 1, 0.5)
    rows = preferred(database).to_pylist()
    assert [(row["condition"], row["items"], row["wrong"], row["wrong_share"]) for row in rows] == [
        ("Plur", 0, 0, 0.0),
        ("Sing", 2, 1, 1.0),
    ]


def test_several_grammatical_conditions_must_all_beat_the_starred_ones(write_scores):
    path = write_scores(
        {
            "a": {"match sg": -1.0, "match pl": -2.0, "clash sg": -3.0, "clash pl": -4.0},
            "b": {"match sg": -1.0, "match pl": -4.0, "clash sg": -3.0, "clash pl": -5.0},
        },
        good=("match sg", "match pl"),
    )
    row = only_row(accuracy(open_scores([path])))
    # A guess puts the right two of four first once in 4 · 3 / 2 times.
    assert (row["correct"], row["chance"]) == (1, pytest.approx(1 / 6))


@pytest.mark.parametrize(
    ("correct", "items", "low", "high"),
    [
        (0, 10, 0.0, 0.30849710781876083),  # 1 - 0.025 ** (1 / 10)
        (10, 10, 0.6915028921812392, 1.0),
        (5, 10, 0.18708602844739, 0.81291397155261),  # binom.test(5, 10) in R
        (47, 50, 0.83451, 0.98745),  # binom.test(47, 50) in R
    ],
)
def test_intervals_are_those_of_clopper_and_pearson(correct, items, low, high):
    bounds = clopper_pearson(np.array([correct]), np.array([items]))
    assert [float(bound[0]) for bound in bounds] == pytest.approx([low, high], abs=1e-5)


def test_the_interval_leaves_two_and_a_half_percent_on_either_side():
    from scipy.special import bdtr

    low, high = clopper_pearson(np.array([33]), np.array([70]))
    assert 1 - bdtr(32, 70, low[0]) == pytest.approx(0.025)
    assert bdtr(33, 70, high[0]) == pytest.approx(0.025)


def test_preferred_conditions_and_their_share_of_the_errors(write_scores):
    path = write_scores(
        {
            "right": {"Erg": -1.0, "Nom": -2.0, "Dat": -3.0},
            "nominative": {"Erg": -3.0, "Nom": -1.0, "Dat": -2.0},
            "nominative again": {"Erg": -2.0, "Nom": -1.0, "Dat": -3.0},
            "shared": {"Erg": -3.0, "Nom": -1.0, "Dat": -1.0},
        }
    )
    rows = preferred(open_scores([path])).to_pylist()
    shown = [tuple(row[key] for key in ("condition", "items", "share", "wrong", "wrong_share")) for row in rows]
    assert shown == [
        ("Dat", 0, 0.0, 0, 0.0),
        ("Erg", 1, 0.25, 0, 0.0),
        ("Nom", 2, 0.5, 2, 2 / 3),
    ]


def test_without_errors_there_is_no_share_of_errors(write_scores):
    rows = preferred(open_scores([write_scores({"a": {"Erg": -1.0, "Nom": -2.0}})])).to_pylist()
    assert [row["wrong_share"] for row in rows] == [None, None]


def test_an_item_without_a_score_for_each_condition_does_not_count(write_scores):
    path = write_scores(
        {
            "whole": {"Erg": -1.0, "Nom": -2.0, "Dat": -3.0},
            "overflowed": {"Erg": -1.0, "Nom": float("nan"), "Dat": -3.0},
            "unscored": {"Erg": -1.0, "Nom": [None, None, None], "Dat": -3.0},
            "nothing starred": {"Erg": -1.0},
        }
    )
    database = open_scores([path])
    assert only_row(accuracy(database))["items"] == 1
    row = only_row(coverage(database))
    assert (row["items"], row["incomplete"], row["wanted"]) == (1, 3, 4)


def test_a_condition_that_only_another_model_scored_is_missed(write_scores):
    whole = write_scores({"a": {"Erg": -1.0, "Nom": -2.0, "Dat": -3.0}}, name="whole.parquet", model="whole")
    partial = write_scores({"a": {"Erg": -1.0, "Nom": -2.0}}, name="partial.parquet", model="partial")
    database = open_scores([whole, partial])
    assert only_row(accuracy(database))["model"] == "whole"
    assert [(row["model"], row["incomplete"]) for row in coverage(database).to_pylist()] == [
        ("partial", 1),
        ("whole", 0),
    ]


def test_every_model_states_its_own_number_of_items(write_scores):
    scores = {"Erg": -1.0, "Nom": -2.0}
    first = write_scores({"a": scores, "b": scores}, name="first.parquet", model="first")
    second = write_scores({"b": scores}, name="second.parquet", model="second")
    rows = coverage(open_scores([first, second])).to_pylist()
    assert [(row["model"], row["items"], row["wanted"]) for row in rows] == [("first", 2, 2), ("second", 1, 2)]


def test_baselines_come_before_models(write_scores):
    scores = {"a": {"Erg": -1.0, "Nom": -2.0}}
    models = [("bert", "masked"), ("ngram", "baseline"), ("GPT", "causal"), ("AlBERT", "masked")]
    paths = [write_scores(scores, name=model, model=model, model_kind=kind) for model, kind in models]
    rows = accuracy(open_scores(paths)).to_pylist()
    assert [row["model"] for row in rows] == ["ngram", "GPT", "AlBERT", "bert"]


def test_a_score_that_two_files_hold_counts_once(write_scores):
    scores = {"a": {"Erg": -1.0, "Nom": -2.0}}
    paths = [write_scores(scores, name=name) for name in ("one.parquet", "two.parquet")]
    assert only_row(accuracy(open_scores(paths)))["items"] == 1


def test_two_scores_for_one_condition_are_an_error(write_scores):
    one = write_scores({"a": {"Erg": -1.0, "Nom": -2.0}}, name="one.parquet")
    two = write_scores({"a": {"Erg": -1.5, "Nom": -2.0}}, name="two.parquet")
    with pytest.raises(SuiteError, match="model ngram has two different word-level scores for item a of kat/erg-subj"):
        open_scores([one, two])


def test_files_that_are_no_scores_are_refused(tmp_path: Path):
    with pytest.raises(SuiteError, match="there is no such file"):
        open_scores([tmp_path / "nothing.parquet"])
    text = tmp_path / "text.parquet"
    text.write_text("კაცმა სახლი ააშენა.")
    with pytest.raises(SuiteError, match="cannot be read as Parquet"):
        open_scores([text])
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"item_id": ["a"]}), other)
    with pytest.raises(SuiteError, match="holds no Starbank table instead of scores/1"):
        open_scores([other])


def test_no_scores_give_empty_tables(write_scores):
    for paths in ([], [write_scores({})]):
        database = open_scores(paths)
        assert (accuracy(database).num_rows, preferred(database).num_rows, coverage(database).num_rows) == (0, 0, 0)


def test_in_a_two_by_two_design_each_starred_condition_has_its_own_rival(write_scores):
    # A rare word costs both of its conditions alike: "clash sg" is above "match pl" and yet nothing is wrong.
    path = write_scores(
        {
            "right": {"match sg": -1.0, "clash sg": -2.0, "match pl": -5.0, "clash pl": -6.0},
            "wrong in the plural": {"match sg": -1.0, "clash sg": -2.0, "match pl": -6.0, "clash pl": -5.0},
        },
        good=("match sg", "match pl"),
        against={"clash sg": "match sg", "clash pl": "match pl"},
    )
    database = open_scores([path])
    row = only_row(accuracy(database))
    assert (row["items"], row["correct"], row["chance"]) == (2, 1, 0.25)
    wrong = {row["condition"]: row["wrong"] for row in preferred(database).to_pylist()}
    assert wrong == {"match sg": 0, "match pl": 0, "clash sg": 0, "clash pl": 1}


def test_means_of_the_scores_by_condition(write_scores):
    rows = preferred(open_scores([write_scores({"a": {"Erg": -1.0, "Nom": -2.0}, "b": {"Erg": -3.0, "Nom": -2.0}})]))
    means = {row["condition"]: (row["mean_logprob"], row["mean_probability"]) for row in rows.to_pylist()}
    assert means["Nom"] == (-2.0, pytest.approx(np.exp(-2.0)))
    assert means["Erg"] == (-2.0, pytest.approx((np.exp(-1.0) + np.exp(-3.0)) / 2))


def test_scores_that_only_the_last_bits_tell_apart_are_tied(write_scores):
    # 0.1 + 0.2 is 0.30000000000000004: the same words in two orders.
    path = write_scores(
        {"a": {"Erg": [-0.1, -0.2, None], "Nom": [-0.3, None, None]}, "b": {"Erg": -0.3, "Nom": -0.1 - 0.2}}
    )
    rows = open_scores([path]).sql("select correct, tied from judged order by item_id").fetchall()
    assert rows == [(False, True), (False, True)]
