"""Ingested treebanks that are large beyond memory, read in parts of whole sentences."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np
import pyarrow as pa

from starbank.treebanks.arrays import numbers
from starbank.treebanks.inputs import find_files
from starbank.treebanks.places import find_conllu
from starbank.treebanks.store import (
    INGESTED,
    StoredTreebank,
    check_tables,
    describe,
    find_ingested,
    ingest,
    no_damage,
    open_table,
    open_treebank,
)
from starbank.treebanks.tables import Columns
from starbank.treebanks.treebank import Treebank, read_columns

if TYPE_CHECKING:
    import pyarrow.parquet as pq

# More words than these are not read at once, but in parts of about so many.
WHOLE_ROWS = 4_000_000
# So many have about as much CoNLL-U.
WHOLE_BYTES = 1 << 28
PART_ROWS = 1_000_000
# What works on all columns at once keeps several copies of them.
PIECE_ROWS = 250_000


def open_parts(
    reference: str | Path, ingested: str | Path = INGESTED, columns: Columns | None = None
) -> Sequence[Treebank]:
    """Open a treebank as `open_treebank` does, in parts if it has more than about four million words.

    Each part is read from its files when it is asked for, and has the rows of some sentences with the numbers that they
    have in the whole; large CoNLL-U is ingested into a temporary folder for it. All other treebanks are one part. If
    only some `columns` are wanted, all that are ingested come in parts, which have no others.
    """
    folder = find_ingested(reference, ingested)
    if folder is not None:
        with no_damage(folder):
            if count_rows(folder) > (0 if columns else WHOLE_ROWS):
                return Parts(folder, columns=columns)
    elif (path := find_conllu(reference)) and _size(path) > WHOLE_BYTES:
        home = tempfile.TemporaryDirectory(prefix="starbank-")
        ingest([path], home.name)
        return Parts(Path(home.name), columns=columns, home=home)
    return [open_treebank(reference, ingested)]


def open_columns(reference: str | Path, ingested: str | Path, columns: Columns) -> Sequence[Treebank]:
    """Open a treebank as `open_parts` does, with some columns only; from CoNLL-U as `read_columns` reads it."""
    path = None if find_ingested(reference, ingested) else find_conllu(reference)
    if path and _size(path) <= WHOLE_BYTES:
        return [read_columns([path], columns)]
    return open_parts(reference, ingested, columns)


def _size(path: Path) -> int:
    """Return how many bytes of CoNLL-U there are; a pipe does not tell."""
    return sum(file.stat().st_size for file in find_files([path]) if file.is_file())


def count_rows(folder: Path) -> int:
    """Return how many tokens an ingested treebank has, multiword tokens and the like among them."""
    import pyarrow.parquet as pq  # which imports SSL

    with no_damage(folder):
        return int(pq.read_metadata(folder / "tokens.parquet").num_rows)


def parts_of(treebank: Treebank, columns: Columns | None = None) -> Sequence[Treebank]:
    """Return the parts of a treebank, of about a quarter of a million words each, with some `columns` or with all.

    They are those of an ingested treebank whose tables have not been read; any other is one part, with all columns.
    """
    if not isinstance(treebank, StoredTreebank):
        return [treebank]
    return Parts(treebank.folder, PIECE_ROWS, columns, treebank.chosen)


class Parts(Sequence[Treebank]):
    """The parts of the ingested treebank in a folder, in corpus order."""

    def __init__(
        self,
        folder: Path,
        rows: int = PART_ROWS,
        columns: Columns | None = None,
        chosen: pa.Array | None = None,
        home: tempfile.TemporaryDirectory[str] | None = None,
        *,
        spread: bool = False,
    ) -> None:
        """Plan parts of at least `rows` tokens, of the sentences `chosen` (numbers in order) if there are some.

        If `spread`, each has stretches from all over the treebank. Nothing is read yet but where sentences begin. A
        temporary `home` of the folder goes when the parts do.
        """
        self._home = home
        self._folder = folder
        self._columns = columns or (None, None)
        self._chosen = chosen
        self._info = describe(folder)
        check_tables(folder)
        stretches = _plan(open_table(folder / "tokens.parquet"), 1 if spread else rows)
        number = min(len(stretches), max(1, count_rows(folder) // rows)) if spread else len(stretches)
        self._stretches = [stretches[place::number] for place in range(number)]

    def __len__(self) -> int:
        """How many parts there are."""
        return len(self._stretches)

    @overload
    def __getitem__(self, place: int) -> Treebank: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Treebank]: ...
    def __getitem__(self, place: int | slice) -> Treebank | Sequence[Treebank]:
        """Read a part."""
        if isinstance(place, slice):
            return [self[part] for part in range(*place.indices(len(self)))]
        # What was made of the part before may stand in circles, which commands seldom look for, and its memory is kept.
        gc.collect()
        pa.default_memory_pool().release_unused()
        with no_damage(self._folder):
            stretches = [self._read(groups) for groups in self._stretches[place]]
        tokens, sentences = (pa.concat_tables(tables) for tables in zip(*stretches, strict=True))
        part = Treebank(self._info["name"], self._info["language"], tokens, sentences, self._info)
        return part if self._chosen is None else part.only(_between(self._chosen, *_ends(tokens)))

    def _read(self, groups: Sequence[int]) -> tuple[pa.Table, pa.Table]:
        """Read row groups that follow each other, and their sentences."""
        of_tokens, of_sentences = self._columns
        tokens = open_table(self._folder / "tokens.parquet").read_row_groups(groups, of_tokens)
        first, last = _ends(tokens)
        return tokens, read_rows(open_table(self._folder / "sentences.parquet"), first, last + 1, of_sentences)


def _ends(tokens: pa.Table) -> tuple[int, int]:
    """Return the numbers of the first and of the last sentence."""
    return tokens["sent"][0].as_py(), tokens["sent"][-1].as_py()


def _between(sents: pa.Array, first: int, last: int) -> pa.Array:
    begin, end = np.searchsorted(numbers(sents), (first, last + 1))
    return sents[begin:end]


def _plan(file: pq.ParquetFile, rows: int) -> list[list[int]]:
    """Put row groups together that have `rows` rows or more, with no sentence across a border."""
    parts: list[list[int]] = [[]]
    size, last = 0, -1
    for group in range(file.num_row_groups):
        sents = numbers(file.read_row_group(group, columns=["sent"])["sent"].combine_chunks())
        if size >= rows and sents[0] != last:
            parts.append([])
            size = 0
        parts[-1].append(group)
        size, last = size + len(sents), int(sents[-1])
    return parts


def read_rows(file: pq.ParquetFile, first: int, end: int, columns: Sequence[str] | None = None) -> pa.Table:
    """Read rows from `first` to before `end`, and no more row groups than hold them."""
    sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    borders = np.cumsum([0, *sizes])
    low, high = np.searchsorted(borders, first, side="right") - 1, np.searchsorted(borders, end)
    return file.read_row_groups(list(range(low, high)), columns).slice(first - borders[low], end - first)
