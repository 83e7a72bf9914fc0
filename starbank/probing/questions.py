"""Folders of tasks -> what probes are asked: places in texts, with labels and splits, as arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.checksums import read_sealed_json
from starbank.errors import UsageError
from starbank.files import read_parquet
from starbank.names import require_name
from starbank.probing.datasets import DESCRIPTION, SPLITS, UNLABELLED
from starbank.probing.tasks import TOKEN
from starbank.treebanks.arrays import code, numbers

# Variants of one sentence, as a colorless treebank has them, go to the same split.
_VARIANT = re.compile(r"-org\d+$")
_PARTS = np.array([1, 2, 0, 0, 0, 0, 0, 0, 0, 0])  # Of ten sentences, one for dev and one for test.


@dataclass(frozen=True)
class Questions:
    """The labelled rows of one task of one treebank.

    `text` (int64) is the number among `texts` of each row's text, and `start` and `end` (int64) are the characters of
    its word there, -1 where the whole text is labelled. `label` (int64) counts in `classes`, `split` (int64) in
    `SPLITS`; `word` (int64) is the number of the word's type, of the first word where the whole text is labelled.
    `dealt` tells that the treebank has not all three splits, and sentences were dealt to those that it lacks.
    """

    treebank: str
    task: str
    definition: str
    classes: tuple[str, ...]
    texts: tuple[str, ...]
    text: np.ndarray
    start: np.ndarray
    end: np.ndarray
    label: np.ndarray
    split: np.ndarray
    word: np.ndarray
    dealt: bool

    def keep(self, which: np.ndarray) -> Questions:
        """Return the questions with the rows that `which` is true of."""
        columns = {name: value[which] for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return replace(self, **columns)


def read_questions(folders: Sequence[Path], tasks: Sequence[str] = ()) -> list[Questions]:
    """Read the tasks in `folders`, which `make_tasks` wrote, or in folders of such.

    `tasks` names those that are wanted, by default all; those without a labelled row are left out. Raises `UsageError`
    where there is nothing to read.
    """
    questions = []
    names: set[str] = set()
    for file in [file for folder in folders for file in _descriptions(Path(folder))]:
        about = read_sealed_json(file)
        names |= about["tasks"].keys()
        for name, task in about["tasks"].items():
            if task["splits"] and (not tasks or name in tasks):
                for part in (name, *task["splits"]):
                    require_name(part, "a task or a split", UsageError, file=file)
                paths = {split: file.parent / name / f"{split}.parquet" for split in task["splits"]}
                questions.append(_read(about["treebank"]["name"], name, about["definition"], task, paths))
    if unknown := sorted(set(tasks) - names):
        raise UsageError(f"there is no task {unknown[0]!r} there", hint=f"Known: {', '.join(sorted(names))}.")
    if not questions:
        raise UsageError("the tasks have no labelled rows", hint="Does the treebank have such labels at all?")
    return questions


def _descriptions(folder: Path) -> list[Path]:
    file = folder / DESCRIPTION
    files = [file] if file.is_file() else sorted(folder.glob(f"*/{DESCRIPTION}"))
    if not files:
        raise UsageError("no tasks", file=folder, hint="Make them with: starbank tasks TREEBANK -o DIR")
    return files


def _read(treebank: str, name: str, definition: str, task: dict[str, Any], paths: dict[str, Path]) -> Questions:
    columns = ["sent_id", "tokens", task["column"]]
    parts = {split: read_parquet(path, columns) for split, path in paths.items()}
    rows = pa.concat_tables(parts.values()).combine_chunks()
    split = np.repeat([SPLITS.index(part) for part in parts], [len(part) for part in parts.values()])
    ids = rows["sent_id"].to_pylist()
    dealt = _deal(split, ids)
    tokens = rows["tokens"].combine_chunks()
    texts = pc.binary_join(tokens, " ").to_pylist()
    words, _ = code(tokens.flatten())
    counts = numbers(pc.list_value_length(tokens)).astype(np.int64)
    first = np.cumsum(counts) - counts
    row = np.arange(len(counts))
    if task["column"] == TOKEN:
        label = numbers(rows[TOKEN].combine_chunks().flatten())
        row = np.repeat(row, counts)
        length = numbers(pc.utf8_length(tokens.flatten())).astype(np.int64) + 1
        start = np.cumsum(length) - length
        start -= start[first][row]
        end, word = start + length - 1, words.astype(np.int64)
    else:
        label = numbers(rows[task["column"]])
        start = end = np.full(len(row), -1)
        word = words[first].astype(np.int64)
    questions = Questions(
        treebank, name, definition, tuple(task["classes"]), tuple(texts),
        row, start, end, label, dealt[row], word, bool((dealt != split).any()),
    )  # fmt: skip
    return questions.keep(label != UNLABELLED)


def _deal(split: np.ndarray, ids: Sequence[str]) -> np.ndarray:
    """Return the splits, with sentences dealt to those that are missing, by a hash of their `sent_id`.

    A dev split is taken from the training sentences; where there is nothing to train on or to test, all are dealt anew.
    """
    present = {SPLITS[number] for number in np.unique(split)}
    if present == set(SPLITS):
        return split
    hashes = (blake2b(_VARIANT.sub("", sent_id).encode(), digest_size=4).digest() for sent_id in ids)
    part = _PARTS[np.fromiter((int.from_bytes(digest, "big") % 10 for digest in hashes), np.int64, len(ids))]
    if present == {"train", "test"}:
        train, dev = SPLITS.index("train"), SPLITS.index("dev")
        return np.where((split == train) & (part == dev), dev, split)
    return part
