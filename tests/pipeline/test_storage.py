"""A run in which jobs share no folder, as on Kubernetes: what a job reads and writes has to be declared."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from tests.pipeline.project import make_project

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("snakemake_storage_plugin_fs") is None or shutil.which("rsync") is None,
        reason="no snakemake-storage-plugin-fs or no rsync here",
    ),
]


def test_files_travel_through_a_store(tmp_path: Path):
    store = tmp_path / "store"
    project = make_project(tmp_path / "project", ("eng",))
    storage = ["--default-storage-provider", "fs", "--default-storage-prefix", str(store), "--shared-fs-usage", "none"]
    result = project.run(*storage, "--config", "models=[unigram]")
    assert result.returncode == 0, result.stderr
    assert (store / "outputs" / "demo" / "results" / "report.html").is_file()
    assert (store / "outputs" / "demo" / "suites" / "eng" / "subject-verb-number" / "items.parquet").is_file()
    # What people push stands where they started the run.
    assert (project.folder / "outputs" / "demo" / "datasets" / "eng" / "data").is_dir()
