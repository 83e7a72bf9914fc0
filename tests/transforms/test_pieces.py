"""A treebank beyond memory is changed and labelled piece by piece, with the same result as at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from starbank.files import read_parquet
from starbank.probing import make_tasks
from starbank.transforms import derive
from starbank.treebanks import open_stored, parts, parts_of
from tests.conftest import ROOT
from tests.treebanks.groups import ingest_in_groups

GENDERS = {"preset": "vyakarana", "gender": ["original", "opposite", "masculine", "feminine"], "variants": 2}


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    sample = ROOT / "treebanks/sample/UD_Hindi-Sample"
    return ingest_in_groups(sample, tmp_path / "UD_Hindi-Sample", monkeypatch)


def products(folder: Path) -> dict[str, Any]:
    """Return what the files of a folder hold: tables, whose row groups may be others, and bytes."""
    return {
        str(file.relative_to(folder)): read_parquet(file) if file.suffix == ".parquet" else file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def made(source: Path, output: Path, name: str, options: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what a transform writes, and its notes."""
    _, notes = derive(
        name, source, output / "derived", generator=name, options=options, seed=5, conllu=output / "conllu"
    )
    return products(output), notes


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("colorless", {}),
        ("colorless", {"preset": "gulordava", "donors": "all"}),
        ("colorless", GENDERS),
        ("latin", {}),
        ("swapped", {}),
    ],
)
def test_a_treebank_is_changed_in_pieces_as_it_is_at_once(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, options: dict[str, Any]
) -> None:
    whole = made(source, tmp_path / "whole", name, options)
    monkeypatch.setattr(parts, "PIECE_ROWS", 50)
    assert len(parts_of(open_stored(source))) > 2
    assert made(source, tmp_path / "pieces", name, options) == whole


@pytest.mark.parametrize("definition", ["strict", "paper", "notebook"])
def test_tasks_of_pieces_are_those_of_the_whole(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, definition: str
) -> None:
    whole = make_tasks(source, tmp_path / "whole", definition=definition)
    monkeypatch.setattr(parts, "PIECE_ROWS", 50)
    assert make_tasks(source, tmp_path / "pieces", definition=definition) == whole
    assert products(tmp_path / "pieces") == products(tmp_path / "whole")


def test_some_sentences_of_a_treebank_are_read_when_they_are_asked_for(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PIECE_ROWS", 50)
    some = open_stored(source).only(pa.array([1, 5, 20], pa.int32()))
    assert [sent for part in parts_of(some) for sent in part.sentences["sent"].to_pylist()] == [1, 5, 20]
    assert some.sentences["sent"].to_pylist() == [1, 5, 20]
    assert set(some.tokens["sent"].to_pylist()) == {1, 5, 20}
