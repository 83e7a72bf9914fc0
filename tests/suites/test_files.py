"""The three files of a suite."""

import os

import pyarrow.parquet as pq
import pytest

from starbank import __version__
from starbank.errors import SuiteError
from starbank.files import read_metadata, write_parquet
from starbank.suites import ITEMS, PAIRS, REJECTED, is_fresh, read_items, touch_suite, write_suite
from tests.suites.items import item, rejected, suite

PROVENANCE = {"construction": {"name": "erg-subj"}, "seed": 0}


def test_each_file_holds_its_table_and_the_provenance(tmp_path):
    write_suite(tmp_path / "erg-subj", suite([item()], [rejected()]), PROVENANCE)
    tables = {file.name: pq.read_table(file) for file in (tmp_path / "erg-subj").iterdir()}
    assert {name: table.num_rows for name, table in tables.items()} == {
        "items.parquet": 1,
        "pairs.parquet": 2,
        "rejected.parquet": 1,
    }
    assert read_metadata(tmp_path / "erg-subj/items.parquet") == {
        "schema": "items/1",
        "starbank": __version__,
        **PROVENANCE,
    }


def test_an_empty_suite_is_three_typed_files(tmp_path):
    write_suite(tmp_path, suite(), PROVENANCE)
    for name, schema in (("items", ITEMS), ("pairs", PAIRS), ("rejected", REJECTED)):
        table = pq.read_table(tmp_path / f"{name}.parquet")
        assert (table.num_rows, table.schema.remove_metadata()) == (0, schema)


def test_the_same_suite_gives_the_same_bytes(tmp_path):
    for folder in ("one", "other"):
        write_suite(tmp_path / folder, suite([item()], [rejected()]), PROVENANCE)
    for name in ("items.parquet", "pairs.parquet", "rejected.parquet"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_items_are_read_from_a_file_a_suite_or_a_folder_of_suites(tmp_path):
    write_suite(tmp_path / "kat/b", suite([item("b")]), PROVENANCE)
    write_suite(tmp_path / "kat/a", suite([item("a")]), PROVENANCE)
    assert read_items([tmp_path / "kat/b/items.parquet"])["item_id"].to_pylist() == ["b"]
    assert read_items([tmp_path / "kat/b", tmp_path / "kat/a"])["item_id"].to_pylist() == ["b", "a"]
    together = read_items([tmp_path / "kat"])
    assert (together["item_id"].to_pylist(), together.schema) == (["a", "b"], ITEMS)


def test_what_holds_no_items_is_said(tmp_path):
    with pytest.raises(SuiteError, match="there are no items here"):
        read_items([tmp_path])
    write_parquet(suite().rejected, tmp_path / "items.parquet", "rejected/1")
    with pytest.raises(SuiteError, match="holds rejected/1 instead of items/1"):
        read_items([tmp_path])
    (tmp_path / "items.parquet").write_text("no Parquet")
    with pytest.raises(SuiteError, match="cannot be read as Parquet"):
        read_items([tmp_path])


def test_a_suite_is_fresh_while_all_three_files_were_made_from_the_same(tmp_path):
    assert not is_fresh(tmp_path, PROVENANCE)
    write_suite(tmp_path, suite([item()]), PROVENANCE | {"matches": 1})
    assert is_fresh(tmp_path, PROVENANCE)
    assert not is_fresh(tmp_path, PROVENANCE | {"seed": 1})
    (tmp_path / "pairs.parquet").unlink()
    assert not is_fresh(tmp_path, PROVENANCE)
    write_parquet(suite().items, tmp_path / "pairs.parquet", "pairs/1", {"seed": 1})
    assert not is_fresh(tmp_path, PROVENANCE)


def test_touching_makes_files_newer_and_changes_nothing_else(tmp_path):
    write_suite(tmp_path, suite([item()]), PROVENANCE)
    before = (tmp_path / "items.parquet").read_bytes()
    for file in tmp_path.iterdir():
        os.utime(file, (0, 0))
    touch_suite(tmp_path)
    assert all(file.stat().st_mtime > 0 for file in tmp_path.iterdir())
    assert (tmp_path / "items.parquet").read_bytes() == before
