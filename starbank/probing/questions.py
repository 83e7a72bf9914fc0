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

from starbank.errors import UsageError
from starbank.files import read_parquet
from starbank.names import require_name
from starbank.probing.datasets import DESCRIPTION, MAKE, SPLITS, UNLABELLED, read_tasks
from starbank.probing.tasks import SENTENCE, TOKEN
from starbank.treebanks.arrays import code, numbers

# Variants of one sentence, as a colorless treebank has them, go to the same split.
_VARIANT = re.compile(r"-org\d+$")
_PARTS = np.array([1, 2, 0, 0, 0, 0, 0, 0, 0, 0])  # Of ten sentences, one for dev and one for test.


@dataclass(frozen=True)
class Questions:
    """The labelled rows of one task of one treebank.

    `text` (int64) is the number among `texts` of each row's text, and `start` and `end` (int64) are the characters of
    its word there, -1 where the whole text is labelled. `label` (int64) counts in `classes`, `split` (int64) in
    `SPLITS`; `word` (int64) is the number of the word's type, of the first word where the whole text is labelled. The
    `words` of each text and their `lemmas` are there, too, and `place` (int64) is that of the labelled word among them,
    of the last word where the whole text is labelled.
    `dealt` tells that the treebank has not all three splits, and sentences were dealt to those that it lacks.
    """

    treebank: str
    task: str
    definition: str
    classes: tuple[str, ...]
    texts: tuple[str, ...]
    words: pa.ListArray
    lemmas: pa.ListArray
    text: np.ndarray
    start: np.ndarray
    end: np.ndarray
    place: np.ndarray
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

    `tasks` names those that are wanted, by default all: `diagnostics`, or one question of it, `diagnostics.pos`. Those
    without a labelled row are left out. Raises `UsageError` where there is nothing to read.
    """
    questions = []
    names: set[str] = set()
    for file in [file for folder in folders for file in _descriptions(Path(folder))]:
        about = read_tasks(file.parent)
        names |= about["tasks"].keys()
        for name, task in about["tasks"].items():
            asked = _wanted(name, task["columns"], tasks)
            names |= {_question(name, column) for column in task["columns"]}
            if task["splits"] and asked:
                for part in (name, *task["splits"]):
                    require_name(part, "a task or a split", UsageError, file=file)
                paths = {split: file.parent / name / f"{split}.parquet" for split in task["splits"]}
                source = about["treebank"]["name"], name, about["definition"]
                questions += _read(*source, asked, paths, about["reduced"])
    if unknown := sorted(set(tasks) - names):
        raise UsageError(f"there is no task {unknown[0]!r} there", hint=f"Known: {', '.join(sorted(names))}.")
    if not questions:
        raise UsageError("the tasks have no labelled rows", hint="Does the treebank have such labels at all?")
    return questions


def _descriptions(folder: Path) -> list[Path]:
    file = folder / DESCRIPTION
    files = [file] if file.is_file() else sorted(folder.glob(f"*/{DESCRIPTION}"))
    if not files:
        raise UsageError("no tasks", file=folder, hint=f"Make them with: {MAKE}")
    return files


def _read(
    treebank: str, name: str, definition: str, asked: dict[str, list[str]], paths: dict[str, Path], reduced: bool
) -> list[Questions]:
    columns = ["sent_id", "tokens", "lemmas", *asked]
    parts = {split: read_parquet(path, columns) for split, path in paths.items()}
    rows = pa.concat_tables(parts.values()).combine_chunks()
    split = np.repeat([SPLITS.index(part) for part in parts], [len(part) for part in parts.values()])
    dealt = deal(split, rows["sent_id"].to_pylist())
    tokens = rows["tokens"].combine_chunks()
    texts = pc.binary_join(tokens, " ")
    words, _ = code(tokens.flatten())
    counts = numbers(pc.list_value_length(tokens)).astype(np.int64)
    first = np.cumsum(counts) - counts
    row = np.repeat(np.arange(len(counts)), counts)
    length = numbers(pc.utf8_length(tokens.flatten())).astype(np.int64) + 1
    start = np.cumsum(length) - length
    start -= start[first][row]
    common: dict[str, Any] = {"texts": tuple(texts.to_pylist()), "dealt": bool((dealt != split).any())}
    common |= {"words": tokens, "lemmas": rows["lemmas"].combine_chunks()}
    whole_rows = np.full(len(counts), -1)
    # Words in their places, or whole texts.
    of_words: dict[str, Any] = {
        "text": row,
        "start": start,
        "end": start + length - 1,
        "place": np.arange(len(row)) - first[row],
    }
    of_words |= {"split": dealt[row], "word": words.astype(np.int64)}
    of_texts: dict[str, Any] = {
        "text": np.arange(len(counts)),
        "start": whole_rows,
        "end": whole_rows,
        "place": counts - 1,
    }
    of_texts |= {"split": dealt, "word": words[first].astype(np.int64)}
    once = np.ones(len(dealt), bool) if reduced else once_only(dealt, texts)
    questions = []
    for column, classes in asked.items():
        places = of_texts if column == SENTENCE else of_words
        labels = rows[column].combine_chunks()
        label = numbers(labels if column == SENTENCE else labels.flatten())
        made = Questions(treebank, _question(name, column), definition, tuple(classes), **common, **places, label=label)
        questions.append(made.keep((label != UNLABELLED) & once[places["text"]]))
    return questions


def _wanted(name: str, columns: dict[str, list[str]], tasks: Sequence[str]) -> dict[str, list[str]]:
    """Return those columns of a task that are among the wanted tasks, all where none is named."""
    if not tasks or name in tasks:
        return columns
    return {column: classes for column, classes in columns.items() if _question(name, column) in tasks}


def _question(name: str, column: str) -> str:
    """Return what probes call the question of a column: that of `labels_pos` of diagnostics is `diagnostics.pos`."""
    return name if column == SENTENCE else name + column.removeprefix(TOKEN).replace("_", ".", 1)


def once_only(split: np.ndarray, texts: pa.Array) -> np.ndarray:
    """Tell of rows whether no split that goes before theirs (test, then dev, then train) has the same text."""
    codes, known = code(texts)
    rank = len(SPLITS) - split
    best = np.full(len(known), len(SPLITS) + 1)
    np.minimum.at(best, codes, rank)
    first: np.ndarray = rank == best[codes]
    return first


def deal(split: np.ndarray, ids: Sequence[str], fold: int = 0) -> np.ndarray:
    """Return the splits, with sentences dealt to those that are missing, by a hash of their `sent_id`.

    There are ten ways (`fold`, 0 to 9) to do so: each has another tenth for test, and one for dev. A dev split is taken
    from the training sentences; where there is nothing to train on or to test, all are dealt anew.
    """
    present = {SPLITS[number] for number in np.unique(split)}
    if present == set(SPLITS):
        return split
    hashes = (blake2b(_VARIANT.sub("", sent_id).encode(), digest_size=4).digest() for sent_id in ids)
    part = _PARTS[np.fromiter(((int.from_bytes(digest, "big") + fold) % 10 for digest in hashes), np.int64, len(ids))]
    if present == {"train", "test"}:
        train, dev = SPLITS.index("train"), SPLITS.index("dev")
        return np.where((split == train) & (part == dev), dev, split)
    return part
