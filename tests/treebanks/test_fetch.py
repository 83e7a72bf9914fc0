"""Treebanks are fetched whole, checked, from the first source that has them."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from starbank.errors import DownloadError
from starbank.files import sha256
from tests.treebanks.web_server import (
    GEORGIAN,
    HINDI,
    SENTENCE,
    archive_of_release,
    closed_port,
    contents,
    repository_archive,
    write_treebank,
)

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


def test_a_file_whose_name_is_none_is_told_and_nothing_is_fetched(get, release, tmp_path):
    (release / "UD_Georgian-GLC" / "a\nb.conllu").write_text(SENTENCE)
    with pytest.raises(DownloadError, match=r"'a\\nb\.conllu' cannot be the name of a file of a treebank"):
        get(["UD_Georgian-GLC"], [str(release)])
    assert not (tmp_path / "treebanks" / "UD_Georgian-GLC").exists()


@pytest.mark.parametrize("name", ["release.zip", "release.tgz", "release.tar.gz"])
@pytest.mark.parametrize("prefix", ["", "ud-treebanks-v2.18/", "a/b/"])
def test_an_archive_gives_its_treebanks_whatever_folder_they_are_in(get, release, name, prefix):
    archive = archive_of_release(release, release.parent / name, prefix)
    folders = get(["UD_Georgian-GLC", "UD_Hindi-PUD"], [str(archive)])
    assert [contents(folder) for folder in folders] == [GEORGIAN, HINDI]
    assert json.loads((folders[0] / "source.json").read_text())["source"] == name


def test_an_archive_behind_a_url_is_downloaded_once_for_all_treebanks_and_calls(get, server, archive_url):
    get(["UD_Georgian-GLC"], [archive_url])
    get(["UD_Georgian-GLC", "UD_Hindi-PUD"], [archive_url])
    assert server.requests == ["/all.tgz"]


def test_processes_that_run_side_by_side_share_one_download(get, server, archive_url):
    with ThreadPoolExecutor() as pool:
        names = ["UD_Georgian-GLC", "UD_Hindi-PUD", "UD_Hindi-PUD"]
        folders = list(pool.map(lambda name: get([name], [archive_url])[0], names))
    assert [contents(folder) for folder in folders] == [GEORGIAN, HINDI, HINDI]
    assert server.requests == ["/all.tgz"]


def test_downloaded_files_have_the_usual_rights(get, archive_url, tmp_path):
    (tmp_path / "ordinary").touch()
    [folder] = get(["UD_Hindi-PUD"], [archive_url])
    files = [*folder.iterdir(), *(tmp_path / "treebanks" / ".downloads").glob("*/all.tgz")]
    assert {path.stat().st_mode for path in files} == {(tmp_path / "ordinary").stat().st_mode}


def test_passwords_in_a_url_stay_out_of_the_record(get, archive_url):
    [folder] = get(["UD_Hindi-PUD"], [f"{archive_url.replace('//', '//me:secret@')}?token=secret"])
    assert json.loads((folder / "source.json").read_text())["source"] == archive_url


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


def test_fetching_an_unchanged_treebank_again_touches_nothing(get, server, archive_url):
    [folder] = get(["UD_Georgian-GLC"], [archive_url])
    before = {path: path.stat().st_mtime_ns for path in [folder, *folder.iterdir()]}
    server.requests.clear()
    get(["UD_Georgian-GLC"], [archive_url])
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


def test_what_was_fetched_works_on_without_network(get, release):
    [folder] = get(["UD_Hindi-PUD"], [str(release)])
    shutil.rmtree(release)
    assert get(["UD_Hindi-PUD"], [f"{closed_port()}/all.tgz"]) == [folder]


def test_a_file_that_was_edited_by_hand_is_replaced_and_kept_aside(get, archive_url, tmp_path):
    [folder] = get(["UD_Hindi-PUD"], [archive_url])
    (folder / "hi_pud-ud-test.conllu").write_text("my edits")
    get(["UD_Hindi-PUD"], [archive_url])
    assert contents(folder) == HINDI
    kept = tmp_path / "treebanks" / ".downloads" / "UD_Hindi-PUD" / "previous" / "hi_pud-ud-test.conllu"
    assert kept.read_text() == "my edits"


def test_what_was_edited_before_stays_beside_what_is_edited_now(get, archive_url, tmp_path, caplog):
    for edits in ("first", "second"):
        [folder] = get(["UD_Hindi-PUD"], [archive_url])
        (folder / "hi_pud-ud-test.conllu").write_text(edits)
    get(["UD_Hindi-PUD"], [archive_url])
    kept = (tmp_path / "treebanks" / ".downloads" / "UD_Hindi-PUD").glob("previous*/*.conllu")
    assert {file.read_text() for file in kept} == {"first", "second"}
    assert "UD_Hindi-PUD is not as it was fetched; what was there is kept in" in caplog.text


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


# Real treebanks


def test_real_treebanks_come_from_a_mirror(get, shared):
    names = [path.name for path in sorted((shared / "treebanks").glob("UD_*"))]
    folders = get(names, [str(shared / "treebanks")])
    for folder in folders:
        original = shared / "treebanks" / folder.name
        assert {path.name for path in original.glob("*.conllu")} == {path.name for path in folder.glob("*.conllu")}
        assert (folder / "LICENSE.txt").read_bytes() == (original / "LICENSE.txt").read_bytes()
