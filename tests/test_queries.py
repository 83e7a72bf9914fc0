"""A file in the folder of queries is a construction, a template or a suite of others; one file is one suite."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from starbank.files import read_metadata
from starbank.pipeline.generate import generate
from starbank.pipeline.plan import make_plan
from starbank.queries import is_query
from tests.conftest import ROOT
from tests.suites.test_imports import NUMBER, syntaxgym

# The folders of queries that have a sample treebank.
SAMPLES = {"eng": "English", "hin": "Hindi", "kat": "Georgian", "kat/published": "Georgian"}


def test_what_becomes_a_suite_is_told_by_its_name():
    names = ("x.grew", "x.template", "x.json", "x.reviews.json", "x.import", "x.tsv", "lexicon.yaml")
    assert [name for name in names if is_query(Path(name))] == [
        "x.grew",
        "x.template",
        "x.json",
        "x.import",
    ]


def test_a_suite_of_syntaxgym_beside_the_queries_is_a_suite_without_treebanks(tmp_path):
    file = tmp_path / "queries" / "nld" / "agreement" / "number.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(syntaxgym(NUMBER)))
    plan = make_plan({"queries": tmp_path / "queries", "treebanks": {}, "models": ["unigram"]})
    (batch,) = plan.batches
    assert (batch.dataset, batch.language, batch.treebanks) == ("nld-agreement", "nld", ())
    assert plan.constructions("nld-agreement") == ["number"]
    # There is no Dutch to learn from.
    assert plan.scores() == []
    (made,) = generate([file], [], tmp_path / "suites")
    assert str(made) == "number: 1 items from 1 in the file"
    assert read_metadata(tmp_path / "suites" / "number" / "items.parquet")["construction"]["language"] == "nld"


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "language"), SAMPLES.items())
def test_every_bundled_query_yields_items(folder, language, sample, tmp_path):
    queries = sorted((ROOT / "queries" / folder).glob("*.grew"))
    generate(queries, [sample / f"UD_{language}-Sample"], tmp_path)
    for query in queries:
        assert pq.read_metadata(tmp_path / query.stem / "items.parquet").num_rows > 0, query
