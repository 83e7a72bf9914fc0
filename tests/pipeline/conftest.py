"""One finished project for all tests to look at, and copies for those that change it."""

import shutil
from pathlib import Path

import pytest

from tests.pipeline.project import Project, make_project


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project in which everything has been made once."""
    project = make_project(tmp_path_factory.mktemp("project"))
    result = project.run()
    assert result.returncode == 0, result.stderr
    return project


@pytest.fixture
def copied(finished: Project, tmp_path: Path) -> Project:
    """A finished project that a test may change."""
    shutil.copytree(finished.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


@pytest.fixture(scope="session")
def english(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A small project, of the English queries only, in which everything has been made once."""
    project = make_project(tmp_path_factory.mktemp("english"), languages=("eng",))
    result = project.run()
    assert result.returncode == 0, result.stderr
    return project
