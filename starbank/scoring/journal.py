"""Scores that are there already: in an earlier product, and in the journal of a run that was killed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import UsageError
from starbank.files import read_metadata, read_parquet, write_parquet

SCHEMA = "scores/1"
JOURNAL = "journal/1"
RESULTS = pa.schema(
    [("key", pa.string()), ("logprobs", pa.list_(pa.float64())), ("tokens", pa.list_(pa.int32()))]
    + [("token_logprobs", pa.list_(pa.float64()))]
    + [(name, pa.list_(pa.int32())) for name in ("token_starts", "token_ends")]
)
SUITE = ("dataset", "construction")
OVERWRITE = "Name another file, or say --overwrite to replace what this one holds."


@dataclass(frozen=True)
class Product:
    """The scores that a file holds, and its metadata; both are empty where there is no such file."""

    table: pa.Table
    about: Mapping[str, Any]

    @property
    def results(self) -> pa.Table:
        """The columns `RESULTS`; no rows where an earlier version wrote others."""
        if not set(RESULTS.names) <= set(self.table.column_names):
            return RESULTS.empty_table()
        return self.table.select(RESULTS.names).cast(RESULTS)

    def split(self, suites: Iterable[tuple[str, str]]) -> tuple[pa.Table, pa.Table]:
        """Return the scores of these suites, each given by dataset and name, and those of all others."""
        if not self.table.num_rows:
            return self.table, self.table
        named = pa.array(["/".join(suite) for suite in suites], pa.string())
        inside = pc.is_in(pc.binary_join_element_wise(*(self.table[name] for name in SUITE), "/"), named)
        return self.table.filter(inside), self.table.filter(pc.invert(inside))


def read_product(path: Path) -> Product:
    """Return the scores at `path`. Raises `UsageError` where something else is there: it would be overwritten."""
    if not path.exists():
        return Product(RESULTS.empty_table(), {})
    try:
        about = read_metadata(path)
    except (pa.ArrowInvalid, OSError, ValueError):
        about = {}
    if about.get("schema") != SCHEMA:
        hint = "It was left as it is. Name another file, or remove it."
        raise UsageError("the output exists and holds no scores", file=path, hint=hint)
    return Product(read_parquet(path), about)


def identity(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must be the same for scores to stand in one file: the model, its name, and what a score is.

    `about` is the metadata of a scores file. What a baseline is made of is the text that was named, for what it leaves
    out of that differs by suite.
    """
    told = {key: about.get(key) for key in ("model", "model_kind", "metrics")}
    training = about.get("training")
    return told | ({"text": training["text"]} if training else {"fingerprint": about.get("fingerprint")})


def describe(about: Mapping[str, Any]) -> str:
    """Return a model as people tell it from others: name, kind, revision, dtype, where it is from, what it learnt."""
    details = [about.get("model_kind"), about.get("dtype")]
    details += [about["requested_revision"]] if about.get("requested_revision") else []
    details += [about["revision"][:12]] if about.get("revision") else []
    details += [about["origin"]] if about.get("origin") not in (None, about.get("model")) else []
    details += [f"{text['name']} {text['sha256'][:7]}" for text in (about.get("training") or {}).get("text", [])]
    return f"{about.get('model')} ({', '.join(map(str, filter(None, details)))})"


def require_same_model(product: Mapping[str, Any], about: Mapping[str, Any], path: Path) -> None:
    """Raise `UsageError` where the scores at `path`, with the metadata `product`, are not of the model `about`."""
    held, asked = identity(product), identity(about)
    if held == asked:
        return
    if {**held, "metrics": None} == {**asked, "metrics": None}:
        message = "the output holds scores that an earlier version of Starbank computed otherwise"
    else:
        message = f"the output holds scores of another model: {describe(product)}, and not of {describe(about)}"
    raise UsageError(message, file=path, hint=f"It was left as it is. {OVERWRITE}")


class Journal:
    """Finished chunks of a run, one file each, in a folder beside the product: `scores.parquet.partial/`."""

    def __init__(self, product: Path, about: Mapping[str, Any]) -> None:
        """Keep the journal of the run that makes `product` with the model that `about`, its metadata, tells of."""
        self._folder = product.with_name(f"{product.name}.partial")
        # As JSON has it, to be compared with what is read back.
        self._about = json.loads(json.dumps(dict(about)))

    def require_same_model(self) -> None:
        """Raise `UsageError` where a killed run of another model left its chunks here."""
        for path in self._chunks():
            held = self._metadata(path)
            if "model" in held and identity(held) != identity(self._about):
                message = f"an unfinished run of another model is kept here: {describe(held)}"
                raise UsageError(message, file=self._folder, hint=f"Finish that run first. {OVERWRITE}")

    def read(self) -> pa.Table:
        """Return all results that earlier runs left."""
        return pa.concat_tables([RESULTS.empty_table(), *_whole(self._chunks())])

    def append(self, results: pa.Table) -> None:
        """Keep `results` (at least one); they are on disk, or nothing of them is, when this returns or the run dies."""
        write_parquet(results, self._folder / f"{results['key'][0]}.parquet", JOURNAL, self._about)

    def remove(self, keys: pa.ChunkedArray | None = None) -> None:
        """Forget the chunks whose results all have one of `keys`, by default all: the product is written."""
        for path in self._chunks():
            if keys is None or pc.all(pc.is_in(read_parquet(path, columns=["key"])["key"], keys)).as_py():
                path.unlink()
        if not self._chunks():
            for torn in self._folder.glob(".*.parquet.tmp"):  # What a killed run was about to rename.
                torn.unlink()
            with suppress(OSError):
                self._folder.rmdir()

    def _chunks(self) -> list[Path]:
        return sorted(self._folder.glob("*.parquet"))

    def _metadata(self, path: Path) -> dict[str, Any]:
        with suppress(pa.ArrowInvalid, OSError, ValueError):
            return read_metadata(path)
        return {}


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
