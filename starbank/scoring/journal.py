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
_TEXTS, _NUMBERS, _COUNTS = (pa.list_(kind) for kind in (pa.string(), pa.float64(), pa.int32()))
SCORES = pa.schema(
    [(name, pa.string()) for name in ("model", "model_kind", "level", "dataset", "construction", "phenomenon")]
    + [(name, pa.string()) for name in ("language", "treebank", "item_id", "condition")]
    + [("grammatical", pa.bool_()), ("against", pa.string()), ("regions", _TEXTS), ("region_names", _TEXTS)]
    + [("logprobs", _NUMBERS), ("tokens", _COUNTS), ("token_logprobs", _NUMBERS)]
    + [("token_starts", _COUNTS), ("token_ends", _COUNTS), ("key", pa.string())]
)
# What a model gives a text, whichever conditions have that text.
RESULTS = pa.schema([SCORES.field("key"), *list(SCORES)[SCORES.get_field_index("logprobs") : -1]])
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
    about = _metadata(path)
    if about.get("schema") != SCHEMA:
        hint = "It was left as it is. Name another file, or remove it."
        raise UsageError("the output exists and holds no scores", file=path, hint=hint)
    return Product(read_parquet(path), about)


def identity(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must be the same for scores to stand in one file: the model, its name, and what a score is.

    `about` is the metadata of a scores file. What a baseline is made of is the text that was named, for what it leaves
    out of that differs by suite.
    """
    names = {key: about.get(key) for key in ("model", "model_kind", "metrics")}
    training = about.get("training")
    return names | ({"text": training["text"]} if training else {"fingerprint": about.get("fingerprint")})


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
    earlier, current = identity(product), identity(about)
    if earlier == current:
        return
    if {**earlier, "metrics": None} == {**current, "metrics": None}:
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
            about = _metadata(path)
            if "model" in about and identity(about) != identity(self._about):
                message = f"an unfinished run of another model is kept here: {describe(about)}"
                raise UsageError(message, file=self._folder, hint=f"Finish that run first. {OVERWRITE}")

    def read(self) -> pa.Table:
        """Return all results that earlier runs left."""
        chunks = [RESULTS.empty_table()]
        for path in self._chunks():
            try:
                chunks.append(read_parquet(path).cast(RESULTS))
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError, OSError):
                path.unlink()  # A machine that went down can leave a broken file: it is computed again.
        return pa.concat_tables(chunks)

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


def look_up(results: Iterable[pa.Table], keys: pa.Array) -> pa.Table:
    """Return one row of `results` for each of `keys`, null where there is none. Earlier tables go first."""
    table = pa.concat_tables(results)
    return table.take(pc.index_in(keys, value_set=table["key"].combine_chunks()))


def _metadata(path: Path) -> dict[str, Any]:
    """Return the metadata of a file, nothing where it is not ours or damaged."""
    with suppress(pa.ArrowInvalid, OSError, ValueError):
        return read_metadata(path)
    return {}
