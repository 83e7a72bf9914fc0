"""What is different between a dataset and the same made again, and what was only taken over from it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import pyarrow as pa

from starbank.files import read_metadata, read_parquet
from starbank.hub.folder import plain_files

SAME_ROWS = "the same rows"
NOT_OURS = "was not made by Starbank"
# What the Hub puts into each repository, and the notes that its client keeps beside the files that it downloads.
_CACHE = ".cache/huggingface"
_OF_THE_HUB = (
    ".gitattributes",
    *(f"{_CACHE}/{name}" for name in (".gitignore", "CACHEDIR.TAG", "*.metadata", "*.lock", "*.json")),
)


@dataclass(frozen=True)
class Verdict:
    """What is different in the dataset made again: `differences` by path, and how many files are `identical`.

    `unchecked` is what making it again took from the dataset itself: that this is the same again says nothing.
    """

    differences: Mapping[str, str]
    identical: int
    unchecked: Sequence[str] = ()

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        """Return this in several lines."""
        differences = [f"{_shown(path)}: {difference}" for path, difference in sorted(self.differences.items())]
        total = len(differences) + self.identical
        first = f"{len(differences)} of {total} files differ" if differences else f"identical: all {total} files"
        unchecked = "not checked, as the dataset alone tells it: " + ", ".join(map(_shown, self.unchecked))
        return "\n".join([first, *differences, *([unchecked] if self.unchecked else [])])


def compare(folder: Path, rebuilt: Path, copies: Sequence[str], claims: Sequence[str]) -> Verdict:
    """Compare all files of a dataset with those of the same made again.

    `copies` are the paths of files that were taken over from the dataset, and `claims` what else was.
    """
    ours, theirs = plain_files(rebuilt), plain_files(folder)
    theirs = {path: file for path, file in theirs.items() if not any(map(partial(fnmatchcase, path), _OF_THE_HUB))}
    differences = {
        **dict.fromkeys(theirs.keys() - ours.keys(), NOT_OURS),
        **dict.fromkeys(ours.keys() - theirs.keys(), "is only in what was made again"),
    }
    for path in theirs.keys() & ours.keys():
        if difference := _difference(theirs[path], ours[path]):
            differences[path] = difference
    unchecked = [path for path in copies if path not in differences]
    identical = len(theirs.keys() | ours.keys()) - len(differences) - len(unchecked)
    return Verdict(differences, identical, (*claims, *unchecked))


def _difference(file: Path, again: Path) -> str | None:
    if file.read_bytes() == again.read_bytes():
        return None
    if file.suffix != ".parquet":
        return "has other text"
    try:
        tables = read_parquet(file), read_parquet(again)
        metadata, metadata_again = read_metadata(file), read_metadata(again)
    except (pa.ArrowException, OSError, ValueError) as error:
        return f"cannot be read: {_shown(str(error))}"
    if tables[0].schema.names != tables[1].schema.names:
        changed = sorted(set(tables[0].schema.names) ^ set(tables[1].schema.names))
        return f"has other columns: {_shown(', '.join(changed)) or 'in another order'}"
    rows, rows_again = map(_rows, tables)
    if rows != rows_again:
        lost, new = (rows - rows_again).total(), (rows_again - rows).total()
        return f"{lost} rows are only here, {new} only in what was made again"
    keys = metadata.keys() | metadata_again.keys()
    changed = sorted(key for key in keys if metadata.get(key) != metadata_again.get(key))
    return (
        f"{SAME_ROWS}, but tells another {_shown(', '.join(changed))}" if changed else f"{SAME_ROWS}, written otherwise"
    )


def _rows(table: pa.Table) -> Counter[str]:
    return Counter(json.dumps(row, sort_keys=True, default=str) for row in table.to_pylist())


def _shown(text: str) -> str:
    """Return a text of the dataset as it may go to a terminal, where it could else pass for a line of ours."""
    return text if text.isprintable() else ascii(text)
