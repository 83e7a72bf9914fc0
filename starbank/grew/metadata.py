"""Comment lines of sentences, as Grew reads them: `# key = value`."""

from __future__ import annotations

from unicodedata import normalize

import pyarrow as pa

RAW = "__RAW_META__"
FILE = "_filename"


def read_metadata(comments: pa.ChunkedArray, files: pa.ChunkedArray) -> dict[str, list[str | None]]:
    """Return the values of each key, None for a sentence without it; the name of the sentence's file is `_filename`.

    A line is split at its first `=`; of two lines with the same key the first counts, and the first of the lines
    without `=` is `__RAW_META__`.
    """
    texts: dict[str, list[str | None]] = {}

    def keep(key: str, sent: int, value: str) -> None:
        values = texts.setdefault(key, [None] * len(comments))
        if values[sent] is None:
            values[sent] = normalize("NFC", value)

    for sent, lines in enumerate(comments.to_pylist()):
        for line in lines or ():
            key, equals, value = line.removeprefix("#").partition("=")
            keep(*((key.strip(), sent, value.strip()) if equals else (RAW, sent, key.strip())))
    for sent, file in enumerate(files.to_pylist()):
        keep(FILE, sent, file)
    return texts
