"""Archives are other people's: nothing is written but wanted files, and only where we say."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from starbank.errors import DownloadError
from starbank.treebanks.archives import HARMLESS, unpack
from starbank.treebanks.fetch import fetch

GOOD = "UD_Hindi-PUD/hi_pud-ud-test.conllu"


def tar(path: Path, *members: tarfile.TarInfo | tuple[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for member in members:
            if isinstance(member, tuple):
                name, content = member
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
            else:
                archive.addfile(member)
    return path


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = target
    return member


def zipped(path: Path, *members: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


@pytest.fixture
def folder(tmp_path):
    """Where the wanted treebank goes, with a sibling that an archive might reach for."""
    (tmp_path / "inside").mkdir()
    return tmp_path / "inside"


@pytest.mark.parametrize(
    "path",
    [
        "../UD_Hindi-PUD/hi_pud-ud-test.conllu",
        "UD_Hindi-PUD/../../hi_pud-ud-test.conllu",
        "/tmp/UD_Hindi-PUD/hi_pud-ud-test.conllu",
        "../../etc/cron.d/unrelated",
        "C:/UD_Hindi-PUD/hi_pud-ud-test.conllu",
        "UD_Hindi-PUD\\..\\..\\hi_pud-ud-test.conllu",
    ],
)
@pytest.mark.parametrize("pack", [tar, zipped])
def test_a_path_that_leads_out_condemns_the_archive(tmp_path, folder, pack, path):
    archive = pack(tmp_path / "evil", (path, b"evil"))
    with pytest.raises(DownloadError, match="holds a path that leads out of it"):
        unpack(archive, {"UD_Hindi-PUD": folder})
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["a\nb.conllu", "$(touch PWNED).conllu", "a b.conllu", "-rf.conllu", "a\u202eb.conllu"]
)
@pytest.mark.parametrize("pack", [tar, zipped])
def test_a_file_whose_name_is_none_condemns_the_archive(tmp_path, folder, pack, name):
    archive = pack(tmp_path / "evil", (GOOD, b"good"), (f"UD_Hindi-PUD/{name}", b"evil"))
    with pytest.raises(DownloadError, match="cannot be the name of a file of a treebank"):
        unpack(archive, {"UD_Hindi-PUD": folder})
    assert [path.name for path in folder.iterdir()] == ["hi_pud-ud-test.conllu"]


@pytest.mark.parametrize(
    "member",
    [
        special(GOOD, tarfile.SYMTYPE, "/etc/passwd"),
        special(GOOD, tarfile.SYMTYPE, "other.conllu"),
        special(GOOD, tarfile.LNKTYPE, "/etc/passwd"),
        special(GOOD, tarfile.CHRTYPE),
        special(GOOD, tarfile.FIFOTYPE),
    ],
    ids=["symlink out", "symlink inside", "hard link", "device", "pipe"],
)
def test_a_treebank_of_links_and_devices_is_refused(tmp_path, folder, member):
    with pytest.raises(DownloadError, match="which is a link or device and no file"):
        unpack(tar(tmp_path / "evil.tgz", member), {"UD_Hindi-PUD": folder})
    assert list(folder.iterdir()) == []


def test_a_link_in_a_zip_is_refused(tmp_path, folder):
    link = zipfile.ZipInfo(GOOD)
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(DownloadError, match="which is a link or device and no file"):
        unpack(tmp_path / "evil.zip", {"UD_Hindi-PUD": folder})


def test_links_in_treebanks_that_nobody_wants_do_not_matter(tmp_path, folder):
    link = special("UD_Other-X/README.md", tarfile.SYMTYPE, "/etc/passwd")
    names = unpack(tar(tmp_path / "all.tgz", link, (GOOD, b"good")), {"UD_Hindi-PUD": folder})
    assert names == {"UD_Hindi-PUD", "UD_Other-X"}
    assert [path.name for path in folder.iterdir()] == ["hi_pud-ud-test.conllu"]


@pytest.mark.parametrize("pack", [tar, zipped])
def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, folder, pack):
    archive = pack(tmp_path / "bomb", ("UD_Hindi-PUD/hi_pud-ud-train.conllu", bytes(HARMLESS + HARMLESS // 2)))
    with pytest.raises(DownloadError, match="unpacks to more than 100 times its size"):
        unpack(archive, {"UD_Hindi-PUD": folder})
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("pack", [tar, zipped])
def test_a_treebank_that_is_there_twice_is_refused(tmp_path, folder, pack):
    archive = pack(tmp_path / "two", (f"old/{GOOD}", b"old"), (f"new/{GOOD}", b"new"))
    with pytest.raises(DownloadError, match=r"holds hi_pud-ud-test\.conllu twice"):
        unpack(archive, {"UD_Hindi-PUD": folder})


def test_files_below_the_treebanks_folder_are_not_released(tmp_path, folder):
    archive = zipped(tmp_path / "a.zip", (GOOD, b"good"), ("UD_Hindi-PUD/not-to-release/hi.conllu", b"raw"))
    unpack(archive, {"UD_Hindi-PUD": folder})
    assert [path.name for path in folder.iterdir()] == ["hi_pud-ud-test.conllu"]


@pytest.mark.parametrize("pack", [tar, zipped])
def test_a_truncated_archive_is_damaged(tmp_path, folder, pack):
    archive = pack(tmp_path / "cut", (GOOD, bytes(range(256)) * 1000))
    archive.write_bytes(archive.read_bytes()[:300])
    with pytest.raises(DownloadError, match="is damaged or no archive"):
        unpack(archive, {"UD_Hindi-PUD": folder})


def test_a_zip_with_a_wrong_checksum_is_damaged(tmp_path, folder):
    archive = zipped(tmp_path / "a.zip", (GOOD, b"x"))
    with zipfile.ZipFile(tmp_path / "stored.zip", "w") as stored:
        stored.writestr(GOOD, "the right words")
    archive.write_bytes((tmp_path / "stored.zip").read_bytes().replace(b"right", b"wrong"))
    with pytest.raises(DownloadError, match="is damaged or no archive"):
        unpack(archive, {"UD_Hindi-PUD": folder})


def test_an_error_page_saved_as_an_archive_is_damaged(tmp_path, folder):
    (tmp_path / "all.tgz").write_text("<html>Please log in</html>")
    with pytest.raises(DownloadError, match="is damaged or no archive"):
        unpack(tmp_path / "all.tgz", {"UD_Hindi-PUD": folder})


def test_an_encrypted_zip_cannot_be_unpacked(tmp_path, folder):
    archive = zipped(tmp_path / "a.zip", (GOOD, b"secret"))
    content = bytearray(archive.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + offset] |= 1
    archive.write_bytes(content)
    with pytest.raises(DownloadError, match="cannot be unpacked"):
        unpack(archive, {"UD_Hindi-PUD": folder})


def test_fetch_tells_why_it_did_not_take_an_archive(tmp_path):
    archive = tar(tmp_path / "evil.tgz", ("../UD_Hindi-PUD/x.conllu", b"evil"))
    with pytest.raises(DownloadError) as error:
        fetch(["UD_Hindi-PUD"], release="2.18", sources=[str(archive)], output=tmp_path, lock=tmp_path / "lock")
    reason = "holds a path that leads out of it ('../UD_Hindi-PUD/x.conllu'): refused"
    assert f"  - {archive}: {reason}\n" in str(error.value)
