"""Comment lines of sentences, as Grew reads them: `# key = value`."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import numpy as np
import pyarrow as pa

from starbank.grew.values import Values, columns_table

RAW = "__RAW_META__"


class Metadata:
    """The metadata of every sentence.

    A line is split at its first `=`; of two lines with the same key the first counts; lines without `=` are
    joined under `__RAW_META__`.
    """

    def __init__(self, comments: pa.ChunkedArray, values: Values) -> None:
        """Read the comment lines of all sentences."""
        self._values = values
        self._count = len(comments)
        self._texts: dict[str, list[str | None]] = {}
        for sent, lines in enumerate(comments.to_pylist()):
            for line in lines or ():
                key, equals, value = line.removeprefix("#").partition("=")
                if equals:
                    self._keep(key.strip(), sent, value.strip())
                else:
                    self._keep(RAW, sent, key.strip())

    def _keep(self, key: str, sent: int, value: str) -> None:
        texts = self._texts.setdefault(key, [None] * self._count)
        if texts[sent] is None:
            texts[sent] = unicodedata.normalize("NFC", value)

    def satisfying(self, key: str, accepts: Callable[[str | None], bool]) -> np.ndarray:
        """Return the sentences whose value for `key`, None where absent, is accepted."""
        texts = self._texts.get(key) or [None] * self._count
        return np.flatnonzero(np.fromiter(map(accepts, texts), bool, self._count))

    def column(self, key: str) -> str | None:
        """Return the name of the key's column in the SQL table, None for an unknown key."""
        return f"f{list(self._texts).index(key)}" if key in self._texts else None

    def table(self) -> pa.Table:
        """Return the SQL table: `sent`, then the codes of each key's values."""
        columns: dict[str, np.ndarray] = {"sent": np.arange(self._count, dtype=np.int32)}
        for number, texts in enumerate(self._texts.values()):
            columns[f"f{number}"] = self._values.add_texts(texts)
        return columns_table(columns)
