"""Treebanks by their UD names: where commands look for them, what they suggest, what they fetch, what there is."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from starbank.cli import main
from starbank.errors import TreebankError
from starbank.treebanks import ingest, open_treebank
from starbank.treebanks.catalogue import read_catalogue
from starbank.treebanks.places import find_conllu
from tests.treebanks.web_server import serve, write_treebank

SENTENCE = "# sent_id = {}\n# text = კაცი\n1\tკაცი\tკაცი\tNOUN\t_\tCase=Nom\t0\troot\t_\t_\n\n"
GEORGIAN = {
    "ka_glc-ud-dev.conllu": SENTENCE.format(1),
    "ka_glc-ud-test.conllu": SENTENCE.format(2) + SENTENCE.format(3),
}
GLC = "UD_Georgian-GLC"
CONFIG = "sources: [release]\n"
ASK = ("match", "pattern { N [upos=NOUN] }", GLC, "--count")
INDEX = {"releases": {"2.17": {"treebanks": ["UD_Hindi-PUD"]}, "2.18": {"treebanks": ["UD_Hindi-PUD", "UD_Irish-IDT"]}}}
CODES = "Hindi:\n  flag: IN\n  lcode: hi\nIrish:\n  flag: IE\n  lcode: ga\n"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A project, with the folder `release` as its source of treebanks."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UD_MIRROR", raising=False)
    write_treebank(Path("release"), GLC, GEORGIAN)
    Path("config.yaml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


@pytest.fixture
def mirror(home, monkeypatch):
    monkeypatch.setenv("UD_MIRROR", str(home / "release"))
    return home / "release"


def test_a_name_is_looked_for_in_the_project_in_the_mirror_and_among_the_samples(home, mirror):
    assert find_conllu(GLC) == mirror / GLC
    write_treebank(Path("treebanks"), GLC, GEORGIAN)
    assert find_conllu(GLC) == Path("treebanks") / GLC
    assert find_conllu("UD_Georgian-Sample").is_dir()
    assert find_conllu("UD_Georgian-GNC") is None


def test_what_is_ingested_goes_first(mirror):
    ingest([mirror / GLC], Path("outputs/treebanks") / GLC)
    (mirror / GLC / "ka_glc-ud-dev.conllu").write_text("broken", encoding="utf-8")
    assert len(open_treebank(GLC).sentences) == 3


def test_a_name_that_is_close_is_suggested(mirror):
    with pytest.raises(TreebankError, match=r"Did you mean UD_Georgian-GLC\?"):
        open_treebank("UD_Georgian-GCL")


def test_a_treebank_that_is_not_here_is_fetched_if_one_says_so(capsys):
    with pytest.raises(SystemExit):
        main(ASK)
    assert "With --fetch a command downloads it" in capsys.readouterr().err
    main([*ASK, "--fetch"])
    assert capsys.readouterr().out == "3\n"
    assert Path("treebanks", GLC, "source.json").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "status"), [("y", 0), ("n", 2), ("", 2)])
def test_on_a_terminal_one_is_asked(answer, status):
    terminal, end = pty.openpty()
    os.write(terminal, f"{answer}\n".encode())
    command = [sys.executable, "-m", "starbank.cli", *ASK]
    result = subprocess.run(command, stdin=end, stdout=subprocess.PIPE, stderr=end, timeout=60)
    os.close(end)
    assert result.returncode == status
    assert f"{GLC}: not here. Download? [y/N] " in os.read(terminal, 100_000).decode()
    assert Path("treebanks", GLC).is_dir() == (answer == "y")


def test_what_new_writes_is_checked_as_it_is(capsys):
    file = "queries/eng/subject-verb-number.grew"
    main(["new", "UD_English-Sample", "-o", file])
    assert capsys.readouterr().err.endswith(f"Now try it out: starbank check {file}\n")
    main(["check", file])
    assert "in UD_English-Sample: " in capsys.readouterr().out


def test_what_was_read_from_elsewhere_is_to_be_given(sample, capsys):
    main(["new", str(sample / "UD_English-Sample"), "-o", "mine.grew"])
    assert f"starbank check mine.grew --treebank {sample / 'UD_English-Sample'}\n" in capsys.readouterr().err


def test_treebanks_are_listed_with_what_is_known_of_them(mirror, capsys):
    ingest([mirror / GLC], Path("outputs/treebanks") / GLC)
    write_treebank(mirror, "UD_Georgian-Other", GEORGIAN)
    main(["ls", "--treebanks", "--language", "kat"])
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        [GLC, "kat", "3", "words", "outputs/treebanks"],
        ["UD_Georgian-Other", "kat", "0.0", "MB", "UD_MIRROR"],
        ["UD_Georgian-Sample", "kat", "0.2", "MB", "sample"],
    ]
    main(["ls", "--treebanks", "--language", "Georgian"])
    assert len(capsys.readouterr().out.splitlines()) == 3
    with pytest.raises(SystemExit):
        main(["ls", "--treebanks", "--language", "tlh"])
    assert "no treebank of tlh is known\nThose that are known are of eng, hin, kat." in capsys.readouterr().err


def listed(release: str, url: str, ingested: Path = Path("outputs/treebanks")) -> dict[str, str | None]:
    source = "github:UniversalDependencies"
    entries = read_catalogue(ingested, release=release, sources=[source], github=url)
    return {entry.name: entry.language for entry in entries if entry.place == source}


def write_index(home: Path, releases: object = INDEX) -> None:
    folder = home / "web/UniversalDependencies/docs-automation/raw/master"
    (folder / "valdan").mkdir(parents=True, exist_ok=True)
    (folder / "valdan/releases.json").write_text(json.dumps(releases), encoding="utf-8")
    (folder / "codes_and_flags.yaml").write_text(CODES, encoding="utf-8")


def test_the_treebanks_of_a_release_are_those_that_universal_dependencies_lists(home):
    write_index(home)
    with serve(home / "web") as server:
        assert listed("2.18", server.url) == {"UD_Hindi-PUD": "hin", "UD_Irish-IDT": "gle"}
        assert listed("2.17", server.url) == {"UD_Hindi-PUD": "hin"}
        assert len(server.requests) == 2


def test_a_list_that_does_not_know_the_release_yet_is_downloaded_again(home, caplog):
    write_index(home)
    with serve(home / "web") as server:
        listed("2.18", server.url)
        write_index(home, {"releases": {"2.19": {"treebanks": ["UD_Manx-Cadhan"]}}})
        assert listed("2.19", server.url) == {"UD_Manx-Cadhan": None}
        assert listed("2.20", server.url) == {}
    assert (
        "what github:UniversalDependencies has cannot be listed: the list of UD's releases has no 2.20" in caplog.text
    )


def test_a_source_that_does_not_answer_is_told_of(home, caplog):
    (home / "web").mkdir()
    with serve(home / "web") as server:
        assert listed("2.18", server.url) == {}
    assert "cannot be listed: not there" in caplog.text
