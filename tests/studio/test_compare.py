"""Results of models, compared in a browser."""

import shutil

import pyarrow.parquet as pq
import pytest

from starbank.files import read_metadata, write_parquet
from tests.analysis.conftest import scores_writer, suite_writer
from tests.scoring.tiny_models import byte_level_gpt

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("studio")]

# Log-probabilities of regions, in nats: ln 2 is a bit.
BIT = -0.6931471805599453
RIGHT = {"Erg": [0.0, BIT, 0.0], "Nom": [0.0, 2 * BIT, 0.0], "Dat": [0.0, 3 * BIT, 0.0]}
WRONG = {"Erg": [0.0, 3 * BIT, 0.0], "Nom": [0.0, 2 * BIT, 0.0], "Dat": [0.0, 3 * BIT, 0.0]}


@pytest.fixture
def scored(served):
    """A project in which two models have scored a suite of two items, and differ on one."""
    scores = served.project / "outputs/scores/kat"
    scores.mkdir(parents=True, exist_ok=True)
    for earlier in scores.iterdir():
        earlier.unlink()
    write = scores_writer(scores)
    for name, second in (("ngram", WRONG), ("gpt", RIGHT)):
        write({"i1": RIGHT, "i2": second}, name=f"{name}.parquet", model=name, level="sentence",
              token_starts=[0, 6], token_logprobs=[BIT, 2 * BIT])  # fmt: skip
    return served


def test_one_table_says_how_right_each_model_is(page, scored):
    page.goto("/compare")
    page.wait_for_selector("#comparison table")
    (row,) = page.locator("#comparison tbody tr").all()
    assert row.locator("th, td").all_inner_texts() == ["erg-subj", "33 %", "100 % [16, 100]", "50 % [1, 99]"]
    assert page.locator("#comparison thead th").all_inner_texts() == ["suite", "chance", "gpt", "ngram"]


def test_models_are_chosen(page, scored):
    page.goto("/compare")
    page.wait_for_selector("#comparison table")
    page.uncheck("[name=models][value=gpt]")
    page.wait_for_selector("#comparison thead >> text=gpt", state="detached")
    assert "models=ngram" in page.url


def test_another_measure_judges_otherwise(page, scored):
    write = scores_writer(scored.project / "outputs/scores/kat")
    # All in all the longer sentence is the less likely one, by character it is not.
    scores = {"Erg": [0.0, 6 * BIT, 0.0], "Nom": [0.0, 4 * BIT, 0.0]}
    texts = {"Erg": ["", "კაცებმა", ""], "Nom": ["", "კაცი", ""]}
    write({"i1": scores}, name="long.parquet", model="long", level="sentence", construction="long", texts=texts)
    page.goto("/compare?models=long")
    page.wait_for_selector("#comparison td:has-text('0 % [')")
    page.select_option("[name=measure]", "mean by character")
    page.wait_for_selector("#comparison td:has-text('100 % [')")


def test_slor_takes_away_how_frequent_the_words_are(page, scored):
    write = scores_writer(scored.project / "outputs/scores/kat")
    # The grammatical sentence is the less likely one, since its words are rarer.
    for name, good, bad in (("unigram", 5 * BIT, BIT), ("gpt2", 6 * BIT, 4 * BIT)):
        scores = {"Erg": [0.0, good, 0.0], "Nom": [0.0, bad, 0.0]}
        write({"i1": scores}, name=f"{name}.parquet", model=name, level="sentence", construction="rare")
    page.goto("/compare?models=gpt2")
    page.wait_for_selector("#comparison td:has-text('0 % [')")
    page.select_option("[name=measure]", "SLOR")
    page.wait_for_selector("#comparison td:has-text('100 % [')")
    assert page.locator("#comparison tbody tr").count() == 1


def test_a_measure_that_no_model_has_says_what_is_missing(page, scored):
    page.goto("/compare?measure=SLOR")
    page.wait_for_selector("#comparison >> text=SLOR is taken from the scores of the baseline unigram")


def test_suites_are_chosen_and_a_link_keeps_the_choice(page, scored):
    write = scores_writer(scored.project / "outputs/scores/kat")
    write({"i1": RIGHT}, name="other.parquet", model="gpt", level="sentence", construction="other")
    page.goto("/compare")
    page.wait_for_selector("#comparison th >> text=erg-subj")
    page.click("summary >> text=Suites")
    page.uncheck("[name=suites][value='kat/erg-subj']")
    page.wait_for_selector("#comparison th >> text=erg-subj", state="detached")
    page.wait_for_selector("#comparison tbody th >> text=other")
    assert page.locator("#comparison tbody th").all_inner_texts() == ["other"]
    page.reload()
    page.wait_for_selector("#comparison tbody th >> text=other")
    assert page.locator("#comparison tbody th").all_inner_texts() == ["other"]


def test_items_are_grouped_by_their_treebank(page, scored):
    write = scores_writer(scored.project / "outputs/scores/kat")
    write({"i3": WRONG}, name="gnc.parquet", model="gpt", level="sentence", treebank="UD_Georgian-GNC")
    page.goto("/compare?models=gpt")
    page.click("#comparison >> text=treebank")
    page.wait_for_selector("#comparison td >> text=UD_Georgian-GNC")
    rows = page.locator("#comparison table >> nth=1").locator("tbody tr").all_inner_texts()
    assert [row.split("\t")[-2:] for row in rows] == [
        ["UD_Georgian-GNC", "0 % of 1"], ["UD_Georgian-Sample", "100 % of 2"],
    ]  # fmt: skip


def test_what_misled_models_and_which_is_better_stands_with_the_items(page, scored):
    page.goto("/compare")
    page.click("#comparison >> text=erg-subj")
    page.click("#disputed >> text=Errors, and model against model")
    errors, pairs = (page.locator("#disputed table").nth(place).locator("tbody tr") for place in (0, 1))
    assert errors.all_inner_texts() == ["ngram\tNom\t1\t100 %"]
    assert pairs.all_inner_texts() == ["gpt\tngram\t1\t1\t0\t1"]


def test_predictions_of_a_suite_stand_with_how_often_they_come_true(page, scored):
    items = suite_writer(scored.project / "outputs")(["დღეს"]) / "items.parquet"
    about = read_metadata(items)
    about["construction"]["predictions"] = ["(2;%Nom%) > (2;%Erg%)"]
    write_parquet(pq.read_table(items), items, "items/1", about)
    page.goto("/compare")
    page.wait_for_selector("#comparison h2 >> text=Predictions")
    rows = page.locator("#comparison table >> nth=-1").locator("tbody tr").all_inner_texts()
    shutil.rmtree(items.parent)
    assert rows == ["erg-subj\t(2;%Nom%) > (2;%Erg%)\t100 % [16, 100]\t50 % [1, 99]"]


def test_the_items_on_which_models_differ_are_shown_with_the_surprisal_of_each_word(page, scored):
    page.goto("/compare")
    page.click("#comparison >> text=erg-subj")
    page.wait_for_selector("#disputed li")
    assert page.locator("#disputed li").count() == 1
    assert "i2" in page.inner_text("#disputed li")
    tokens = page.locator("#disputed .reading >> nth=0").locator(".token").all_inner_texts()
    assert tokens == ["კაცმა1.0 ", "სახლი ააშენა.2.0"]


def test_a_pair_that_one_types_is_scored_by_a_model_of_the_project(page, scored, tmp_path):
    byte_level_gpt(tmp_path)
    write = scores_writer(scored.project / "outputs/scores/kat")
    path = write({"i1": RIGHT, "i2": RIGHT}, name="local.parquet", model="local", level="sentence")
    write_parquet(
        pq.read_table(path), path, "scores/1", {"model": "local", "origin": str(tmp_path / "causal"), "suites": []}
    )
    page.goto("/compare?treebank=UD_English-Sample")
    page.select_option("[name=scorer]", "local")
    page.fill("[name=good]", "The baker sells bread.")
    page.fill("[name=bad]", "The baker sell bread.")
    page.click("text=Score them")
    page.wait_for_selector("#pair >> text=To local,", timeout=60_000)
    assert page.locator("#pair .reading >> nth=0").locator(".token").count() == 5


def test_a_pair_that_one_types_is_scored_by_a_baseline(page):
    page.goto("/compare?treebank=UD_English-Sample")
    page.fill("[name=good]", "The baker sells bread.")
    page.fill("[name=bad]", "The baker zells bread.")
    page.click("text=Score them")
    page.wait_for_selector("#pair >> text=the grammatical sentence is the likelier one")
