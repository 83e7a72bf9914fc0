"""Tasks and a model -> `probes.parquet`, its page and its plot."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from starbank.errors import UsageError
from starbank.files import LEFT, read_metadata, require_own, write_parquet, write_text
from starbank.probing.datasets import SPLITS
from starbank.probing.figures import accuracy_and_f1, control_labels, majority
from starbank.probing.learning.train import is_learned
from starbank.probing.questions import Questions, read_questions
from starbank.probing.recipes import RECIPES, Recipe
from starbank.scoring.adapters import with_adapter
from starbank.scoring.language_models import library_versions
from starbank.scoring.precision import settle
from starbank.scoring.sources import (
    AUTO,
    BATCH_TOKENS,
    BITS,
    DTYPES,
    KINDS,
    Settings,
    Source,
    find_model,
    require_choice,
)

if TYPE_CHECKING:
    from starbank.probing.training import Trained

logger = logging.getLogger("starbank")

SCHEMA = "probes/1"
PROBES = pa.schema(
    [(name, pa.string()) for name in ("task", "definition", "treebank", "model")]
    + [("layer", pa.int32()), ("seed", pa.int64()), ("epochs", pa.int32())]
    + [(name, pa.float64()) for name in ("dev_accuracy", "dev_f1", "test_accuracy", "test_f1")]
    + [(name, pa.float64()) for name in ("control_accuracy", "control_f1", "selectivity")]
    + [(name, pa.float64()) for name in ("code_length", "control_code_length", "compression")]
    + [(name, pa.float64()) for name in ("majority_accuracy", "majority_f1")]
    + [("chosen", pa.bool_()), ("dealt", pa.bool_())]
    + [(name, pa.int64()) for name in ("classes", "train_rows", "dev_rows", "test_rows")]
)


def probe(
    folders: Sequence[Path],
    model: str,
    output: Path,
    *,
    tasks: Sequence[str] = (),
    recipe: str = "starbank",
    seeds: Sequence[int] = (),
    cache: Path | None = None,
    device: str | None = None,
    batch_tokens: int = BATCH_TOKENS,
    revision: str | None = None,
    kind: str | None = None,
    adapter: str | None = None,
    dtype: str = AUTO,
    quantize: str | None = None,
    remote_code: bool = False,
    name: str | None = None,
) -> pa.Table:
    """Probe every layer of `model` for the tasks in `folders`; write `output` (`probes/1`), its page and plot.

    `folders` are what `make_tasks` wrote, or folders of such, and `tasks` the names of those that are wanted, by
    default all. `recipe` is one of `RECIPES`, and `seeds` take the place of its own. What the layers have is kept in
    the folder `cache`, or else beside `output` until that is written: a run that was killed goes on from there. `name`
    is what the probes call the model, which may also be one that `learning.train` made. The other arguments are as for
    `starbank.scoring.score`.
    Raises `UsageError` or `ModelError`.
    """
    require_choice("recipe", recipe, RECIPES)
    require_choice("dtype", dtype, DTYPES)
    require_choice("number of bits", quantize, BITS)
    require_choice("kind", kind, KINDS)
    followed = replace(RECIPES[recipe], seeds=tuple(seeds) or RECIPES[recipe].seeds)
    questions = read_questions(folders, tasks)
    require_own(output, SCHEMA)
    curves, shown = (output.with_suffix(suffix) for suffix in (".svg", ".html"))
    for file, kind_of_file in ((curves, "curves"), (shown, "page")):
        if file == output or (file.exists() and not output.exists()):
            raise UsageError(f"the {kind_of_file} would take the place of another file", file=file, hint=LEFT)
    learned = is_learned(model)
    if learned:
        from starbank.probing.learning.states import Learned, find_learned

        source = find_learned(model)
    else:
        source = find_model(model, revision, kind, remote_code=remote_code)
    source = with_adapter(replace(source, name=name or source.name), adapter)
    settings = settle(source, Settings(device, dtype, batch_tokens, remote_code, quantize=quantize))
    _require_same_model(output, source, settings)
    folder = cache or output.with_name(f"{output.name}.partial")
    encoder: Any
    if learned:
        encoder = Learned(source, device)
        store, row = encoder.encode(questions)
    else:
        from starbank.probing.representations import Encoder, read_places

        encoder = Encoder(source, settings, followed.longest)
        store, row = encoder.encode(*read_places(questions), folder)
    rows = np.split(row, np.cumsum([len(task.label) for task in questions])[:-1])
    tables = [
        _probe(task, store, places, source.name, followed, encoder.device)
        for task, places in zip(questions, rows, strict=True)
    ]
    table = pa.concat_tables(tables)
    if not table.num_rows:
        raise UsageError("no task has enough labels to train, choose and test with", hint="See what was said above.")
    write_parquet(table, output, SCHEMA, _provenance(source, recipe, followed, settings, folders))
    from starbank.probing.page import page
    from starbank.probing.plot import curves_svg

    frame = table.to_pandas()
    write_text(svg := curves_svg(frame), curves)
    write_text(page(frame, svg), shown)
    if cache is None:
        shutil.rmtree(folder, ignore_errors=True)
    return table


def _require_same_model(output: Path, source: Source, settings: Settings) -> None:
    """Raise `UsageError` where the file holds probes of another model."""
    about = {}
    with suppress(OSError, pa.ArrowInvalid):
        about = read_metadata(output)
    model = {"model": source.name, "fingerprint": source.fingerprint, **_precision(settings)}
    if about and {key: about.get(key) for key in model} != model:
        message = f"the output holds probes of another model: {about.get('model')} ({about.get('dtype')})"
        raise UsageError(message, file=output, hint=LEFT)


def _probe(task: Questions, store: np.ndarray, row: np.ndarray, model: str, recipe: Recipe, device: Any) -> pa.Table:
    """Return the rows of one task of one treebank, none where a split or all but one class is missing."""
    from starbank.probing.description_length import code_lengths
    from starbank.probing.training import Layers, train_probes

    name = f"{task.treebank}, {task.task}"
    if unread := int(np.count_nonzero(row < 0)):
        logger.warning("%s: %d labels left out that %s does not read", name, unread, model)
    task, row = task.keep(row >= 0), row[row >= 0]
    sizes = dict(zip(SPLITS, np.bincount(task.split, minlength=3).tolist(), strict=True))
    if not all(sizes.values()) or len(np.unique(task.label[task.split == 0])) < 2:
        counts = ", ".join(f"{split} {size}" for split, size in sizes.items())
        logger.warning("%s: too few labels for a probe (%s)", name, counts)
        return PROBES.empty_table()
    labels = task_and_controls(task, recipe)
    asked = (labels, task.split, len(task.classes), recipe)
    trained = train_probes(Layers(store, row, device), *asked)
    codes = code_lengths(lambda: Layers(store, row, device), *asked)
    return _rows(task, labels, trained, codes, model, recipe, sizes)


def task_and_controls(task: Questions, recipe: Recipe) -> np.ndarray:
    """Return labels of shape (seeds, 2, rows): those of a task, and of a control task with as many of each class."""
    train = task.label[task.split == 0]
    controls = np.stack([control_labels(task.word, train, seed) for seed in recipe.seeds])
    return np.stack([np.broadcast_to(task.label, controls.shape), controls], axis=1)


def _rows(
    task: Questions,
    labels: np.ndarray,
    trained: Trained,
    codes: np.ndarray,
    model: str,
    recipe: Recipe,
    sizes: dict[str, int],
) -> pa.Table:
    dev, test = task.split == SPLITS.index("dev"), task.split == SPLITS.index("test")
    figures = {
        "dev": accuracy_and_f1(labels[:, 0, dev], trained.dev[:, :, 0]),
        "test": accuracy_and_f1(labels[:, 0, test], trained.test[:, :, 0]),
        "control": accuracy_and_f1(labels[:, 1, test], trained.test[:, :, 1]),
    }
    by_layer = figures[recipe.chosen][1].mean(axis=1)
    # Layer 0 has no context: it is there to compare with.
    chosen = int(by_layer[1:].argmax()) + 1 if len(by_layer) > 1 else 0
    layer, seed = (index.ravel() for index in np.indices(trained.epochs.shape[:2]))
    # The codes are those of the first seed.
    first = np.where(seed == 0, 1.0, np.nan)
    code, control = (first * codes[layer, place] for place in range(2))
    frequent = majority(task.label[task.split == 0], task.label[test])
    constants = {
        "task": task.task,
        "definition": task.definition,
        "treebank": task.treebank,
        "model": model,
        "majority_accuracy": frequent[0],
        "majority_f1": frequent[1],
        "dealt": task.dealt,
        "classes": len(task.classes),
        **{f"{split}_rows": size for split, size in sizes.items()},
    }
    columns = {
        **{name: [value] * len(layer) for name, value in constants.items()},
        "layer": layer,
        "seed": np.array(recipe.seeds, np.int64)[seed],
        "epochs": trained.epochs[:, :, 0].ravel(),
        **{f"{name}_accuracy": accuracy.ravel() for name, (accuracy, _) in figures.items()},
        **{f"{name}_f1": f1.ravel() for name, (_, f1) in figures.items()},
        "selectivity": (figures["test"][0] - figures["control"][0]).ravel(),
        "code_length": pa.array(code, from_pandas=True),
        "control_code_length": pa.array(control, from_pandas=True),
        "compression": pa.array(np.log2(len(task.classes)) / code, from_pandas=True),
        "chosen": layer == chosen,
    }
    return pa.table({name: columns[name] for name in PROBES.names}, schema=PROBES)


def _precision(settings: Settings) -> dict[str, str | None]:
    return {"dtype": settings.dtype, "quantized": settings.quantize}


def _provenance(
    source: Source, recipe: str, followed: Recipe, settings: Settings, folders: Sequence[Path]
) -> dict[str, Any]:
    return {
        "model": source.name,
        "revision": source.revision,
        "fingerprint": source.fingerprint,
        **_precision(settings),
        "recipe": {"name": recipe, **vars(followed)},
        "libraries": library_versions(),
        "tasks": [folder.name for folder in folders],
    }
