"""How large a model is and how long it has been trained, from its files and names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from starbank.errors import ModelError
from starbank.files import read_metadata
from starbank.scoring import score
from starbank.scoring.checkpoints import count_parameters, find_run, find_step
from starbank.scoring.sources import find_model


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("step1000", 1000),
        ("checkpoint-500", 500),
        ("stage1-step1000-tokens3B", 1000),
        ("multiberts-seed_0-step_20k", 20_000),
        ("main", None),
        ("misstep4", None),
        ("step3b", None),
    ],
)
def test_the_step_stands_in_the_name(tmp_path: Path, name: str, step: int | None) -> None:
    assert find_step(tmp_path, name) == step


def test_what_the_trainer_says_goes_before_the_name(tmp_path: Path) -> None:
    state = tmp_path / "trainer_state.json"
    state.write_text(json.dumps({"global_step": 1234}))
    assert find_step(tmp_path, "checkpoint-1000") == 1234
    state.write_text("[]")
    assert find_step(tmp_path, "checkpoint-1000") == 1000


@pytest.mark.parametrize(
    ("origin", "revision", "run"),
    [
        ("us/pythia", "step1000", "us/pythia"),
        ("us/olmo", "stage1-step1000-tokens3B", "us/olmo@stage1"),
        ("us/multiberts-seed_0-step_20k", None, "us/multiberts-seed_0"),
        ("runs/small/checkpoint-500", None, "runs/small"),
        ("us/pythia", "main", "us/pythia"),
    ],
)
def test_checkpoints_of_one_training_have_a_run_in_common(origin: str, revision: str | None, run: str) -> None:
    assert find_run(origin, revision) == run


def test_files_that_are_no_weights_have_no_parameters(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    assert count_parameters(tmp_path) is None


@pytest.mark.models
@pytest.mark.xdist_group("models")
def test_a_revision_of_a_folder_is_a_folder_in_it(models: Path, suite: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    run = tmp_path / "small"
    run.mkdir()
    (run / "step20").symlink_to(models / "causal")
    score([suite], str(run), tmp_path / "s.parquet", revision="step20", levels=["word"])
    about = read_metadata(tmp_path / "s.parquet")
    told = {name: about[name] for name in ("model", "requested_revision", "revision", "step", "parameters", "run")}
    assert told == {
        "model": "small",
        "requested_revision": "step20",
        "revision": None,
        "step": 20,
        # Those of the embeddings, which the head shares, are counted once.
        "parameters": AutoModelForCausalLM.from_pretrained(models / "causal").num_parameters(),
        "run": run.as_posix(),
    }
    with pytest.raises(ModelError, match="the model has no revision 'step30'"):
        find_model(str(run), "step30")
