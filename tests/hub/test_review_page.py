"""The page that speakers get is blind and whole, works in a browser, and what comes back finds its items."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from starbank.cli import main
from starbank.errors import SuiteError
from starbank.hub.review_page import choose, export_review, garble, read_answers, sentence_id
from starbank.hub.reviews import read_reviews
from starbank.hub.suites import read_suites
from tests.hub.suites import GEORGIAN, HEBREW, item, write

pytestmark = pytest.mark.slow

NOUNS = {"კაცი": ("კაცმა", "კაცს"), "ბიჭი": ("ბიჭმა", "ბიჭს"), "მეზობელი": ("მეზობელმა", "მეზობელს")}
VERBS = ["მოვიდა", "წავიდა", "დარბოდა", "გაიქცა", "დაბრუნდა", "გამოჩნდა", "დაიმალა", "ამღერდა"]


@pytest.fixture
def suite(tmp_path):
    """A suite of twenty-four items of three conditions."""
    items = []
    for noun, (ergative, dative) in NOUNS.items():
        for verb in VERBS:
            forms = {
                "Nom": ("", noun, f" {verb}."),
                "Erg": ("", ergative, f" {verb}."),
                "Dat": ("", dative, f" {verb}."),
            }
            items.append(item(len(items), "nom-subj", "UD_Georgian-GLC", forms, 2))
    write(tmp_path / "suites" / "nom-subj", items, [], [GEORGIAN])
    return tmp_path / "suites" / "nom-subj"


def data(page: Path) -> dict:
    """Return what the page knows."""
    return json.loads(re.search(r"const page = (\{.*\});", page.read_text(encoding="utf-8"))[1])


def answer(suite: Path, file: Path, judge, n: int = 8) -> Path:
    """Write what a speaker sends who judges sentences by a function of their text and whether they are right."""
    page = file.with_suffix(".html")
    export_review(suite, page, n=n)
    good = {"".join(row["conditions"][0]["regions"]) for row in read_suites([suite])[0].items.to_pylist()}
    judgements = [
        {"id": one["id"], "judgement": judge(one["text"], one["text"] in good)} for one in data(page)["sentences"]
    ]
    value = {"schema": "judgements/1", "suite": suite.name, "seed": 0, "reviewer": file.stem, "judgements": judgements}
    file.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return file


def by_the_book(_: str, right: bool) -> str:
    return "good" if right else "bad"


# The page


def test_the_page_holds_sentences_without_labels(suite, tmp_path):
    assert export_review(suite, tmp_path / "page.html", n=8) == 24 + 3
    told = data(tmp_path / "page.html")
    assert {frozenset(one) for one in told["sentences"]} == {frozenset({"id", "text"})}
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not re.search(r"Nom|Erg|Dat|grammatical|starred", page.partition("<script>")[2])


def test_the_page_is_one_file_that_loads_nothing(suite, tmp_path):
    export_review(suite, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|src=|@import|url\(", page)
    assert "default-src 'none'" in page


def test_variants_of_an_item_stand_apart(suite):
    sentences = choose(read_suites([suite])[0], 8, seed=0)
    verbs = [re.findall(r"\w+", text)[-1] for text in sentences]
    nouns = [re.findall(r"\w+", text)[0][:3] for text in sentences]
    places: dict[tuple[str, str], list[int]] = {}
    for place, key in enumerate(zip(nouns, verbs, strict=True)):
        places.setdefault(key, []).append(place)
    distances = [later - earlier for found in places.values() for earlier, later in pairwise(found)]
    assert min(distances) > 1


def test_the_same_seed_gives_the_same_page_and_another_another(suite, tmp_path):
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        export_review(suite, tmp_path / name, n=8, seed=seed)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert [one["text"] for one in data(tmp_path / "a")["sentences"]] != [
        one["text"] for one in data(tmp_path / "c")["sentences"]
    ]


def test_a_sentence_cannot_end_the_script(tmp_path):
    forms = {"Nom": ("", "კაცი", " </script><b>."), "Erg": ("", "კაცმა", " </script><b>.")}
    write(tmp_path / "suite", [item(1, "suite", "UD_Georgian-GLC", forms, 2)], [], [GEORGIAN])
    export_review(tmp_path / "suite", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").count("</script>") == 1
    assert "კაცი </script><b>." in [one["text"] for one in data(tmp_path / "page.html")["sentences"]]


@pytest.mark.parametrize(
    ("text", "garbled"),
    [
        ("The keys hang behind the door.", "The keys hang dniheb the door."),
        ("«ბავშვი» მოდის.", "«ივშვაბ» მოდის."),
        ("लड़कियाँ गईं।", "याँकिड़ल गईं।"),
        ("I am.", None),
    ],
)
def test_a_word_spelt_backwards_is_no_word(text, garbled):
    assert garble(text) == garbled


def test_a_suite_without_items_has_no_page(tmp_path):
    write(tmp_path / "empty", [], ["no form"], [GEORGIAN])
    with pytest.raises(SuiteError, match="has no items to review"):
        export_review(tmp_path / "empty", tmp_path / "page.html")


# What comes back


def test_judgements_find_their_items(suite, tmp_path):
    answers = read_answers([answer(suite, tmp_path / "nino.json", by_the_book)], suite)[0]
    assert answers.reviewer == "nino"
    assert (answers.catches, answers.slips, answers.unknown) == (3, 0, 0)
    # Eight items of three conditions, and a good sentence of another.
    assert len(answers.judgements) == 25
    assert {(one.condition, one.judgement) for one in answers.judgements} == {
        ("Nom", "good"),
        ("Erg", "bad"),
        ("Dat", "bad"),
    }


def test_who_has_judged_nothing_yet_but_a_garbled_sentence_is_no_stranger(suite, tmp_path):
    first = {"id": sentence_id(garble("კაცი მოვიდა."), 0), "judgement": "bad"}
    said = {"schema": "judgements/1", "suite": "nom-subj", "seed": 0, "reviewer": "Nino", "judgements": [first]}
    file = tmp_path / "nino.json"
    file.write_text(json.dumps(said))
    (answers,) = read_answers([file], suite)
    assert (answers.judgements, answers.catches, answers.slips) == ([], 1, 0)


def test_a_speaker_who_finds_all_good_was_not_careful(suite, tmp_path, capsys):
    files = [
        answer(suite, tmp_path / "nino.json", by_the_book),
        answer(suite, tmp_path / "gio.json", lambda *_: "good"),
    ]
    out = tmp_path / "nom-subj.reviews.json"
    main(["review", "import", *map(str, files), "--suite", str(suite), "-o", str(out)])
    assert {one.reviewer for one in read_reviews(out)} == {"nino"}
    assert "gio: 25 judgements, 1 of 3 known sentences right: left out" in capsys.readouterr().err
    main(["review", "import", str(files[1]), "--suite", str(suite), "-o", str(out), "--keep-all"])
    assert {one.reviewer for one in read_reviews(out)} == {"nino", "gio"}


def test_what_is_no_file_of_judgements_or_of_another_suite_is_told(suite, tmp_path):
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(SuiteError, match=r"x\.json: holds no judgements"):
        read_answers([tmp_path / "x.json"], suite)
    file = answer(suite, tmp_path / "nino.json", by_the_book)
    write(
        tmp_path / "number",
        [item(1, "number", "UD_Hebrew-HTB", {"A": ("", "a", ""), "B": ("", "b", "")}, 1)],
        [],
        [HEBREW],
    )
    with pytest.raises(SuiteError, match="judges the suite 'nom-subj', not 'number'"):
        read_answers([file], tmp_path / "number")


def test_sentences_that_are_gone_are_counted(suite, tmp_path):
    file = answer(suite, tmp_path / "nino.json", by_the_book)
    value = json.loads(file.read_text(encoding="utf-8"))
    value["judgements"].append({"id": sentence_id("ეს აღარ არის.", 0), "judgement": "good"})
    file.write_text(json.dumps(value), encoding="utf-8")
    assert read_answers([file], suite)[0].unknown == 1


# In a browser


@pytest.fixture(scope="module")
def browser():
    """A browser without a window."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not found:
        pytest.skip("needs Chromium")
    return found


def run(browser: str, page: Path, script: str, profile: Path, size: str = "400,800") -> str:
    """Open the page, let a script act as a speaker does, and return the text that it puts into the page's title."""
    driven = page.with_name("driven.html")
    driven.write_text(
        page.read_text(encoding="utf-8").replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8"
    )
    flags = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", f"--window-size={size}")
    command = [browser, *flags, "--virtual-time-budget=3000", "--dump-dom", driven.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return re.search(r"<title>(.*?)</title>", result.stdout, re.DOTALL)[1].replace("&lt;", "<").replace("&amp;", "&")


ACT = """
const press = key => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const click = id => element(id).click();
URL.createObjectURL = blob => { blob.text().then(text => document.title = text); return "blob:x"; };
"""


def test_a_speaker_judges_by_keys_and_buttons_and_saves_the_file(browser, suite, tmp_path):
    export_review(suite, tmp_path / "page.html", n=2)
    sentences = data(tmp_path / "page.html")["sentences"]
    script = f"""{ACT}
    state.speaker = "0000000000000000";
    element("name").value = "Nino"; click("begin");
    press("1"); press("2"); press("ArrowLeft"); element("comment").value = "Hm."; press("3");
    while (!main.hidden) document.querySelector("[data-judgement=bad]").click();
    click("save");
    """
    saved = json.loads(run(browser, tmp_path / "page.html", script, tmp_path / "profile"))
    judged = [one["judgement"] for one in saved["judgements"]]
    assert judged == ["good", "unsure", *["bad"] * (len(sentences) - 2)]
    assert [one["id"] for one in saved["judgements"]] == [one["id"] for one in sentences]
    assert saved["judgements"][1]["comment"] == "Hm."
    file = tmp_path / "nino.json"
    file.write_text(json.dumps(saved), encoding="utf-8")
    assert read_answers([file], suite)[0].reviewer == "Nino"


def test_each_speaker_has_an_order_of_their_own(browser, suite, tmp_path):
    export_review(suite, tmp_path / "page.html", n=2)
    ids = [one["id"] for one in data(tmp_path / "page.html")["sentences"]]
    script = f"""{ACT} state.speaker = "0000000300000000"; element("name").value = "Gio"; click("begin");
    while (!main.hidden) press("1");
    click("save");
    """
    saved = json.loads(run(browser, tmp_path / "page.html", script, tmp_path / "profile"))
    assert [one["id"] for one in saved["judgements"]] == [*ids[-4::-1], *ids[:-4:-1]]
    assert saved["speaker"] == "0000000300000000"


def test_a_held_key_judges_once(browser, suite, tmp_path):
    export_review(suite, tmp_path / "page.html", n=2)
    script = f"""{ACT} element("name").value = "Gio"; click("begin"); press("1");
    document.dispatchEvent(new KeyboardEvent("keydown", {{ key: "1", repeat: true }}));
    document.title = Object.keys(state.judgements).length;"""
    assert run(browser, tmp_path / "page.html", script, tmp_path / "profile") == "1"


def test_two_speakers_of_one_name_are_two(suite, tmp_path):
    files = [answer(suite, tmp_path / f"{place}.json", by_the_book) for place in (1, 2)]
    for place, file in enumerate(files):
        value = json.loads(file.read_text(encoding="utf-8")) | {"reviewer": "Nino", "speaker": f"{place:016x}"}
        file.write_text(json.dumps(value), encoding="utf-8")
    speakers = {one.reviewer for answers in read_answers(files, suite) for one in answers.judgements}
    assert speakers == {f"{0:016x}", f"{1:016x}"}


def test_a_file_that_lacks_its_seed_is_told_so(suite, tmp_path):
    file = answer(suite, tmp_path / "nino.json", by_the_book)
    value = json.loads(file.read_text(encoding="utf-8"))
    del value["seed"]
    file.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(SuiteError, match="does not say by which seed"):
        read_answers([file], suite)


def test_instructions_may_be_in_the_language_of_the_suite(suite, tmp_path):
    export_review(suite, tmp_path / "page.html", instructions=["წაიკითხეთ."])
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<p lang="ka" dir="auto">წაიკითხეთ.</p>' in page
    assert "You will see" not in page


def test_what_was_judged_is_still_there_after_closing(browser, suite, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api")
    export_review(suite, tmp_path / "page.html", n=2)
    address = (tmp_path / "page.html").as_uri()
    with playwright.sync_playwright() as run:
        # A browser that is closed in order writes what its pages keep; one that only prints a page may not.
        opened = {"executable_path": browser, "args": ["--no-sandbox"]}
        with run.chromium.launch_persistent_context(tmp_path / "profile", **opened) as context:
            page = context.new_page()
            page.goto(address)
            page.fill("#name", "Nino")
            page.click("#begin")
            page.keyboard.press("1")
            page.keyboard.press("2")
            assert page.text_content("#count") == "3 / 6"
        with run.chromium.launch_persistent_context(tmp_path / "profile", **opened) as context:
            page = context.new_page()
            page.goto(address)
            assert page.text_content("#count") == "3 / 6"
            assert page.evaluate("Object.values(state.judgements)") == ["good", "bad"]


def test_on_a_phone_the_page_fits_and_the_buttons_are_large_enough(browser, suite, tmp_path):
    export_review(suite, tmp_path / "page.html", n=2)
    script = f"""{ACT}
    element("name").value = "Nino"; click("begin");
    const box = document.querySelector("[data-judgement=good]").getBoundingClientRect();
    const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
    const shown = element("sentence");
    document.title = [wide, box.height >= 44, shown.lang, getComputedStyle(shown).direction];
    """
    assert run(browser, tmp_path / "page.html", script, tmp_path / "profile") == "false,true,ka,ltr"


def test_a_script_that_runs_from_right_to_left_does_so_on_the_page(browser, tmp_path):
    forms = {"Sing": ("", "הילד", " הולך."), "Plur": ("", "הילדים", " הולך.")}
    write(tmp_path / "number", [item(1, "number", "UD_Hebrew-HTB", forms, 2)], [], [HEBREW], language="heb")
    export_review(tmp_path / "number", tmp_path / "page.html")
    script = """element("name").value = "Noa"; begin();
    document.title = [element("sentence").lang, getComputedStyle(element("sentence")).direction];"""
    assert run(browser, tmp_path / "page.html", script, tmp_path / "profile") == "he,rtl"
