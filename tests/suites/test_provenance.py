"""What a table says of its making may be anybody's word: it is checked where it is read."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from starbank.errors import SuiteError
from starbank.files import METADATA_KEY, read_metadata
from starbank.hub import publish
from starbank.suites.files import read_items
from starbank.suites.provenance import read_provenance
from tests.hub.suites import GEORGIAN, item, write

FORMS = {"Nom": ("", "სახლი", " დგას."), "Dat": ("", "სახლს", " დგას.")}


@pytest.fixture
def suite(tmp_path):
    """A Georgian suite of one item."""
    folder = tmp_path / "suites" / "nom-subj"
    write(folder, [item(7, "nom-subj", "UD_Georgian-GLC", FORMS, 2)], ["no form"], [GEORGIAN])
    return folder


def test_a_suite_of_ours_says_what_it_should(suite):
    assert read_provenance(suite / "items.parquet", ["construction.query", "treebanks.files"])["matches"] == 2


def test_what_is_asked_for_has_to_be_said_of_each_treebank(suite):
    with pytest.raises(SuiteError, match=r"lacks `treebanks\.derived`"):
        read_provenance(suite / "items.parquet", ["treebanks.derived"])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"construction": {"name": "../evil"}}, r"construction\.name: '\.\./evil' is no name"),
        ({"treebanks": [{"name": "/etc"}]}, r"treebanks\[0\]\.name: '/etc' is no name"),
        ({"treebanks": [{"name": "UD_X-Y", "files": [{"name": "a/b", "sha256": "0" * 64}]}]}, "'a/b' is no file name"),
        ({"treebanks": [{"name": "UD_X-Y", "files": [{"name": "a", "sha256": "0" * 63 + "\n"}]}]}, "SHA-256 sum"),
        ({"seed": True}, "seed: True is not of type 'integer'"),
        ({"glosses": {"x": [["a"]]}}, "glosses"),
    ],
)
def test_what_cannot_be_is_told_with_its_place(suite, change, told):
    file = suite / "items.parquet"
    metadata = {METADATA_KEY: json.dumps(read_metadata(file) | change).encode()}
    pq.write_table(pq.read_table(file).replace_schema_metadata(metadata), file)
    with pytest.raises(SuiteError, match=told):
        read_provenance(file)


@pytest.mark.parametrize(
    ("treebank", "language"), [("../../evil", "kat"), ("/etc", "kat"), ("UD_Georgian-GLC", "../../evil")]
)
def test_a_column_that_becomes_a_path_has_names_only(tmp_path, treebank, language):
    folder = tmp_path / "suites" / "nom-subj"
    about = {**GEORGIAN, "license_text": "Do what you like.\n"}
    write(folder, [item(7, "nom-subj", treebank, FORMS, 2)], [], [about], language=language)
    with pytest.raises(SuiteError, match="which is no name"):
        read_items([folder])
    with pytest.raises(SuiteError, match="is no name"):
        publish([folder], tmp_path / "dataset")
    assert not list(tmp_path.rglob("*evil*"))


def test_a_suite_without_a_column_is_told(suite):
    file = suite / "items.parquet"
    table = pq.read_table(file)
    pq.write_table(table.drop_columns(["conditions"]).replace_schema_metadata(table.schema.metadata), file)
    with pytest.raises(SuiteError, match="lacks the column `conditions`"):
        read_items([suite])
