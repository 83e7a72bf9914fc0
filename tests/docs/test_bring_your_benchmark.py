"""The examples of docs/bring-your-benchmark.md are what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from starbank.cli import main
from starbank.queries.benchmarks import KNOWN, read_paradigms
from starbank.sets.paradigms import make_paradigm, tell_paradigm

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "bring-your-benchmark.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```\w*\n(.*?)```", PAGE, re.DOTALL)


def block(begin: str) -> str:
    """Return the block of the page that begins so."""
    (text,) = [text for text in BLOCKS if text.startswith(begin)]
    return text


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A folder with the files of the page."""
    monkeypatch.chdir(tmp_path)
    for name, begin in (("data/mine.csv", "n,ok"), ("mine.csv", "n,ok"), ("queries/deu/mine.import", "files:")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(block(begin), encoding="utf-8")
    return tmp_path


def test_what_is_in_the_file_is_shown(project):
    found = read_paradigms(project / "queries" / "deu" / "mine.import")
    assert [line for paradigm in found for line in tell_paradigm(paradigm)] == block("number: 1 pair").splitlines()
    assert make_paradigm(found[1]).items["conditions"][0][0]["regions"].as_py() == ["Wir ", "gehen", " heute."]


def test_the_command_works(project, capsys):
    command = next(line for line in block("starbank import mine.csv").splitlines())
    main(command.split()[1:])
    assert sorted(folder.name for folder in (project / "suites" / "mine").iterdir()) == ["number", "person"]
    assert capsys.readouterr().err.endswith("2 suites in deu -> suites/mine\n")


def test_the_mistake_is_told_as_shown(project, capsys):
    text = (project / "mine.csv").read_text(encoding="utf-8")
    (project / "mine.csv").write_text(text.replace("Das Kind schlafen.", ""), encoding="utf-8")
    with pytest.raises(SystemExit):
        main(block("starbank import mine.csv").split()[1:])
    assert capsys.readouterr().err == block("starbank import: mine.csv:3")


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_what_is_known_is_on_the_page(known):
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {known.name} (")]
    columns = known.columns.named
    if known.name == "CLAMS":
        assert "`True` or `False`" in row
    else:
        names = [name for value in columns.values() for name in ([value] if isinstance(value, str) else value)]
        assert all(f"`{name}`" in row for name in names)
