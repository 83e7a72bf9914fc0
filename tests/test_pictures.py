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
