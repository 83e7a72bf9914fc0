"""Every request in docs/requests.md is understood, and finds something in the sample treebanks where it says so.

Commands (`sh`) print what the page shows (`output`); `python -m tests.grew.test_documentation` writes it there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

from starbank.errors import RequestError
from starbank.grew import Engine, parse_request
from starbank.treebanks import read_conllu

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "requests.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(\w+ ?\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def requests(kind: str) -> list[str]:
    """Return the requests of one kind; each begins in a line with `pattern`, or `global` after a `pattern`."""
    found = []
    for fence, text in FENCES:
        if fence == kind:
            whole = "with " in text or "without " in text
            found += [text] if whole else text.strip().splitlines()
    return found


@cache
def engines() -> list[Engine]:
    return [Engine(read_conllu([folder])) for folder in sorted((ROOT / "treebanks" / "sample").glob("UD_*"))]


@pytest.mark.parametrize("request_text", requests("grew"))
def test_example_finds_something(request_text: str) -> None:
    assert sum(engine.count(parse_request(request_text)) for engine in engines()) > 0


@pytest.mark.parametrize("request_text", requests("grew enhanced"))
def test_example_about_enhanced_edges_is_understood(request_text: str) -> None:
    parse_request(request_text)


@pytest.mark.parametrize("message", [text for fence, text in FENCES if fence == "text"])
def test_error_is_as_shown(message: str) -> None:
    place = message.partition(": ")[0]
    lines = message.splitlines()
    number = int(place.split(":")[1])
    source = "\n" * (number - 1) + lines[1].removeprefix("    ")
    if number > 1:
        source = "pattern {" + source
    with pytest.raises(RequestError) as refusal:
        parse_request(source, Path("request.grew"))
    assert str(refusal.value) + "\n" == message


COMMANDS = re.compile(r"^```sh\n(.*?)^```\n\n```output\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run(commands: str, folder: Path) -> str:
    """Return what commands print in a folder that has the treebanks."""
    if not (folder / "treebanks").exists():
        (folder / "treebanks").symlink_to(ROOT / "treebanks")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", commands], cwd=folder, env=environment, stdout=-1, stderr=-2, text=True, timeout=60
    )
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("commands", "shown"), COMMANDS.findall(PAGE))
def test_commands_print_what_the_page_shows(commands: str, shown: str, tmp_path: Path) -> None:
    assert run(commands, tmp_path) == shown
    for picture in tmp_path.glob("trees/*.svg"):
        assert picture.read_text(encoding="utf-8") == (ROOT / "docs" / "tree.svg").read_text(encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        page = COMMANDS.sub(lambda step: f"```sh\n{step[1]}```\n\n```output\n{run(step[1], Path(name))}```", PAGE)
        (ROOT / "docs" / "requests.md").write_text(page, encoding="utf-8")
        for picture in Path(name).glob("trees/*.svg"):
            (ROOT / "docs" / "tree.svg").write_bytes(picture.read_bytes())
