"""UniMorph is fetched by language, like treebanks: whole, checked, from the first source that has it."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from starbank.errors import ConfigError, DownloadError, UsageError
from starbank.files import sha256
from starbank.treebanks.lock import read_lock
from starbank.treebanks.unimorph import fetch_unimorph
from tests.treebanks.web_server import closed_port, contents, serve

KAT = {"kat": "კაცი\tკაცმა\tN;ERG;SG\n", "README.md": "# kat\n", "LICENSE": "CC BY-SA 3.0\n"}
FIN = {"fin.1": "talo\ttalossa\tN;IN+ESS;SG\n", "fin.2": "tie\ttiessä\tN;IN+ESS;SG\n"}


@pytest.fixture
def nested(tmp_path):
    """A folder with a folder for each language, as UniMorph's repositories are."""
    folder = tmp_path / "mirror"
    for language, files in (("kat", KAT), ("fin", FIN)):
        (folder / language).mkdir(parents=True)
        for name, text in {**files, f"{language}.segmentations": "x\n"}.items():
            (folder / language / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def server(nested, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serve(nested) as server:
        yield server


@pytest.fixture
def get(tmp_path):
    """`fetch_unimorph` into the test's folder, with one retry and nothing locked."""
    settings = {"output": tmp_path / "unimorph", "lock": tmp_path / "treebanks.lock", "retries": 1}
    return lambda languages, sources, **others: fetch_unimorph(languages, sources=sources, **{**settings, **others})


def test_a_folder_gives_paradigms_licence_and_readme(get, nested):
    [folder] = get(["kat"], [str(nested)])
    assert contents(folder) == KAT
    record = json.loads((folder / "source.json").read_text())
    assert (record["name"], record["release"], record["source"]) == ("kat", "unimorph", "local mirror")
    assert {"name": "kat", "sha256": sha256(nested / "kat" / "kat")} in record["files"]


def test_a_folder_may_hold_bare_files(get, tmp_path):
    (tmp_path / "flat").mkdir()
    for name, text in (("kat", KAT["kat"]), ("kat.README.md", KAT["README.md"]), ("katx", "other")):
        (tmp_path / "flat" / name).write_text(text, encoding="utf-8")
    [folder] = get(["kat"], [str(tmp_path / "flat")])
    assert contents(folder) == {name: KAT[name] for name in ("kat", "README.md")}


def test_a_server_gives_the_same(get, server):
    [folder] = get(["kat"], [server.url])
    assert contents(folder) == KAT
    assert json.loads((folder / "source.json").read_text())["source"] == f"{server.url}/kat/"


def test_a_large_language_comes_in_numbered_files(get, server):
    [folder] = get(["fin"], [server.url])
    assert contents(folder) == FIN


def test_github_gives_the_file_of_the_branch(get, server, nested):
    raw = nested / "unimorph" / "kat" / "master"
    raw.mkdir(parents=True)
    (raw / "kat").write_text(KAT["kat"], encoding="utf-8")
    [folder] = get(["kat"], ["github:unimorph"], github=server.url)
    assert contents(folder) == {"kat": KAT["kat"]}
    assert json.loads((folder / "source.json").read_text())["source"] == f"{server.url}/unimorph/kat/master/"


def test_a_failure_that_may_pass_is_tried_again(get, server):
    server.answers["/kat/kat"] = [503]
    assert contents(get(["kat"], [server.url])[0]) == KAT


@pytest.mark.parametrize("answer", [500, "broken off"])
def test_a_download_that_fails_leaves_nothing(get, server, tmp_path, answer):
    server.answers["/kat/README.md"] = [answer] * 2
    with pytest.raises(DownloadError, match="cannot get kat of UniMorph"):
        get(["kat"], [server.url])
    assert not (tmp_path / "unimorph" / "kat").exists()


def test_without_network_the_ways_out_are_named(get):
    with pytest.raises(DownloadError, match="UNIMORPH_MIRROR"):
        get(["kat"], [closed_port()], optional=True)


def test_an_unknown_language_is_an_error_that_says_where_to_look(get, nested):
    with pytest.raises(DownloadError) as error:
        get(["xyz"], [str(nested)])
    assert str(error.value) == (
        f"cannot get xyz of UniMorph. Tried:\n  - {nested}: has no xyz\n"
        "Is this its code? https://unimorph.github.io lists all languages."
    )


def test_where_it_is_optional_a_line_says_so_and_the_next_call_asks_again(get, nested, caplog):
    [folder] = get(["xyz"], [str(nested)], optional=True)
    assert [record.message for record in caplog.records] == ["UniMorph has no xyz"]
    assert json.loads((folder / "source.json").read_text())["files"] == []
    (nested / "xyz").write_text(KAT["kat"], encoding="utf-8")
    assert contents(get(["xyz"], [str(nested)], optional=True)[0]) == {"xyz": KAT["kat"]}


def test_the_lock_file_holds_unimorph_beside_treebanks(get, nested, tmp_path):
    get(["kat"], [str(nested)], write_lock=True)
    assert read_lock(tmp_path / "treebanks.lock")["unimorph", "kat"]["kat"] == sha256(nested / "kat" / "kat")
    (nested / "kat" / "kat").write_text("changed\tx\tN\n")
    with pytest.raises(DownloadError, match="kat/kat is not the file that the lock file lists for UniMorph"):
        get(["kat"], [str(nested)])


def test_what_is_locked_is_taken_without_a_word(get, nested, caplog):
    get(["kat"], [str(nested)], write_lock=True)
    get(["kat"], [str(nested)])
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("name", ["UD_Hindi-PUD", "hi", "../x"])
def test_what_is_no_code_of_a_language_is_told(get, nested, name):
    with pytest.raises(UsageError, match="is not the code of a language"):
        get([name], [str(nested)])


def test_what_is_no_source_is_told(get):
    with pytest.raises(ConfigError, match="no source of UniMorph"):
        get(["kat"], ["ftp://example.org"])


def test_the_command_asks_the_mirror_first(nested, tmp_path):
    command = [sys.executable, "-m", "starbank.cli", "fetch", "--unimorph", "kat", "-o", str(tmp_path / "unimorph")]
    environment = {**os.environ, "UNIMORPH_MIRROR": str(nested)}
    result = subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    assert contents(tmp_path / "unimorph" / "kat") == KAT


def test_real_files_come_from_a_mirror(get, shared):
    for folder in get(["eus", "hin", "swc"], [str(shared / "unimorph")]):
        original: Path = shared / "unimorph" / folder.name
        assert (folder / folder.name).read_bytes() == original.read_bytes()
        assert (folder / "README.md").read_bytes() == original.with_name(f"{folder.name}.README.md").read_bytes()
