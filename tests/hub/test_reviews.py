"""What speakers say becomes columns of the dataset; items that they refute leave it, and the card tells."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from starbank.errors import SuiteError
from starbank.hub import publish
from starbank.hub.reviews import Judgement, fold, read_reviews, write_reviews
from starbank.hub.suites import read_suites

# The suite nom-subj has item 1 (Nom, Dat) and item 2 (Nom, Erg, Dat).
ONE, TWO = f"{1:016x}", f"{2:016x}"


def judgements(*told: tuple[str, str, str, str]) -> list[Judgement]:
    return [Judgement(*one) for one in told]


AGREED = judgements(
    (ONE, "Nom", "nino", "good"),
    (ONE, "Dat", "nino", "bad"),
    (ONE, "Nom", "gio", "good"),
    (ONE, "Dat", "gio", "bad"),
    (TWO, "Nom", "nino", "good"),
    (TWO, "Erg", "nino", "bad"),
    (TWO, "Dat", "nino", "good"),
    (TWO, "Dat", "gio", "good"),
    (TWO, "Dat", "eka", "bad"),
    (TWO, "Nom", "gio", "unsure"),
)


@pytest.fixture
def suite(suites):
    return next(suite for suite in read_suites([suites]) if suite.name == "nom-subj")


def test_confirmed_items_stay_and_refuted_ones_go_to_the_rejects(suite):
    folded, agreement = fold(suite, AGREED)
    assert folded.items.select(["item_id", "reviewers", "confirmed"]).to_pylist() == [
        {"item_id": ONE, "reviewers": 2, "confirmed": True}
    ]
    assert folded.tables["pairs"]["item_id"].to_pylist() == [ONE]
    last = folded.tables["rejected"].to_pylist()[-1]
    assert (last["reason"], last["detail"]) == (
        "refuted by native speakers",
        "0 against Nom, 0 against Erg, 2 against Dat",
    )
    assert (last["text"], last["form"], last["target_id"]) == ("კაცი მოდის.", "კაცი", "2")
    assert (agreement.speakers, agreement.items, agreement.confirmed, agreement.refuted) == (3, 2, 1, 1)
    # Seven of nine decided judgements; two pairs on item 1, and of three speakers on a sentence of item 2 one pair.
    assert agreement.with_labels == pytest.approx(7 / 9)
    assert agreement.between_speakers == pytest.approx(3 / 5)


def test_what_speakers_say_of_predicted_forms_is_counted_apart(suite):
    items = suite.items.to_pylist()
    for item in items:
        item["conditions"][-1]["form_source"] = "predicted"
    predicted = replace(suite, tables={**suite.tables, "items": pa.Table.from_pylist(items, suite.items.schema)})
    _, agreement = fold(predicted, AGREED)
    assert (agreement.predicted, agreement.predicted_wrong) == (2, 1)
    _, unsure = fold(predicted, judgements((ONE, "Dat", "nino", "unsure")))
    assert (unsure.predicted, unsure.predicted_wrong) == (0, 0)


def test_what_one_speaker_says_alone_is_no_verdict(suite):
    alone = judgements((ONE, "Nom", "nino", "bad"), (ONE, "Dat", "nino", "bad"), (ONE, "Dat", "gio", "unsure"))
    folded, agreement = fold(suite, alone)
    assert folded.items["confirmed"].to_pylist() == [None, None]
    assert (agreement.confirmed, agreement.refuted) == (0, 0)


def test_a_draw_is_neither(suite):
    draw = judgements((ONE, "Nom", "nino", "good"), (ONE, "Nom", "gio", "bad"), (ONE, "Dat", "nino", "bad"))
    folded, agreement = fold(suite, draw)
    assert folded.items.select(["item_id", "reviewers", "confirmed"]).to_pylist() == [
        {"item_id": ONE, "reviewers": 2, "confirmed": None},
        {"item_id": TWO, "reviewers": None, "confirmed": None},
    ]
    assert (agreement.confirmed, agreement.refuted) == (0, 0)


def test_an_item_is_confirmed_only_when_all_its_sentences_are(suite):
    folded, _ = fold(suite, judgements((ONE, "Dat", "nino", "bad")))
    assert folded.items["confirmed"].to_pylist() == [None, None]


def test_judgements_of_what_is_not_in_the_suite_change_nothing(suite):
    assert fold(suite, judgements(("f" * 16, "Nom", "nino", "good"), (ONE, "Gen", "nino", "bad"))) == (suite, None)


def test_the_last_word_of_a_speaker_counts(tmp_path):
    write_reviews(judgements((ONE, "Nom", "nino", "bad"), (ONE, "Nom", "nino", "good")), tmp_path / "x.json")
    assert read_reviews(tmp_path / "x.json") == judgements((ONE, "Nom", "nino", "good"))


def test_a_file_that_holds_no_reviews_is_told(tmp_path):
    (tmp_path / "x.json").write_text('{"schema": "other/1"}')
    with pytest.raises(SuiteError, match=r"x\.json: holds no reviews"):
        read_reviews(tmp_path / "x.json")


def test_a_dataset_with_reviews(suites, tmp_path):
    (tmp_path / "reviews").mkdir()
    write_reviews(AGREED, tmp_path / "reviews" / "nom-subj.reviews.json")
    output = publish([suites], tmp_path / "georgian", reviews=tmp_path / "reviews")
    table = pq.read_table(output / "data" / "nom-subj" / "items.parquet")
    assert table["confirmed"].to_pylist() == [True]
    # The columns of one suite are there, empty, in the others.
    assert pq.read_table(output / "data" / "erg-subj" / "items.parquet")["confirmed"].to_pylist() == [None]
    assert read_reviews(output / "reviews" / "nom-subj.reviews.json") == sorted(AGREED)
    text = (output / "README.md").read_text(encoding="utf-8")
    assert "| `nom-subj` | 3 | 2 | 1 | 1 | 78% | 60% |" in text
    assert "| refuted by native speakers | 1 |" in text
    assert "Native speakers have judged some of them" in text
