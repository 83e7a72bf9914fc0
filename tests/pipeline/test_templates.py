"""The real Snakemake on a template in a language that has no treebank."""

import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.pipeline.project import ROOT, make_project

pytestmark = pytest.mark.slow


def test_a_template_becomes_a_dataset_and_waits_for_a_model_that_can_score_it(tmp_path: Path):
    project = make_project(tmp_path / "project", languages=())
    queries = project.folder / "queries" / "swa"
    shutil.copytree(ROOT / "queries" / "swa" / "lexicon", queries / "lexicon")
    (queries / "bhs").mkdir()
    text = (ROOT / "queries" / "swa" / "bhs" / "N_of_Poss_V.template").read_text()
    (queries / "bhs" / "N_of_Poss_V.template").write_text(text.replace("limit: 1000", "limit: 20"))
    result = project.run()
    assert result.returncode == 0, result.stderr
    made = project.folder / "outputs" / "demo"
    assert pq.read_metadata(made / "datasets" / "swa-bhs" / "data" / "N_of_Poss_V" / "items.parquet").num_rows == 20
    # The baselines know no Swahili.
    assert not (made / "scores").exists()
    assert not (made / "results").exists()
    (queries / "lexicon" / "verbs.tsv").write_text((queries / "lexicon" / "verbs.tsv").read_text() + "# A remark.\n")
    assert "generate_swa-bhs" in project.jobs()
