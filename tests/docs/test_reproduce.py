"""docs/reproduce.md: its quick commands run, and print what the page shows."""

import pytest

from tests.conftest import ROOT
from tests.docs.pages import walk
from tests.pipeline.project import Project

SHARED = ROOT.parent / "shared"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (SHARED / "published").is_dir(), reason="needs the published files in ../shared"),
]


def test_the_page_shows_what_its_commands_print(tmp_path, monkeypatch):
    monkeypatch.setenv("UD_MIRROR", str(SHARED / "treebanks"))
    monkeypatch.setenv("PUBLISHED", str(SHARED / "published"))
    for name in ("generators", "queries"):
        (tmp_path / name).symlink_to(ROOT / name)
    for step in walk(Project(tmp_path), (ROOT / "docs" / "reproduce.md").read_text(encoding="utf-8")):
        assert step.status == 0, step.printed
        assert step.printed == step.shown
    assert (tmp_path / "results" / "kat" / "figures" / "surprisals-kat-word.svg").exists()
