"""Names that strangers give to things, and the shell: none of them is run, and none is taken for an option."""

from __future__ import annotations

import itertools
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pipeline.project import ROOT, make_project

pytestmark = pytest.mark.slow

WORKFLOW = [ROOT / "Snakefile", *sorted((ROOT / "rules").glob("*.smk"))]
QUERY = """\
% ---
% language: eng
% treebanks: ["UD_X-Y;touch PWNED;"]
% target: X
% vary: {Number: [Sing, Plur]}
% ---
pattern { X [Number=Sing] }
"""


def shell_commands(file: Path) -> Iterator[str]:
    """Yield the string literals of `shell:` and `shell(…)` in a file of the workflow."""
    with tokenize.open(file) as stream:
        tokens = list(tokenize.generate_tokens(stream.readline))
    inside = False
    for before, token in itertools.pairwise(tokens):
        if before.string == "shell" and token.string in (":", "("):
            inside = True
        elif token.type == tokenize.DEDENT or token.string == ")":
            inside = False
        elif inside and token.type == tokenize.STRING:
            yield token.string


@pytest.mark.parametrize("file", WORKFLOW, ids=lambda file: file.name)
def test_every_placeholder_of_a_shell_command_is_quoted(file):
    placeholders = [braces for command in shell_commands(file) for braces in re.findall(r"\{[^{}]*\}", command)]
    assert [one for one in placeholders if not one.endswith(":q}")] == []


def test_commands_are_found_where_they_are():
    assert [file.name for file in WORKFLOW if not list(shell_commands(file))] == ["Snakefile"]


def test_a_treebank_that_is_called_like_a_command_is_refused_with_its_line(tmp_path):
    project = make_project(tmp_path, languages=("eng",))
    (project.folder / "queries" / "eng" / "evil.grew").write_text(QUERY)
    result = project.run("--", "datasets")
    assert result.returncode == 1
    message = "queries/eng/evil.grew:3: 'UD_X-Y;touch PWNED;' cannot be the name of a treebank"
    assert message in result.stdout + result.stderr
    assert not (project.folder / "PWNED").exists()


def test_a_source_may_be_any_text_and_none_is_run_or_taken_for_an_option(tmp_path):
    project = make_project(tmp_path, languages=("eng",))
    record = "treebanks/UD_English-Sample/source.json"
    sources = "sources=['$(touch PWNED)', '--lock-file=PWNED', '; touch PWNED', treebanks/sample]"
    result = project.run("--config", sources, "--", record)
    assert result.returncode == 0, result.stderr
    assert (project.folder / record).exists()
    assert not (project.folder / "PWNED").exists()


def test_a_model_may_be_any_text_and_none_is_run_or_taken_for_an_option(tmp_path):
    project = make_project(tmp_path, languages=())
    suite = project.folder / "queries" / "eng" / "number.json"
    suite.parent.mkdir(parents=True)
    suite.write_text('[[["The dogs", "The dogs"], ["bark.", "barks."]]]')
    result = project.run("--config", "models=['--text=$(touch PWNED);']", "--", "scores")
    assert result.returncode == 1
    assert "no such model folder: --text=$(touch PWNED);" in result.stderr
    assert not (project.folder / "PWNED").exists()
