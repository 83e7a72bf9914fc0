"""The lock file: the SHA-256 sum of every file of every treebank that the project builds on.

A table with tabs, so that a change of data shows as lines in a diff: release, treebank, file, sha256.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from starbank.errors import StarbankError
from starbank.files import write_text
from starbank.names import require_name

HEADER = "release\ttreebank\tfile\tsha256"

# (release, treebank) -> file name -> SHA-256 in hexadecimal
Lock = Mapping[tuple[str, str], Mapping[str, str]]


def read_lock(path: Path) -> Lock:
    """Return the sums in the lock file, none where there is no file. Raises `StarbankError` for a malformed line.

    The names of files become paths and parts of URLs, so they are names.
    """
    sums: dict[tuple[str, str], dict[str, str]] = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else [HEADER]
    for number, line in enumerate(lines, start=1):
        if line == HEADER or not line:
            continue
        columns = line.split("\t")
        if len(columns) != 4 or not re.fullmatch("[0-9a-f]{64}", columns[3]):
            hint = f"A line is {HEADER.replace(chr(9), ', ')} with tabs between. `starbank fetch --lock` writes it."
            raise StarbankError("not a line of a lock file", file=path, line=number, source=line, hint=hint)
        release, treebank, file, sum_ = columns
        require_name(treebank, "a treebank", StarbankError, file=path, line=number)
        require_name(file, "a file of a treebank", StarbankError, file=path, line=number)
        sums.setdefault((release, treebank), {})[file] = sum_
    return sums


def update_lock(path: Path, sums: Lock) -> None:
    """Write sums of some treebanks in place of those that the lock file has for them; the others stay."""
    lock = {**read_lock(path), **sums}
    rows = sorted((*key, file, sum_) for key, files in lock.items() for file, sum_ in files.items())
    write_text("\n".join([HEADER, *("\t".join(row) for row in rows)]) + "\n", path)
