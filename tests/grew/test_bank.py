"""The conformance bank is whole; its treebanks come from a mirror, or from their repositories as they were locked."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from starbank.errors import DownloadError
from starbank.treebanks.lock import update_lock
from tests.grew import bank
from tests.treebanks.web_server import (
    GEORGIAN,
    WebServer,
    closed_port,
    repository_archive,
    serve,
    write_treebank,
)

NAME = "ka_glc-ud-dev.conllu"
GLC = bank.LockedFile("UD_Georgian-GLC", "0123456789ab", NAME, sha256(GEORGIAN[NAME].encode()).hexdigest())
ARCHIVE = f"{GLC.treebank}/archive/{GLC.commit}.tar.gz"


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "treebanks.lock"
    update_lock(path, {(GLC.commit, GLC.treebank): {GLC.name: GLC.sha256}})
    return path


@pytest.fixture
def github(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    """A server that has what GitHub has: the archive of a repository at a commit."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    repository_archive(tmp_path / "github" / ARCHIVE, GLC.treebank, GEORGIAN)
    with serve(tmp_path / "github") as server:
        yield server


def mirror(folder: Path, text: str) -> Path:
    write_treebank(folder, GLC.treebank, {GLC.name: text})
    return folder


def test_every_answer_has_its_request_and_every_request_its_answers() -> None:
    asked = {bank.request_file(*key) for key in bank.answers()}
    assert asked == {*bank.FOLDER.glob("requests/*.req"), *bank.FOLDER.glob("probe/requests/*.req")}
    assert {corpus for corpus, _ in bank.answers()} == {bank.PROBE, *bank.locked_files()}


@pytest.mark.parametrize("corpus", [bank.PROBE, *bank.locked_files()])
def test_matches_are_those_that_were_counted(corpus: str) -> None:
    lines = bank.matches(corpus)
    assert {name: bank.answer(lines[name]) for name in lines} == {name: bank.answers()[corpus, name] for name in lines}


def test_every_invalid_request_has_the_message_of_grew() -> None:
    _, *rows = (bank.FOLDER / "invalid/messages.tsv").read_text(encoding="utf-8").splitlines()
    assert [row.split("\t")[0] for row in rows] == sorted(file.stem for file in bank.FOLDER.glob("invalid/*.req"))


def test_new_answers_go_beside_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "answers").mkdir()
    monkeypatch.setattr(bank, "FOLDER", tmp_path)
    monkeypatch.setattr(bank, "COUNTS", tmp_path / "answers/counts.tsv")
    bank.COUNTS.write_text("corpus\trequest\tmatches\tsha256\nprobe\t1-first\t0\te3b0c44298fc1c14\n")
    with lzma.open(tmp_path / "answers/probe.tsv.xz", "wt"):
        pass
    for cached in (bank.answers, bank.matches):
        monkeypatch.setattr(bank, cached.__name__, cached.__wrapped__)
    bank.add("probe", {"2-second": ['{"sent_id":"b"}', '{"sent_id":"a"}', '{"sent_id":"a"}']})
    assert bank.matches("probe") == {"2-second": ['{"sent_id":"a"}', '{"sent_id":"b"}']}
    assert bank.COUNTS.read_text().splitlines()[1:] == [
        "probe\t1-first\t0\te3b0c44298fc1c14",
        "probe\t2-second\t2\t5502d12281d74a6a",
    ]


def test_a_mirror_is_read_in_place(tmp_path: Path, lock: Path) -> None:
    folder = mirror(tmp_path / "mirror", GEORGIAN[NAME])
    file = bank.find_file(GLC, [tmp_path / "absent", folder], tmp_path / "cache", lock=lock, url=closed_port())
    assert file == folder / GLC.treebank / GLC.name
    assert not (tmp_path / "cache").exists()


def test_what_a_mirror_has_of_another_release_is_fetched_at_the_commit_once(
    tmp_path: Path, lock: Path, github: WebServer
) -> None:
    folder = mirror(tmp_path / "mirror", "another release")
    for _ in range(2):
        file = bank.find_file(GLC, [folder], tmp_path / "cache", lock=lock, url=github.url)
        assert file.read_text(encoding="utf-8") == GEORGIAN[NAME]
    assert file.is_relative_to(tmp_path / "cache")
    assert github.requests == [f"/{ARCHIVE}"]


def test_a_commit_that_the_server_does_not_know_is_looked_for_in_the_release(
    tmp_path: Path, lock: Path, github: WebServer
) -> None:
    release = tmp_path / "github" / GLC.treebank / "archive/refs/tags/r2.18.tar.gz"
    release.parent.mkdir(parents=True)
    (tmp_path / "github" / ARCHIVE).rename(release)
    file = bank.find_file(GLC, [], tmp_path / "cache", lock=lock, url=github.url)
    assert file.read_text(encoding="utf-8") == GEORGIAN[NAME]
    assert github.requests == [f"/{ARCHIVE}", f"/{GLC.treebank}/archive/refs/tags/r2.18.tar.gz"]


def test_a_file_that_is_not_the_locked_one_is_refused(tmp_path: Path, lock: Path, github: WebServer) -> None:
    update_lock(lock, {(GLC.commit, GLC.treebank): {GLC.name: "0" * 64}})
    with pytest.raises(DownloadError, match="is not the file that the lock file lists"):
        bank.find_file(GLC, [], tmp_path / "cache", lock=lock, url=github.url)


def test_without_a_connection_the_error_says_where_treebanks_may_come_from(tmp_path: Path, lock: Path) -> None:
    with pytest.raises(DownloadError) as refusal:
        bank.find_file(GLC, [], tmp_path / "cache", lock=lock, url=closed_port())
    assert "UD_MIRROR" in str(refusal.value)


@pytest.mark.parametrize(("ci", "outcome"), [("true", "Failed"), ("", "Skipped")])
def test_a_missing_bank_is_a_failure_in_ci_and_else_skipped(
    ci: str, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(BaseException, match="no treebank") as told:
        bank.miss("no treebank")
    assert type(told.value).__name__ == outcome
