"""A task -> a model that has learnt it: its weights, its vocabulary, its curve, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from starbank.checksums import read_sealed_json, sealed_json
from starbank.errors import UsageError
from starbank.files import LEFT, require_own, sha256, write_json, write_parquet, write_text
from starbank.probing.learning.reading import read_rows
from starbank.probing.learning.recipes import make_recipe

MODEL_TYPE = "starbank-learned"
CONFIG, WEIGHTS, VOCABULARY = "config.json", "model.safetensors", "vocabulary.parquet"
PREDICTIONS, CURVE, PLOT = "predictions.parquet", "learning.parquet", "learning.svg"
LEARNING = "learning/1"
_LEARNING = pa.schema([("epoch", pa.int32())] + [(name, pa.float64()) for name in ("train_loss", "dev_loss")])


def train(
    folder: Path,
    task: str,
    output: Path,
    *,
    recipe: str = "ravfogel",
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    fold: int = 0,
    device: str | None = None,
) -> dict[str, Any]:
    """Let a model learn a `task` in a `folder` that `make_tasks` wrote; write it to the folder `output`.

    `recipe` is one of `recipes.LEARNING`, whose fields `options` change; `seed` draws weights and the order of rows.
    Splits are the task's, or dealt as they are for probes, for which `fold` (0 to 9) has another tenth for test. A run
    that was killed goes on where it noted its state last, and comes to the same weights. Returns what `config.json`
    holds. The folder also gets the weights (`model.safetensors`), the vocabulary, losses by epoch (`learning.parquet`,
    `learning.svg`) and the answers on test (`predictions.parquet`).
    Raises `UsageError`, or `ModelError` for a device that there is not.
    """
    followed = make_recipe(recipe, options or {})
    rows = read_rows(folder, task, fold)
    _require_own(output)
    asked = {
        "model_type": MODEL_TYPE,
        "treebank": rows.treebank,
        "task": task,
        "definition": rows.definition,
        "questions": {name: list(classes) for name, classes in rows.questions.items()},
        "dealt": bool(rows.dealt),
        "rows": {split: rows.count(split) for split in ("train", "dev", "test")},
        "data": {split: sha256(file) for split, file in rows.files.items()},
        "recipe": {"name": recipe, **asdict(followed)},
        "seed": seed,
        "fold": fold if rows.dealt else None,
    }
    if (output / CONFIG).is_file() and _same(output / CONFIG, asked):
        return read_sealed_json(output / CONFIG)
    from starbank.probing.learning.answers import answer
    from starbank.probing.learning.plot import learning_svg
    from starbank.probing.learning.run import Run

    (output / CONFIG).unlink(missing_ok=True)
    run = Run(rows, followed, seed, device, output, asked)
    history = run.learn()
    answers = answer(run, "test")
    curve = pa.Table.from_pylist(history, _LEARNING)
    write_parquet(answers.predictions, output / PREDICTIONS, "predictions/1", asked)
    write_parquet(curve, output / CURVE, LEARNING, asked)
    write_text(learning_svg(curve.to_pandas(), f"{recipe}, {task}, {rows.treebank}"), output / PLOT)
    run.write(output / WEIGHTS, output / VOCABULARY)
    best = min(history, key=lambda epoch: epoch["dev_loss"])
    told = {"epochs": len(history), "best": best["epoch"], "figures": answers.figures, "parameters": run.parameters}
    # A folder is a model when this is there.
    write_json(sealed_json(asked | told), output / CONFIG)
    run.forget()
    return asked | told


def _same(file: Path, asked: Mapping[str, Any]) -> bool:
    """Tell whether a model is there that learnt the same in the same way."""
    about = read_sealed_json(file)
    return {key: about.get(key) for key in asked} == asked


def _require_own(output: Path) -> None:
    """Raise `UsageError` where the folder holds anything but a model that learnt a task."""
    require_own(output / PREDICTIONS, "predictions/1")
    config = output / CONFIG
    if config.exists() and read_sealed_json(config).get("model_type") != MODEL_TYPE:
        raise UsageError("the model would take the place of another one", file=config, hint=LEFT)


def is_learned(folder: str | Path) -> bool:
    """Tell whether a folder has a model that `train` made."""
    file = Path(folder) / CONFIG
    if not file.is_file() or not (Path(folder) / VOCABULARY).is_file():
        return False
    return bool(read_sealed_json(file).get("model_type") == MODEL_TYPE)
