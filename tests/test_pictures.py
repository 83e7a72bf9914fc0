"""The trees of items: those of the matches that they were made of."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from starbank.pipeline.generate import generate
from starbank.pipeline.pictures import Pictures
from starbank.treebanks import ingest

ROOT = Path(__file__).resolve().parents[1]
QUERY = ROOT / "queries" / "kat" / "published" / "transitive-erg-nom-subj.grew"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """The Georgian sample, ingested, and a suite made of it."""
    folder = tmp_path_factory.mktemp("pictures")
    ingest([ROOT / "treebanks" / "sample" / "UD_Georgian-Sample"], folder / "treebanks" / "UD_Georgian-Sample")
    generate([QUERY], [folder / "treebanks" / "UD_Georgian-Sample"], folder / "suites")
    return folder


def test_the_tree_of_an_item_shows_the_names_of_its_match(made: Path):
    file = made / "suites" / "transitive-erg-nom-subj" / "items.parquet"
    item = pq.read_table(file).slice(0, 1).to_pylist()[0]
    (tree,) = Pictures(made / "treebanks")(file, [item["item_id"]]).values()
    assert item["sent_id"] in tree
    assert all(f">{name}<" in tree for name in ("SUBJ", "V", "OBJ"))
    assert item["conditions"][0]["form"] in tree


def test_without_its_treebank_an_item_has_no_picture(made: Path, tmp_path: Path):
    file = made / "suites" / "transitive-erg-nom-subj" / "items.parquet"
    assert Pictures(tmp_path)(file, pq.read_table(file)["item_id"].to_pylist()) == {}


MOTHERS_LEFT_OUT = """% ---
% title: Ergative subjects but for what a language lists
% language: kat
% treebanks: [UD_Georgian-Sample]
% target: SUBJ
% vary: {Case: [Erg, Nom]}
% ---
pattern { V [upos=VERB]; SUBJ [Case=Erg]; V -[nsubj]-> SUBJ }
without { SUBJ [lemma="languages.mothers"] }
"""


def test_what_another_language_lists_is_no_matter(made: Path, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "languages").mkdir()
    # Mingrelian has a word that Georgian has, too.
    (tmp_path / "languages" / "xmf.yaml").write_text("name: Mingrelian\nwords:\n  mothers: [დედა]\n", encoding="utf-8")
    (tmp_path / "subjects.grew").write_text(MOTHERS_LEFT_OUT, encoding="utf-8")
    generate([tmp_path / "subjects.grew"], [made / "treebanks" / "UD_Georgian-Sample"], tmp_path)
    file = tmp_path / "subjects" / "items.parquet"
    mothers = [item["item_id"] for item in pq.read_table(file).to_pylist() if item["target"]["lemma"] == "დედა"]
    assert mothers
    assert Pictures(made / "treebanks")(file, mothers).keys() == set(mothers)


def test_an_item_that_its_treebank_does_not_have_any_more_has_no_picture(made: Path, tmp_path: Path):
    file = made / "suites" / "transitive-erg-nom-subj" / "items.parquet"
    folder = tmp_path / "UD_Georgian-Sample"
    ingest([ROOT / "treebanks" / "sample" / "UD_English-Sample"], folder)
    assert Pictures(tmp_path)(file, pq.read_table(file)["item_id"].to_pylist()) == {}
