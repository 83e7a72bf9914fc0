"""What results call a model, and what they say of scores that are there twice, outdated or missing."""

import re
import shutil
from math import nan

import pyarrow.parquet as pq
import pytest

from starbank.analysis import results
from starbank.analysis.compare import compare_models
from starbank.analysis.judgements import open_scores
from starbank.analysis.measures import measures
from starbank.analysis.models import label_models, models_table
from starbank.analysis.tables import accuracy
from starbank.errors import SuiteError
from starbank.files import read_metadata, write_parquet

RIGHT, WRONG = {"Erg": -1.0, "Nom": -2.0}, {"Erg": -2.0, "Nom": -1.0}
TEXT = {"name": "UD_Georgian-GLC", "sha256": "a" * 64}
NEWS = {"name": "news.txt", "sha256": "b" * 64}


@pytest.fixture
def write_model(write_scores):
    """Write the scores of a model that its metadata tells of."""

    def write(file, model, items=RIGHT, **about):
        path = write_scores({"a": items}, name=file, model=model, model_kind=about.get("model_kind", "causal"))
        told = {"dtype": "float32", "fingerprint": file, "model_kind": "causal", "origin": model, **about}
        write_parquet(pq.read_table(path), path, "scores/1", {**read_metadata(path), "model": model, **told})
        return path

    return write


def labels(*paths):
    return [model.label for model in label_models(paths)]


def test_a_model_has_its_name(write_model):
    assert labels(write_model("1", "gpt2"), write_model("2", "google/rembert")) == ["gpt2", "google/rembert"]


def test_two_revisions_are_told_apart(write_model):
    paths = [
        write_model("1", "gpt2", revision="0a1b2c3d4e"),
        write_model("2", "gpt2", revision="5f6a7b8c9d", requested_revision="step1000"),
    ]
    assert labels(*paths) == ["gpt2", "gpt2@step1000"]
    main = [write_model("3", "gpt2", revision="0a1b2c3d4e"), write_model("4", "gpt2", revision="5f6a7b8c9d")]
    assert labels(*main) == ["gpt2@0a1b2c3", "gpt2@5f6a7b8"]


def test_two_dtypes_and_two_kinds_are_told_apart(write_model):
    assert labels(write_model("1", "gpt2"), write_model("2", "gpt2", dtype="bfloat16")) == ["gpt2", "gpt2 (bfloat16)"]
    kinds = [write_model(kind, "bert", model_kind=kind) for kind in ("causal", "masked")]
    assert labels(*kinds) == ["bert (causal)", "bert (masked)"]


def test_folders_of_the_same_name_are_told_apart_by_those_above(write_model):
    paths = [write_model(run, "checkpoint-1000", origin=f"out/{run}/checkpoint-1000") for run in ("runA", "runB")]
    assert labels(*paths) == ["runA/checkpoint-1000", "runB/checkpoint-1000"]
    rows = accuracy(open_scores(paths)).to_pylist()
    assert [row["model"] for row in rows] == ["runA/checkpoint-1000", "runB/checkpoint-1000"]


def test_a_folder_whose_content_has_changed_is_told_by_a_sum(write_model):
    first, second = labels(write_model("1", "mine", origin="mine"), write_model("2", "mine", origin="mine"))
    assert (first[:6], second[:6]) == ("mine [", "mine [")
    assert first != second


def test_a_baseline_of_two_texts_is_told_apart_where_it_scored_one_suite_twice(write_model):
    about = {"model_kind": "baseline", "dtype": "float64", "fingerprint": "ngram 1"}
    own = write_model("1", "ngram", training={"text": [TEXT]}, **about)
    news = write_model("2", "ngram", WRONG, training={"text": [NEWS]}, **about)
    assert labels(own, news) == ["ngram (UD_Georgian-GLC)", "ngram (news.txt)"]
    assert compare_models(open_scores([own, news])).num_rows == 1
    elsewhere = write_model("3", "ngram", training={"text": [NEWS]}, suites=[{"dataset": "hin", "suite": "x"}], **about)
    assert labels(own, elsewhere) == ["ngram", "ngram"]


def test_slor_is_not_taken_from_two_baselines(write_model, tmp_path):
    about = {"model_kind": "baseline", "fingerprint": "unigram 1"}
    paths = [write_model(text["name"], "unigram", training={"text": [text]}, **about) for text in (TEXT, NEWS)]
    with pytest.raises(SuiteError, match=r"for SLOR: unigram \(UD_Georgian-GLC\), unigram \(news.txt\)"):
        measures(paths, tmp_path / "measures.parquet")
    named = write_model("3", "words", origin="unigram", **about)
    (erg, nom) = measures([named], tmp_path / "measures.parquet")["slor"].to_pylist()
    assert erg == nom == 0


def test_scores_that_are_there_twice_are_counted_once_and_told(write_model, tmp_path, caplog):
    path = write_model("1.parquet", "gpt2")
    twice = shutil.copy(path, path.with_name("copy.parquet"))
    folder = results([path, twice], tmp_path / "results")
    told = "gpt2 scored kat/erg-subj in several files (1.parquet, copy.parquet); its scores are counted once."
    assert told in caplog.text
    assert told in (folder / "report.html").read_text()
    assert pq.read_table(folder / "accuracy.parquet")["items"].to_pylist() == [1]
    (model,) = pq.read_table(folder / "models.parquet").to_pylist()
    assert (model["model"], model["fingerprint"], model["datasets"]) == ("gpt2", "1.parquet", "kat")


def test_scores_of_another_version_of_a_suite_are_told(write_model, write_suite, tmp_path, caplog):
    suite = {"dataset": "kat", "suite": "erg-subj", "sha256": "0" * 64}
    path = write_model("1", "gpt2", suites=[suite])
    results([path], tmp_path / "results", suites=[write_suite(["დღეს"])])
    assert "gpt2 scored another version of kat/erg-subj than the one given: score it again." in caplog.text


def test_items_without_a_score_are_left_out_and_told(write_scores, tmp_path, caplog):
    path = write_scores({"a": RIGHT, "b": {"Erg": -1.0, "Nom": nan}, "c": WRONG})
    folder = results([path], tmp_path / "results")
    told = "ngram (kat, word level) did not score all conditions of 1 item, left out here."
    assert told in caplog.text
    assert told in (folder / "report.html").read_text()
    (row,) = pq.read_table(folder / "accuracy.parquet").to_pylist()
    assert (row["items"], row["correct"]) == (2, 1)


def test_a_text_of_which_no_token_has_a_probability_has_no_score(write_scores):
    # Nothing was added up for it, which is no certainty.
    good = write_scores({"a": {"Erg": [0.0, 0.0, 0.0]}}, level="sentence", token_logprobs=[None, None])
    bad = write_scores({"a": {"Nom": [-1.0, -2.0, -1.0]}}, name="bad", level="sentence", token_logprobs=[-3.0, -1.0])
    (row,) = open_scores([good, bad]).sql("select complete, correct from judged").fetchall()
    assert row == (False, None)


def test_no_margin_is_told_where_a_starred_condition_has_no_score(write_scores, tmp_path):
    path = write_scores({"a": {"Erg": -1.0, "Nom": -2.0, "Dat": nan}})
    rows = measures([path], tmp_path / "measures.parquet").to_pylist()
    assert {row["condition"]: row["margin"] for row in rows} == {"Erg": None, "Nom": 1.0, "Dat": None}


class TestTraining:
    """Checkpoints of one training."""

    @pytest.fixture
    def checkpoints(self, write_model):
        """Two runs of two checkpoints each, and a model that is none."""
        runs = [
            write_model(f"{run}{step}", run, items, run=run, requested_revision=f"step{step}", step=step, parameters=99)
            for run in ("small", "large")
            for step, items in ((0, WRONG), (500, RIGHT))
        ]
        return [*runs, write_model("other", "other", step=500, run="other"), write_model("gpt2", "gpt2")]

    def test_the_table_of_models_has_their_sizes(self, checkpoints):
        rows = models_table(label_models(checkpoints)).to_pylist()
        assert {row["model"]: (row["run"], row["step"], row["parameters"]) for row in rows} == {
            "small@step0": ("small", 0, 99),
            "small@step500": ("small", 500, 99),
            "large@step0": ("large", 0, 99),
            "large@step500": ("large", 500, 99),
            "other": ("other", 500, None),
            "gpt2": (None, None, None),
        }

    def test_results_draw_their_accuracy_by_step(self, checkpoints, tmp_path):
        folder = results(checkpoints, tmp_path / "results")
        svg = (folder / "figures/training-kat-word.svg").read_text(encoding="utf-8")
        shown = set(re.findall(r">([^<>]+)</text>", svg))
        assert {"small", "large", "erg-subj", "step", "100%"} <= shown
        assert "other" not in shown
        assert "Over the training" in (folder / "report.html").read_text(encoding="utf-8")

    def test_without_checkpoints_there_are_no_curves(self, write_model, tmp_path):
        folder = results([write_model("1", "gpt2", step=500, run="gpt2")], tmp_path / "results")
        assert not list((folder / "figures").glob("training-*"))
        assert "Over the training" not in (folder / "report.html").read_text(encoding="utf-8")


def test_models_of_a_family_stand_in_the_order_of_their_sizes(write_model, tmp_path):
    sizes = {"bloom-1b7": 1_700_000_000, "bloom-560m": 560_000_000, "bloom-1b1": 1_100_000_000}
    paths = [write_model(name, f"bigscience/{name}", parameters=size) for name, size in sizes.items()]
    page = (results(paths, tmp_path / "results") / "report.html").read_text(encoding="utf-8")
    heads = re.findall(r'class="kind">causal</span>bloom-<wbr>(\w+)</th>', page)
    assert heads[:3] == ["560m", "1b1", "1b7"]
