"""One finished project for all tests to look at, which is copied by those that change it."""

import shutil
from pathlib import Path

import pytest

from tests.pipeline.project import Project, make_project


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project of one English and two Georgian queries, in which everything has been made once."""
    project = make_project(tmp_path_factory.mktemp("project"), languages=("eng", "kat"))
    georgian = project.folder / "queries" / "kat"
    shutil.rmtree(georgian / "published")
    for query in georgian.glob("*.grew"):
        if query.stem not in ("transitive-erg-nom-subj", "intransitive-nom-subj"):
            query.unlink()
    result = project.run()
    assert result.returncode == 0, result.stderr
    return project


@pytest.fixture
def copied(finished: Project, tmp_path: Path) -> Project:
    """A finished project that a test may change."""
    shutil.copytree(finished.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")
