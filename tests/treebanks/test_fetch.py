"""Treebanks are fetched whole, checked, from the first source that has them."""

from __future__ import annotations

import io
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from starbank.errors import ConfigError, DownloadError, StarbankError, UsageError
from starbank.files import sha256
from starbank.treebanks.fetch import WAYS_OUT, fetch
from starbank.treebanks.lock import read_lock
from starbank.treebanks.sources import _likely_files

SENTENCE = "# sent_id = 1\n# text = კაცი მოდის\n1\tკაცი\tკაცი\tNOUN\t_\tCase=Nom\t2\tnsubj\t_\t_\n\n"
GEORGIAN = {
    "ka_glc-ud-dev.conllu": SENTENCE,
    "ka_glc-ud-test.conllu": SENTENCE * 2,
    "LICENSE.txt": "CC BY-SA 4.0\n",
    "README.md": "License: CC BY-SA 4.0\n",
}
HINDI = {"hi_pud-ud-test.conllu": "# text = वह आया\n", "LICENSE.txt": "CC BY-SA 3.0\n", "README.txt": "Parallel\n"}


class WebServer(ThreadingHTTPServer):
    """Serves a folder on the loopback interface, badly where `answers` says so."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.requests: list[str] = []
        self.answers: dict[str, list[int | str]] = {}
        self.has_index = True
        self.hurry = threading.Event()


class Handler(SimpleHTTPRequestHandler):
    server: WebServer

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        answers = self.server.answers.get(self.path, [])
        answer = answers.pop(0) if answers else 200
        if isinstance(answer, int) and answer != 200:
            self.send_error(answer)
        elif self.path.endswith("/") and not self.server.has_index:
            self.send_error(404)
        elif answer == "broken off":
            self.send_broken_off()
        elif answer == "slow":
            self.send_slowly()
        else:
            super().do_GET()

    def content(self) -> bytes:
        return Path(self.translate_path(self.path)).read_bytes()

    def send_broken_off(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content()) + 100))
        self.end_headers()
        self.wfile.write(self.content())

    def send_slowly(self) -> None:
        """Send half, and the rest only when the test is over."""
        half = len(self.content()) // 2
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content())))
        self.end_headers()
        self.wfile.write(self.content()[:half])
        self.server.hurry.wait(60)

    def log_message(self, *args: object) -> None:
        pass


def write_treebank(release: Path, name: str, files: dict[str, str]) -> None:
    (release / name).mkdir(parents=True)
    for file, text in files.items():
        (release / name / file).write_text(text, encoding="utf-8")


@pytest.fixture
def release(tmp_path):
    """A folder laid out like a UD release."""
    folder = tmp_path / "release"
    write_treebank(folder, "UD_Georgian-GLC", GEORGIAN)
    write_treebank(folder, "UD_Hindi-PUD", HINDI)
    return folder


@pytest.fixture
def server(release, monkeypatch):
    """A web server of that folder."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with WebServer(release) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.hurry.set()
        server.shutdown()


@pytest.fixture
def get(tmp_path):
    """`fetch` into the test's folder, with one retry and nothing locked."""
    settings = {"release": "2.18", "output": tmp_path / "treebanks", "lock": tmp_path / "treebanks.lock", "retries": 1}
    return lambda names, sources, **others: fetch(names, sources=sources, **{**settings, **others})


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.name != "source.json"}


def archive_of_release(release: Path, path: Path, prefix: str) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as zipped:
            for file in sorted(release.glob("*/*")):
                zipped.write(file, f"{prefix}{file.relative_to(release)}")
    else:
        with tarfile.open(path, "w:gz") as tarred:
            tarred.add(release, prefix.rstrip("/") or ".")
    return path


def repository_archive(path: Path, name: str, files: dict[str, str]) -> None:
    """Write what GitHub gives for a tag: one folder, named after repository and tag."""
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as tarred:
        for file, text in {**files, "not-to-release/old.conllu": "old", "stats.xml": "<stats/>"}.items():
            member = tarfile.TarInfo(f"{name}-r2.18/{file}")
            member.size = len(text.encode())
            tarred.addfile(member, io.BytesIO(text.encode()))


# From each kind of source


def test_a_folder_gives_data_licence_and_readme_and_the_record_tells_their_sums(get, release):
    (release / "UD_Georgian-GLC" / "stats.xml").write_text("<stats/>")
    [folder] = get(["UD_Georgian-GLC"], [str(release)])
    assert folder.name == "UD_Georgian-GLC"
    assert contents(folder) == GEORGIAN
    assert json.loads((folder / "source.json").read_text()) == {
        "name": "UD_Georgian-GLC",
        "release": "2.18",
        "source": "local mirror",
        "files": [{"name": name, "sha256": sha256(folder / name)} for name in sorted(GEORGIAN)],
    }


def test_a_file_url_is_a_folder(get, release):
    [folder] = get(["UD_Hindi-PUD"], [release.as_uri()])
    assert contents(folder) == HINDI
    assert str(release) not in (folder / "source.json").read_text()


def test_the_index_page_of_a_server_tells_which_files_there_are(get, server):
    [folder] = get(["UD_Georgian-GLC"], [server.url])
    assert contents(folder) == GEORGIAN
    assert server.requests[0] == "/UD_Georgian-GLC/"
    assert json.loads((folder / "source.json").read_text())["source"] == server.url


def test_without_an_index_page_the_files_of_the_lock_file_are_tried(get, server, release):
    get(["UD_Georgian-GLC"], [str(release)], write_lock=True, output=release.parent / "elsewhere")
    server.has_index = False
    [folder] = get(["UD_Georgian-GLC"], [server.url])
    assert contents(folder) == GEORGIAN


def test_without_index_page_and_lock_the_usual_names_are_tried(get, server):
    pytest.importorskip("language_data", reason="langcodes looks language names up in it")
    server.has_index = False
    [folder] = get(["UD_Georgian-GLC"], [server.url])
    assert contents(folder) == GEORGIAN


def test_the_usual_names_begin_with_the_codes_of_language_and_treebank():
    pytest.importorskip("language_data", reason="langcodes looks language names up in it")
    assert "grc_perseus-ud-train.conllu" in _likely_files("UD_Ancient_Greek-Perseus")


@pytest.mark.parametrize("name", ["release.zip", "release.tgz", "release.tar.gz"])
@pytest.mark.parametrize("prefix", ["", "ud-treebanks-v2.18/", "a/b/"])
def test_an_archive_gives_its_treebanks_whatever_folder_they_are_in(get, release, name, prefix):
    archive = archive_of_release(release, release.parent / name, prefix)
    folders = get(["UD_Georgian-GLC", "UD_Hindi-PUD"], [str(archive)])
    assert [contents(folder) for folder in folders] == [GEORGIAN, HINDI]
    assert json.loads((folders[0] / "source.json").read_text())["source"] == name


def test_an_archive_behind_a_url_is_downloaded_once_for_all_treebanks_and_calls(get, server, release):
    archive_of_release(release, release / "all.tgz", "ud-treebanks-v2.18/")
    url = f"{server.url}/all.tgz"
    get(["UD_Georgian-GLC"], [url])
    get(["UD_Georgian-GLC", "UD_Hindi-PUD"], [url])
    assert server.requests == ["/all.tgz"]


def test_processes_that_run_side_by_side_share_one_download(get, server, release):
    archive_of_release(release, release / "all.tgz", "")
    with ThreadPoolExecutor() as pool:
        names = ["UD_Georgian-GLC", "UD_Hindi-PUD", "UD_Hindi-PUD"]
        folders = list(pool.map(lambda name: get([name], [f"{server.url}/all.tgz"])[0], names))
    assert [contents(folder) for folder in folders] == [GEORGIAN, HINDI, HINDI]
    assert server.requests == ["/all.tgz"]


def test_downloaded_files_have_the_usual_rights(get, server, tmp_path):
    (tmp_path / "ordinary").touch()
    [folder] = get(["UD_Hindi-PUD"], [server.url])
    assert {path.stat().st_mode for path in folder.iterdir()} == {(tmp_path / "ordinary").stat().st_mode}


def test_passwords_in_a_url_stay_out_of_the_record(get, server, release):
    archive_of_release(release, release / "all.tgz", "")
    [folder] = get(["UD_Hindi-PUD"], [f"{server.url.replace('//', '//me:secret@')}/all.tgz?token=secret"])
    assert json.loads((folder / "source.json").read_text())["source"] == f"{server.url}/all.tgz"


def test_github_gives_the_repository_at_the_tag_of_the_release(get, server, release):
    address = "UniversalDependencies/UD_Georgian-GLC/archive/refs/tags/r2.18.tar.gz"
    repository_archive(release / address, "UD_Georgian-GLC", GEORGIAN)
    [folder] = get(["UD_Georgian-GLC"], ["github:UniversalDependencies"], github=server.url)
    assert contents(folder) == GEORGIAN
    assert json.loads((folder / "source.json").read_text())["source"] == f"{server.url}/{address}"


def test_an_archive_of_one_repository_is_a_source_too(get, release):
    path = release.parent / "downloaded" / "UD_Georgian-GLC-r2.18.tar.gz"
    repository_archive(path, "UD_Georgian-GLC", GEORGIAN)
    [folder] = get(["UD_Georgian-GLC"], [str(path)])
    assert contents(folder) == GEORGIAN


@pytest.mark.parametrize("splits", [["train"], ["dev", "test"], ["train", "dev", "test"], ["train-a", "train-b"]])
def test_a_treebank_may_have_any_splits(get, release, splits):
    files = {f"sw_x-ud-{split}.conllu": SENTENCE for split in splits}
    write_treebank(release, "UD_Swahili-X", files)
    [folder] = get(["UD_Swahili-X"], [str(release)])
    assert contents(folder) == files


def test_sources_are_tried_in_order(get, release, tmp_path):
    write_treebank(tmp_path / "mine", "UD_Georgian-GLC", {"ka_glc-ud-dev.conllu": "mine"})
    folders = get(["UD_Georgian-GLC", "UD_Hindi-PUD"], [str(tmp_path / "mine"), str(release)])
    assert contents(folders[0]) == {"ka_glc-ud-dev.conllu": "mine"}
    assert contents(folders[1]) == HINDI


def test_a_source_that_does_not_work_is_told_even_when_the_next_one_does(get, release, caplog):
    get(["UD_Hindi-PUD"], ["/no/such/mirror", str(release)])
    assert f"UD_Hindi-PUD is taken from {release}, because /no/such/mirror: there is no such folder" in caplog.text


# Again


def test_fetching_an_unchanged_treebank_again_touches_nothing(get, server):
    [folder] = get(["UD_Georgian-GLC"], [server.url])
    before = {path: path.stat().st_mtime_ns for path in [folder, *folder.iterdir()]}
    server.requests.clear()
    get(["UD_Georgian-GLC"], [server.url])
    assert {path: path.stat().st_mtime_ns for path in [folder, *folder.iterdir()]} == before
    assert server.requests == []


def test_a_treebank_that_changed_in_its_folder_is_taken_again(get, release):
    [folder] = get(["UD_Hindi-PUD"], [str(release)])
    before = folder.stat().st_mtime_ns
    get(["UD_Hindi-PUD"], [str(release)])
    assert folder.stat().st_mtime_ns == before
    (release / "UD_Hindi-PUD" / "hi_pud-ud-test.conllu").write_text("corrected")
    get(["UD_Hindi-PUD"], [str(release)])
    assert (folder / "hi_pud-ud-test.conllu").read_text() == "corrected"


def test_what_was_fetched_works_on_without_network(get, server, release):
    [folder] = get(["UD_Hindi-PUD"], [str(release)])
    shutil.rmtree(release)
    assert get(["UD_Hindi-PUD"], [closed_port()]) == [folder]


def test_a_file_that_was_edited_by_hand_is_replaced_and_kept_aside(get, server, tmp_path):
    [folder] = get(["UD_Hindi-PUD"], [server.url])
    (folder / "hi_pud-ud-test.conllu").write_text("my edits")
    get(["UD_Hindi-PUD"], [server.url])
    assert contents(folder) == HINDI
    kept = tmp_path / "treebanks" / ".downloads" / "UD_Hindi-PUD" / "previous" / "hi_pud-ud-test.conllu"
    assert kept.read_text() == "my edits"


def test_another_release_replaces_the_treebank(get, release):
    get(["UD_Hindi-PUD"], [str(release)])
    (release / "UD_Hindi-PUD" / "hi_pud-ud-test.conllu").rename(release / "UD_Hindi-PUD" / "hi_pud-ud-train.conllu")
    [folder] = get(["UD_Hindi-PUD"], [str(release)], release="2.19")
    assert json.loads((folder / "source.json").read_text())["release"] == "2.19"
    assert not (folder / "hi_pud-ud-test.conllu").exists()


def test_an_empty_folder_that_waits_for_the_treebank_is_filled(get, release, tmp_path):
    (tmp_path / "treebanks" / "UD_Hindi-PUD").mkdir(parents=True)
    [folder] = get(["UD_Hindi-PUD"], [str(release)])
    assert contents(folder) == HINDI


# When things go wrong


def closed_port() -> str:
    """The URL of a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.mark.parametrize("answer", [503, 429, "broken off"])
def test_a_failure_that_may_pass_is_tried_again(get, server, answer):
    server.answers["/UD_Hindi-PUD/hi_pud-ud-test.conllu"] = [answer]
    [folder] = get(["UD_Hindi-PUD"], [server.url])
    assert contents(folder) == HINDI
    assert server.requests.count("/UD_Hindi-PUD/hi_pud-ud-test.conllu") == 2


def test_a_file_that_keeps_breaking_off_is_never_taken_for_whole(get, server, tmp_path):
    server.answers["/UD_Hindi-PUD/hi_pud-ud-test.conllu"] = ["broken off"] * 2
    size = len(HINDI["hi_pud-ud-test.conllu"].encode())
    with pytest.raises(DownloadError, match=f"broke off after {size} bytes, 100 more expected"):
        get(["UD_Hindi-PUD"], [server.url])
    assert not (tmp_path / "treebanks" / "UD_Hindi-PUD").exists()


def test_what_is_forbidden_is_not_asked_for_again(get, server, release):
    archive_of_release(release, release / "all.zip", "")
    server.answers["/all.zip"] = [403]
    with pytest.raises(DownloadError, match="HTTP 403 Forbidden"):
        get(["UD_Hindi-PUD"], [f"{server.url}/all.zip"])
    assert server.requests == ["/all.zip"]


def test_without_network_one_error_lists_what_was_tried_and_three_ways_out(get):
    url = closed_port()
    with pytest.raises(DownloadError) as error:
        get(["UD_Georgian-GLC", "UD_Hindi-PUD"], ["/no/such/mirror", url, "github:UniversalDependencies"], github=url)
    refused = "cannot connect (Failed to establish a new connection: [Errno 111] Connection refused)"
    assert str(error.value) == (
        "cannot get UD_Georgian-GLC, UD_Hindi-PUD of release 2.18. Tried:\n"
        "  - /no/such/mirror: there is no such folder\n"
        f"  - {url}: {refused}\n"
        f"  - github:UniversalDependencies: {refused}\n"
        f"{WAYS_OUT}"
    )


def test_an_unknown_treebank_is_told_from_a_broken_source_and_the_nearest_name_is_given(get, server, tmp_path):
    with pytest.raises(DownloadError) as error:
        get(["UD_Gerogian-GLC", "UD_Hindi-PUD"], [server.url])
    assert str(error.value) == (
        "cannot get UD_Gerogian-GLC of release 2.18. Tried:\n"
        f"  - {server.url}: has no UD_Gerogian-GLC\n"
        "Did you mean UD_Georgian-GLC?"
    )
    assert (tmp_path / "treebanks" / "UD_Hindi-PUD" / "source.json").exists()


@pytest.mark.parametrize("name", ["all.zip", "all.tgz"])
def test_an_archive_can_say_the_nearest_name(get, release, name):
    archive = archive_of_release(release, release.parent / name, "")
    with pytest.raises(DownloadError, match=r"Did you mean UD_Hindi-PUD\?"):
        get(["UD_Hindi-PDU"], [str(archive)])


def test_github_has_no_such_treebank(get, server):
    with pytest.raises(DownloadError) as error:
        get(["UD_Hindi-PDU"], ["github:UniversalDependencies"], github=server.url)
    assert "has no UD_Hindi-PDU with the tag r2.18" in error.value.message
    assert (
        error.value.hint == "Is it in release 2.18, under this name? https://universaldependencies.org lists them all."
    )
    assert len(server.requests) == 1


def test_a_repository_without_data_is_told(get, release):
    write_treebank(release, "UD_Svan-New", {"README.md": "soon"})
    with pytest.raises(DownloadError, match=r"has UD_Svan-New, and no data in it"):
        get(["UD_Svan-New"], [str(release)])


@pytest.mark.parametrize("name", ["Georgian-GLC", "UD_Georgian", "UD_Georgian-GLC/..", "../UD_Georgian-GLC"])
def test_what_is_no_ud_name_is_refused(get, release, name):
    with pytest.raises(UsageError, match="is not the name of a treebank"):
        get([name], [str(release)])


@pytest.mark.parametrize("source", ["ftp://example.org/ud", "github:", "github:a/b", "s3://bucket"])
def test_what_is_no_source_is_refused(get, source):
    with pytest.raises(ConfigError, match="is no source of treebanks"):
        get(["UD_Georgian-GLC"], [source])


def test_a_download_that_is_killed_leaves_nothing_that_counts_and_the_next_run_completes_it(server, release, tmp_path):
    write_treebank(
        release, "UD_Irish-Big", {"ga_big-ud-train.conllu": SENTENCE * 5000, "ga_big-ud-dev.conllu": SENTENCE}
    )
    server.answers["/UD_Irish-Big/ga_big-ud-train.conllu"] = ["slow"]
    program = (
        "import sys; from pathlib import Path; from starbank.treebanks.fetch import fetch\n"
        "fetch(['UD_Irish-Big'], release='2.18', sources=[sys.argv[1]], output=Path(sys.argv[2]), lock=Path('no.lock'))"
    )
    output = tmp_path / "treebanks"
    command = [sys.executable, "-c", program, server.url, str(output)]
    with subprocess.Popen(command, cwd=tmp_path) as process:
        deadline = time.monotonic() + 60
        while not any(path.stat().st_size > 10_000 for path in output.glob(".downloads/UD_Irish-Big/stage/*")):
            assert time.monotonic() < deadline, "the download did not begin"
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    assert not (output / "UD_Irish-Big").exists()
    subprocess.run(command, cwd=tmp_path, check=True)
    assert contents(output / "UD_Irish-Big").keys() == {"ga_big-ud-train.conllu", "ga_big-ud-dev.conllu"}
    assert (output / "UD_Irish-Big" / "ga_big-ud-train.conllu").read_text() == SENTENCE * 5000
    assert not (output / ".downloads" / "UD_Irish-Big").exists()


# The lock file


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


def test_a_file_that_is_not_the_locked_one_is_an_error_and_deleted(get, server, release, tmp_path):
    get(["UD_Hindi-PUD"], [server.url], write_lock=True)
    shutil.rmtree(tmp_path / "treebanks")
    data = release / "UD_Hindi-PUD" / "hi_pud-ud-test.conllu"
    expected = sha256(data)
    data.write_text("tampered")
    with pytest.raises(DownloadError) as error:
        get(["UD_Hindi-PUD"], [server.url])
    assert str(error.value) == (
        "UD_Hindi-PUD/hi_pud-ud-test.conllu is not the file that the lock file lists for release 2.18\n"
        f"  from      {server.url}\n"
        f"  expected  sha256 {expected}\n"
        f"  got       sha256 {sha256(data)}\n"
        "What was fetched is deleted.\n"
        "Where the data changed on purpose, `starbank fetch --lock` writes the new sums.\n"
        "Where not, run the same again, or put another source first under `sources` in config.yaml."
    )
    assert not (tmp_path / "treebanks" / "UD_Hindi-PUD").exists()


def test_an_archive_that_is_not_the_locked_one_is_downloaded_afresh(get, server, release, tmp_path):
    get(["UD_Hindi-PUD"], [str(release)], write_lock=True, output=tmp_path / "elsewhere")
    archive = archive_of_release(release, release / "all.tgz", "")
    good = archive.read_bytes()
    (release / "UD_Hindi-PUD" / "README.txt").write_text("tampered")
    archive_of_release(release, archive, "")
    with pytest.raises(DownloadError, match=r"README\.txt is not the file"):
        get(["UD_Hindi-PUD"], [f"{server.url}/all.tgz"])
    archive.write_bytes(good)
    [folder] = get(["UD_Hindi-PUD"], [f"{server.url}/all.tgz"])
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


# Real treebanks


def test_real_treebanks_come_from_a_mirror(get, shared):
    names = [path.name for path in sorted((shared / "treebanks").glob("UD_*"))]
    folders = get(names, [str(shared / "treebanks")])
    for folder in folders:
        original = shared / "treebanks" / folder.name
        assert {path.name for path in original.glob("*.conllu")} == {path.name for path in folder.glob("*.conllu")}
        assert (folder / "LICENSE.txt").read_bytes() == (original / "LICENSE.txt").read_bytes()
