"""What the commands about forms print."""

import pytest

from starbank.files import read_metadata
from tests.command_line import starbank

pytestmark = pytest.mark.slow


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


def test_many_cells_are_asked_for_by_a_file(georgian, tmp_path):
    cells = tmp_path / "cells.tsv"
    cells.write_text("lemma\tupos\tfeats\nკაცი\tNOUN\tNumber=Sing|Case=Erg\nზზზ\tX\tCase=Erg\n", encoding="utf-8")
    first, second = starbank("inflect", georgian, "--cells", cells).stdout.splitlines()
    assert first.split("\t")[:5] == ["კაცი", "NOUN", "Case=Erg|Number=Sing", "კაცმა", "treebank"]
    assert second == "ზზზ\tX\tCase=Erg\t\t\t\t"


def test_a_line_that_asks_for_no_cell_is_told_with_its_number(georgian, tmp_path):
    cells = tmp_path / "cells.tsv"
    cells.write_text("კაცი\tNOUN\tCase=Erg\nკაცი\tNOUN\tErg\n", encoding="utf-8")
    result = starbank("inflect", georgian, "--cells", cells)
    assert result.returncode == 2
    assert f"{cells}:2: `Erg` is no feature" in result.stderr


def test_one_cell_or_many_are_asked_for(georgian):
    result = starbank("inflect", georgian, "--lemma", "კაცი")
    assert result.returncode == 2
    assert "one cell is asked for by --lemma and --upos, many by --cells" in result.stderr


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


def test_the_report_tells_and_draws_how_good_predictions_are(georgian, tmp_path):
    plot = tmp_path / "kat.svg"
    result = starbank("lexicon", "report", georgian, "--by", "Case", "--threshold", "0.5", "--plot", plot)
    assert "confidence" in plot.read_text(encoding="utf-8")
    assert result.returncode == 0
    heading, *rows = result.stdout.partition("\n\n")[0].splitlines()
    assert heading.split() == ["Case", "cells", "right", "sure", "right", "if", "sure", "confidence"]
    assert {row.split()[0] for row in rows} >= {"Dat", "Erg", "Nom"}
    assert "(told" in result.stdout
