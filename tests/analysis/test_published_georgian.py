"""What Gallagher & Heyer (2026) published, recomputed from their models' own scores of every item."""

from pathlib import Path

import pandas as pd
import pytest

from benchmarks.published_georgian import SUITES, beside
from starbank.analysis import results
from starbank.pipeline.evaluations.grewtse import import_tables


@pytest.fixture(scope="module")
def table(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """The published figures beside ours, a row per suite, level and model."""
    published = shared / "published" / "georgian"
    folder = tmp_path_factory.mktemp("published")
    files = sorted([*published.glob("mlm-*.csv"), *published.glob("ntp-*.csv")])
    scores = import_tables(files, list(SUITES), folder / "kat", language="kat")
    return beside(results(scores, folder / "results", items=0), published)


def test_all_published_accuracies_come_out_exactly(table):
    assert len(table) == 24
    assert [str(round(float(ours))) for ours in table["ours"]] == table["published"].tolist()


def test_all_published_means_come_out_exactly(table):
    assert set(table["means"]) == {"equal"}


def test_forms_at_the_floor_of_the_published_probabilities_are_ties(table):
    tied = table[table["ties"] > 0]
    assert tied[["model", "suite", "level", "ties"]].to_numpy().tolist() == [
        ["XLM-RoBERTa(bs)", "intransitive-nom-subj", "word", 12],
        ["XLM-RoBERTa(bs)", "transitive-erg-nom-subj", "word", 1],
    ]


def test_where_the_ergative_is_due_models_are_misled_by_the_nominative(table):
    ergative = table[table["suite"] == "transitive-erg-nom-subj"]
    counts = ergative["misled by"].str.extract(r"dat (\d+), nom (\d+)").astype(int)
    assert (counts[1] > counts[0]).all()
    assert ergative["model"][ergative["chance"] == "above"].tolist() == ["mGPT-1.3B-Georgian"]
