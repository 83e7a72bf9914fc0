"""The real Snakemake on treebanks that are derived from others."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.pipeline.project import make_project

pytestmark = pytest.mark.slow


def test_a_derived_treebank_is_made_by_the_same_rule_applied_twice(tmp_path: Path):
    project = make_project(tmp_path / "project", languages=("kat",))
    names = ["UD_Georgian-Sample", "UD_Georgian-Sample+green", "UD_Georgian-Sample+green+latin"]
    green = "  green: {generator: colorless, preset: gulordava, variants: 2}"
    config = project.folder / "config.yaml"
    config.write_text(config.read_text().replace("transforms:\n", f"transforms:\n{green}\n"))
    treebanks = f"treebanks={json.dumps({'kat': names})}"
    outputs = project.folder / "outputs" / "demo"
    wanted = [f"outputs/demo/treebanks/{name}/tokens.parquet" for name in names]
    result = project.run("--config", treebanks, "--", *wanted, "outputs/demo/lexicons/kat.parquet")
    assert result.returncode == 0, result.stderr
    rows = [pq.read_metadata(outputs / "treebanks" / name / "sentences.parquet").num_rows for name in names]
    assert rows == [rows[0], 2 * rows[0], 2 * rows[0]]
    told = json.loads(pq.read_schema(outputs / "lexicons" / "kat.parquet").metadata[b"starbank"])
    assert [one["name"] for one in told["treebanks"]] == ["UD_Georgian-Sample", "UD_Georgian-Sample+latin"]
