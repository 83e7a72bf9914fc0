"""How often the predictions of a suite come true, on surprisals that can be checked by hand."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from math import log
from typing import Any

import pytest

from starbank.analysis import results
from starbank.analysis.judgements import open_scores
from starbank.analysis.predictions import TOKENS, predictions
from starbank.analysis.yields import SuiteSummary
from starbank.files import read_parquet
from starbank.queries.imports import read_import
from starbank.scoring import score
from starbank.sets.imported import import_suite
from tests.suites.test_imports import FORMULAS, NUMBER, syntaxgym

pytestmark = pytest.mark.slow

HIGHER = "(2;%bad%) > (2;%good%)"


def nats(*bits: float | None) -> list[float | None]:
    """Return the log-probabilities of regions with these surprisals."""
    return [None if one is None else -one * log(2) for one in bits]


def suite(**about: Any) -> SuiteSummary:
    """Return what a suite tells of itself."""
    told = {"name": "erg-subj", **about}
    others = {field.name: None for field in fields(SuiteSummary)}
    return SuiteSummary(**{**others, "dataset": "kat", "name": "erg-subj", "construction": told})


@pytest.fixture
def evaluate(write_scores):
    """Evaluate formulas on items, given as surprisals in bits of the regions prefix, target and suffix."""

    def evaluate(formulas, items, *, metric="sum", **columns):
        logprobs = {item: {name: nats(*bits) for name, bits in one.items()} for item, one in items.items()}
        file = write_scores(logprobs, level="sentence", good=("good",), **columns)
        return predictions(open_scores([file]), [suite(predictions=formulas, metric=metric)]).to_pylist()

    return evaluate


ITEMS = {
    "one": {"good": (9, 3, 4), "bad": (9, 5, 1)},
    "two": {"good": (9, 3, 4), "bad": (9, 3, 8)},
    "three": {"good": (9, 3, 4), "bad": (9, 4, 6)},
    "four": {"good": (9, 3, 4), "bad": (9, 2, 5)},
}


def test_each_prediction_is_counted_and_all_together(evaluate):
    rows = evaluate([HIGHER, "(*;%bad%) > (*;%good%)"], ITEMS)
    assert [(row["prediction"], row["formula"], row["items"], row["correct"], row["accuracy"]) for row in rows] == [
        ("1", HIGHER, 4, 2, 0.5),  # one, three
        ("2", "(*;%bad%) > (*;%good%)", 4, 2, 0.5),  # two, three
        ("all", f"{HIGHER} & (*;%bad%) > (*;%good%)", 4, 1, 0.25),  # three
    ]


def test_the_interval_is_exact(evaluate):
    # Clopper & Pearson (1934), 2 of 4.
    row = evaluate([HIGHER], ITEMS)[0]
    assert (row["low"], row["high"]) == (pytest.approx(0.0676, abs=1e-4), pytest.approx(0.9324, abs=1e-4))


@pytest.mark.parametrize(
    ("formula", "correct"),
    [
        ("(2;%bad%) - (2;%good%) > 1.5", 1),  # bits, not nats: one, by 2
        ("(2;%bad%) = (2;%good%)", 1),  # two
        ("(2;%bad%) > (2;%good%) | (3;%bad%) > (3;%good%)", 4),
        ("((2;%bad%) + (3;%bad%)) - ((2;%good%) + (3;%good%)) > 0", 2),  # two, three; in four they are equal
        ("(target;%bad%) > (target;%good%)", 2),
        ("(prefix;%bad%) = (1;%good%)", 4),
    ],
)
def test_formulas_are_about_bits(evaluate, formula, correct):
    assert evaluate([formula], ITEMS)[0]["correct"] == correct


def test_the_mean_is_over_the_tokens_of_a_region(evaluate):
    # As many bits in three tokens are less for each than in two.
    items = {"one": {"good": (9, 3, 6), "bad": (9, 3, 6)}}
    about = {"metric": "mean", "tokens": [1, 2, 3]}
    assert evaluate(["(2;%bad%) = 1.5"], items, **about)[0]["correct"] == 1
    assert evaluate(["(3;%bad%) = 2"], items, **about)[0]["correct"] == 1


@pytest.mark.parametrize(
    ("metric", "first", "last"),
    [("sum", 16, 2), ("mean", 4, 2), ("median", 3.5, 2), ("range", 7, 0), ("max", 8, 2), ("min", 1, 2)],
)
def test_the_metrics_of_syntaxgym_are_over_the_tokens_of_a_region(evaluate, metric, first, last):
    tokens = {"token_logprobs": nats(1, 8, 4, 3, 2), "token_starts": [0, 2, 3, 4, 7], "tokens": [4, 0, 1]}
    about = {"metric": metric, "regions": ["a bcd, ", "", "e"], **tokens}
    items = {"one": {"bad": (16, 0, 2)}}
    assert evaluate([f"(1;%bad%) = {first} & (3;%bad%) = {last}"], items, **about)[0]["correct"] == 1


@pytest.mark.parametrize(("metric", "counted"), [("sum", [1, 1]), ("median", []), ("mean", []), ("max", [])])
def test_a_region_without_tokens_has_a_sum_only(evaluate, metric, counted):
    tokens = {"token_logprobs": nats(1, 2), "token_starts": [0, 2], "tokens": [1, 0, 1]}
    rows = evaluate(["(*;%bad%) = 3"], {"one": {"bad": (1, 0, 2)}}, metric=metric, regions=["a ", "", "e"], **tokens)
    assert [row["correct"] for row in rows] == counted


def test_at_the_level_of_words_all_tokens_are_the_target_s(write_scores):
    # The word goes on after the target, as in the Georgian სახლ-ში.
    tokens = {"token_logprobs": nats(5, 1), "token_starts": [2, 4], "tokens": [0, 2, 0], "regions": ["a ", "bc", "de"]}
    file = write_scores({"one": {"bad": nats(None, 6, None)}}, level="word", **tokens)
    told = suite(predictions=["(target;%bad%) = 5", "(3;%bad%) > 0"], metric="max")
    assert predictions(open_scores([file]), [told])["correct"].to_pylist() == [1]


def test_the_tokens_of_a_region_are_those_that_its_score_is_the_sum_of(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("The key is here.\nThe keys to the cabinets, they are here.\n")
    file = tmp_path / "number.json"
    file.write_text(json.dumps(syntaxgym(NUMBER)))
    import_suite(read_import(file, language="eng"), tmp_path / "eng" / "number")
    score([tmp_path / "eng"], "ngram", tmp_path / "scores.parquet", text=[text])
    summed = f"SELECT logprobs, [list_sum(own) FOR own IN {TOKENS}] FROM scores"
    rows = open_scores([tmp_path / "scores.parquet"]).sql(summed).fetchall()
    assert [pytest.approx(scored) for scored, _ in rows] == [told for _, told in rows]


def test_an_item_without_a_surprisal_does_not_count(evaluate):
    items = {**ITEMS, "five": {"good": (9, 3, 4), "bad": (9, None, 8)}, "six": {"good": (9, 3, 4)}}
    counts = [row["items"] for row in evaluate([HIGHER, "(3;%bad%) > (3;%good%)", "(*;%bad%) > 0"], items)]
    assert counts == [4, 5, 4, 4]


def test_nor_does_one_of_which_the_other_half_is_true(evaluate):
    items = {"five": {"good": (9, 3, 4), "bad": (9, None, 8)}}
    assert evaluate(["(2;%bad%) > (2;%good%) | (3;%bad%) > (3;%good%)"], items) == []


def test_a_suite_without_predictions_has_no_row(evaluate):
    assert evaluate([], ITEMS) == []


def test_a_score_in_two_files_counts_once(write_scores):
    items = {"one": {"good": nats(1, 2, 3), "bad": nats(1, 4, 3)}}
    files = [write_scores(items, name=name, level="sentence", good=("good",)) for name in ("a.parquet", "b.parquet")]
    counted = predictions(open_scores(files), [suite(predictions=[HIGHER])])
    assert counted["items"].to_pylist() == [1, 1]


def test_names_of_conditions_cannot_reach_the_database(evaluate):
    items = {"one": {"it's": (1, 2, 3), "a'] or true --": (1, 4, 3), "good": (1, 1, 1)}}
    assert evaluate(["(2;%a'] or true --%) < (2;%it's%)"], items)[0]["correct"] == 0


def test_results_writes_them_for_suites_whose_conditions_nobody_marked(write_scores, tmp_path):
    file = tmp_path / "number.json"
    file.write_text(json.dumps(syntaxgym(NUMBER)))
    folder = tmp_path / "eng" / "number"
    import_suite(read_import(file, language="eng"), folder)
    (item,) = read_parquet(folder / "items.parquet").to_pylist()
    bits = {"match_sing": 2, "mismatch_sing": 5, "match_plur": 2, "mismatch_plur": 1}
    scores = write_scores(
        {item["item_id"]: {name: nats(1, 1, one, 1) for name, one in bits.items()}},
        dataset="eng",
        construction="number",
        level="sentence",
        grammatical=None,
        regions=["a"] * 4,
        region_names=item["region_names"],
    )
    output = results([scores], tmp_path / "results", suites=[folder])
    rows = read_parquet(output / "predictions.parquet").to_pylist()
    assert [(row["formula"], row["correct"]) for row in rows] == [
        (FORMULAS[0], 1),
        (FORMULAS[1], 0),
        (" & ".join(FORMULAS), 0),
    ]
    assert (output / "predictions.csv").read_text().startswith("dataset,construction,model,level,prediction,formula,")
    assert read_parquet(output / "accuracy.parquet").num_rows == 0
    page = (output / "report.html").read_text(encoding="utf-8")
    assert '<p class="bad">' not in page
    assert '(3;%match_sing%)</code></td><td class="n">1</td><td class="n">100%</td>' in page
    assert "No item was scored, so" not in page


def test_the_page_stars_what_differs_from_the_condition_that_a_starred_one_is_held_against(write_scores, tmp_path):
    file = tmp_path / "number.json"
    file.write_text(json.dumps(syntaxgym(NUMBER, grammatical=["match_sing", "match_plur"])))
    import_suite(read_import(file, language="eng"), tmp_path / "eng" / "number")
    page = (results([], tmp_path / "results", suites=[tmp_path / "eng"]) / "report.html").read_text(encoding="utf-8")
    starred = re.findall(r'class="star" title="ungrammatical">\*</span>(\w+)</mark> ', page)
    assert starred == ["are", "is"]
    assert "<summary>The predictions</summary>" in page
