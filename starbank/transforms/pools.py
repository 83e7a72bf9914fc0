"""The content words of a treebank, and the pools of words that may stand in their places.

A treebank may be larger than memory: its words are described part by part and kept in tables of DuckDB, which may lie
on disk; in memory is, of each word that may replace others, a row of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.letters import distinct
from starbank.transforms.closed import set_closed_apart
from starbank.transforms.counts import READ as COUNTED
from starbank.transforms.counts import count_words
from starbank.transforms.described import CONTENT, COUNTABLE, FORMS, KINDS, REPEATED, SEEN, content_query
from starbank.transforms.donors import DONORS, KEYS, POOLS, TARGETS
from starbank.transforms.doubts import set_doubtful_apart
from starbank.transforms.draws import Pools
from starbank.transforms.frames import find_frames
from starbank.transforms.neighbours import Donors
from starbank.transforms.presets import Preset
from starbank.transforms.requirements import find_levels
from starbank.transforms.shapes import find_shapes
from starbank.transforms.signatures import find_miscalled, find_shown, find_signatures
from starbank.transforms.words import READ, collect_words
from starbank.treebanks import Treebank, parts_of
from starbank.treebanks.arrays import code, integers, mask, numbers, table_of, truths, whole


@dataclass(frozen=True)
class ContentWords:
    """Content words of a treebank: one entry per word in each array.

    `row` (int64): its row among the tokens; `reason`: why it is left alone, or null; `keys` (int64): the pool it may be
    replaced from, -1 for none, and `other_keys` that of the other gender; `form` (int64): the number of its
    form; `pools`: who may replace it.
    """

    row: np.ndarray
    reason: pa.StringArray
    keys: np.ndarray
    other_keys: np.ndarray
    form: np.ndarray
    pools: Pools

    @property
    def has_other(self) -> np.ndarray:
        """Whether there is a word of the other gender for each."""
        return self.pools.draw(self.other_keys, self.form, np.zeros(len(self.row)), np.zeros(len(self.row), bool)) >= 0

    def keys_with(self, changed: np.ndarray) -> np.ndarray:
        """Return the pools where the words of the rows `changed` have the other gender."""
        return np.where(np.isin(self.row, changed), self.other_keys, self.keys)


@dataclass(frozen=True)
class Vocabulary:
    """All content words of a treebank, and the pools that they are replaced from.

    `connection` has them in the tables `content`, `donors` and `kinds`, see `described`; `rows` are where the parts
    begin among the tokens, and where the last one ends; `counts` how many content words come before each, and in all.
    """

    connection: duckdb.DuckDBPyConnection
    rows: Sequence[int]
    counts: Sequence[int]

    def words(self, part: int, others: bool = False) -> ContentWords:
        """Return the content words of a part, with pools of the other gender if `others` are asked for.

        The table `targets` has them until the next part is asked for.
        """
        return self._between(self.rows[part], self.rows[part + 1], others)

    @cached_property
    def levels(self) -> int:
        """How many levels of requirements there are."""
        return int(
            numbers(self.connection.sql("select max(level) + 1 as levels from levels").to_arrow_table()["levels"])[0]
        )

    @cached_property
    def written(self) -> Donors:
        """How those who may replace others are written."""
        return Donors(self.connection)

    def words_among(self, rows: np.ndarray) -> ContentWords:
        """Return the content words among some rows, a truth each, of the whole treebank, which `targets` has."""
        return self._between(0, self.rows[-1], among=rows)

    def _between(self, first: int, end: int, others: bool = False, among: np.ndarray | None = None) -> ContentWords:
        self.connection.execute(TARGETS, {"first": first, "end": end})
        table = self.connection.sql("select * from targets order by row").to_arrow_table()
        if among is not None:
            table = table.filter(truths(among[numbers(table["row"])]))
        column = {name: whole(table[name]) for name in table.column_names}
        row, form = numbers(column["row"]), numbers(column["form"])
        free = ~mask(column["reason"].is_valid())
        keys = self._keys(row, form, free, "features")
        noun = mask(column["noun"]) & others
        other_keys = self._keys(row, form, free & noun, "other_features")
        return ContentWords(row, column["reason"], keys, other_keys, form, self.pools)

    def _keys(self, row: np.ndarray, form: np.ndarray, missing: np.ndarray, features: str) -> np.ndarray:
        """Return the pools of the words that are `missing` one: of the first level that has another word.

        Words of which more was seen than once come first at all levels. Most words find one at the first of these.
        """
        keys, missing = np.full(len(row), -1), missing.copy()
        for levels in (1, self.levels):
            if not missing.any():
                break
            self.connection.register("asking", pa.table({"row": integers(row[missing])}))
            query = self.connection.sql(KEYS.format(features=features), params={"levels": levels})
            keyed = query.to_arrow_table()
            place = np.searchsorted(row, numbers(keyed["row"]))
            # Words of some parts of speech have fewer levels than others.
            bounds = np.searchsorted(numbers(keyed["level"]), np.arange(levels + 1))
            for sure in (True,) if levels == 1 else (True, False):
                key = self._number(numbers(keyed["key"]), sure)
                for begin, end in pairwise(bounds.tolist()):
                    searching = begin + np.flatnonzero(missing[place[begin:end]])
                    keys[place[searching]] = key[searching]
                    missing[place[searching]] = self.pools.count(key[searching], form[place[searching]]) == 0
        return keys

    def _number(self, keys: np.ndarray, sure: bool) -> np.ndarray:
        """Return the number of the pool of each key, -1 where there is none."""
        place = np.searchsorted(self._distinct, keys)
        found = np.append(self._distinct, 0)[place] == keys
        return np.where(found & (place < len(self._distinct)), 2 * place + (not sure), -1)

    @cached_property
    def pools(self) -> Pools:
        """Who may replace others."""
        return Pools(self._keyed[1], *(numbers(self._pooled[name]) for name in ("form", "row")))

    @property
    def _distinct(self) -> np.ndarray:
        return self._keyed[0]

    @cached_property
    def _keyed(self) -> tuple[np.ndarray, np.ndarray]:
        """The keys of all pools, in order, and the number of that of each donor."""
        keys, _, number = distinct(numbers(self._pooled["key"]))
        return keys, 2 * number + ~mask(whole(self._pooled["sure"]))

    @cached_property
    def _pooled(self) -> pa.Table:
        return self.connection.sql(POOLS).to_arrow_table()


def find_words(
    treebank: Treebank, preset: Preset, donors: str, among: np.ndarray
) -> tuple[duckdb.DuckDBPyConnection, ContentWords]:
    """Return the content words with the pools that they are replaced from, and the connection that has their tables.

    `donors` says from where words may come, see `presets.DONORS`, `among` of each token whether it may be replaced.
    """
    connection = duckdb.connect()
    return connection, find_vocabulary(connection, treebank, preset, donors).words_among(among)


def find_vocabulary(
    connection: duckdb.DuckDBPyConnection, treebank: Treebank, preset: Preset, donors: str
) -> Vocabulary:
    """Return the content words of a treebank, read part by part; their tables are made where `connection` has them."""
    required = [(upos, name) for upos, names in (preset.features or {}).items() for name in names]
    connection.register("wanted", table_of(required, upos=str, name=str))
    count_words(connection, parts_of(treebank, COUNTED))
    connection.execute(CONTENT)
    find_miscalled(connection)
    find_shapes(connection)
    query = content_query(treebank.language)
    settings = {name: getattr(preset, name) for name in ("capitals", "sounds", "frequent", "unambiguous")}
    settings |= {"content": list(preset.content), "plain": preset.syntax, "donors": donors}
    rows, counts = [0], [0]
    numbers: dict[str, int] = {}
    for part in parts_of(treebank, READ):
        collect_words(connection, part, rows[-1])
        connection.register("sentences", part.sentences)
        connection.execute(REPEATED)
        find_frames(connection, part.language, preset.content, preset.syntax)
        forms = connection.sql(FORMS, params={"content": list(preset.content)}).to_arrow_table()
        form_number = integers(_number(forms["plain_form"], numbers))
        connection.register("form_numbers", forms.select(["row"]).append_column("form_number", form_number))
        connection.execute(query, settings)
        connection.execute(KINDS)
        if preset.syntax:
            connection.execute(SEEN)
            find_shown(connection)
        rows.append(rows[-1] + len(part.tokens))
        counts.append(counts[-1] + len(forms))
    connection.execute(COUNTABLE)
    if preset.syntax:
        set_closed_apart(connection)
        set_doubtful_apart(connection)
    find_signatures(connection)
    find_levels(connection, preset.syntax)
    connection.execute(DONORS, {"plain": preset.syntax})
    return Vocabulary(connection, rows, counts)


def _number(forms: pa.ChunkedArray, numbers: dict[str, int]) -> np.ndarray:
    """Return the numbers of forms in small letters, which are in `numbers` or come next."""
    codes, distinct = code(pc.utf8_lower(whole(forms)))
    numbers_of = np.array([numbers.setdefault(form, len(numbers)) for form in distinct], dtype=np.int64)
    return numbers_of.take(codes)
