"""The real Snakemake on the bundled sample: what it makes, and what it says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.pipeline.project import Project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pipeline")]


def test_everything_a_reader_looks_for_is_there(finished: Project):
    products = finished.products()
    for name in (
        "outputs/demo/results/report.html",
        "outputs/demo/results/accuracy.csv",
        "outputs/demo/results/accuracy.svg",
        "outputs/demo/datasets/kat/README.md",
        "outputs/demo/scores/kat/unigram.parquet",
        "outputs/demo/scores/kat/ngram.parquet",
    ):
        assert name in products


def test_each_job_leaves_what_it_printed_and_what_it_cost(finished: Project):
    demo = finished.folder / "outputs" / "demo"
    assert "subject-verb-number" in (demo / "logs" / "generate" / "eng.log").read_text()
    assert (demo / "benchmarks" / "generate" / "eng.tsv").read_text().startswith("s\th:m:s\tmax_rss")


def test_the_linter_of_snakemake_asks_for_conda_or_containers_only(finished: Project):
    """rules/common.smk says why rules have none."""
    lines = finished.run("--lint").stderr.splitlines()
    findings = {line.strip() for line in lines if line.startswith("    * ")}
    assert findings == {"* Specify a conda environment or container for each rule.:"}


def test_a_second_run_has_nothing_to_do(finished: Project):
    assert finished.jobs() == []


def test_the_report_of_snakemake_shows_results_and_datasets_whatever_the_cores(finished: Project, tmp_path: Path):
    page = tmp_path / "report.html"
    command = [part for part in finished.command("--report", str(page)) if part not in ("--cores", "2")]
    result = subprocess.run(command, cwd=finished.folder, text=True, capture_output=True, timeout=300)
    assert result.returncode == 0, result.stderr
    shown = page.read_text(encoding="utf-8")
    assert "<p>How often each model gives every starred sentence less" in shown
    assert "<p>The card of the dataset <em>kat</em>" in shown


def test_one_target_makes_only_what_it_needs(finished: Project):
    # A card tells what the baselines score, and no other model.
    models = ("--config", "models=[FacebookAI/xlm-roberta-base]", "--")
    assert "score" not in finished.jobs("--forceall", *models, "datasets")


def test_an_unknown_key_of_the_configuration_is_named(finished: Project):
    result = finished.run("--dry-run", "--config", "modles=[unigram]")
    assert result.returncode != 0
    assert "unknown key 'modles'" in result.stdout + result.stderr
    assert "Did you mean 'models'?" in result.stdout + result.stderr
