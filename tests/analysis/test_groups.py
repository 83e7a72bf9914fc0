"""What makes items hard: covariates, their bins, correlations and the regression."""

import numpy as np
import pytest

from starbank.analysis.bootstrap import add_bootstrap
from starbank.analysis.groups import accuracy_by, correlations, regression
from starbank.analysis.items import open_items
from starbank.analysis.judgements import open_scores
from starbank.analysis.tables import accuracy
from starbank.analysis.yields import read_suites

RIGHT, WRONG = {"Erg": -1.0, "Nom": -2.0}, {"Erg": -2.0, "Nom": -1.0}


@pytest.fixture
def open_both(write_scores, write_suite):
    """Return a database with scores of some items and the suite that they are from."""

    def open_them(judged, models=("ngram",), **covariates):
        folder = write_suite(["დღეს"] * len(judged), **covariates)
        items = {f"i{number}": scores for number, scores in enumerate(judged, 1)}
        database = open_scores([write_scores(items, name=model, model=model) for model in models])
        open_items(database, read_suites([folder]))
        return database

    return open_them


def test_accuracy_by_the_number_of_attractors(open_both):
    database = open_both([RIGHT, RIGHT, RIGHT, WRONG, WRONG], attractors=[0, 0, 1, 1, 1])
    rows = [row for row in accuracy_by(database).to_pylist() if row["covariate"] == "attractors"]
    assert [(row["value_from"], row["value_to"], row["items"], row["correct"]) for row in rows] == [
        (0, 0, 2, 2),
        (1, 1, 3, 1),
    ]


def test_values_stand_alone_where_there_are_few(open_both):
    database = open_both([RIGHT, RIGHT, WRONG], distance=[5, 6, 7])
    rows = [row for row in accuracy_by(database).to_pylist() if row["covariate"] == "distance"]
    assert [(row["value_from"], row["value_to"]) for row in rows] == [(5, 5), (6, 6), (7, 7)]


def test_of_many_values_large_ones_share_bins_that_end_at_powers_of_two(open_both):
    database = open_both([RIGHT] * 9, distance=[1, 4, 5, 8, 9, 16, 17, 31, 40])
    rows = [row for row in accuracy_by(database).to_pylist() if row["covariate"] == "distance"]
    assert [(row["value_from"], row["value_to"], row["items"]) for row in rows] == [
        (1, 1, 1),
        (4, 4, 1),
        (5, 8, 2),
        (9, 16, 2),
        (17, 32, 2),
        (33, 64, 1),
    ]


def test_a_covariate_of_the_construction_stands_beside_the_others(open_both):
    own = [[{"name": "relative_clauses", "value": value}] for value in (0, 1)]
    rows = accuracy_by(open_both([RIGHT, WRONG], covariates=own)).to_pylist()
    named = [row for row in rows if row["covariate"] == "relative_clauses"]
    assert [(row["value_from"], row["accuracy"]) for row in named] == [(0, 1.0), (1, 0.0)]


def test_the_log_odds_fall_with_the_distance(open_both):
    database = open_both([{"Erg": -1.0, "Nom": -1.0 - odds} for odds in (6.0, 4.0, 2.0)], distance=[1, 2, 3])
    (row,) = [row for row in correlations(database).to_pylist() if row["covariate"] == "distance"]
    assert (row["items"], row["pearson"], row["spearman"]) == (3, pytest.approx(-1), pytest.approx(-1))


def test_the_log_odds_are_against_all_starred_conditions_together(write_scores):
    path = write_scores({"a": {"Erg": -1.0, "Nom": -2.0, "Dat": -3.0}})
    ((odds,),) = open_scores([path]).sql("select odds from judged").fetchall()
    assert odds == pytest.approx(-1.0 - np.log(np.exp(-2.0) + np.exp(-3.0)))


def test_the_regression_gives_the_odds_ratio_of_a_covariate(open_both):
    # Without attractors 30 of 40 are right, with one 10 of 40: the odds fall from 3 to 1/3, by 9.
    judged = [RIGHT] * 30 + [WRONG] * 10 + [RIGHT] * 10 + [WRONG] * 30
    rows = regression(open_both(judged, attractors=[0] * 40 + [1] * 40)).to_pylist()
    (row,) = [row for row in rows if row["term"] == "attractors"]
    # A standard deviation of the covariate is half an attractor.
    assert row["odds_ratio"] ** 2 == pytest.approx(1 / 9, rel=1e-5)
    assert row["p_value"] < 0.001


def test_the_same_judgements_by_two_models_make_nothing_surer(open_both):
    judged = [RIGHT] * 30 + [WRONG] * 10 + [RIGHT] * 10 + [WRONG] * 30
    errors = [
        next(row["standard_error"] for row in regression(database).to_pylist() if row["term"] == "attractors")
        for models in (("one",), ("one", "two"))
        for database in [open_both(judged, models, attractors=[0] * 40 + [1] * 40)]
    ]
    assert errors[1] == pytest.approx(errors[0], rel=0.02)


def test_a_model_that_is_always_right_is_left_out_of_the_regression(write_scores):
    paths = [
        write_scores({"a": RIGHT, "b": scores}, name=model, model=model)
        for model, scores in {"sure": RIGHT, "one": WRONG, "other": WRONG}.items()
    ]
    database = open_scores(paths)
    open_items(database, [])
    assert [row["term"] for row in regression(database).to_pylist()] == []


def test_the_bootstrap_draws_sentences_with_all_their_items(write_scores, write_suite):
    # Two sentences, one always right and one always wrong: a draw has one of them twice half of the time.
    scores = write_scores({f"i{number}": RIGHT if number <= 5 else WRONG for number in range(1, 11)})
    folder = write_suite(["დღეს"] * 10, sent_id=["s1"] * 5 + ["s2"] * 5)
    database = open_scores([scores])
    open_items(database, read_suites([folder]))
    (row,) = add_bootstrap(accuracy(database), database).to_pylist()
    assert (row["boot_low"], row["boot_high"]) == (0.0, 1.0)
    assert (row["low"], row["high"]) == (pytest.approx(0.187, abs=1e-3), pytest.approx(0.813, abs=1e-3))


def test_ranks_do_not_tell_apart_what_only_the_last_bits_do(open_both):
    # The log-odds are 0.3, three times, and 1: nothing makes the first three grow with the distance.
    odds = [0.3, 0.1 + 0.2, 0.3 + 1e-16 * 3, 1.0]
    database = open_both([{"Erg": -1.0, "Nom": -1.0 - one} for one in odds], distance=[3, 2, 1, 4])
    (row,) = [row for row in correlations(database).to_pylist() if row["covariate"] == "distance"]
    # The correlation of the ranks 3, 2, 1, 4 and 2, 2, 2, 4.
    assert row["spearman"] == pytest.approx(3 / 15**0.5)


def test_noise_correlates_with_nothing(open_both):
    database = open_both(
        [{"Erg": -1000 * (0.1 + 0.2), "Nom": -300.0}, {"Erg": -300.0, "Nom": -300.0}] * 2, distance=[1, 2, 3, 4]
    )
    assert [row["covariate"] for row in correlations(database).to_pylist()] == []


def test_items_of_one_sentence_make_nothing_surer(open_both):
    judged = [RIGHT] * 30 + [WRONG] * 10 + [RIGHT] * 10 + [WRONG] * 30
    attractors = [0] * 40 + [1] * 40
    sentences = [f"s{number}" for number in range(80)]
    errors = [
        next(row["standard_error"] for row in regression(database).to_pylist() if row["term"] == "attractors")
        for times in (1, 2)
        for database in [open_both(judged * times, attractors=attractors * times, sent_id=sentences * times)]
    ]
    assert errors[1] == pytest.approx(errors[0], rel=0.02)
