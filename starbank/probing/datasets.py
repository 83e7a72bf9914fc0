"""A treebank -> a folder of labelled tasks, which is a dataset that `datasets` loads and the Hub shows."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.checksums import read_sealed_json, sealed_json
from starbank.errors import TreebankError, UsageError
from starbank.files import LEFT, parquet_file, require_own, sha256, write_json, write_text
from starbank.names import require_name
from starbank.plugins import load_plugin
from starbank.probing.card import MADE_BY, render_card
from starbank.probing.tasks import DEFINITIONS, SENTENCE, STRICT, TASKS, Task, label_columns
from starbank.scratch import scratch
from starbank.treebanks import Treebank, open_stored, parts_of
from starbank.treebanks.arrays import integers, numbers, texts, truths, whole
from starbank.treebanks.metadata import FULL_TEXT, REPLACED, read_number
from starbank.treebanks.store import INGESTED, find_licence

DESCRIPTION, CARD = "tasks.json", "README.md"
SCHEMA = "task/1"
MAKE = "starbank tasks TREEBANK -o DIR"
SPLITS = ("train", "dev", "test")
# What losses of PyTorch pass over.
UNLABELLED = -100
# Of a sentence that several splits have, the first of these keeps it: test sets stay those of the release.
_KEEPS = ("test", "dev", "train")
REPEATED = "rows left out because another split has the same words"


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
    the treebank, `test` where it has none; a sentence whose text stands in two is left in one, and so is a row whose
    words, such as the beginning of a sentence, stand in two; where the treebank has not all three, no text is there
    twice, so that sentences can be dealt to splits. A task without a
    labelled row, or a split without one, has no file. The same treebank gives the same bytes.
    Raises `ConfigError` for a task, `UsageError` for a definition that there is not, `TreebankError` for a treebank.
    """
    if definition not in DEFINITIONS:
        raise UsageError(f"no such definition: {definition}", hint=f"Known: {', '.join(DEFINITIONS)}.")
    plugins = {name: load_plugin(name, "task") for name in tasks}
    treebank = open_stored(reference, ingested)
    corpus, repeated, reduced = _without_leaks(treebank)
    output = output / require_name(treebank.name, "a treebank", TreebankError)
    about: dict[str, Any] = {
        "definition": definition,
        "reduced": reduced,
        "repeated": repeated,
        "tasks": {},
        "treebank": {key: value for key, value in treebank.info.items() if key not in ("readme", "skipped")},
    }
    _clear(output)
    for name, plugin in plugins.items():
        task = plugin.require_result(plugin.function(corpus, definition=definition), Task)
        provenance = {"task": name, "definition": definition, "code": sha256(plugin.file)}
        task = replace(task, rows=_with_replaced(task.rows, corpus))
        about["tasks"][name] = _write(task, output / name, provenance | {"treebank": about["treebank"]}, reduced)
    if licence := find_licence(reference, ingested):
        write_text(licence.read_text(encoding="utf-8", errors="replace"), output / licence.name)
    write_json(sealed_json(about), output / DESCRIPTION)
    write_text(render_card(about), output / CARD)
    return about


def read_tasks(folder: Path) -> dict[str, Any]:
    """Return what `tasks.json` in a folder holds; raises `UsageError` where there is none, or an older version's."""
    file = folder / DESCRIPTION
    if not file.is_file():
        raise UsageError("no tasks", file=folder, hint=f"Make them with: {MAKE}")
    about = read_sealed_json(file)
    if any("columns" not in task for task in about["tasks"].values()):
        raise UsageError("an older version of Starbank made these tasks", file=file, hint=f"Make them again: {MAKE}")
    return about


def _without_leaks(treebank: Treebank) -> tuple[Treebank, int, bool]:
    """Return the treebank without sentences whose text another split keeps, how many those were, and whether words or
    endings were taken away from it.

    Then the text with all of them counts: many sentences come to look alike, and are none the less sentences. Where
    splits are missing, probes deal sentences to them: there every text is kept once.
    """
    with scratch() as connection:
        connection.execute("create table texts (sent integer, split varchar, text uhugeint)")
        total, reduced = 0, False
        for part in parts_of(treebank, (["sent"], ["sent", "split", "text", "comments"])):
            total += len(part.sentences)
            full = read_number(part.sentences, FULL_TEXT)
            reduced = reduced or full.null_count < len(full)
            connection.register("sentences", part.sentences.append_column("checksum", full))
            text = "coalesce(checksum::uhugeint, md5_number(text))"
            connection.execute(f"insert into texts select sent, split, {text} from sentences")
        splits = {split for (split,) in connection.sql("select distinct split from texts").fetchall()}
        sent = connection.sql(
            """
            select sent from texts
            qualify rank() over (
                partition by text order by list_position($keeps, split) nulls last, if($whole, 0, sent)
            ) = 1
            order by sent
            """,
            params={"keeps": list(_KEEPS), "whole": splits >= set(SPLITS)},
        ).to_arrow_table()["sent"]
    repeated = total - len(sent)
    return treebank.only(whole(sent)) if repeated else treebank, repeated, reduced


def _with_replaced(tables: Iterable[pa.Table], treebank: Treebank) -> Iterator[pa.Table]:
    """Yield tables of labelled sentences, of a colorless treebank with how many words in a hundred are others."""
    told = [
        part.sentences.select(["split", "sent_id"]).append_column(REPLACED, read_number(part.sentences, REPLACED))
        for part in parts_of(treebank, (["sent"], ["sent", "split", "sent_id", "comments"]))
    ]
    replaced = pa.concat_tables(told)
    if replaced[REPLACED].null_count == len(replaced):
        yield from tables
        return
    for table in tables:
        with duckdb.connect() as connection:
            place = integers(np.arange(len(table)))
            connection.register("rows", table.select(["split", "sent_id"]).append_column("place", place))
            connection.register("replaced", replaced)
            asked = f"""
                select any_value({REPLACED}) as {REPLACED} from rows left join replaced
                    on rows.sent_id = replaced.sent_id and rows.split is not distinct from replaced.split
                group by place order by place
            """
            yield table.append_column(REPLACED, connection.sql(asked).to_arrow_table()[REPLACED])


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


def _write(task: Task, folder: Path, provenance: dict[str, Any], reduced: bool) -> dict[str, Any]:
    """Write a task, a file per split, and return what the description says of it.

    Its rows are kept on disk until all classes are known. Those that another split has are left out, but not those of a
    treebank that was `reduced`.
    """
    with tempfile.TemporaryFile() as stream:
        found, repeated = _keep(task.rows, stream)
        if reduced:
            repeated = repeated[:0]
        names = tuple(task.names)
        columns = {column: names or tuple(sorted(classes)) for column, classes in found.items()}
        sizes = _write_splits(stream, columns, repeated, folder, provenance)
    notes = [*task.notes, *([f"{REPEATED}: {len(repeated)}"] if len(repeated) else [])]
    return {"columns": {name: list(classes) for name, classes in columns.items()}, "splits": sizes, "notes": notes}


def _keep(tables: Iterable[pa.Table], stream: BinaryIO) -> tuple[dict[str, set[str]], np.ndarray]:
    """Write tables to a stream; return their columns with labels, with the classes that occur, and the numbers of those
    rows whose input another split keeps."""
    found: dict[str, set[str]] = {}
    writer, total = None, 0
    with scratch() as connection:
        connection.execute("create table inputs (row bigint, split varchar, text uhugeint)")
        for table in tables:
            for column in label_columns(table.column_names):
                found.setdefault(column, set()).update(pc.unique(_labels(table, column).drop_null()).to_pylist())
            row = integers(np.arange(total, total + len(table)))
            total += len(table)
            connection.register("rows", table.select(["split", "tokens"]).append_column("row", row))
            words = "array_to_string(tokens, ' ')"
            connection.execute(f"insert into inputs select row, split, md5_number({words}) from rows")
            writer = writer or pa.ipc.new_stream(stream, table.schema)
            writer.write_table(table)
        rank = "rank() over (partition by text order by list_position($keeps, split) nulls last)"
        asked = f"select row from inputs qualify {rank} > 1 order by row"
        repeated = connection.sql(asked, params={"keeps": list(_KEEPS)}).to_arrow_table()["row"]
    if writer:
        writer.close()
    stream.seek(0)
    return found, numbers(repeated)


def _write_splits(
    stream: BinaryIO,
    columns: dict[str, tuple[str, ...]],
    repeated: np.ndarray,
    folder: Path,
    provenance: dict[str, Any],
) -> dict[str, Any]:
    """Write the rows that a stream has to a file per split, without those of some numbers; return how many there are,
    by split."""
    sizes: dict[str, Any] = {}
    first = 0
    with ExitStack() as stack:
        add: dict[str, Callable[[pa.Table], None]] = {}
        # A treebank that has nothing to label has no rows, and no stream of them.
        for batch in pa.ipc.open_stream(stream) if columns else ():
            rows = _encode(pa.Table.from_batches([batch]), columns)
            once = ~np.isin(np.arange(first, first + len(rows)), repeated)
            first += len(rows)
            split = pc.fill_null(rows["split"], "test")
            rows = rows.drop_columns("split")
            for name in SPLITS:
                part = rows.filter(pc.and_(pc.equal(split, name), truths(once)))
                if not part.num_rows:
                    continue
                if name not in add:
                    others, about = {b"huggingface": _features(part.schema, columns)}, provenance | {"split": name}
                    file = parquet_file(folder / f"{name}.parquet", SCHEMA, part.schema, about, others)
                    add[name], sizes[name] = stack.enter_context(file), {"rows": 0, "labels": 0}
                add[name](part)
                sizes[name]["rows"] += part.num_rows
                labelled = (pc.sum(pc.not_equal(_labels(part, column), UNLABELLED)).as_py() for column in columns)
                sizes[name]["labels"] += sum(labelled)
    return {name: sizes[name] | {"sha256": sha256(folder / f"{name}.parquet")} for name in SPLITS if name in sizes}


def _encode(rows: pa.Table, columns: dict[str, tuple[str, ...]]) -> pa.Table:
    """Return the rows with the numbers of their classes, and the tokens as one text where they have one class."""
    for name, classes in columns.items():
        place = rows.column_names.index(name)
        codes = pc.index_in(_labels(rows, name), texts(classes)).cast(pa.int64()).fill_null(UNLABELLED)
        if name == SENTENCE:
            rows = rows.set_column(place, SENTENCE, codes)
            rows = rows.add_column(place, "text", pc.binary_join(rows["tokens"], " "))
        else:
            lengths = numbers(pc.list_value_length(whole(rows[name])))
            borders = np.append(0, np.cumsum(lengths)).astype(np.int32)
            rows = rows.set_column(place, name, pa.ListArray.from_arrays(integers(borders), codes))
    return rows


def _labels(rows: pa.Table, column: str) -> pa.Array:
    """Return the labels of a task, those of tokens end to end."""
    values = whole(rows[column])
    return values if column == SENTENCE else values.flatten()


def _features(schema: pa.Schema, columns: dict[str, tuple[str, ...]]) -> bytes:
    """Return what `datasets` reads from a Parquet file: the names of the classes."""
    features: dict[str, Any] = {}
    for field in schema:
        in_list = pa.types.is_list(field.type)
        plain = field.type.value_type if in_list else field.type
        classes = columns.get(field.name)
        value = {"names": list(classes), "_type": "ClassLabel"} if classes else {"dtype": str(plain), "_type": "Value"}
        features[field.name] = {"feature": value, "_type": "List"} if in_list else value
    return json.dumps({"info": {"features": features}}, ensure_ascii=False).encode()
