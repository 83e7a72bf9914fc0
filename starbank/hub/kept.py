"""What the last build of a dataset folder wrote of suites that are still the same, which need not be written again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from starbank.code import code_sum
from starbank.files import write_json
from starbank.hub.suites import PublishedSuite


class Kept:
    """The files of each suite in a dataset folder, and a sum of what they were made from.

    It is told in a file beside the folder, which is no part of the dataset. Files that are others than the last build
    left them are not kept.
    """

    def __init__(self, output: Path) -> None:
        """Read what the last build tells of the folder `output`; nothing is kept where it tells nothing."""
        self._output = output
        self._record = output.with_name(f".{output.name}.files.json")
        self._suites: Mapping[str, Any] = {}
        with suppress(OSError, ValueError):
            suites = json.loads(self._record.read_text(encoding="utf-8"))
            self._suites = suites if isinstance(suites, dict) else {}

    def link(self, name: str, content_sum: str, build: Path) -> set[str] | None:
        """Put the files of a suite into the folder `build`, too, and return their paths; None where it has changed."""
        entry = self._suites.get(name, {})
        files: dict[str, list[int]] = entry.get("files", {})
        if entry.get("sum") != content_sum or any(_stamp(self._output / path) != files[path] for path in files):
            return None
        for path in files:
            target = build / path
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(self._output / path, target)
            except OSError:  # Not all file systems have links.
                shutil.copy2(self._output / path, target)
        return set(files)

    def write(self, sums: Mapping[str, str], files: Mapping[str, Collection[str]]) -> None:
        """Tell of the folder as it is now: by suite its sum, and the paths of its files."""
        value = {
            name: {"sum": content_sum, "files": {path: _stamp(self._output / path) for path in sorted(files[name])}}
            for name, content_sum in sums.items()
        }
        write_json(value, self._record)


def content_sums(suites: Iterable[PublishedSuite], schemas: Mapping[str, pa.Schema]) -> dict[str, str]:
    """Return by name a sum of all that the files of a suite are made from: its tables and their schemas, its
    provenance, and the code.
    """
    code = code_sum("starbank.hub")
    columns = "".join(f"{name} {schema}" for name, schema in sorted(schemas.items()))
    return {suite.name: _sum(suite, code + columns) for suite in suites}


def _sum(suite: PublishedSuite, common: str) -> str:
    about = json.dumps([suite.name, suite.language, suite.provenance, suite.sums], sort_keys=True)
    return hashlib.sha256(f"{common} {about}".encode()).hexdigest()


def _stamp(file: Path) -> list[int] | None:
    """Return the size and the time of a file, None where there is none."""
    try:
        about = file.stat()
    except OSError:
        return None
    return [about.st_size, about.st_mtime_ns]
