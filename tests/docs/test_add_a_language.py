"""docs/add-a-language.md: its commands run offline, one after the other, and say what the page shows.

A block marked `grew FILE` is saved as that file, a block marked `sh` is run, and a block marked `text` shows what the
block before it prints. Commands that need a network or install something are marked `bash` and not run.

`python -m tests.docs.test_add_a_language` writes into the page what the commands print now.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from pandas import read_parquet

from starbank.guards import ALL_GUARDS
from tests.pipeline.project import ROOT, Project, make_project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("docs")]

FILE = ROOT / "docs" / "add-a-language.md"
PAGE = FILE.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(grew|sh|text)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """One block of commands: what it prints, and what the page shows, if it shows anything."""

    commands: str
    status: int
    printed: str
    shown: str | None


def walk(project: Project, page: str) -> list[Step]:
    """Do in `project` what the page says."""
    steps = []
    blocks = BLOCK.findall(page)
    for (kind, file, text), (next_kind, _, next_text) in zip(blocks, [*blocks[1:], ("", "", "")], strict=True):
        if kind == "grew":
            path = project.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif kind == "sh":
            result = run(project, text)
            steps.append(
                Step(text, result.returncode, tidy(result.stdout), tidy(next_text) if next_kind == "text" else None)
            )
    return steps


def run(project: Project, commands: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", commands],
        cwd=project.folder,
        env={**project.environment, "PYTHONWARNINGS": "ignore", "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return make_project(tmp_path_factory.mktemp("tutorial"))


@pytest.fixture(scope="module")
def steps(project: Project) -> list[Step]:
    return walk(project, PAGE)


def test_the_commands_print_what_the_page_shows(steps: list[Step]):
    for step in steps:
        if step.shown is not None:
            assert step.printed == step.shown, step.commands


def test_only_the_commands_of_the_chapter_on_errors_fail(steps: list[Step]):
    failed = [step for step in steps if step.status != 0]
    assert ["my/broken" in step.commands for step in failed] == [True]


@pytest.mark.usefixtures("steps")
def test_the_files_that_the_page_names_are_there(project: Project):
    for file in re.findall(r"`(my/[^` ]+)`", PAGE):
        assert (project.folder / file).exists(), file


@pytest.mark.usefixtures("steps")
def test_the_last_suite_holds_no_sentence_that_the_page_warns_of(project: Project):
    starred = set(read_parquet(project.folder / "my/suites/agreement/pairs.parquet").sentence_bad)
    warned = {
        "The team play in the city on Saturday.",
        "The sheep sleeps under the old bridge.",
        "The book that the students read cost ten dollars.",
        "The teacher read a story to the children.",
        "A number of visitors arrives by boat.",
        "The coach insists that the goalkeeper wear gloves.",
    }
    assert "The keys to the cellar hangs behind the door." in starred
    assert not starred & warned


def test_every_reason_that_the_page_explains_is_one_that_the_generator_gives():
    explained = re.findall(r"`([a-z ]+)`", PAGE.split("The reasons are guards")[1].split("## 7")[0])
    assert explained
    assert set(explained) <= {"detail", *(guard.name for guard in ALL_GUARDS)}


def refresh(page: str, steps: list[Step]) -> str:
    """Return the page with what the steps printed in place of what it shows."""
    printed = iter([step.printed for step in steps if step.shown is not None])
    return BLOCK.sub(lambda block: f"```text\n{next(printed)}\n```" if block[1] == "text" else block[0], page)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE.write_text(refresh(PAGE, walk(make_project(Path(folder) / "tutorial"), PAGE)), encoding="utf-8")
