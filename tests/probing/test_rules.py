"""What Snakemake would do for `tasks` in a configuration."""

from __future__ import annotations

import pytest

from starbank.errors import ConfigError
from starbank.pipeline.plan import make_plan
from tests.pipeline.project import Project, make_project

TASKS = """\
datasets: [eng]
models: []
tasks:
  treebanks: [UD_Hindi-Sample, UD_Hindi-Sample+colorless]
  models: [google/muril-base-cased]
"""


@pytest.fixture
def project(tmp_path) -> Project:
    project = make_project(tmp_path, languages=("eng",))
    (project.folder / "tasks.yaml").write_text(TASKS, encoding="utf-8")
    return project


@pytest.mark.slow
def test_derived_treebanks_are_made_labelled_and_probed(project):
    jobs = project.jobs("--configfile", "treebanks/sample/config.yaml", "tasks.yaml", "--", "probes")
    assert set(jobs) == {"fetch", "ingest", "transform", "tasks", "probe", "probes", "total"}


@pytest.mark.slow
def test_models_learn_each_task_of_each_treebank(project):
    (project.folder / "tasks.yaml").write_text(
        "tasks: {treebanks: [UD_Hindi-Sample], names: [argument_number, pos], train: [ravfogel, transformer]}\n",
        encoding="utf-8",
    )
    jobs = project.jobs("--configfile", "treebanks/sample/config.yaml", "tasks.yaml", "--", "trained")
    assert set(jobs) == {"fetch", "ingest", "tasks", "train", "trained", "total"}


def plan(tmp_path, **tasks):
    (tmp_path / "queries").mkdir(exist_ok=True)
    config = {"queries": str(tmp_path / "queries"), "treebanks": {}, "models": [], "sets": {"two": ["a/b", "c/d"]}}
    return make_plan(config | ({"tasks": tasks} if tasks else {})).probes


def test_sets_of_models_are_probed_with_their_options(tmp_path):
    big = {"name": "e/f", "dtype": "bfloat16", "gpus": 1, "level": ["word"]}
    probes = plan(tmp_path, treebanks=["UD_Hindi-PUD"], models=["two", big])
    assert list(probes.models) == ["a--b", "c--d", "e--f"]
    assert probes.options("e--f") == ["--dtype=bfloat16"]
    assert (probes.definition, probes.recipe) == ("strict", "starbank")


def test_a_baseline_has_no_layers(tmp_path):
    with pytest.raises(ConfigError, match="unigram has no layers to probe"):
        plan(tmp_path, treebanks=["UD_Hindi-PUD"], models=["unigram"])


def test_without_tasks_nothing_is_labelled_or_probed(tmp_path):
    probes = plan(tmp_path)
    assert (probes.treebanks, probes.models, probes.train) == ((), {}, ())
