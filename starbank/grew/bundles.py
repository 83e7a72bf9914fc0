"""FEATS and MISC columns, a few hundred distinct strings taken apart once, and the comment lines of sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from starbank.grew.names import NUMERIC_FEATURES, UD_FEATURES
from starbank.grew.values import Values, columns_table

Pairs = dict[str, str]
RAW = "__RAW_MISC__"
IN_MISC = "__MISC__"
RAW_META = "__RAW_META__"
FILE = "_filename"


@dataclass(frozen=True)
class Bundles:
    """Feature bundles by code, of which 0 is the empty bundle, or by sentence, as `key` says.

    `columns` gives each feature's value for every bundle: codes of `Values` (int32, 0 where absent), or numbers
    (float64, NaN where absent) for the features that Grew holds to be numbers.
    """

    columns: dict[str, np.ndarray]
    size: int
    key: str = "code"

    def table(self) -> pa.Table:
        """Return the SQL table: `key`, then one column per feature, named by `column`."""
        columns = {self.column(feature): values for feature, values in self.columns.items()}
        return columns_table({self.key: np.arange(self.size, dtype=np.int32), **columns})

    def column(self, feature: str) -> str:
        """Return the name of the feature's column in the SQL table."""
        return f"f{list(self.columns).index(feature)}"


def read_bundles(pairs: Iterable[Pairs], values: Values) -> Bundles:
    """Number the bundles `pairs`, the first with code 1, and their values."""
    bundles: list[Pairs] = [{}, *pairs]
    names = sorted({name for bundle in bundles for name in bundle})
    columns = {name: _column([bundle.get(name) for bundle in bundles], name, values) for name in names}
    return Bundles(columns, len(bundles))


def _column(texts: list[str | None], name: str, values: Values) -> np.ndarray:
    if name in NUMERIC_FEATURES:
        return np.array([_number(text) for text in texts], dtype=np.float64)
    return values.add_texts(texts)


def _number(text: str | None) -> float:
    try:
        return float("nan" if text is None else text)
    except ValueError:
        return float("nan")


def read_feats(text: str) -> Pairs:
    """Read a FEATS column. A layered feature gets Grew's spelling: `Number[psor]` is `Number__psor`."""
    pairs = (pair.partition("=") for pair in text.split("|"))
    return {layered(name): value for name, _, value in pairs}


# Texts are many, names are few.
@lru_cache(maxsize=4096)
def layered(name: str) -> str:
    """Return Grew's spelling of a UD feature name."""
    return re.sub(r"\[([a-z0-9]+)\]", r"__\1", name)


def read_misc(text: str, taken: Collection[str] = ()) -> Pairs:
    """Read a MISC column as Grew does.

    A name that UD knows in FEATS gets the prefix `IN_MISC`. A column that does not consist of distinct `name=value`
    pairs is kept whole, as `__RAW_MISC__`; names are distinct where they differ by more than case, from each other and
    from those `taken` by the word's other columns (in lower case).
    """
    pairs: Pairs = {}
    names = set(taken)
    for pair in text.removeprefix("|").removesuffix("|").split("|"):
        name, _, value = pair.partition("=")
        spelled, small = _spelled_in_misc(name)
        if not name or not value or small in names:
            return {RAW: text}
        names.add(small)
        pairs[spelled] = value
    return pairs


@lru_cache(maxsize=4096)
def _spelled_in_misc(name: str) -> tuple[str, str]:
    """Return Grew's spelling of a name in MISC, and the same in lower case."""
    spelled = layered(f"{IN_MISC}{name}" if name in UD_FEATURES else name)
    return spelled, spelled.lower()


def read_metadata(comments: pa.ChunkedArray, files: pa.ChunkedArray) -> dict[str, list[str | None]]:
    """Return the values of each key of comment lines, as Grew reads them; None for a sentence without it.

    A line is split at its first `=`; of two lines with the same key the first counts, and the first of the lines
    without `=` is `__RAW_META__`. The name of the sentence's file is `_filename`.
    """
    texts: dict[str, list[str | None]] = {}

    def keep(key: str, sent: int, value: str) -> None:
        values = texts.setdefault(key, [None] * len(comments))
        if values[sent] is None:
            values[sent] = unicodedata.normalize("NFC", value)

    for sent, lines in enumerate(comments.to_pylist()):
        for line in lines or ():
            key, equals, value = line.removeprefix("#").partition("=")
            keep(*((key.strip(), sent, value.strip()) if equals else (RAW_META, sent, key.strip())))
    for sent, file in enumerate(files.to_pylist()):
        keep(FILE, sent, file)
    return texts
