"""The parts that the treebanks of one language give, of all suites of a batch: two tables in a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from starbank import __version__
from starbank.errors import SuiteError
from starbank.files import read_metadata, write_parquet
from starbank.pipeline.parts import ALONE, EMPTY, Part, Share
from starbank.pipeline.slips import Absences
from starbank.suites import ITEMS, REJECTED, Suite

# Items come last, as in a suite.
FILES = ("rejected.parquet", "items.parquet")
_ROWS = 4096


def write_parts(folder: Path, parts: Sequence[Part]) -> None:
    """Write parts, one of each construction, as `rejected.parquet` and `items.parquet` into `folder`."""
    heads = [{**_head(part), "rows": [part.suite.rejected.num_rows, part.suite.items.num_rows]} for part in parts]
    tables = [pa.concat_tables([part.suite.rejected for part in parts] or [EMPTY.rejected])]
    tables.append(pa.concat_tables([part.suite.items for part in parts] or [EMPTY.items]))
    for name, table in zip(FILES, tables, strict=True):
        write_parquet(table, folder / name, f"part-{name.removesuffix('.parquet')}/1", {"parts": heads}, rows=_ROWS)


class PartFiles:
    """The parts in a folder: `heads`, what each says of itself, by construction, and its tables when asked for."""

    def __init__(self, folder: Path, optional: bool = False) -> None:
        """Read what the parts say of themselves; raises `SuiteError` where there are none, if not `optional`."""
        self._folder = folder
        self.heads: dict[str, Part] = {}
        try:
            metadata = [read_metadata(folder / name) for name in FILES]
            if metadata[0]["parts"] != metadata[1]["parts"] or metadata[1]["starbank"] != __version__:
                raise ValueError("its tables are of two runs, or of another version of Starbank")
            heads = metadata[1]["parts"]
            self.heads = {head["provenance"]["construction"]["name"]: _part(head) for head in heads}
            ends = [list(accumulate((head["rows"][place] for head in heads), initial=0)) for place in range(len(FILES))]
        except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
            if optional:
                return
            raise SuiteError(f"holds no parts of suites: {error}", file=folder, hint="Make them again.") from error
        self._ranges = dict(zip(self.heads, zip(*map(pairwise, ends), strict=True), strict=True))
        self._tables = [_Table(folder / name) for name in FILES]

    @property
    def language(self) -> str:
        """The language that they are of."""
        return next((head.language for head in self.heads.values()), "")

    @property
    def share(self) -> Share:
        """Which share of its treebanks."""
        return next((head.share for head in self.heads.values()), ALONE)

    def head(self, name: str) -> Part:
        """Return the part of a construction without its tables; raises `SuiteError` where there is none."""
        if name not in self.heads:
            raise SuiteError(f"holds no part of {name}", file=self._folder, hint="Make them again.")
        return self.heads[name]

    def is_fresh(self, name: str, provenance: Mapping[str, Any], share: Share) -> bool:
        """Tell whether the part of a construction is there, has not failed, and was made from the same share of it."""
        head = self.heads.get(name)
        return head is not None and (head.failure, head.provenance, head.share) == (None, provenance, share)

    def read(self, name: str) -> Part:
        """Return the part of a construction; those that are asked for in their order are read once."""
        rejected, items = (table.rows(*rows) for table, rows in zip(self._tables, self._ranges[name], strict=True))
        return replace(self.heads[name], suite=Suite(items.cast(ITEMS), rejected.cast(REJECTED)))


class _Table:
    """A table of parts, of whose row groups the last that was read is at hand: it may have the next part's rows too."""

    def __init__(self, path: Path) -> None:
        self._path = path
        about = pq.read_metadata(path)
        self._borders = np.cumsum([0, *(about.row_group(group).num_rows for group in range(about.num_row_groups))])
        self._last = -1, pa.Table.from_batches([], about.schema.to_arrow_schema())

    def rows(self, first: int, end: int) -> pa.Table:
        """Return the rows from `first` to before `end`."""
        if first == end:
            return self._last[1].slice(0, 0)
        low, high = np.searchsorted(self._borders, first, side="right") - 1, np.searchsorted(self._borders, end)
        groups = [self._group(group) for group in range(low, high)]
        return pa.concat_tables(groups).combine_chunks().slice(first - self._borders[low], end - first)

    def _group(self, group: int) -> pa.Table:
        if group != self._last[0]:
            self._last = group, pq.ParquetFile(self._path).read_row_group(group)
        return self._last[1]


def _head(part: Part) -> dict[str, Any]:
    names = ("language", "provenance", "unmatched", "unserved", "searched", "failure", "share")
    return {name: getattr(part, name) for name in names} | {"absences": [asdict(each) for each in part.absences]}


def _part(head: Mapping[str, Any]) -> Part:
    absences = [
        Absences(_pairs(each["values"]), _pairs(each["relaxed"]), each["warnings"], each["of_covariates"])
        for each in head["absences"]
    ]
    about = {name: value for name, value in head.items() if name not in ("absences", "rows", "share")}
    return Part(**about, absences=absences, suite=EMPTY, share=tuple(head["share"]))


def _pairs(lists: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    return [(name, close) for name, close in lists]
