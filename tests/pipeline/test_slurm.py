"""The whole pipeline on a real Slurm of one node: `pytest -m slurm`."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest

from tests.pipeline.local_slurm import local_slurm, missing
from tests.pipeline.project import ROOT, Project, make_project
from tests.scoring.tiny_models import byte_level_gpt

pytestmark = [pytest.mark.slurm, pytest.mark.xdist_group("pipeline")]

HERE = "rules/profiles/slurm"


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """The environment of a Slurm that runs."""
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        pytest.skip("no plugin for Slurm here: pip install -e '.[slurm]'")
    if why := missing():
        pytest.skip(why)
    with local_slurm(tmp_path_factory.mktemp("slurm")) as environment:
        yield environment


def test_a_run_on_slurm_gives_the_bytes_of_a_local_run(slurm, tmp_path: Path):
    model = tmp_path / "causal"
    byte_level_gpt(tmp_path)
    # The last bits of what a network calculates depend on how many threads share the work.
    settings = ["--set-threads", "score=2", "--config", f"models=[unigram,{model}]"]
    here, there = (make_project(tmp_path / name, ("eng",)) for name in ("here", "there"))
    assert here.run(*settings).returncode == 0
    result = on_slurm(there, slurm, *settings)
    assert result.returncode == 0, result.stderr
    assert there.products() == here.products()

    ran = (Path(slurm["SLURM_CONF"]).with_name("jobcomp.txt")).read_text()
    # Fetching needs the network and stays at home; ingest and lexicon went as one job; two models scored.
    assert ran.count("JobState=COMPLETED") == len(ran.splitlines())
    assert "TresPerJob=gres:gpu:1" in told(slurm, "causal")
    assert "gpu" not in told(slurm, "unigram")


def on_slurm(project: Project, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the sample with our profile, told only what a cluster without accounting and of one partition wants."""
    profile = ["--profile", str(ROOT / HERE), "--slurm-no-account", "--slurm-status-command", "squeue"]
    quick = ["--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "5"]
    return subprocess.run(
        project.command(*profile, *quick, *arguments),
        cwd=project.folder,
        env=environment | {"PATH": project.environment["PATH"]},
        text=True,
        capture_output=True,
        timeout=600,
    )


def told(environment: dict[str, str], model: str) -> str:
    """Return what Slurm says of the job that scored with a model."""
    jobs = subprocess.run(["scontrol", "show", "job", "-d"], env=environment, text=True, capture_output=True).stdout
    return next(job for job in jobs.split("\n\n") if model in job)
