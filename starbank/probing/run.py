"""Tasks and a model -> `probes.parquet` and its plot."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from starbank.errors import UsageError
from starbank.files import LEFT, read_metadata, require_own, write_parquet, write_text
from starbank.probing.figures import accuracy_and_f1, control_labels, majority
from starbank.probing.questions import Questions, read_questions
from starbank.probing.recipes import RECIPES, Recipe
from starbank.scoring.sources import BATCH_TOKENS, DTYPES, KINDS, Settings, find_model

if TYPE_CHECKING:
    from starbank.probing.training import Trained

logger = logging.getLogger("starbank")

SCHEMA = "probes/1"
PROBES = pa.schema(
    [(name, pa.string()) for name in ("task", "definition", "treebank", "model")]
    + [("layer", pa.int32()), ("seed", pa.int64()), ("epochs", pa.int32())]
    + [(name, pa.float64()) for name in ("dev_accuracy", "dev_f1", "test_accuracy", "test_f1")]
    + [(name, pa.float64()) for name in ("control_accuracy", "control_f1", "selectivity")]
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
    dtype: str = "float32",
    remote_code: bool = False,
    name: str | None = None,
) -> pa.Table:
    """Probe every layer of `model` for the tasks in `folders`; write `output` (`probes/1`) and, beside it, its plot.

    `folders` are what `make_tasks` wrote, or folders of such, and `tasks` the names of those that are wanted, by
    default all. `recipe` is one of `RECIPES`, and `seeds` take the place of its own. What the layers have is kept in
    the folder `cache`, or else beside `output` until that is written: a run that was killed goes on from there. `name`
    is what the probes call the model. The other arguments are as for `starbank.scoring.score`.
    Raises `UsageError` or `ModelError`.
    """
    for what, chosen, known in (("recipe", recipe, RECIPES), ("dtype", dtype, DTYPES), ("kind", kind, KINDS)):
        if chosen is not None and chosen not in known:
            raise UsageError(f"no such {what}: {chosen}", hint=f"Known: {', '.join(known)}.")
    followed = replace(RECIPES[recipe], seeds=tuple(seeds) or RECIPES[recipe].seeds)
    questions = read_questions(folders, tasks)
    require_own(output, SCHEMA)
    curves = output.with_suffix(".svg")
    if curves == output or (curves.exists() and not output.exists()):
        raise UsageError("the curves would take the place of another file", file=curves, hint=LEFT)
    source = find_model(model, revision, kind, remote_code=remote_code)
    source = replace(source, name=name or source.name)
    _require_same_model(output, source, dtype)
    from starbank.probing.representations import Encoder, read_places

    encoder = Encoder(source, Settings(device, dtype, batch_tokens, remote_code), followed.longest)
    kept = cache or output.with_name(f"{output.name}.partial")
    store, row = encoder.encode(*read_places(questions), kept)
    borders = np.cumsum([0, *(len(one.label) for one in questions)])
    tables = [
        _probe(one, store, row[begin:end], source.name, followed, encoder.device)
        for one, begin, end in zip(questions, borders[:-1], borders[1:], strict=True)
    ]
    table = pa.concat_tables([PROBES.empty_table(), *tables])
    if not table.num_rows:
        raise UsageError("no task has enough labels to train, choose and test with", hint="See what was said above.")
    write_parquet(table, output, SCHEMA, _provenance(source, recipe, followed, dtype, folders))
    from starbank.probing.plot import curves_svg

    write_text(curves_svg(table.to_pandas()), curves)
    if cache is None:
        shutil.rmtree(kept, ignore_errors=True)
    return table


def _require_same_model(output: Path, source: Any, dtype: str) -> None:
    """Raise `UsageError` where the file holds probes of another model."""
    held = {}
    with suppress(OSError, pa.ArrowInvalid):
        held = read_metadata(output)
    if held and [held.get(key) for key in ("model", "fingerprint", "dtype")] != [
        source.name,
        source.fingerprint,
        dtype,
    ]:
        message = f"the output holds probes of another model: {held.get('model')} ({held.get('dtype')})"
        raise UsageError(message, file=output, hint=LEFT)


def _probe(asked: Questions, store: np.ndarray, row: np.ndarray, model: str, recipe: Recipe, device: Any) -> pa.Table:
    """Return the rows of one task of one treebank, none where a split or all but one class is missing."""
    from starbank.probing.training import Layers, train_probes

    name = f"{asked.treebank}, {asked.task}"
    if unread := int(np.count_nonzero(row < 0)):
        logger.warning("%s: %d labels left out that %s does not read", name, unread, model)
    asked, row = asked.keep(row >= 0), row[row >= 0]
    sizes = np.bincount(asked.split, minlength=3)
    train = asked.label[asked.split == 0]
    if not sizes.all() or len(np.unique(train)) < 2:
        told = ", ".join(f"{split} {size}" for split, size in zip(("train", "dev", "test"), sizes, strict=True))
        logger.warning("%s: too few labels for a probe (%s)", name, told)
        return PROBES.empty_table()
    controls = np.stack([_control(asked, seed) for seed in recipe.seeds])
    labels = np.stack([np.broadcast_to(asked.label, controls.shape), controls], axis=1)
    trained = train_probes(Layers(store, row, device), labels, asked.split, len(asked.classes), recipe)
    return _rows(asked, labels, trained, model, recipe, sizes)


def _control(asked: Questions, seed: int) -> np.ndarray:
    """Return the labels of the control task; classes are drawn as often as the training rows have them."""
    return control_labels(asked.word, asked.label[asked.split == 0], seed)


def _rows(
    asked: Questions, labels: np.ndarray, trained: Trained, model: str, recipe: Recipe, sizes: np.ndarray
) -> pa.Table:
    classes = len(asked.classes)
    shape = trained.epochs.shape[:2]
    figures = {
        (split, which): [
            one.reshape(shape) for one in _judge(guesses[:, :, place], labels[:, place][:, asked.split == number])
        ]
        for number, split, guesses in ((1, "dev", trained.dev), (2, "test", trained.test))
        for place, which in enumerate(("task", "control"))
    }
    by_layer = figures[recipe.chosen, "task"][1].mean(axis=1)
    # Layer 0 has no context: it is there to compare with.
    chosen = int(by_layer[1:].argmax()) + 1 if len(by_layer) > 1 else 0
    layer, seed = (one.ravel() for one in np.indices(shape))
    guessed = majority(asked.label[asked.split == 0], asked.label[asked.split == 2], classes)
    count = len(layer)
    columns = {
        **{name: [value] * count for name, value in zip(PROBES.names, _whence(asked, model), strict=False)},
        "layer": layer.astype(np.int32),
        "seed": np.array(recipe.seeds, np.int64)[seed],
        "epochs": trained.epochs[:, :, 0].ravel().astype(np.int32),
        "dev_accuracy": figures["dev", "task"][0].ravel(),
        "dev_f1": figures["dev", "task"][1].ravel(),
        "test_accuracy": figures["test", "task"][0].ravel(),
        "test_f1": figures["test", "task"][1].ravel(),
        "control_accuracy": figures["test", "control"][0].ravel(),
        "control_f1": figures["test", "control"][1].ravel(),
        "selectivity": (figures["test", "task"][0] - figures["test", "control"][0]).ravel(),
        "majority_accuracy": [guessed[0]] * count,
        "majority_f1": [guessed[1]] * count,
        "chosen": layer == chosen,
        "dealt": [asked.dealt] * count,
        "classes": [classes] * count,
        **{f"{split}_rows": [int(size)] * count for split, size in zip(("train", "dev", "test"), sizes, strict=True)},
    }
    return pa.table(columns, schema=PROBES)


def _judge(guesses: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return accuracy and weighted F1 of guesses, (layers, seeds, rows), against labels, (seeds, rows)."""
    rows = guesses.shape[2]
    classes = int(max(guesses.max(), labels.max())) + 1
    against = np.broadcast_to(labels, guesses.shape).reshape(-1, rows)
    return accuracy_and_f1(against, guesses.reshape(-1, rows), classes)


def _whence(asked: Questions, model: str) -> tuple[str, ...]:
    return asked.task, asked.definition, asked.treebank, model


def _provenance(source: Any, recipe: str, followed: Recipe, dtype: str, folders: Sequence[Path]) -> dict[str, Any]:
    return {
        "model": source.name,
        "revision": source.revision,
        "fingerprint": source.fingerprint,
        "dtype": dtype,
        "recipe": {"name": recipe, **vars(followed)},
        "libraries": {name: version(name) for name in ("torch", "transformers", "tokenizers")},
        "tasks": [folder.name for folder in folders],
    }
