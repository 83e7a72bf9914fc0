"""Two speakers judge a suite on one device, in a browser; their agreement, and what follows for the items."""

import json

import pytest

from starbank.hub.reviews import read_reviews
from tests.hub.suites import GEORGIAN, item, write

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("studio")]

VERBS = ["მოვიდა", "წავიდა", "დარბოდა", "გაიქცა"]


@pytest.fixture
def suite(served):
    """A suite of four items of two conditions in the project, which nobody has judged."""
    folder = served.project / "outputs/suites/kat/nom-subj"
    items = [
        item(
            place,
            "nom-subj",
            "UD_Georgian-GLC",
            {"Nom": ("", "კაცი", f" {verb}."), "Erg": ("", "კაცმა", f" {verb}.")},
            2,
        )
        for place, verb in enumerate(VERBS)
    ]
    write(folder, items, [], [GEORGIAN])
    for file in (served.project / "outputs/reviews").rglob("*.json"):
        file.unlink()
    return folder


def judge_all(page, name, ergative="2"):
    """Judge as a speaker by keys: what has an ergative by the key given, what is garbled as bad."""
    keys = {f"კაცი {verb}.": "1" for verb in VERBS} | {f"კაცმა {verb}.": ergative for verb in VERBS}
    page.goto("/judge?suite=kat/nom-subj")
    page.fill("[name=reviewer]", name)
    page.click("text=Begin >> nth=-1")
    page.wait_for_selector("#judged")
    while page.locator("#judged").count():
        shown = page.inner_text("#judged")
        done = page.get_attribute("progress", "value")
        page.keyboard.press(keys.get(shown, "2"))
        page.wait_for_selector(f"progress:not([value='{done}'])")
    page.click("text=Stop here")
    page.wait_for_selector("h2 >> text=Agreement")


def test_two_speakers_of_one_name_judge_and_their_agreement_is_told(page, suite, served):
    judge_all(page, "Nino")
    judge_all(page, "Nino")
    assert page.locator("tbody th").all_inner_texts() == ["Nino", "Nino"]
    assert "1.00 [1.00, 1.00]" in page.inner_text("dl.features")
    assert "Of 4 judged items 4 are confirmed" in page.inner_text("#judging")
    page.click("text=Keep for the next release")
    page.wait_for_selector("#messages >> text=queries/kat/nom-subj.reviews.json")
    kept = read_reviews(served.project / "queries/kat/nom-subj.reviews.json")
    assert len({judgement.reviewer for judgement in kept}) == 2


def test_what_both_find_good_refutes_the_items(page, suite):
    judge_all(page, "Nino", ergative="1")
    judge_all(page, "Gio", ergative="1")
    assert "4 refuted" in page.inner_text("#judging")


def test_a_speaker_goes_on_where_they_stopped(page, suite):
    page.goto("/judge?suite=kat/nom-subj")
    page.fill("[name=reviewer]", "Eka")
    page.click("text=Begin >> nth=-1")
    page.wait_for_selector("progress[value='0']")
    page.fill("[name=comment]", "ძველია")
    page.click("button >> text=Unsure")
    page.wait_for_selector("progress[value='1']")
    page.click("text=Stop here")
    page.click("text=Go on")
    page.wait_for_selector("progress[value='1']")
    page.click("text=Back")
    page.wait_for_selector("button[aria-pressed=true]:has-text('Unsure')")
    assert page.input_value("[name=comment]") == "ძველია"


def test_what_a_speaker_has_sent_is_taken_in(page, suite, tmp_path):
    page.goto("/judge?suite=kat/nom-subj")
    page.click("text=Speakers elsewhere")
    with page.expect_download() as waiting:
        page.click("text=Save the page")
    text = waiting.value.path().read_text(encoding="utf-8")
    first = json.loads(text.partition("const page = ")[2].partition(";\n")[0])["sentences"][0]["id"]
    said = {"schema": "judgements/1", "suite": "nom-subj", "seed": 0, "reviewer": "Lia", "speaker": "0" * 16}
    file = tmp_path / "lia.json"
    file.write_text(json.dumps(said | {"judgements": [{"id": first, "judgement": "good"}]}))
    page.set_input_files("input[type=file]", file)
    page.wait_for_selector("#messages >> text=Lia: 1 judgements")
    assert page.locator("tbody th").all_inner_texts() == ["Lia"]


def test_on_a_phone_the_buttons_stay_in_view(page, suite):
    page.set_viewport_size({"width": 360, "height": 500})
    page.goto("/judge?suite=kat/nom-subj")
    page.fill("[name=reviewer]", "Eka")
    page.click("text=Begin >> nth=-1")
    page.wait_for_selector("#judged")
    box = page.locator(".verdicts").bounding_box()
    assert box["y"] + box["height"] <= 500
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
