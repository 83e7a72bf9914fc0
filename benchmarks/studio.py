"""The page in a real browser: how long a linguist waits, and what the server takes.

A treebank is repeated until it has as many words as are wanted, and the page opened on it. For the requests of
`benchmarks/match.py` the last key is pressed, and it is measured how long it takes until the first sentences are on the
screen, beside what the engine alone takes. Then the verb of a subject is given another number in the first thousand
matches: until the minimal sets are on the screen, for the first time and again, and until the suspicious ones come
first (the CPU time from the key on). CPU time is that of the server, which other work on the machine changes less.

    python benchmarks/studio.py [FOLDER] [--words N] [--repeat N]

`FOLDER` is one of CoNLL-U files, by default that of UD_Polish-PDB, if it lies beside the repository.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from match import REQUESTS
from playwright.sync_api import Page, sync_playwright

from starbank.grew import Engine, parse_request
from starbank.treebanks import Treebank, ingest

ROOT = Path(__file__).resolve().parent.parent
TREEBANK = ROOT.parent / "shared/treebanks/UD_Polish-PDB"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

CONSTRUCTION = """% ---
% title: {title}
% language: {treebank.language}
% treebanks: [{treebank.name}]
% target: V
% vary:
%   Number: [Sing, Plur]
% ---
pattern {{ V [upos=VERB]; S [upos=NOUN]; V -[nsubj]-> S }}"""

# From a key until what `selector` finds is new, and painted.
WATCH = """
    selector => {
        for (const old of document.querySelectorAll(selector)) old.dataset.old = "";
        window.waited = new Promise(resolve => {
            let began = null;
            document.addEventListener("keydown", () => { began ??= performance.now(); }, { capture: true, once: true });
            new MutationObserver((_, observer) => {
                if (began === null || !document.querySelector(`${selector}:not([data-old])`)) return;
                observer.disconnect();
                requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
            }).observe(document, { childList: true, subtree: true });
        });
    }
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=TREEBANK)
    parser.add_argument("--words", type=int, default=500_000)
    parser.add_argument("--repeat", type=int, default=5, help="how often each key is pressed")
    options = parser.parse_args()
    if not options.folder.is_dir():
        raise SystemExit(f"no such folder: {options.folder}; name one of CoNLL-U files")
    with tempfile.TemporaryDirectory() as project:
        treebank = repeat(options.folder, options.words, Path(project) / "outputs/treebanks")
        with served(Path(project)) as (server, address, started), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page()
            page.set_default_timeout(120_000)
            begin = time.perf_counter()
            page.goto(address)
            page.wait_for_selector("#matches .snippets")
            print(f"start: {started:.2f} s to the address, {time.perf_counter() - begin:.2f} s more to the open page")
            begin = time.perf_counter()
            page.select_option("[name=treebank]", treebank.name)
            page.wait_for_selector(f"#matches >> text={treebank.name} is open")
            print(f"the treebank is chosen: {time.perf_counter() - begin:.2f} s until it is open")
            search(page, treebank, options.repeat)
            star(page, server, treebank)
            print(f"memory: {server.memory_info().rss / 1e6:,.0f} MB")
            browser.close()


def repeat(folder: Path, words: int, output: Path) -> Treebank:
    """Return a treebank so often that it has `words`, ingested into the folder `output`."""
    files = sorted(folder.glob("*.conllu"))
    name = next((parent.name for parent in (folder, *folder.parents) if parent.name.startswith("UD_")), "UD_Polish-PDB")
    with tempfile.TemporaryDirectory() as home:
        once = ingest(files, Path(home) / "once").info
        text = b"".join(file.read_bytes() for file in files)
        copies = -(-words // sum(file["words"] for file in once["files"]))
        corpus = Path(home) / name / files[0].name
        corpus.parent.mkdir()
        # Each sentence has an id of its own.
        corpus.write_bytes(b"".join(text.replace(b"# sent_id = ", b"# sent_id = %d-" % copy) for copy in range(copies)))
        whole = ingest([corpus.parent], output / name)
    print(f"{name}, {copies} times: {sum(file['words'] for file in whole.info['files']):,} words")
    return whole


@contextmanager
def served(project: Path) -> Iterator[tuple[psutil.Process, str, float]]:
    """Run the page for a project; give its process, its address and how long that took to appear."""
    command = [sys.executable, "-m", "starbank.cli", "studio", str(project), "--no-browser"]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        address = next(found.group() for line in process.stdout if (found := re.search(r"http\S+", line)))
        yield psutil.Process(process.pid), address, time.perf_counter() - begin
    finally:
        process.terminate()
        process.wait()


def search(page: Page, treebank: Treebank, repeat: int) -> None:
    """Press the last key of each request, and print how long the first sentences take."""
    engine = Engine(treebank)
    print(f"\n{'request':14}{'matches':>9}{'engine':>9}{'key':>9}{'worst':>9}   (ms, median and worst of {repeat})")
    for name, text in REQUESTS.items():
        request = parse_request(text)
        engine.match(request, 21)
        begin = time.perf_counter()
        engine.match(request, 21)
        alone = (time.perf_counter() - begin) * 1000
        waited = []
        for _ in range(repeat):
            page.fill("#request", text[:-1])
            page.wait_for_selector("#messages.error")
            page.wait_for_load_state("networkidle")
            page.focus("#request")
            page.keyboard.press("Control+End")
            waited.append(press(page, text[-1], "#matches"))
        figures = f"{alone:9.1f}{statistics.median(waited):9.0f}{max(waited):9.0f}"
        print(f"{name:14}{engine.count(request):9,}{figures}")


def star(page: Page, server: psutil.Process, treebank: Treebank) -> None:
    """Let the number of a verb vary; print how long the minimal sets of the first matches take, and what."""
    print(f"\n{'minimal sets':14}{'s':>9}{'CPU s':>9}")
    begin, before = time.perf_counter(), cpu_time(server)
    page.click("nav >> text=Star")
    page.wait_for_selector("#sentences li")
    page.wait_for_load_state("networkidle")
    print(f"{'forms learned':14}{time.perf_counter() - begin:9.2f}{cpu_time(server) - before:9.2f}")
    for time_of in ("first time", "again"):
        text = CONSTRUCTION.format(title=time_of, treebank=treebank)
        page.fill("#request", text[:-1])
        page.wait_for_selector("#messages.error")
        page.wait_for_load_state("networkidle")
        page.focus("#request")
        page.keyboard.press("Control+End")
        before = cpu_time(server)
        waited = press(page, text[-1], "#sets:has(#items li)")
        print(f"{time_of:14}{waited / 1000:9.2f}{cpu_time(server) - before:9.2f}")
        page.wait_for_selector("#items > p")
        print(f"{'  and doubted':14}{'':9}{cpu_time(server) - before:9.2f}")
    print(page.inner_text("#sets p[role=status]"))


def cpu_time(server: psutil.Process) -> float:
    """Return how many seconds processors have worked for the server."""
    times = server.cpu_times()
    return float(times.user + times.system)


def press(page: Page, key: str, selector: str) -> float:
    """Press a key; return how many milliseconds pass until there is something new of a selector."""
    page.evaluate(WATCH, selector)
    page.keyboard.press(key)
    return float(page.evaluate("() => window.waited"))


if __name__ == "__main__":
    main()
