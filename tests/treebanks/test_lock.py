"""The lock file: what was fetched once is what is fetched ever after."""

from __future__ import annotations

import logging
import shutil

import pytest

from starbank.errors import DownloadError, StarbankError
from starbank.files import sha256
from starbank.treebanks.lock import read_lock
from tests.treebanks.web_server import GEORGIAN, HINDI, archive_of_release, contents


def test_the_lock_file_has_a_line_for_every_file(get, release, tmp_path):
    [folder] = get(["UD_Hindi-PUD"], [str(release)], write_lock=True)
    assert (tmp_path / "treebanks.lock").read_text() == "release\ttreebank\tfile\tsha256\n" + "".join(
        f"2.18\tUD_Hindi-PUD\t{name}\t{sha256(folder / name)}\n" for name in sorted(HINDI)
    )


def test_writing_sums_keeps_those_of_other_treebanks_and_releases(get, release, tmp_path):
    get(["UD_Hindi-PUD"], [str(release)], write_lock=True, release="2.17")
    get(["UD_Hindi-PUD"], [str(release)], write_lock=True)
    get(["UD_Georgian-GLC"], [str(release)], write_lock=True)
    assert list(read_lock(tmp_path / "treebanks.lock")) == [
        ("2.17", "UD_Hindi-PUD"),
        ("2.18", "UD_Georgian-GLC"),
        ("2.18", "UD_Hindi-PUD"),
    ]


def test_a_file_that_is_not_the_locked_one_is_an_error_and_deleted(get, archive_url, release, tmp_path):
    get(["UD_Hindi-PUD"], [archive_url], write_lock=True)
    shutil.rmtree(tmp_path / "treebanks")
    data = release / "UD_Hindi-PUD" / "hi_pud-ud-test.conllu"
    expected = sha256(data)
    data.write_text("tampered")
    archive_of_release(release, release / "all.tgz", "")
    with pytest.raises(DownloadError) as error:
        get(["UD_Hindi-PUD"], [archive_url])
    assert str(error.value) == (
        "UD_Hindi-PUD/hi_pud-ud-test.conllu is not the file that the lock file lists for release 2.18\n"
        f"  from      {archive_url}\n"
        f"  expected  sha256 {expected}\n"
        f"  got       sha256 {sha256(data)}\n"
        "What was fetched is deleted.\n"
        "Where the data changed on purpose, `starbank fetch --lock` writes the new sums.\n"
        "Where not, run the same again, or put another source first under `sources` in config.yaml."
    )
    assert not (tmp_path / "treebanks" / "UD_Hindi-PUD").exists()


def test_an_archive_that_is_not_the_locked_one_is_downloaded_afresh(get, archive_url, release, tmp_path):
    get(["UD_Hindi-PUD"], [str(release)], write_lock=True, output=tmp_path / "elsewhere")
    archive = release / "all.tgz"
    good = archive.read_bytes()
    (release / "UD_Hindi-PUD" / "README.txt").write_text("tampered")
    archive_of_release(release, archive, "")
    with pytest.raises(DownloadError, match=r"README\.txt is not the file"):
        get(["UD_Hindi-PUD"], [archive_url])
    archive.write_bytes(good)
    [folder] = get(["UD_Hindi-PUD"], [archive_url])
    assert contents(folder) == HINDI


def test_new_sums_are_written_when_the_user_says_so(get, release):
    get(["UD_Hindi-PUD"], [str(release)], write_lock=True)
    (release / "UD_Hindi-PUD" / "hi_pud-ud-test.conllu").write_text("corrected")
    get(["UD_Hindi-PUD"], [str(release)], write_lock=True)
    [folder] = get(["UD_Hindi-PUD"], [str(release)])
    assert (folder / "hi_pud-ud-test.conllu").read_text() == "corrected"


def test_what_is_not_locked_is_taken_with_one_warning(get, release, caplog):
    get(["UD_Hindi-PUD", "UD_Georgian-GLC"], [str(release)])
    [warning] = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert warning == (
        "treebanks.lock does not list all files of UD_Hindi-PUD, UD_Georgian-GLC, which were taken unchecked; "
        "`starbank fetch --lock` writes their sums"
    )


def test_a_source_that_lacks_a_locked_split_is_told(get, release, caplog):
    get(["UD_Georgian-GLC"], [str(release)], write_lock=True)
    (release / "UD_Georgian-GLC" / "ka_glc-ud-dev.conllu").unlink()
    [folder] = get(["UD_Georgian-GLC"], [str(release)])
    assert contents(folder).keys() == GEORGIAN.keys() - {"ka_glc-ud-dev.conllu"}
    assert "treebanks.lock lists files of UD_Georgian-GLC that local mirror lacks: ka_glc-ud-dev.conllu" in caplog.text


def test_a_malformed_lock_file_is_told_with_its_line(get, release, tmp_path):
    (tmp_path / "treebanks.lock").write_text("release\ttreebank\tfile\tsha256\n2.18\tUD_Hindi-PUD\tx\n")
    with pytest.raises(StarbankError, match=r"treebanks\.lock:2: not a line of a lock file"):
        get(["UD_Hindi-PUD"], [str(release)])
