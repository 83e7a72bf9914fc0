"""The items that the page shows one by one: what is in them, and what a browser makes of it."""

import base64
import gzip
import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from starbank.analysis import results
from tests.analysis.conftest import scores_writer, suite_writer

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
RIGHT = {"Erg": [0.0, -0.6931471805599453, -1.0], "Nom": [0.0, -2.0, -1.0], "Dat": [0.0, -3.0, -1.0]}
WRONG = {"Erg": [0.0, -2.0, -1.0], "Nom": [0.0, -1.0, -1.0], "Dat": [0.0, -3.0, -1.0]}
TREE = "<svg xmlns='http://www.w3.org/2000/svg'><title>a tree</title></svg>"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of two items, right and wrong, by two models of which one scored one item."""
    tmp_path = tmp_path_factory.mktemp("page")
    write_scores = scores_writer(tmp_path)
    suite = suite_writer(tmp_path)(["დღეს", "გუშინ"], title="Ergative subject")
    tokens = {"token_starts": [0, 6, 12], "token_logprobs": [-0.5, -1.0, None]}
    paths = [
        write_scores({"i1": RIGHT, "i2": WRONG}, name="ngram", level="sentence", **tokens),
        write_scores({"i1": WRONG}, name="bert", model="org/bert", model_kind="masked", level="sentence", **tokens),
    ]
    folder = results(paths, tmp_path / "results", suites=[suite], draw=lambda _, wanted: dict.fromkeys(wanted, TREE))
    return folder / "report.html"


def content(page: Path) -> dict[str, Any]:
    (packed,) = re.findall(r'id="browser-data">([^<]*)<', page.read_text(encoding="utf-8"))
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_an_item_has_its_sentences_the_grammatical_one_first(page):
    (suite,) = content(page)["suites"]
    assert (suite["title"], suite["language"], suite["total"]) == ("Ergative subject", "ka", 2)
    conditions = suite["items"][0]["conditions"]
    assert [(condition["name"], condition["good"]) for condition in conditions] == [
        ("Erg", True),
        ("Dat", False),
        ("Nom", False),
    ]
    assert conditions[0]["regions"] == ["", "კაცმა", " სახლი ააშენა."]


def test_where_there_are_many_suites_only_their_first_items_have_trees(
    write_scores, write_suite, tmp_path, monkeypatch
):
    monkeypatch.setattr("starbank.analysis.browser.TREES", 1)
    monkeypatch.setattr("starbank.analysis.browser.AT_LEAST", 1)
    scores = write_scores({"i1": RIGHT, "i2": WRONG}, level="sentence")
    suite = write_suite(["დღეს", "გუშინ"])
    results([scores], tmp_path / "results", suites=[suite], draw=lambda _, wanted: dict.fromkeys(wanted, TREE))
    (shown,) = content(tmp_path / "results/report.html")["suites"]
    assert [item["tree"] for item in shown["items"]] == [0, None]


def test_a_score_tells_the_verdict_and_bits_by_region_and_token(page):
    told = content(page)
    assert told["models"] == ["ngram", "bert"]
    item = told["suites"][0]["items"][0]
    verdict, (ergative, *_) = item["scores"]["0"]["sentence"]
    assert verdict == "right"
    # Half a nat is 0.7 bits; the token that nothing predicts has none.
    assert ergative == [[0.0, 1.0, 1.443], [0, 6, 12], [0.7, 1.4, None]]
    assert item["scores"]["1"]["sentence"][0] == "wrong"


def test_trees_are_there_once(page):
    told = content(page)
    assert told["trees"] == [TREE]
    assert [item["tree"] for item in told["suites"][0]["items"]] == [0, 0]


def test_large_suites_are_sampled(tmp_path, write_scores):
    path = write_scores({f"i{number:02}": WRONG for number in range(30)})
    (suite,) = content(results([path], tmp_path / "results", items=20) / "report.html")["suites"]
    assert (suite["total"], len(suite["items"])) == (30, 20)


WRONG_BY_NGRAM, WRONG_BY_BERT, RIGHT_BY_NGRAM = (
    f"suite=0&model={model}&show={verdict}" for model, verdict in ((0, "wrong"), (1, "wrong"), (0, "right"))
)
DOGS, MEN = (f"suite=0&show=&find={quote(word)}" for word in ("ძაღლი", "კაცს"))
CHOICES = [WRONG_BY_NGRAM, WRONG_BY_BERT, RIGHT_BY_NGRAM, DOGS, MEN]
# Acts as a reader who opens the page with the first choice in its address, and then makes the others.
READER = f"""(async () => {{
  const shown = [], count = document.getElementById("browser-count");
  while (!count.textContent.includes("of 2 items")) await new Promise(next => setTimeout(next, 10));
  for (const choice of {CHOICES[1:]}) {{
    shown.push(count.parentNode.outerHTML);
    location.hash = "#items?" + choice;
    await new Promise(next => addEventListener("hashchange", next, {{ once: true }}));
  }}
  shown.push(count.parentNode.outerHTML);
  document.title = JSON.stringify(shown);
}})();"""


@pytest.fixture(scope="module")
def seen(page: Path) -> dict[str, str]:
    """The text of the item browser for each of the choices; Chromium takes long to start."""
    if BROWSER is None:
        pytest.skip("no Chromium here")
    read = page.with_name("read.html")
    text = page.read_text(encoding="utf-8").replace("</body>", f"<script>{READER}</script></body>")
    read.write_text(text, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"]
    address = f"{read.as_uri()}#items?{CHOICES[0]}"
    run = subprocess.run([BROWSER, *options, address], capture_output=True, text=True, timeout=60)
    shown = json.loads(html.unescape(run.stdout.split("<title>")[1].split("</title>")[0]))
    sections = [section.split('id="browser-count"')[1].split("<button")[0] for section in shown]
    texts = [re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", f"<{section}"))) for section in sections]
    return dict(zip(CHOICES, texts, strict=True))


def test_in_a_browser_items_are_filtered_by_model_and_verdict(seen):
    wrong = seen[WRONG_BY_NGRAM]
    assert "1 of 2 items" in wrong
    assert "wrong kat · Ergative subject · UD_Georgian-Sample · i2" in wrong
    assert "i1" not in wrong
    assert "i1" in seen[WRONG_BY_BERT]


def test_in_a_browser_words_carry_their_surprisal(seen):
    text = seen[RIGHT_BY_NGRAM]
    assert "Erg 2.4 bits prefix" not in text  # An empty region is not told.
    assert "Erg 2.4 bits target 1.0 + suffix 1.4 კაცმა 0.7 სახლი 1.4 ააშენა. –" in text
    assert "*Nom" in text


def test_in_a_browser_items_are_found_by_a_word(seen):
    assert "0 of 2 items" in seen[DOGS]
    assert "2 of 2 items" in seen[MEN]


def test_no_style_of_the_page_falls_on_an_item_because_of_its_verdict(page):
    style = page.read_text(encoding="utf-8").split("<style>")[1].split("</style>")[0]
    verdicts = ("right", "wrong", "tied", "none")
    assert not re.findall(rf"(?m)^\.({'|'.join(verdicts)})\b", style)
    assert all(f".item.is-{verdict}" in style for verdict in ("right", "wrong", "tied"))


MOVED = {
    "Erg": ["", "კაცმა სახლი", " დღეს ააშენა."],
    "order": ["", "სახლი", " დღეს კაცმა ააშენა."],
    "shorter": ["", "კაცმა", " დღეს ააშენა."],
}


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
def test_in_a_browser_words_that_were_moved_and_left_out_are_marked(tmp_path):
    items = {"i1": {name: [0.0, -1.0, -1.0] for name in MOVED}}
    page = results([scores_writer(tmp_path)(items, level="sentence", texts=MOVED)], tmp_path / "results")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"]
    address = (page / "report.html").as_uri()
    run = subprocess.run([BROWSER, *options, address], capture_output=True, text=True, timeout=60)
    marked = re.findall(r'class="word (?:marked )?(gone|added|moved)"[^>]*><span>([^<]*)', run.stdout)
    assert [(kind, word.strip()) for kind, word in marked] == [("gone", "კაცმა"), ("moved", "კაცმა"), ("gone", "სახლი")]
