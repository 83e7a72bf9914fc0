"""What the commands about forms print."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def starbank(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "starbank.cli", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, text=True, capture_output=True)


@pytest.fixture(scope="module")
def georgian(tmp_path_factory):
    lexicon = tmp_path_factory.mktemp("lexicons") / "kat.parquet"
    built = starbank("lexicon", "build", "treebanks/sample/UD_Georgian-Sample", "-o", lexicon)
    assert built.returncode == 0
    assert f"forms -> {lexicon}" in built.stderr
    return lexicon


def test_an_attested_form_is_printed_with_source_count_and_confidence(georgian):
    asked = ("--lemma", "კაცი", "--upos", "NOUN", "--feats", "Number=Sing|Case=Erg")
    form, source, count, confidence = starbank("inflect", georgian, *asked).stdout.rstrip("\n").split("\t")
    assert (form, source, confidence) == ("კაცმა", "treebank", "1.0")
    assert int(count) > 0


def test_what_is_neither_known_nor_sure_is_told(georgian):
    result = starbank("inflect", georgian, "--lemma", "ზზზ", "--upos", "X", "--feats", "Case=Erg")
    assert result.stdout == ""
    assert "no form of ზზზ is known or predicted" in result.stderr


def test_bad_features_end_with_2(georgian):
    result = starbank("inflect", georgian, "--lemma", "კაცი", "--upos", "NOUN", "--feats", "Erg")
    assert result.returncode == 2
    assert "`Erg` is no feature" in result.stderr
