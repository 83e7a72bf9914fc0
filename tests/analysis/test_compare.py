"""Two models on the same items: McNemar's test."""

import pytest

from starbank.analysis.compare import compare_models
from starbank.analysis.items import open_items
from starbank.analysis.judgements import open_scores
from starbank.analysis.yields import read_suites

RIGHT, WRONG = {"Erg": -1.0, "Nom": -2.0}, {"Erg": -2.0, "Nom": -1.0}


def test_items_that_only_one_of_two_models_got_right(write_scores):
    bert = {"a": RIGHT, "b": RIGHT, "c": RIGHT, "d": WRONG, "e": RIGHT, "f": RIGHT, "g": RIGHT}
    gpt = {"a": RIGHT, "b": WRONG, "c": WRONG, "d": WRONG, "e": WRONG, "f": WRONG, "g": WRONG}
    paths = [
        write_scores(items, name=model, model=model, model_kind="causal")
        for model, items in {"bert": bert, "gpt": gpt}.items()
    ]
    (row,) = compare_models(open_scores(paths)).to_pylist()
    assert (row["model"], row["other"], row["items"]) == ("bert", "gpt", 7)
    assert (row["both"], row["only_model"], row["only_other"]) == (1, 5, 0)
    assert row["difference"] == pytest.approx(5 / 7)
    # Five coins that all fall alike: 2 / 2 ** 5.
    assert row["p_value"] == pytest.approx(1 / 16)


def test_only_items_that_both_models_scored_are_compared(write_scores):
    paths = [
        write_scores({"a": RIGHT, "b": RIGHT}, name="one", model="one"),
        write_scores({"b": WRONG, "c": WRONG}, name="two", model="two"),
    ]
    (row,) = compare_models(open_scores(paths)).to_pylist()
    assert (row["items"], row["only_model"], row["p_value"]) == (1, 1, 1.0)


def test_a_dataset_of_several_suites_has_a_row_for_all_of_them(write_scores):
    paths = [
        write_scores({"a": scores}, name=f"{model}-{suite}", model=model, construction=suite)
        for model, scores in {"one": RIGHT, "two": WRONG}.items()
        for suite in ("erg-subj", "nom-subj")
    ]
    rows = compare_models(open_scores(paths)).to_pylist()
    assert [(row["construction"], row["items"]) for row in rows] == [("erg-subj", 1), ("nom-subj", 1), (None, 2)]
    # Two rows of one item and one of two: 1, 1, and 1 / 2, which stands against the others: times three, at most 1.
    assert [row["p_holm"] for row in rows] == [1.0, 1.0, 1.0]


def test_items_of_one_sentence_decide_together(write_scores, write_suite):
    # Six items on which only one model is right, from two sentences: two coins, not six.
    paths = [
        write_scores({f"i{number}": scores for number in range(1, 7)}, name=model, model=model)
        for model, scores in {"one": RIGHT, "two": WRONG}.items()
    ]
    database = open_scores(paths)
    assert compare_models(database)["p_value"].to_pylist() == [2 / 2**6]
    open_items(database, read_suites([write_suite(["დღეს"] * 6, sent_id=["s1"] * 3 + ["s2"] * 3)]))
    (row,) = compare_models(database).to_pylist()
    assert (row["items"], row["only_model"], row["only_other"], row["p_value"]) == (6, 6, 0, 2 / 2**2)
