"""Every string of a treebank as a number, so that SQL compares integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

ABSENT = 0


class Values:
    """Distinct strings in Unicode NFC, each with a code from 1; 0 is the absent value."""

    def __init__(self) -> None:
        """Start without strings."""
        self._texts = pa.array([None], pa.string())

    def add(self, texts: pa.Array) -> np.ndarray:
        """Return the code of each of `texts` (int32; 0 for null), giving new codes to new strings."""
        texts = texts.cast(pa.string())
        if not pc.all(pc.string_is_ascii(texts), min_count=0).as_py():
            texts = pc.utf8_normalize(texts, form="NFC")
        new = pc.unique(texts.drop_null())
        new = new.filter(pc.invert(pc.is_in(new, value_set=self._texts)))
        if len(new):
            self._texts = pa.concat_arrays([self._texts, new])
        return pc.index_in(texts, value_set=self._texts).to_numpy(zero_copy_only=False).astype(np.int32)

    def encode(self, column: pa.ChunkedArray | pa.Array) -> np.ndarray:
        """Return the code of each value of a long `column` (int32; 0 for null)."""
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        codes = np.append(self.add(encoded.dictionary), np.int32(ABSENT))
        return codes[pc.fill_null(encoded.indices, len(codes) - 1).to_numpy(zero_copy_only=False)]

    def code(self, text: str) -> int | None:
        """Return the code of `text`, None where the treebank does not have it."""
        index = pc.index(self._texts, text).as_py()
        return index if index > 0 else None

    def codes(self, texts: Iterable[str]) -> list[int]:
        """Return the codes of those `texts` that the treebank has."""
        return [code for code in map(self.code, texts) if code is not None]

    def matching(self, accepts: Callable[[str], bool], among: np.ndarray) -> np.ndarray:
        """Return those of the codes `among` whose string `accepts` accepts."""
        among = among[among != ABSENT]
        texts = self._texts.take(pa.array(among)).to_pylist()
        return among[np.fromiter(map(accepts, texts), bool, len(texts))]

    def text(self, code: int) -> str | None:
        """Return the string with this code."""
        return self._texts[code].as_py()
