"""Results of models, compared in a browser."""

import pytest

from tests.analysis.conftest import scores_writer

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


def test_the_items_on_which_models_differ_are_shown_with_the_surprisal_of_each_word(page, scored):
    page.goto("/compare")
    page.click("#comparison >> text=erg-subj")
    page.wait_for_selector("#disputed li")
    assert page.locator("#disputed li").count() == 1
    assert "i2" in page.inner_text("#disputed li")
    tokens = page.locator("#disputed .reading >> nth=0").locator(".token").all_inner_texts()
    assert tokens == ["კაცმა1.0 ", "სახლი ააშენა.2.0"]


def test_a_pair_that_one_types_is_scored_by_a_baseline(page):
    page.goto("/compare?treebank=UD_English-Sample")
    page.fill("[name=good]", "The baker sells bread.")
    page.fill("[name=bad]", "The baker zells bread.")
    page.click("text=Score them")
    page.wait_for_selector("#pair >> text=the grammatical sentence is the likelier one")
