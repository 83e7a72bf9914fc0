"""Suites as they lie on the disk: what their constructions are, and how many matches became items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from starbank.errors import SuiteError
from starbank.files import read_parquet
from starbank.suites.provenance import read_provenance, require_table
from starbank.suites.schemas import ITEMS, REJECTED
from starbank.treebanks.arrays import table_of

# The reason that a lexicon could have helped; the report shows it in a column of its own.
NO_ATTESTED_FORM = "no form"

# The sentence nearest to eight words shows a construction and fits on a line; the id settles ties.
EXAMPLE = """
    SELECT treebank, sent_id, conditions FROM read_parquet($file) ORDER BY abs(length - 8), item_id LIMIT 1
"""


@dataclass(frozen=True)
class SuiteSummary:
    """One suite: its construction's description, its yield and one item to show; `file` is its items.parquet.

    `rejects` counts the rejected matches by reason, most frequent first; `treebanks` and `construction` are as the
    metadata of items.parquet has them; `example` is an item's {`treebank`, `sent_id`, `conditions`}, or None.
    """

    file: Path
    dataset: str
    name: str
    construction: Mapping[str, Any]
    treebanks: Sequence[Mapping[str, Any]]
    items: int
    rejects: Mapping[str, int]
    example: Mapping[str, Any] | None

    @property
    def matches(self) -> int:
        """How many matches the request found."""
        return self.items + sum(self.rejects.values())

    @property
    def unattested(self) -> int:
        """How many matches lack an attested form."""
        return self.rejects.get(NO_ATTESTED_FORM, 0)


def read_suites(folders: Sequence[Path]) -> list[SuiteSummary]:
    """Return the suites that lie in or under `folders` (`<dataset>/<construction>/items.parquet`), by dataset and name.

    Raises `SuiteError` where a folder holds none, or where a suite's files are not what they should be.
    """
    with duckdb.connect() as database:
        suites = {
            (suite.dataset, suite.name): suite for folder in folders for suite in _suites_under(Path(folder), database)
        }
    return [suites[key] for key in sorted(suites)]


def yields(suites: Sequence[SuiteSummary]) -> pa.Table:
    """Return one row per suite and reason: `matches`, `items` (both of the whole suite) and `rejects` for that reason.

    A suite that rejected nothing has one row, whose `reason` is null.
    """
    rows = [
        (suite.dataset, suite.name, suite.matches, suite.items, reason, rejects)
        for suite in suites
        for reason, rejects in suite.rejects.items() or [(None, 0)]
    ]
    return table_of(rows, dataset=str, construction=str, matches=int, items=int, reason=str, rejects=int)


def _suites_under(folder: Path, database: duckdb.DuckDBPyConnection) -> Iterator[SuiteSummary]:
    files = sorted(folder.rglob("items.parquet"))
    if not files:
        raise SuiteError("holds no suite", file=folder, hint="A suite is a folder with items.parquet in it.")
    for file in files:
        yield _read_suite(file.resolve(), database)


def _read_suite(file: Path, database: duckdb.DuckDBPyConnection) -> SuiteSummary:
    require_table(file, "items/1", ITEMS, hint="`starbank generate` writes it.")
    metadata = read_provenance(file)
    return SuiteSummary(
        file=file,
        dataset=file.parent.parent.name,
        name=file.parent.name,
        construction=metadata.get("construction", {}),
        treebanks=metadata.get("treebanks", []),
        items=pq.read_metadata(file).num_rows,
        rejects=_count_reasons(file.with_name("rejected.parquet")),
        example=_example(file, database),
    )


def _count_reasons(file: Path) -> dict[str, int]:
    reason = pa.schema([REJECTED.field("reason")])
    require_table(file, "rejected/1", reason, hint="`starbank generate` writes it beside items.parquet.")
    counts = pc.value_counts(read_parquet(file, columns=["reason"]).column("reason").drop_null()).to_pylist()
    return {row["values"]: row["counts"] for row in sorted(counts, key=lambda row: (-row["counts"], row["values"]))}


def _example(file: Path, database: duckdb.DuckDBPyConnection) -> dict[str, Any] | None:
    row = database.execute(EXAMPLE, {"file": str(file)}).fetchone()
    return dict(zip(("treebank", "sent_id", "conditions"), row, strict=True)) if row else None
