"""How large a model is, and how long it has been trained: from its files, and from what they are called."""

from __future__ import annotations

import json
import math
import re
from contextlib import suppress
from pathlib import Path

# What the Trainer of transformers leaves in a checkpoint.
TRAINER_STATE = "trainer_state.json"
# How those who publish checkpoints name them: step1000, step_20k, checkpoint-1000, stage1-step1000-tokens3B.
_STEP = re.compile(
    r"(?<![a-z])(?:step|checkpoint|ckpt|iter)[-_]?(?P<number>\d+)(?P<thousands>k?)(?![a-z\d])", re.IGNORECASE
)
# pythia-70m-seed3, multiberts-seed_0-step_20k.
_SEED = re.compile(r"(?<![a-z])seed[-_]?(?P<number>\d+)(?!\d)", re.IGNORECASE)


def count_parameters(folder: Path) -> int | None:
    """Return how many numbers the weights in `folder` (`model*.safetensors`) are, those that are shared counted once.

    It is what the Hub tells of a model. None where the files cannot be read so.
    """
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:  # Without it no model can be loaded either, which says so.
        return None
    sizes: dict[str, int] = {}
    with suppress(SafetensorError, OSError):
        for path in folder.glob("model*.safetensors"):
            with safe_open(path, framework="np") as weights:
                sizes |= {name: math.prod(weights.get_slice(name).get_shape()) for name in weights.keys()}  # noqa: SIM118
        return sum(sizes.values())
    return None


def find_step(folder: Path, name: str) -> int | None:
    """Return after how many steps of training the checkpoint in `folder` was saved: as the Trainer's state says, or
    `name`, its revision or folder. None where neither does."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return int(json.loads((folder / TRAINER_STATE).read_text(encoding="utf-8"))["global_step"])
    match = _STEP.search(name)
    return int(match["number"]) * (1000 if match["thousands"] else 1) if match else None


def find_run(origin: str, revision: str | None) -> str:
    """Return what the checkpoints of one training have in common: the repository or folder, and what stands before the
    step in the revision or in the name.

    >>> find_run("allenai/OLMo", "stage1-step1000-tokens3B"), find_run("runs/small/checkpoint-500", None)
    ('allenai/OLMo@stage1', 'runs/small')
    """
    if revision and (match := _STEP.search(revision)):
        before = revision[: match.start()].rstrip("-_.")
        return f"{origin}@{before}" if before else origin
    match = _STEP.search(origin)
    return origin[: match.start()].rstrip("-_./") if match else origin


def find_seed(*names: str | None) -> int | None:
    """Return the seed of a model's training, which the first of its `names` that has one tells.

    >>> find_seed("EleutherAI/pythia-70m-seed3", "step1000")
    3
    """
    matches = (_SEED.search(name) for name in names if name)
    return next((int(match["number"]) for match in matches if match), None)
