"""Every string of a treebank as a number, so that SQL compares integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.regexps import Expression
from starbank.treebanks import arrays

ABSENT = 0


class Values:
    """Distinct strings in Unicode NFC, each with a code from 1; 0 is the absent value."""

    def __init__(self) -> None:
        """Start without strings."""
        self._texts = arrays.texts([None])
        self._codes: dict[str | None, int] = {}

    def add(self, texts: pa.StringArray) -> np.ndarray:
        """Return the code of each of `texts` (int32; 0 for null), giving new codes to new strings."""
        texts = normal(texts)
        new = pc.unique(texts.drop_null())
        new = new.filter(pc.invert(pc.is_in(new, value_set=self._texts)))
        if len(new):
            self._texts = pa.concat_arrays([self._texts, new])
        return arrays.filled(pc.index_in(texts, value_set=self._texts), ABSENT).astype(np.int32)

    def add_texts(self, texts: Sequence[str | None]) -> np.ndarray:
        """Return the code of each of a few `texts`; 0 for None."""
        return self.add(arrays.texts(texts))

    def encode(self, column: pa.DictionaryArray) -> np.ndarray:
        """Return the code of each value of a long column (int32; 0 for null)."""
        codes = np.append(self.add(column.dictionary), np.int32(ABSENT))
        return np.take(codes, arrays.filled(column.indices, len(codes) - 1))

    def codes(self, texts: Iterable[str]) -> list[int]:
        """Return the codes of those `texts` that the treebank has."""
        if len(self._codes) < len(self._texts):
            self._codes = {text: code for code, text in enumerate(self._texts.to_pylist())}
        return [self._codes[text] for text in texts if text in self._codes]

    def matching(self, expression: Expression, among: np.ndarray, negated: bool) -> np.ndarray:
        """Return those of the codes `among` whose string matches `expression`, or does not where `negated`."""
        among = among[among != ABSENT]
        return np.compress(expression.matching(self.strings(among)) != negated, among)

    def strings(self, codes: np.ndarray) -> pa.StringArray:
        """Return the string of each code, null for the absent value."""
        return arrays.take(self._texts, codes)

    def texts(self, codes: np.ndarray) -> list[str]:
        """Return the strings that have these codes; the absent value is none."""
        texts: list[str] = self.strings(codes[codes != ABSENT]).to_pylist()
        return texts


class Columns(Mapping[str, np.ndarray]):
    """Columns of nodes, each made when it is first asked for."""

    def __init__(self, makers: Mapping[str, Callable[[], np.ndarray]]) -> None:
        """Make none yet."""
        self._makers = makers
        self._made: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        """Return a column."""
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """Name the columns."""
        return iter(self._makers)

    def __len__(self) -> int:
        """How many columns there are."""
        return len(self._makers)


def normal(texts: pa.StringArray) -> pa.StringArray:
    """Return strings in Unicode NFC."""
    if pc.all(pc.string_is_ascii(texts), min_count=0).as_py():
        return texts
    return pc.utf8_normalize(texts, form="NFC")


def columns_table(columns: dict[str, np.ndarray]) -> pa.Table:
    """Return arrays as a table; a number that is NaN is null."""
    fields = {
        name: arrays.integers(values, np.isnan(values) if values.dtype.kind == "f" else None)
        for name, values in columns.items()
    }
    return pa.table(fields)
