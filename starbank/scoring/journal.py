"""Scores that are there already: in an earlier product, and in the journal of a run that was killed."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from starbank.errors import UsageError
from starbank.files import read_metadata, read_parquet, write_parquet

SCHEMA = "scores/1"
RESULTS = pa.schema(
    [("key", pa.string()), ("logprobs", pa.list_(pa.float64())), ("tokens", pa.list_(pa.int32()))]
    + [("token_logprobs", pa.list_(pa.float64()))]
    + [(name, pa.list_(pa.int32())) for name in ("token_starts", "token_ends")]
)


def read_product(path: Path) -> pa.Table:
    """Return the columns `RESULTS` of the scores at `path`; no rows where there is no such file, or an older one.

    Raises `UsageError` where something else is there: it would be overwritten.
    """
    if not path.exists():
        return RESULTS.empty_table()
    try:
        schema = read_metadata(path).get("schema")
    except (pa.ArrowInvalid, OSError):
        schema = None
    if schema != SCHEMA:
        hint = "It was left as it is. Name another file, or remove it."
        raise UsageError("the output exists and holds no scores", file=path, hint=hint)
    if not set(RESULTS.names) <= set(pq.read_schema(path).names):
        return RESULTS.empty_table()
    return read_parquet(path, columns=RESULTS.names).cast(RESULTS)


class Journal:
    """Finished chunks of a run, one file each, in a folder beside the product: `scores.parquet.partial/`."""

    def __init__(self, product: Path) -> None:
        """Keep the journal of the run that makes `product`."""
        self._folder = product.with_name(f"{product.name}.partial")

    def read(self) -> pa.Table:
        """Return all results that earlier runs left."""
        return pa.concat_tables([RESULTS.empty_table(), *_whole(sorted(self._folder.glob("*.parquet")))])

    def append(self, results: pa.Table) -> None:
        """Keep `results` (at least one); they are on disk, or nothing of them is, when this returns or the run dies."""
        write_parquet(results, self._folder / f"{results['key'][0]}.parquet", "journal/1")

    def remove(self) -> None:
        """Forget everything: the product is written."""
        shutil.rmtree(self._folder, ignore_errors=True)


def look_up(results: Iterable[pa.Table], keys: pa.Array) -> pa.Table:
    """Return one row of `results` for each of `keys`, null where there is none. Earlier tables go first."""
    known = pa.concat_tables(results)
    return known.take(pc.index_in(keys, value_set=known["key"].combine_chunks()))


def _whole(paths: Iterable[Path]) -> Iterable[pa.Table]:
    for path in paths:
        try:
            yield read_parquet(path).cast(RESULTS)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError, OSError):
            path.unlink()  # A machine that went down can leave a broken file: it is computed again.
