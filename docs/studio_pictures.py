"""Take the pictures of docs/studio.md: each view of the page, in a browser without a window.

A project that `starbank init` has begun and `snakemake` has run through, with the English sample, is looked at:

    starbank init pictures && (cd pictures && snakemake --cores all)
    python docs/studio_pictures.py pictures

Pictures of a phone go into the folder that is named second, if one is; five of them are shown side by side.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import sync_playwright

from starbank.shipped import shipped
from starbank.studio.speakers import Review, list_suites
from starbank.treebanks import read_conllu

FOLDER = Path(__file__).parent / "studio"
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 360, "height": 760}
# Side by side; the others are looked at, and not kept.
VIEWS = ("search", "word", "star", "judge", "compare")
SAMPLE = shipped("treebanks/sample/UD_English-Sample")
AGREEMENT = "pattern {\n  V [upos=VERB];\n  S [upos=NOUN];\n  V -[nsubj]-> S\n}"

DETERMINERS = (
    "pattern {\n  V [upos=VERB];\n  N [Number=Sing];\n  V -[nsubj]-> N;\n  N -[nmod]-> M;\n  N -[det]-> D;\n  D << N\n}"
)


def main() -> None:
    """Take them, of the project that is named."""
    project = Path(sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__))
    FOLDER.mkdir(exist_ok=True)
    judge_all(project.resolve())
    with served(project) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, size in (("", WIDE), ("-phone", PHONE)):
            page = browser.new_context(viewport=size).new_page()
            page.goto(address)
            take_all(page, name)
        browser.close()
    side_by_side([FOLDER / f"{name}-phone.png" for name in VIEWS], FOLDER / "phone.png")
    others = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if others:
        others.mkdir(parents=True, exist_ok=True)
    for file in FOLDER.glob("*-phone.png"):
        if others:
            file.replace(others / file.name)
        else:
            file.unlink()


@contextmanager
def served(project: Path) -> Iterator[str]:
    """Run the page for a project; give its address."""
    command = [str(Path(sys.executable).with_name("starbank")), "studio", str(project), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        yield next(found.group() for line in process.stdout if (found := re.search(r"http\S+", line)))
    finally:
        process.terminate()


def take_all(page: Any, name: str) -> None:
    """Go through the views as docs/studio.md does, and take a picture of each."""
    page.select_option("[name=treebank]", "UD_English-Sample")
    page.fill("#request", "")
    page.focus("#request")
    page.keyboard.type(AGREEMENT.partition("NOUN")[0])
    page.wait_for_selector("[role=option]")
    take(page, f"completion{name}")
    page.fill("#request", AGREEMENT)
    page.wait_for_selector(".matches li")
    take(page, f"search{name}")
    page.click(".matches >> text=Tree >> nth=0")
    page.wait_for_selector(".matches svg")
    page.fill("[name=by]", "V.Number, S.Number")
    page.wait_for_selector("table")
    take(page, f"tree-and-counts{name}")
    page.click("text=Star these")
    page.click("#sentences >> text=sells")
    page.wait_for_selector("#word button.main")
    take(page, f"word{name}")
    page.click("#word button.main >> text=Number")
    page.wait_for_selector("#items > p", timeout=60_000)
    page.wait_for_load_state("networkidle")
    take(page, f"star{name}", "#items" if name else None)
    page.click("details.reason summary >> nth=0")
    page.click("details.reason >> text=Look closer >> nth=0")
    page.wait_for_selector("#word .tree svg")
    page.click("#word button.word >> nth=0")
    page.wait_for_selector("#word .clauses")
    take(page, f"closer{name}", "#word")
    home = page.url.split("/star")[0]
    page.goto(f"{home}/star?request={quote(DETERMINERS)}")
    page.click("#sentences button.bound:has-text('The') >> nth=0")
    page.click("#word button:has-text('del_node D')")
    page.wait_for_selector("#items > p", timeout=60_000)
    take(page, f"command{name}", "#sets" if name else None)
    page.goto(f"{home}/judge")
    page.wait_for_selector("h2 >> text=Agreement")
    take(page, f"agreement{name}", "#judging section >> nth=1" if name else None)
    page.fill("[name=reviewer]", "Cleo")
    page.click("button.main >> text=Begin")
    page.wait_for_selector("#judged")
    take(page, f"judge{name}")
    page.goto(f"{home}/compare?covariate=length")
    page.click("#comparison button.narrow >> nth=0")
    page.wait_for_selector("#disputed li")
    page.evaluate("() => window.scrollTo(0, 0)")
    take(page, f"compare{name}")


def judge_all(project: Path) -> None:
    """Have two speakers judge a suite; the second finds two of the starred sentences right, the first one of them."""
    review = Review.of(project, next(iter(list_suites(project))))
    items = review.suite.items["conditions"].to_pylist()
    texts = {"".join(c["regions"]): c["grammatical"] for item in items for c in item}
    written = set(read_conllu([SAMPLE]).sentences["text"].to_pylist())
    starred = [sentence for sentence, text in review.sentences.items() if texts.get(text) is False]
    for name, language, found_good in (("Anna", "English", starred[:1]), ("Ben", "English, Irish", starred[:2])):
        speaker = review.begin(name, {"first_language": language, "dialect": ""})
        for sentence, text in review.sentences.items():
            is_good = text in written or texts.get(text) or sentence in found_good
            review.judge(speaker, sentence, "good" if is_good else "bad", "")


def side_by_side(files: list[Path], output: Path) -> None:
    """Write pictures of one size as one."""
    pictures = [Image.open(file).convert("RGB") for file in files]
    width, gap = PHONE["width"], 20
    whole = Image.new("RGB", (len(files) * (width + gap) - gap, PHONE["height"]), "white")
    for place, picture in enumerate(pictures):
        whole.paste(picture, (place * (width + gap), 0))
    whole.quantize(64, dither=Image.Dither.NONE).save(output, optimize=True)


def take(page: Any, name: str, part: str | None = None) -> None:
    """Write a picture of what one sees, in few colours."""
    if part:
        page.locator(part).scroll_into_view_if_needed()
    page.wait_for_timeout(800)
    with Image.open(BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
