"""What goes wrong while fetching is told once, and leaves nothing that counts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from starbank.errors import ConfigError, DownloadError, UsageError
from starbank.treebanks.fetch import WAYS_OUT
from tests.treebanks.web_server import HINDI, SENTENCE, archive_of_release, closed_port, contents, write_treebank


@pytest.mark.parametrize("answer", [503, 429, "broken off"])
def test_a_failure_that_may_pass_is_tried_again(get, server, archive_url, answer):
    server.answers["/all.tgz"] = [answer]
    [folder] = get(["UD_Hindi-PUD"], [archive_url])
    assert contents(folder) == HINDI
    assert server.requests == ["/all.tgz"] * 2


def test_a_file_that_keeps_breaking_off_is_never_taken_for_whole(get, server, archive_url, release, tmp_path):
    server.answers["/all.tgz"] = ["broken off"] * 2
    size = (release / "all.tgz").stat().st_size
    with pytest.raises(DownloadError, match=f"broke off after {size} bytes, 100 more expected"):
        get(["UD_Hindi-PUD"], [archive_url])
    assert not (tmp_path / "treebanks" / "UD_Hindi-PUD").exists()


def test_what_is_forbidden_is_not_asked_for_again(get, server, archive_url):
    server.answers["/all.tgz"] = [403]
    with pytest.raises(DownloadError, match="HTTP 403 Forbidden"):
        get(["UD_Hindi-PUD"], [archive_url])
    assert server.requests == ["/all.tgz"]


def test_without_network_one_error_lists_what_was_tried_and_three_ways_out(get):
    url = closed_port()
    archive = f"{url}/all.tgz"
    with pytest.raises(DownloadError) as error:
        get(
            ["UD_Georgian-GLC", "UD_Hindi-PUD"],
            ["/no/such/mirror", archive, "github:UniversalDependencies"],
            github=url,
        )
    refused = "cannot connect (Failed to establish a new connection: [Errno 111] Connection refused)"
    assert str(error.value) == (
        "cannot get UD_Georgian-GLC, UD_Hindi-PUD of release 2.18. Tried:\n"
        "  - /no/such/mirror: there is no such folder\n"
        f"  - {archive}: {refused}\n"
        f"  - github:UniversalDependencies: {refused}\n"
        f"{WAYS_OUT}"
    )


def test_an_unknown_treebank_is_told_from_a_broken_source_and_the_nearest_name_is_given(get, archive_url, tmp_path):
    with pytest.raises(DownloadError) as error:
        get(["UD_Gerogian-GLC", "UD_Hindi-PUD"], [archive_url])
    assert str(error.value) == (
        "cannot get UD_Gerogian-GLC of release 2.18. Tried:\n"
        f"  - {archive_url}: has no UD_Gerogian-GLC\n"
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
    assert len([path for path in server.requests if "UD_Hindi" in path]) == 1


def test_a_repository_without_data_is_told(get, release):
    write_treebank(release, "UD_Svan-New", {"README.md": "soon"})
    with pytest.raises(DownloadError, match=r"has UD_Svan-New, and no data in it"):
        get(["UD_Svan-New"], [str(release)])


@pytest.mark.parametrize("name", ["Georgian-GLC", "UD_Georgian", "UD_Georgian-GLC/..", "../UD_Georgian-GLC"])
def test_what_is_no_ud_name_is_refused(get, release, name):
    with pytest.raises(UsageError, match="is not the name of a treebank"):
        get([name], [str(release)])


@pytest.mark.parametrize(
    "source", ["ftp://example.org/ud", "https://example.org/ud/", "github:", "github:a/b", "s3://bucket"]
)
def test_what_is_no_source_is_refused(get, source):
    with pytest.raises(ConfigError, match="is no source of treebanks"):
        get(["UD_Georgian-GLC"], [source])


def test_a_download_that_is_killed_leaves_nothing_that_counts_and_the_next_run_completes_it(server, release, tmp_path):
    write_treebank(
        release, "UD_Irish-Big", {"ga_big-ud-train.conllu": SENTENCE * 5000, "ga_big-ud-dev.conllu": SENTENCE}
    )
    archive_of_release(release, release / "all.zip", "")
    server.answers["/all.zip"] = ["slow"]
    program = (
        "import sys; from pathlib import Path; from starbank.treebanks.fetch import fetch\n"
        "fetch(['UD_Irish-Big'], release='2.18', sources=[sys.argv[1]], output=Path(sys.argv[2]), lock=Path('no.lock'))"
    )
    output = tmp_path / "treebanks"
    command = [sys.executable, "-c", program, f"{server.url}/all.zip", str(output)]
    with subprocess.Popen(command, cwd=tmp_path) as process:
        deadline = time.monotonic() + 60
        while not any(path.stat().st_size > 10_000 for path in output.glob(".downloads/*-all.zip/*")):
            assert time.monotonic() < deadline, "the download did not begin"
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    assert not (output / "UD_Irish-Big").exists()
    subprocess.run(command, cwd=tmp_path, check=True)
    assert contents(output / "UD_Irish-Big").keys() == {"ga_big-ud-train.conllu", "ga_big-ud-dev.conllu"}
    assert (output / "UD_Irish-Big" / "ga_big-ud-train.conllu").read_text() == SENTENCE * 5000
    assert not (output / ".downloads" / "UD_Irish-Big").exists()
    assert [path.name for path in output.glob(".downloads/*-all.zip/*")] == ["all.zip"]
