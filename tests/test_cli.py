"""The command line: what each command prints, and how it ends."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.command_line import starbank

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
GEORGIAN = "treebanks/sample/UD_Georgian-Sample"
ERGATIVE = "queries/kat/published/transitive-erg-nom-subj.grew"
COMMANDS = ("fetch", "ingest", "match", "generate", "score", "results", "publish", "new", "check", "ls")


def process(*arguments: str, **settings) -> subprocess.CompletedProcess[str]:
    """Run the real command line in the root of the repository, in a process of its own."""
    command = [sys.executable, "-m", "starbank.cli", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, text=True, capture_output=True, **settings)


def test_every_command_has_help_with_an_example():
    listed = process("--help").stdout
    for command in COMMANDS:
        assert re.search(rf"^    {command} ", listed, re.MULTILINE)
        assert f"example:\n  starbank {command} " in starbank(command, "--help").stdout


@pytest.mark.parametrize("command", [(), ("serach",), ("match",), ("generate", "x.grew"), ("match", "--count")])
def test_bad_usage_ends_with_2_and_says_so_on_stderr(command):
    result = starbank(*command)
    assert result.returncode == 2
    assert result.stdout == ""
    assert "usage: starbank" in result.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("match", "missing.grew", GEORGIAN), "starbank match: missing.grew: there is no such file"),
        (("match", "pattern { X [upos=VERB }", GEORGIAN), "    pattern { X [upos=VERB }\n                           ^"),
        (("match", "pattern { X [] }", "UD_Klingon-Epic"), "UD_Klingon-Epic"),
        (("match", ERGATIVE, GEORGIAN, "--count", "--jsonl"), "--count and --jsonl exclude each other"),
        (("match", ERGATIVE, GEORGIAN, "--show", "--svg", "nowhere"), "--show and --svg exclude each other"),
        (("match", ERGATIVE, GEORGIAN, "--by", "Case"), "the key Case does not say of which node"),
        (("match", ERGATIVE, GEORGIAN, "--whether", "X"), "in the key { X }"),
        (("ingest", "nowhere", "-o", "nowhere"), "nowhere"),
        (("generate", "README.md", "--treebank", GEORGIAN, "-o", "nowhere"), "README.md:1: unexpected text"),
        (("check", "README.md", "--treebank", GEORGIAN), "starbank check: README.md:1: unexpected text"),
        (("check", ERGATIVE, "--treebank", "UD_Klingon-Epic"), "starbank check: no treebank 'UD_Klingon-Epic'"),
        (("new", GEORGIAN, "-o", "nowhere"), "starbank new: nowhere: a construction file ends in .grew"),
        (("new", GEORGIAN, "-o", ERGATIVE), f"starbank new: {ERGATIVE}: there is such a file already"),
        (("new", GEORGIAN, "--vary", "Cas"), "no proposal varies Cas\nDid you mean `Case`?"),
        (("score", "nowhere", "--model", "unigram", "-o", "nowhere/s.parquet"), "nowhere"),
        (("results", "nowhere.parquet", "-o", "nowhere"), "nowhere.parquet"),
        (("publish", "nowhere", "-o", "nowhere"), "nowhere"),
        (("ls", "nowhere"), "starbank ls: nowhere: nothing has been made here"),
    ],
)
def test_bad_input_ends_with_2_and_one_message(command, message):
    result = starbank(*command)
    assert result.returncode == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (ROOT / "nowhere").exists()


def test_matches_are_counted_over_all_treebanks():
    one = int(starbank("match", ERGATIVE, GEORGIAN, "--count").stdout)
    two = int(starbank("match", ERGATIVE, GEORGIAN, GEORGIAN, "--count").stdout)
    assert one > 20
    assert two == 2 * one


def test_what_no_treebank_has_is_a_warning_on_stderr():
    result = process("match", "pattern { V [upos=VERB]; V -[nsuj]-> S; S [Case=Ergative] }", GEORGIAN, "--count")
    assert (result.returncode, result.stdout) == (0, "0\n")
    assert result.stderr.splitlines() == [
        "warning: UD_Georgian-Sample: line 1: no word has Case=Ergative; the closest are Erg",
        "warning: UD_Georgian-Sample: line 1: no edge has the label nsuj; the closest are nsubj, nsubj:pass, conj",
    ]


def test_matches_are_counted_by_keys_over_all_treebanks():
    request = ("match", "pattern { N [upos=NOUN] }", GEORGIAN, "treebanks/sample/UD_Hindi-Sample")
    cross = starbank(*request, "--by", "treebank,Case", "--whether", "* -[nsubj]-> N", "--jsonl").stdout.splitlines()
    rows = [json.loads(line) for line in cross]
    assert list(rows[0]) == ["treebank", "Case", "{ * -[nsubj]-> N }", "count"]
    assert sum(row["count"] for row in rows) == int(starbank(*request, "--count").stdout)
    table = starbank(*request, "--by", "Case").stdout.splitlines()
    assert re.fullmatch(r"Case +count  share", table[0])
    assert re.fullmatch(r"Nom +\d+  \d\d\.\d%", table[1])


def test_matches_are_lines_of_json_as_grew_prints_them():
    lines = starbank("match", ERGATIVE, GEORGIAN, "--jsonl").stdout.splitlines()
    assert len(lines) == int(starbank("match", ERGATIVE, GEORGIAN, "--count").stdout)
    match = json.loads(lines[0])
    assert set(match) == {"sent_id", "nodes", "edges"}
    assert set(match["nodes"]) == {"V", "SUBJ", "OBJ"}


def test_matched_sentences_are_shown_with_their_bound_words_in_brackets_or_colours():
    request = ("match", "pattern { V [upos=VERB]; V -[nsubj]-> S }", GEORGIAN, "--show", "--limit", "1")
    plain = starbank(*request).stdout.splitlines()
    assert len(plain) == 3
    assert "[V " in plain[1]
    assert "[S " in plain[1]
    coloured = starbank(*request, "--colour", "always").stdout.splitlines()
    assert "\x1b[1;34m" in coloured[1]
    assert re.sub(r"\x1b\[[\d;]+m", "", coloured[1]) == re.sub(r"\[\w+ ([^]]+)\]", r"\1", plain[1])


def test_matches_are_drawn_as_trees(tmp_path):
    drawn = starbank("match", ERGATIVE, GEORGIAN, "--svg", tmp_path / "trees", "--limit", "3")
    assert drawn.stderr == f"{tmp_path / 'trees'}: 3 drawn\n"
    pictures = sorted((tmp_path / "trees").iterdir())
    assert [bool(re.fullmatch(r"000\d-sample-\w+-\d+\.svg", file.name)) for file in pictures] == [True] * 3
    assert pictures[0].read_text(encoding="utf-8").startswith("<svg ")


def test_matches_are_lines_of_words_for_people():
    first = starbank("match", ERGATIVE, GEORGIAN).stdout.splitlines()[0]
    assert re.fullmatch(r"sample-\w+-\d+\tV=\d+:\w+\tSUBJ=\d+:\w+\tOBJ=\d+:\w+", first)


def test_a_proposal_becomes_a_file_that_can_be_tried_out(tmp_path):
    file = tmp_path / "adposition-noun-case.grew"
    written = starbank("new", GEORGIAN, "-o", file)
    assert (written.returncode, written.stdout) == (0, "")
    assert written.stderr == (
        f"adposition-noun-case (82 matches) -> {file}\nNow try it out: starbank check {file} --treebank {GEORGIAN}\n"
    )
    tried = starbank("check", file, "--treebank", GEORGIAN)
    assert tried.returncode == 0, tried.stderr
    assert tried.stdout.splitlines()[0] == f"{file}: The case of a noun depends on its adposition"
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_request_may_be_given_as_it_is_or_on_standard_input():
    request = "pattern { X [upos=INTJ] }"
    inline = starbank("match", request, "treebanks/sample/UD_English-Sample", "--count")
    piped = process("match", "-", "treebanks/sample/UD_English-Sample", "--count", input=request)
    assert inline.stdout == piped.stdout


def test_a_reader_that_has_seen_enough_is_no_error():
    program = shlex.join([sys.executable, "-m", "starbank.cli", "match", "pattern { X [] }", GEORGIAN])
    result = subprocess.run(
        f"set -o pipefail; {program} | head -n 1", cwd=ROOT, shell=True, executable="/bin/bash", capture_output=True
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(b"\n") == 1
    assert result.stderr == b""


def test_the_way_from_a_treebank_to_a_report(tmp_path):
    treebank, suites, scores = tmp_path / "UD_Georgian-Sample", tmp_path / "kat", tmp_path / "scores.parquet"
    steps = [
        ("ingest", GEORGIAN, "-o", treebank),
        ("generate", ERGATIVE, "--treebank", treebank, "-o", suites),
        ("score", suites, "--model", "unigram", "--text", treebank, "-o", scores),
        ("results", scores, "--suites", suites, "-o", tmp_path / "results"),
        ("publish", suites, "--treebanks", tmp_path, "-o", tmp_path / "dataset"),
    ]
    for step in steps:
        result = starbank(*step)
        assert result.returncode == 0, result.stderr
        assert result.stdout == ""
    for table in ("items", "pairs", "rejected"):
        assert pq.read_metadata(suites / "transitive-erg-nom-subj" / f"{table}.parquet").num_rows > 0
    assert pq.read_schema(scores).names[:3] == ["model", "model_kind", "level"]
    assert (tmp_path / "results" / "report.html").is_file()
    assert (tmp_path / "dataset" / "README.md").is_file()
