"""docs/add-a-language.md: its commands run offline, one after the other, and say what the page shows.

`python -m tests.docs.test_add_a_language` writes into the page what the commands print now.
"""

from __future__ import annotations

import re

import pytest
from pandas import read_parquet

from starbank.guards import ALL_GUARDS
from tests.docs.pages import Step, rewrite, walk
from tests.pipeline.project import ROOT, Project, make_project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("docs")]

FILE = ROOT / "docs" / "add-a-language.md"
PAGE = FILE.read_text(encoding="utf-8")


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


if __name__ == "__main__":
    rewrite(FILE)
