"""Take the pictures of docs/studio.md: each view of the page, in a browser without a window.

A project that `starbank init` has begun and `snakemake` has run through, with the English sample, is looked at:

    starbank init pictures && (cd pictures && snakemake --cores all)
    python docs/studio_pictures.py pictures
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

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent / "studio"
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 360, "height": 760}
VIEWS = ("search", "tree-and-counts", "word", "star", "compare")
AGREEMENT = "pattern {\n  V [upos=VERB];\n  S [upos=NOUN];\n  V -[nsubj]-> S\n}"


def main() -> None:
    """Take them, of the project that is named."""
    project = Path(sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__))
    FOLDER.mkdir(exist_ok=True)
    with served(project) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, size in (("", WIDE), ("-phone", PHONE)):
            page = browser.new_context(viewport=size).new_page()
            page.goto(address)
            take_all(page, name)
        browser.close()
    side_by_side([FOLDER / f"{name}-phone.png" for name in VIEWS], FOLDER / "phone.png")


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
    page.wait_for_selector("#items li", timeout=60_000)
    page.wait_for_load_state("networkidle")
    take(page, f"star{name}", "#items" if name else None)
    page.goto(page.url.split("/star")[0] + "/compare")
    page.wait_for_selector("#comparison table")
    take(page, f"compare{name}")


def side_by_side(files: list[Path], output: Path) -> None:
    """Write pictures of one size as one, and take them away."""
    pictures = [Image.open(file).convert("RGB") for file in files]
    width, gap = PHONE["width"], 20
    whole = Image.new("RGB", (len(files) * (width + gap) - gap, PHONE["height"]), "white")
    for place, picture in enumerate(pictures):
        whole.paste(picture, (place * (width + gap), 0))
    whole.quantize(64, dither=Image.Dither.NONE).save(output, optimize=True)
    for file in files:
        file.unlink()


def take(page: Any, name: str, part: str | None = None) -> None:
    """Write a picture of what one sees, in few colours."""
    if part:
        page.locator(part).scroll_into_view_if_needed()
    page.wait_for_timeout(800)
    with Image.open(BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
