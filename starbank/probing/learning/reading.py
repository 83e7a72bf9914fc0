"""Files of a task -> stretches of its rows, by split, read one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from starbank.checksums import check_seal
from starbank.errors import UsageError, nearest
from starbank.files import read_parquet
from starbank.names import require_name
from starbank.probing.datasets import SPLITS, UNLABELLED, read_tasks
from starbank.probing.questions import deal, once_only
from starbank.probing.tasks import SENTENCE, TOKEN, label_columns
from starbank.treebanks.arrays import integers, numbers, truths, whole

# Rows that are read, and shuffled among one another, at once.
STRETCH = 1 << 16
_NOT_COVARIATES = ("sent_id", "tokens", "lemmas", "text", "position")


@dataclass(frozen=True)
class Rows:
    """The rows of a task of a treebank, in files by split.

    `reduced` tells that words or endings were taken away from the treebank. `questions` has the classes of each
    question, by its name: `erg`, or that of the task where it asks one only.
    """

    treebank: str
    task: str
    definition: str
    columns: dict[str, tuple[str, ...]]
    files: dict[str, Path]
    reduced: bool
    fold: int = 0

    @property
    def questions(self) -> dict[str, tuple[str, ...]]:
        """The classes of each question, by its name."""
        several = {column.removeprefix(f"{TOKEN}_"): classes for column, classes in self.columns.items()}
        return {self.task if name in (TOKEN, SENTENCE) else name: classes for name, classes in several.items()}

    @cached_property
    def dealt(self) -> dict[str, np.ndarray]:
        """The number of each row's split, -1 for none, by file; nothing where the files have all three splits.

        Sentences are dealt as they are for probes, and rows that another split has, too, are left out, but not those of
        a treebank of which words or endings were taken away.
        """
        if set(self.files) == set(SPLITS):
            return {}
        tables = [read_parquet(file, ["sent_id", "tokens"]) for file in self.files.values()]
        rows = pa.concat_tables(tables)
        split = np.repeat([SPLITS.index(name) for name in self.files], list(map(len, tables)))
        dealt = deal(split, rows["sent_id"].to_pylist(), self.fold)
        if not self.reduced:
            once = once_only(dealt, pc.binary_join(rows["tokens"].combine_chunks(), " "))
            dealt = np.where(once, dealt, -1)
        parts = np.split(dealt, np.cumsum(list(map(len, tables)))[:-1])
        return dict(zip(self.files, parts, strict=True))

    def count(self, split: str) -> int:
        """Return how many rows a split has."""
        if self.dealt:
            return int(sum((part == SPLITS.index(split)).sum() for part in self.dealt.values()))
        return int(pq.read_metadata(self.files[split]).num_rows)

    def stretches(self, split: str) -> Iterator[pa.Table]:
        """Yield the rows of a split, with labels as lists, in stretches of at most `STRETCH`."""
        for name, file in self.files.items():
            if not self.dealt and name != split:
                continue
            check_seal(file)
            begin = 0
            for batch in pq.ParquetFile(file).iter_batches(STRETCH):
                table = pa.Table.from_batches([batch])
                if self.dealt:
                    here = self.dealt[name][begin : begin + len(table)] == SPLITS.index(split)
                    begin += len(table)
                    table = table.filter(truths(here))
                if len(table):
                    yield _with_lists(table)


def read_rows(folder: Path, task: str, fold: int = 0) -> Rows:
    """Return the rows of a task in a folder that `make_tasks` wrote; raises `UsageError` where it has none.

    `fold` says how sentences are dealt where the task has not all three splits, see `questions.deal`.
    """
    about = read_tasks(folder)
    if task not in about["tasks"]:
        raise UsageError(f"there is no task {task!r} there", hint=nearest(task, list(about["tasks"])))
    entry = about["tasks"][task]
    if not entry["splits"]:
        raise UsageError(f"the task `{task}` has no labelled rows", file=folder)
    for part in (task, *entry["splits"]):
        require_name(part, "a task or a split", UsageError, file=folder)
    columns = {name: tuple(classes) for name, classes in entry["columns"].items()}
    files = {split: folder / task / f"{split}.parquet" for split in SPLITS if split in entry["splits"]}
    rows = Rows(about["treebank"]["name"], task, about["definition"], columns, files, about["reduced"], fold)
    for split in SPLITS:
        if not rows.count(split):
            raise UsageError(f"the task `{task}` has no rows for {split}", file=folder, hint="Take a larger treebank.")
    return rows


def _with_lists(rows: pa.Table) -> pa.Table:
    """Return rows whose one label stands at the last of their words."""
    if SENTENCE not in rows.column_names:
        return rows
    counts = numbers(pc.list_value_length(whole(rows["tokens"])))
    borders = np.append(0, np.cumsum(counts)).astype(np.int32)
    labels = np.full(borders[-1], UNLABELLED, np.int64)
    labels[borders[1:] - 1] = numbers(rows[SENTENCE])
    lists = pa.ListArray.from_arrays(integers(borders), integers(labels))
    return rows.set_column(rows.column_names.index(SENTENCE), SENTENCE, lists)


def labels_of(rows: pa.Table, columns: Sequence[str]) -> np.ndarray:
    """Return the labels of all words, end to end: int64 of shape (questions, words)."""
    return np.stack([numbers(whole(rows[column]).flatten()) for column in columns])


def covariates(rows: pa.Table) -> dict[str, pa.Array]:
    """Return what rows tell beside their words and labels, for all words end to end, by name."""
    counts = numbers(pc.list_value_length(whole(rows["tokens"])))
    names = [name for name in rows.column_names if name not in (*_NOT_COVARIATES, *label_columns(rows.column_names))]
    found = {}
    for name in names:
        column = whole(rows[name])
        in_list = pa.types.is_list(column.type)
        found[name] = column.flatten() if in_list else column.take(integers(np.repeat(np.arange(len(rows)), counts)))
    return found
