"""What the commands about forms print."""

import subprocess
import sys
from pathlib import Path

import pytest

from starbank.files import read_metadata

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


def test_unimorph_adds_forms_that_no_text_has(tmp_path):
    (tmp_path / "kat").write_text("ფოთოლი\tფოთოლმა\tN;ERG;SG\n", encoding="utf-8")
    lexicon = tmp_path / "kat.parquet"
    made = ("lexicon", "build", "treebanks/sample/UD_Georgian-Sample", "--unimorph", tmp_path / "kat", "-o", lexicon)
    assert starbank(*made).returncode == 0
    asked = ("--lemma", "ფოთოლი", "--upos", "NOUN", "--feats", "Case=Erg|Number=Sing")
    assert starbank("inflect", lexicon, *asked).stdout == "ფოთოლმა\tunimorph\t0\t1.0\n"
    [metadata] = read_metadata(lexicon)["unimorph"]
    assert metadata["name"] == "kat"


def test_a_unimorph_file_has_the_name_of_its_language(tmp_path):
    (tmp_path / "verbs.tsv").write_text("ფოთოლი\tფოთოლმა\tN;ERG;SG\n", encoding="utf-8")
    made = ("lexicon", "build", "treebanks/sample/UD_Georgian-Sample", "--unimorph", tmp_path / "verbs.tsv")
    result = starbank(*made, "-o", tmp_path / "kat.parquet")
    assert result.returncode == 2
    assert "the treebanks' is kat" in result.stderr


def test_the_report_tells_how_good_predictions_are(georgian):
    result = starbank("lexicon", "report", georgian, "--by", "Case", "--threshold", "0.5")
    assert result.returncode == 0
    heading, *rows = result.stdout.partition("\n\n")[0].splitlines()
    assert heading.split() == ["Case", "cells", "right", "sure", "right", "if", "sure", "confidence"]
    assert {row.split()[0] for row in rows} >= {"Dat", "Erg", "Nom"}
    assert "(told" in result.stdout
