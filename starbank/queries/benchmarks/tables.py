"""Tables of pairs as files have them: CSV, TSV, JSON lines, Parquet, and the lines of CLAMS -> columns of texts."""

from __future__ import annotations

import codecs
import csv
import glob
import gzip
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from typing import IO

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from starbank.errors import SuiteError

DELIMITED, LINES, PARQUET = (".csv", ".tsv", ".txt"), (".jsonl", ".ndjson"), (".parquet",)
SUFFIXES = (*DELIMITED, *LINES, *PARQUET)
# What CLAMS calls its columns here, for its files have no header.
CLAMS = ("grammatical", "starred")
_LABELS = ("True", "False")
_HINT = f"Pairs are read from {', '.join(SUFFIXES)}, also with .gz, and from folders of such files."
_QUOTES = "A field with a quote in it is put in quotes, and its own quotes are doubled; all lines end in the same way."

_CSV = """
    select {columns}, row_number() over () as row
    from read_csv(
        $file, delim = $delimiter, quote = '"', escape = '"', header = true, columns = {types},
        auto_detect = false, strict_mode = true
    )
"""
_JSON = """
    select {columns}, row_number() over () as row
    from read_json($file, format = 'newline_delimited', columns = {types})
"""
_PARQUET = "select {columns}, row_number() over () as row from read_parquet($file)"
# Each starred sentence of CLAMS follows the grammatical one that it is held against.
_CLAMS = """
    with labelled as (
        select label, sentence, row_number() over () as row
        from read_csv(
            $file, delim = '\t', quote = '', escape = '', header = false,
            columns = {'label': 'VARCHAR', 'sentence': 'VARCHAR'}, auto_detect = false, strict_mode = true
        )
    )
    select label, last_value(if(label = 'True', sentence, null) ignore nulls) over (order by row) as grammatical,
        sentence as starred, row
    from labelled
    qualify label is distinct from 'True'
    order by row
"""


def table_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files with tables among `paths` and in folders among them, each folder's in alphabetical order.

    Raises `SuiteError` for what is not there or has another ending, and for a folder without any.
    """
    files = []
    for path in paths:
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.is_file() and kind_of(file) in SUFFIXES)
        else:
            found = [path]
        if not found:
            raise SuiteError("holds no table of pairs", file=path, hint=_HINT)
        files += found
    for file in files:
        if not file.is_file():
            raise SuiteError("there is no such file", file=file)
        if kind_of(file) not in SUFFIXES:
            raise SuiteError("is no table of pairs", file=file, hint=_HINT)
    return files


def kind_of(file: Path) -> str:
    """Return the ending of a file that tells what it is: `.csv`, also of `pairs.csv.gz`."""
    return file.with_suffix("").suffix.lower() if file.suffix.lower() == ".gz" else file.suffix.lower()


def read_header(file: Path) -> list[str]:
    """Return the names of a table's columns: of JSON lines the keys of the first, of CLAMS `grammatical`, `starred`.

    Raises `SuiteError` where there are none, or one twice.
    """
    kind = kind_of(file)
    if kind in PARQUET:
        names = _parquet_names(file)
    elif kind in LINES:
        names = _first_keys(file)
    else:
        names = list(CLAMS) if _is_clams(file) else _first_fields(file)
    if not names:
        raise SuiteError("is empty", file=file)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SuiteError(f"has two columns `{twice}`", file=file, line=1)
    return names


def read_columns(file: Path, header: Sequence[str], columns: Mapping[str, str]) -> pa.Table:
    """Return columns of a table as texts, by the names that `columns` has for theirs, and the number of each `row`.

    Rows count from 1; what is missing is an empty text. Raises `SuiteError` that says where the file is broken.
    """
    kind, parameters = kind_of(file), {}
    if kind in PARQUET:
        sql, source, types = _PARQUET, {name: _quoted(name, '"') for name in header}, ""
    elif kind in LINES:
        wanted = dict.fromkeys(columns.values())
        sql, source = _JSON, {name: _quoted(name, '"') for name in header}
        types = _struct(dict.fromkeys(wanted, "VARCHAR"))
    elif _is_clams(file):
        return _read_clams(file, columns)
    else:
        sql, source = _CSV, {name: f"c{place}" for place, name in enumerate(header)}
        types, parameters = _struct(dict.fromkeys(source.values(), "VARCHAR")), {"delimiter": _delimiter(file)}
    chosen = [
        f"coalesce({_text(source[name], kind)}, '') as {_quoted(column, chr(34))}" for column, name in columns.items()
    ]
    return _run(sql.format(columns=", ".join(chosen), types=types), file, parameters)


def line_of(file: Path, row: int) -> int | None:
    """Return the line of a file that a row begins on, None where it has no lines."""
    if kind_of(file) in PARQUET:
        return None
    with open_text(file) as stream:
        if kind_of(file) in LINES:
            return _nth((number for number, line in enumerate(stream, 1) if line.strip()), row)
        if _is_clams(file):
            return row
        begun = 1
        rows = csv.reader(stream, delimiter=_delimiter(file))
        seen = -1
        for fields in rows:
            seen += bool(fields)
            if fields and seen == row:
                return begun
            begun = rows.line_num + 1
    return None


def open_text(file: Path) -> IO[str]:
    """Open a table that is text, packed or not, as UTF-8."""
    if file.suffix.lower() == ".gz":
        return gzip.open(file, "rt", encoding="utf-8-sig", newline="")
    return file.open(encoding="utf-8-sig", newline="")


def _nth(numbers: Iterable[int], place: int) -> int | None:
    return next((number for rank, number in enumerate(numbers, 1) if rank == place), None)


def _read_clams(file: Path, columns: Mapping[str, str]) -> pa.Table:
    table = _run(_CLAMS, file)
    for odd in table.filter(pc.not_equal(pc.fill_null(table["label"], ""), "False")).slice(0, 1).to_pylist():
        raise SuiteError(f"has {odd['label'] or ''!r} in place of True or False", file=file, line=odd["row"])
    for odd in table.filter(pc.is_null(table["grammatical"])).slice(0, 1).to_pylist():
        raise SuiteError("has a starred sentence before any grammatical one", file=file, line=odd["row"])
    if not table.num_rows:
        raise SuiteError("has no starred sentence: no line begins with False", file=file)
    return pa.table({**{column: table[name] for column, name in columns.items()}, "row": table["row"]})


def _run(sql: str, file: Path, parameters: Mapping[str, str] | None = None) -> pa.Table:
    try:
        # A name of a file is a pattern to DuckDB.
        values = {"file": glob.escape(str(file)), **(parameters or {})}
        return duckdb.cursor().sql(sql, params=values).to_arrow_table()
    except (duckdb.Error, pa.ArrowException) as error:
        _require_text(file)
        raise _explained(str(error), file) from error


def _explained(message: str, file: Path) -> SuiteError:
    """Return what is wrong with a file of which DuckDB says why it cannot be read."""
    if kind_of(file) in PARQUET:
        return SuiteError("cannot be read as Parquet", file=file)
    if kind_of(file) in LINES:
        return SuiteError("is not a JSON object on each line", file=file, line=_broken_line(file))
    line = re.search(r"CSV Error on Line: (\d+)", message)
    counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if counts:
        expected, found = map(int, counts.groups())
        what = f"has more than {expected} fields" if found > expected else f"has {found} fields in place of {expected}"
    elif "unterminated quote" in message:
        what = "has a quote that does not end where its field ends"
    elif "line size" in message:
        what = "has a line of more than two million bytes"
    else:
        what = f"cannot be read: {message.splitlines()[0]}"
    return SuiteError(what, file=file, line=int(line[1]) if line else None, hint=_QUOTES)


def _broken_line(file: Path) -> int | None:
    with open_text(file) as stream:
        for number, line in enumerate(stream, 1):
            try:
                value = json.loads(line) if line.strip() else {}
                # An escaped half of a character is JSON, and no text.
                json.dumps(value, ensure_ascii=False).encode()
                if not isinstance(value, dict):
                    return number
            except (ValueError, RecursionError):
                return number
    return None


def _require_text(file: Path) -> None:
    """Raise `SuiteError` with the line where a file is no text in UTF-8."""
    if kind_of(file) in PARQUET:
        return
    try:
        with _open_bytes(file) as stream:
            for number, line in enumerate(stream, 1):
                try:
                    line.decode()
                except UnicodeDecodeError as error:
                    hint = "Save the file as UTF-8; on a command line: iconv -f LATIN1 -t UTF-8."
                    raise SuiteError("is not UTF-8 text", file=file, line=number, hint=hint) from error
    except (OSError, EOFError) as error:
        raise SuiteError(f"cannot be read: {error}", file=file) from error


def _open_bytes(file: Path) -> gzip.GzipFile | BufferedReader:
    return gzip.open(file) if file.suffix.lower() == ".gz" else file.open("rb")


def _first_line(file: Path) -> str:
    _require_readable(file)
    with open_text(file) as stream:
        return stream.readline()


def _require_readable(file: Path) -> None:
    try:
        with open_text(file) as stream:
            stream.readline()
    except (OSError, EOFError, UnicodeError) as error:
        _require_text(file)
        raise SuiteError(f"cannot be read: {error}", file=file) from error


def _parquet_names(file: Path) -> list[str]:
    try:
        return list(pq.read_schema(file).names)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SuiteError("cannot be read as Parquet", file=file) from error


def _first_keys(file: Path) -> list[str]:
    _require_readable(file)
    with _open_bytes(file) as stream:
        if stream.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8:
            # JSON has none, and DuckDB reads it or not, as it has one thread or more.
            hint = "Save the file as UTF-8 without one."
            raise SuiteError("begins with a byte order mark", file=file, line=1, hint=hint)
    try:
        value = json.loads(_first_line(file) or "{}")
    except (ValueError, RecursionError) as error:
        raise SuiteError("is not a JSON object on each line", file=file, line=1) from error
    if not isinstance(value, dict):
        raise SuiteError("is not a JSON object on each line", file=file, line=1)
    return list(value)


def _first_fields(file: Path) -> list[str]:
    _require_readable(file)
    with open_text(file) as stream:
        return next(csv.reader(stream, delimiter=_delimiter(file)), [])


def _is_clams(file: Path) -> bool:
    label, tab, _ = _first_line(file).partition("\t")
    return bool(tab) and label in _LABELS


def _delimiter(file: Path) -> str:
    """Return what stands between fields: what the header has most of."""
    line = _first_line(file)
    return max(("\t", ",", ";"), key=line.count)


def _text(column: str, kind: str) -> str:
    """Return a column of Parquet as text; all others are."""
    return f"{column}::varchar" if kind in PARQUET else column


def _struct(types: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{_quoted(name, chr(39))}: '{kind}'" for name, kind in types.items()) + "}"


def _quoted(name: str, quote: str) -> str:
    return quote + name.replace(quote, quote * 2) + quote
