"""NumPy arrays as Arrow arrays and back, without copies.

`pa.array`, `pa.scalar` and `Array.to_numpy` import pandas, which takes longer than reading a small treebank.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    import duckdb

# `answer` copies the rows, which DuckDB warns of.
warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)

# Texts of which many are the same.
CODED = pa.dictionary(pa.int32(), pa.string())


def answer(connection: duckdb.DuckDBPyConnection, query: str, params: Any = None) -> pa.Table:
    """Return what a query gives: as a relation it would be planned twice, but not copied, which is for large tables."""
    return connection.execute(query, params).to_arrow_table()


def integers(values: np.ndarray, null: np.ndarray | None = None) -> pa.Array:
    """Return integers as an Arrow array of their type, null where `null` is true."""
    buffers = [None if null is None else _bits(~null), pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def truths(values: np.ndarray, null: np.ndarray | None = None) -> pa.BooleanArray:
    """Return booleans as an Arrow array, null where `null` is true."""
    return pa.Array.from_buffers(pa.bool_(), len(values), [None if null is None else _bits(~null), _bits(values)])


def texts(values: Sequence[str | None]) -> pa.StringArray:
    """Return strings as an Arrow array."""
    null = np.array([value is None for value in values], dtype=bool) if None in values else None
    present = [value or "" for value in values]
    # Encoded all at once, which is several times faster than one by one, unless a text has the character NUL itself.
    data = np.frombuffer("\0".join(present).encode(), dtype=np.uint8)
    ends = np.flatnonzero(data == 0)
    if len(ends) + 1 == len(present):
        borders = np.append(0, np.append(ends, len(data)) - np.arange(len(present)))
        data = data[data != 0]
    else:
        borders = np.cumsum([0, *(len(value.encode()) for value in present)])
        data = np.frombuffer("".join(present).encode(), dtype=np.uint8)
    return strings(borders.astype(np.int32), data, null)


def text(value: str) -> pa.StringScalar:
    """Return a string as an Arrow scalar."""
    return texts([value])[0]


def repeated(value: str, length: int) -> pa.StringArray:
    """Return a string so many times."""
    return take(texts([value]), np.zeros(length, dtype=np.int64))


def table_of(rows: Sequence[tuple[Any, ...]], /, **types: type) -> pa.Table:
    """Return rows as a table with columns of these names and types: `str`, `bool`, `int` or `float`; texts may be None.

    >>> table_of([("Nom", True), ("Erg", False)], case=str, grammatical=bool).to_pylist()
    [{'case': 'Nom', 'grammatical': True}, {'case': 'Erg', 'grammatical': False}]
    """
    columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) or [()] * len(types)
    make: dict[type, Callable[[Sequence[Any]], pa.Array]] = {
        str: texts,
        bool: lambda values: truths(np.array(values, dtype=bool)),
        int: lambda values: integers(np.array(values, dtype=np.int64)),
        float: lambda values: integers(np.array(values, dtype=np.float64)),
    }
    return pa.table({name: make[kind](values) for (name, kind), values in zip(types.items(), columns, strict=True)})


def strings(borders: np.ndarray, data: pa.Buffer | bytes, null: np.ndarray | None = None) -> pa.StringArray:
    """Return the strings between each two neighbours of `borders` (int32) in `data`, null where `null` is true."""
    valid = None if null is None else _bits(~null)
    return pa.StringArray.from_buffers(len(borders) - 1, pa.py_buffer(borders), pa.py_buffer(data), valid)


def recoded(column: pa.DictionaryArray, dictionary: pa.StringArray) -> pa.DictionaryArray:
    """Return a column whose texts are others, some perhaps the same or null."""
    distinct = dictionary.dictionary_encode()
    return pa.DictionaryArray.from_arrays(distinct.indices.take(column.indices), distinct.dictionary)


def whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return a column as one array; `combine_chunks` alone imports pandas for one without chunks.

    Texts of more than 2 GB are no one array: `coded` takes those.
    """
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.combine_chunks() if column.num_chunks else pa.nulls(0, column.type)


def coded(column: pa.Array | pa.ChunkedArray) -> pa.DictionaryArray:
    """Return a column of texts as one array of codes; the texts of a column may be more than one array can hold."""
    return whole(column if pa.types.is_dictionary(column.type) else column.dictionary_encode())


def numbers(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Return an Arrow array or column of numbers without nulls as a NumPy array."""
    return np.from_dlpack(whole(column))


def filled(column: pa.Array | pa.ChunkedArray, value: int) -> np.ndarray:
    """Return an Arrow array or column of numbers as a NumPy array, `value` for null."""
    array = whole(column)
    if not array.null_count:
        return numbers(array)
    dense = pa.Array.from_buffers(array.type, len(array), [None, array.buffers()[1]], offset=array.offset)
    return np.where(mask(array.is_valid()), numbers(dense), value)


def mask(array: pa.BooleanArray) -> np.ndarray:
    """Return an Arrow array of booleans as a NumPy array, false for null."""
    bits = np.frombuffer(array.buffers()[1] or b"", dtype=np.uint8)
    values = np.unpackbits(bits, count=array.offset + len(array), bitorder="little")[array.offset :].view(bool)
    return values & mask(array.is_valid()) if array.null_count else values


def take(array: pa.Array, indices: np.ndarray, null: np.ndarray | None = None) -> pa.Array:
    """Return the elements of `array` at `indices`, null where `null` is true."""
    return array.take(integers(indices, null))


def put(array: pa.Array, place: np.ndarray, values: pa.Array) -> pa.Array:
    """Return `array` with `values` in some places."""
    source = np.arange(len(array))
    source[place] = len(array) + np.arange(len(place))
    return take(pa.concat_arrays([array, values]), source)


def spans(data: bytes | pa.Buffer, start: np.ndarray, end: np.ndarray) -> pa.StringArray:
    """Return the strings `data[start[i]:end[i]]`; spans must be in order and not overlap."""
    return take(pieces(data, np.stack((start, end), axis=1)), np.arange(0, 2 * len(start), 2))


def pieces(data: bytes | pa.Buffer, borders: np.ndarray) -> pa.StringArray:
    """Return the strings between each two neighbours of `borders`, and an empty one at the end."""
    # An Arrow string array is no more than borders: it lies over the data as it is.
    flat = np.zeros(borders.size + 1, dtype=np.int32)
    flat[:-1] = borders.ravel()
    flat[-1] = flat[max(borders.size - 1, 0)]
    return strings(flat, data)


def offsets(strings: pa.StringArray) -> np.ndarray:
    """Return where the strings begin in their buffer, and where the last one ends."""
    return np.frombuffer(strings.buffers()[1], dtype=np.int32)[strings.offset : strings.offset + len(strings) + 1]


def code(strings: pa.StringArray) -> tuple[np.ndarray, list[str]]:
    """Return strings without nulls as indices into the list of the distinct ones."""
    encoded = strings.dictionary_encode()
    return numbers(encoded.indices), encoded.dictionary.to_pylist()


def _bits(values: np.ndarray) -> pa.Buffer:
    return pa.py_buffer(np.packbits(values, bitorder="little"))
