"""Comment lines of sentences, as Grew reads them: `# key = value`."""

from __future__ import annotations

import unicodedata

import numpy as np
import pyarrow as pa

from starbank.grew import syntax
from starbank.grew.labels import holding
from starbank.grew.values import Values, columns_table

RAW = "__RAW_META__"
FILE = "_filename"


class Metadata:
    """The metadata of every sentence, and the name of its file as `_filename`.

    A line is split at its first `=`; of two lines with the same key the first counts; lines without `=` are
    joined under `__RAW_META__`.
    """

    def __init__(self, comments: pa.ChunkedArray, files: pa.ChunkedArray, values: Values) -> None:
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
        for sent, file in enumerate(files.to_pylist()):
            self._keep(FILE, sent, file)

    def _keep(self, key: str, sent: int, value: str) -> None:
        texts = self._texts.setdefault(key, [None] * self._count)
        if texts[sent] is None:
            texts[sent] = unicodedata.normalize("NFC", value)

    def satisfying(self, test: syntax.FeatureTest) -> np.ndarray:
        """Return the sentences whose metadata satisfy `test`."""
        return np.flatnonzero(holding(test, lambda key: self._texts.get(key) or [None] * self._count))

    def column(self, key: str) -> str | None:
        """Return the name of the key's column in the SQL table, None for an unknown key."""
        return f"f{list(self._texts).index(key)}" if key in self._texts else None

    def table(self) -> pa.Table:
        """Return the SQL table: `sent`, then the codes of each key's values."""
        columns: dict[str, np.ndarray] = {"sent": np.arange(self._count, dtype=np.int32)}
        for number, texts in enumerate(self._texts.values()):
            columns[f"f{number}"] = self._values.add_texts(texts)
        return columns_table(columns)
