"""Several processes share the work on one model."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from starbank.errors import ModelError, UsageError
from starbank.scoring import score
from starbank.scoring.chunks import Chunk
from starbank.scoring.conditions import Text
from starbank.scoring.workers import in_workers

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("models"), pytest.mark.slow]


@pytest.mark.parametrize("name", ["causal", "masked"])
def test_two_workers_give_what_one_gives(models: Path, suite: Path, tmp_path: Path, name: str) -> None:
    one = score([suite], str(models / name), tmp_path / "one.parquet", batch_tokens=20)
    two = score([suite], str(models / name), tmp_path / "two.parquet", batch_tokens=20, gpus=2)
    assert two == one
    assert not (tmp_path / "two.parquet.partial").exists()


class Dying:
    """A scorer whose process is killed."""

    name, levels = "dying", ("sentence",)

    def ask(self, *_):
        os._exit(1)


def test_a_worker_that_is_killed_is_one_message() -> None:
    chunk = Chunk([Text("The key.", (8,), None)], [{"sentence": "1"}])
    with pytest.raises(ModelError, match=r"a process that scored with dying was killed.*\nWhat was done is kept"):
        list(in_workers(Dying(), [chunk, chunk], 2))


def test_copies_and_a_device_exclude_each_other(models: Path, suite: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--gpus 2 gives each GPU a copy of the model, and --device auto"):
        score([suite], str(models / "causal"), tmp_path / "s.parquet", gpus=2, device="auto")
    with pytest.raises(UsageError, match="a model runs on one GPU or more, not on 0"):
        score([suite], str(models / "causal"), tmp_path / "s.parquet", gpus=0)
