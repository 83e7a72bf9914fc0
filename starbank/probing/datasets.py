"""A treebank -> a folder of labelled tasks, which is a dataset that `datasets` loads and the Hub shows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.checksums import sealed_json
from starbank.errors import TreebankError, UsageError
from starbank.files import LEFT, require_own, sha256, write_json, write_parquet, write_text
from starbank.names import require_name
from starbank.plugins import load_plugin
from starbank.probing.card import MADE_BY, render_card
from starbank.probing.tasks import DEFINITIONS, SENTENCE, STRICT, TASKS, TOKEN, Task, query
from starbank.treebanks import Treebank, open_treebank
from starbank.treebanks.arrays import texts
from starbank.treebanks.store import INGESTED, find_ingested

DESCRIPTION, CARD = "tasks.json", "README.md"
SCHEMA = "task/1"
SPLITS = ("train", "dev", "test")
# What losses of PyTorch pass over.
UNLABELLED = -100
# Of a sentence that several splits have, the first of these keeps it: test sets stay those of the release.
_KEEPS = ("test", "dev", "train")


def make_tasks(
    reference: str | Path,
    output: Path,
    *,
    tasks: Sequence[str] = TASKS,
    definition: str = STRICT,
    ingested: Path = INGESTED,
) -> dict[str, Any]:
    """Write labelled tasks of a treebank to the folder `output/<treebank>`; return what its `tasks.json` holds.

    `tasks` are modules of `generators/`; `definition` is one of `DEFINITIONS` (docs/probing.md). Splits are those of
    the treebank, `test` where it has none; a sentence whose text stands in two is left in one, and, where the treebank
    has not all three, no text is there twice, so that sentences can be dealt to splits. A task without a
    labelled row, or a split without one, has no file. The same treebank gives the same bytes.
    Raises `ConfigError` for a task, `UsageError` for a definition that there is not, `TreebankError` for a treebank.
    """
    if definition not in DEFINITIONS:
        raise UsageError(f"no such definition: {definition}", hint=f"Known: {', '.join(DEFINITIONS)}.")
    plugins = {name: load_plugin(name, "task") for name in tasks}
    treebank = open_treebank(reference, ingested)
    corpus, repeated = _without_leaks(treebank)
    output = output / require_name(treebank.name, "a treebank", TreebankError)
    about: dict[str, Any] = {
        "definition": definition,
        "repeated": repeated,
        "tasks": {},
        "treebank": {key: value for key, value in treebank.info.items() if key not in ("readme", "skipped")},
    }
    _clear(output)
    for name, plugin in plugins.items():
        task = plugin.require_result(plugin.function(corpus, definition=definition), Task)
        provenance = {"task": name, "definition": definition, "code": sha256(plugin.file)}
        about["tasks"][name] = _write(task, output / name, provenance | {"treebank": about["treebank"]})
    licence = (find_ingested(reference, ingested) or Path(reference)) / "LICENSE.txt"
    if licence.is_file():
        write_text(licence.read_text(encoding="utf-8", errors="replace"), output / licence.name)
    write_json(sealed_json(about), output / DESCRIPTION)
    write_text(render_card(about), output / CARD)
    return about


def _without_leaks(treebank: Treebank) -> tuple[Treebank, int]:
    """Return the treebank without sentences whose text another split keeps, and how many those were.

    Where splits are missing, probes deal sentences to them: there every text is kept once.
    """
    whole = set(pc.unique(treebank.sentences["split"]).to_pylist()) >= set(SPLITS)
    sent = query(
        treebank,
        """
        select sent from sentences
        qualify rank() over (
            partition by text order by list_position($keeps, split) nulls last, if($whole, 0, sent)
        ) = 1
        """,
        keeps=list(_KEEPS),
        whole=whole,
    )["sent"]
    tokens, sentences = (table.filter(pc.is_in(table["sent"], sent)) for table in (treebank.tokens, treebank.sentences))
    repeated = treebank.sentences.num_rows - sentences.num_rows
    return replace(treebank, tokens=tokens, sentences=sentences), repeated


def _clear(output: Path) -> None:
    """Remove what an earlier run wrote, first what tells that the folder is whole.

    Raises `UsageError` where that is not what an earlier run wrote.
    """
    card, tables = output / CARD, [file for split in SPLITS for file in output.glob(f"*/{split}.parquet")]
    for table in tables:
        require_own(table, SCHEMA)
    if card.exists() and MADE_BY not in card.read_text("utf-8", errors="replace"):
        raise UsageError("the card of the tasks would take the place of another file", file=card, hint=LEFT)
    for name in (CARD, DESCRIPTION):
        (output / name).unlink(missing_ok=True)
    for file in tables:
        file.unlink()
        if not any(file.parent.iterdir()):
            file.parent.rmdir()


def _write(task: Task, folder: Path, provenance: dict[str, Any]) -> dict[str, Any]:
    """Write a task, a file per split, and return what the description says of it."""
    names = task.names or tuple(sorted(pc.unique(_labels(task.rows, task.kind).drop_null()).to_pylist()))
    rows = _encode(task, names)
    split = pc.fill_null(rows["split"], "test")
    rows = rows.drop_columns("split")
    sizes = {}
    for name in SPLITS:
        part = rows.filter(pc.equal(split, name))
        if part.num_rows:
            file, others = folder / f"{name}.parquet", {b"huggingface": _features(part.schema, names)}
            write_parquet(part, file, SCHEMA, provenance | {"split": name}, others)
            labelled = pc.sum(pc.not_equal(_labels(part, task.kind), UNLABELLED)).as_py()
            sizes[name] = {"rows": part.num_rows, "labels": labelled, "sha256": sha256(file)}
    return {"column": task.kind, "classes": list(names), "splits": sizes, "notes": list(task.notes)}


def _encode(task: Task, names: Sequence[str]) -> pa.Table:
    """Return the rows with the numbers of their classes, and the tokens as one text where they have one class."""
    rows, place = task.rows, task.rows.column_names.index(task.kind)
    codes = pc.index_in(_labels(rows, task.kind), texts(names)).cast(pa.int64()).fill_null(UNLABELLED)
    if task.kind == SENTENCE:
        rows = rows.set_column(place, SENTENCE, codes)
        return rows.add_column(place, "text", pc.binary_join(rows["tokens"], " "))
    return rows.set_column(place, TOKEN, pa.ListArray.from_arrays(rows[TOKEN].combine_chunks().offsets, codes))


def _labels(rows: pa.Table, kind: str) -> pa.Array:
    """Return the labels of a task, those of tokens end to end."""
    column = rows[kind].combine_chunks()
    return column.flatten() if kind == TOKEN else column


def _features(schema: pa.Schema, names: Sequence[str]) -> bytes:
    """Return what `datasets` reads from a Parquet file: the names of the classes."""
    classes = {"names": list(names), "_type": "ClassLabel"}
    features: dict[str, Any] = {}
    for field in schema:
        in_list = pa.types.is_list(field.type)
        plain = field.type.value_type if in_list else field.type
        value = classes if field.name in (TOKEN, SENTENCE) else {"dtype": str(plain), "_type": "Value"}
        features[field.name] = {"feature": value, "_type": "List"} if in_list else value
    return json.dumps({"info": {"features": features}}, ensure_ascii=False).encode()
