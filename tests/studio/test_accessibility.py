"""What axe-core finds wrong with each view: for screen readers, keyboards, contrast (https://github.com/dequelabs/axe-core).

`npm install axe-core` in the root of the repository, or the file named by AXE_CORE; without it these tests are skipped.
"""

import os
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("studio")]

AXE = Path(os.environ.get("AXE_CORE", "node_modules/axe-core/axe.min.js")).absolute()
REQUEST = "pattern { V [upos=VERB]; S [upos=NOUN]; V -[nsubj]-> S }"


def findings(page):
    if not AXE.is_file():
        pytest.skip("needs axe-core")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("() => axe.run()")["violations"]
    return [(finding["id"], [node["html"] for node in finding["nodes"]]) for finding in found]


def test_search(page):
    page.goto(f"/search?treebank=UD_Georgian-Sample&request={REQUEST}&by=S.Case")
    page.wait_for_selector("#table table")
    page.click("ol.matches >> text=Tree >> nth=0")
    page.wait_for_selector(".tree svg")
    assert findings(page) == []


def test_a_mistake_and_completions(page):
    page.goto("/search?treebank=UD_English-Sample")
    page.wait_for_selector("#matches ul.snippets")
    page.focus("#request")
    page.keyboard.type("pattern { V [upos=VE")
    page.wait_for_selector("[role=option]")
    assert findings(page) == []


def test_star(page):
    page.goto(f"/star?treebank=UD_English-Sample&request={REQUEST}")
    page.click("#sentences >> text=sells")
    page.click("#word button.main >> text=Number")
    page.wait_for_selector("#items > p", timeout=60_000)
    page.click("#items >> text=Look closer >> nth=0")
    page.wait_for_selector("#word .tree svg")
    assert findings(page) == []


@pytest.mark.parametrize("view", ["judge", "compare"])
def test_what_is_empty(page, view):
    page.goto(f"/{view}")
    page.wait_for_load_state("networkidle")
    assert findings(page) == []
