"""Benchmarks of pairs -> paradigms, each of which becomes a suite: tables, or a file `.import` that names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.documents import Entry, language_code, read_document, read_text
from starbank.errors import SuiteError
from starbank.names import as_name, is_name
from starbank.queries.benchmarks.checks import check_pairs
from starbank.queries.benchmarks.columns import KEYS, Benchmark, Columns, find_columns, require_columns
from starbank.queries.benchmarks.tables import read_columns, read_header, table_files
from starbank.queries.heading import Heading

SUFFIX = ".import"
_ABOUT = ("language", "license", "cite")
# Names of files that tell nothing of what is in them, as the Hub has them.
_NAMELESS = re.compile(r"(data|train|test|dev|validation)(-\d+-of-\d+)?")
_CLAMS_FOLDER = re.compile(r"([a-z]{2})_\w+")


@dataclass(frozen=True, kw_only=True)
class Paradigm(Heading):
    """The pairs of a benchmark that make one suite, read and checked.

    `pairs` has a row for each: `id`, `good`, `bad`, `prefix` and a column for each covariate; `source` is the name of
    the benchmark, `tables` are the files that the pairs are from, and `query` says, as a file `.import`, what is what.
    """

    language: str
    license: str | None
    source: str
    query: str
    columns: Columns
    tables: tuple[Path, ...]
    pairs: pa.Table = field(compare=False, repr=False)
    grammatical: tuple[str, ...] = ("grammatical",)
    conditions: tuple[str, ...] = ("grammatical", "starred")


def read_paradigms(path: Path, *, confined: bool = False) -> tuple[Paradigm, ...]:
    """Read a file `.import` and the tables that it names, as seen from its folder; all are of one language.

    Raises `ConstructionError` for mistakes in it, also where it is `confined` and names what does not lie beside it,
    and `SuiteError` for mistakes in tables.
    """
    settings = read_document(read_text(path), path, "the file")
    settings.require(("files", "benchmark", *_ABOUT, *KEYS), ["files"])
    said: dict[str, Any] = {
        key: settings[key].texts() if key == "covariates" else settings[key].text()
        for key in KEYS
        if key in settings and key != "language"
    }
    about: dict[str, Any] = {key: settings.get(key, Entry.text, None) for key in (*_ABOUT, "benchmark")}
    about["language"] = settings.get("language", Entry.language, None)
    names = settings["files"].texts("Write `files: [pairs.csv]`.")
    if confined and any(name != Path(name).name for name in names):
        settings["files"].fail("names what does not lie beside it")
    files = [path.parent / name for name in names]
    paradigms = read_tables(files, said, **about, path=path)
    codes = sorted({paradigm.language for paradigm in paradigms})
    if len(codes) > 1:
        hint = "Write a file for each, in queries/<language>/."
        raise SuiteError(f"names tables of several languages: {', '.join(codes)}", file=path, hint=hint)
    return paradigms


def read_tables(
    paths: Iterable[Path],
    said: Mapping[str, Any],
    *,
    language: str | None = None,
    license: str | None = None,
    cite: str | None = None,
    benchmark: str | None = None,
    path: Path | None = None,
    also: Mapping[str, str] | None = None,
) -> tuple[Paradigm, ...]:
    """Read tables of pairs, files and folders of files, and return their paradigms in the order of their names.

    `said` names columns by the keys of `Columns`; what it does not say is known of published benchmarks, or not there.
    A paradigm is what the column `suite` calls one, else a file. Its language is the one given, else that of a column
    `language`, of the benchmark, of a folder around the file, or of `path`. Where there are several languages, their
    codes stand before the names of the paradigms. Columns that `also` names are in `pairs`, too, by its keys. Raises
    `SuiteError` that names file, line and what to do.
    """
    tables = [_read(file, said, language, path, also or {}) for file in table_files(paths)]
    parts = list(_parts(tables))
    several = len({code for code, *_ in parts}) > 1
    grouped: dict[tuple[str, str], list[tuple[_Table, pa.Table]]] = {}
    for code, name, table, rows in parts:
        grouped.setdefault((code, name), []).append((table, rows))
    paradigms = []
    for (code, name), members in sorted(grouped.items()):
        first, numbered = members[0][0], len(members) > 1
        pairs = pa.concat_tables([_named(table, rows, numbered) for table, rows in members], promote_options="default")
        check_pairs([(table.file, rows, table.columns) for table, rows in members])
        files = tuple(table.file for table, _ in members)
        _require_distinct(files)
        source = benchmark or (first.benchmark.name if first.benchmark else first.file.stem)
        about = {"language": None if first.columns.language else code, "license": license, "cite": cite}
        phenomena = pairs["phenomenon"].unique().to_pylist() if "phenomenon" in pairs.column_names else []
        paradigms.append(
            Paradigm(
                name=f"{code}-{name}" if several else name,
                title=name.replace("_", " "),
                language=code,
                phenomenon=next(filter(None, phenomena), name),
                cite=cite or "",
                license=license,
                source=source,
                query=_as_text(files, first.columns, {**about, "benchmark": source}),
                columns=first.columns,
                path=path or first.file,
                tables=files,
                pairs=pairs,
            )
        )
    return tuple(paradigms)


@dataclass(frozen=True)
class _Table:
    """A table, read: what its columns are, and its rows."""

    file: Path
    benchmark: Benchmark | None
    columns: Columns
    language: str | None
    rows: pa.Table


def _read(
    file: Path, said: Mapping[str, Any], language: str | None, path: Path | None, also: Mapping[str, str]
) -> _Table:
    header = read_header(file)
    require_columns(also.values(), header, file)
    benchmark, columns = find_columns(header, said, file)
    if language:
        columns = Columns(**{**columns.named, "language": None})
    wanted = {key: value for key, value in columns.named.items() if key != "covariates"}
    rows = read_columns(file, header, {**wanted, **also} | {f"covariate {name}": name for name in columns.covariates})
    if not rows.num_rows:
        raise SuiteError("has no pairs", file=file)
    code = None if columns.language else _language(language, benchmark, file, path)
    return _Table(file, benchmark, columns, code, rows)


def _language(language: str | None, benchmark: Benchmark | None, file: Path, path: Path | None) -> str:
    """Return the language of a whole file: said, known of the benchmark, or that of a name around the file."""
    if language or (benchmark and benchmark.language):
        return _code(str(language or (benchmark and benchmark.language)), file)
    # Of the folders around a table two are looked at, for there are languages `tmp` and `src`.
    places = [*file.resolve().parent.parts[:-3:-1], *(path.resolve().parent.parts[::-1] if path else ())]
    for place in [_stem(file), *places] if benchmark and benchmark.name == "MultiBLiMP" else places:
        with suppress(ValueError):
            return language_code(_clams(place) if benchmark and benchmark.name == "CLAMS" else place)
    hint = "Say it: --language eng, or `language: eng` in the .import file; or put the file into a folder `eng`."
    raise SuiteError("does not say which language it is in", file=file, hint=hint)


def _clams(folder: str) -> str:
    """Return the ISO 639-3 code behind a folder of CLAMS (`en_evalset`), or the folder's name where it is none."""
    from langcodes import Language  # slow to import

    match = _CLAMS_FOLDER.fullmatch(folder)
    return Language.get(match[1]).to_alpha3() if match else folder


def _code(text: str, file: Path, line: int | None = None) -> str:
    try:
        return language_code(text)
    except ValueError as error:
        message, hint = error.args
        raise SuiteError(f"the language {message}", file=file, line=line, hint=hint) from error


def _parts(tables: Sequence[_Table]) -> Iterator[tuple[str, str, _Table, pa.Table]]:
    """Yield language and paradigm of the rows of each table that are of one, with these rows."""
    for table in tables:
        keys = [key for key in ("language", "suite") if getattr(table.columns, key)]
        if not keys:
            yield str(table.language), _name(_stem(table.file), table.file), table, table.rows
            continue
        rows, start = table.rows.sort_by([(key, "ascending") for key in (*keys, "row")]), 0
        for values in rows.group_by(keys, use_threads=False).aggregate([("row", "count")]).to_pylist():
            chosen, start = rows.slice(start, values["row_count"]), start + values["row_count"]
            name = values["suite"] if "suite" in keys else _stem(table.file)
            code = _code(values["language"], table.file) if "language" in keys else str(table.language)
            yield code, _name(name, table.file), table, chosen


def _stem(file: Path) -> str:
    """Return what a file is called without its endings; where that tells nothing, what its folder is called."""
    stem = file.with_suffix("").stem if file.suffix.lower() == ".gz" else file.stem
    return file.resolve().parent.name if _NAMELESS.fullmatch(stem) else stem


def _name(text: str, file: Path) -> str:
    name = as_name(text)
    if not is_name(name):
        raise SuiteError(f"{text!r} cannot be the name of a suite", file=file, hint="Name another column as `suite`.")
    return name


def _require_distinct(files: Sequence[Path]) -> None:
    """Refuse tables of one suite that are called alike, for it tells them apart by their names."""
    seen: dict[str, Path] = {}
    for file in files:
        if file.name in seen:
            hint = "Rename one, or import them one at a time."
            raise SuiteError(
                f"would be of one suite with {seen[file.name]}, which has the same name", file=file, hint=hint
            )
        seen[file.name] = file


def _named(table: _Table, rows: pa.Table, several: bool) -> pa.Table:
    """Return rows with an `id`: that of their column, else their number in the file, after its name if `several`."""
    if table.columns.id:
        return rows
    numbers = rows["row"].cast(pa.string())
    stem = pa.scalar(f"{_stem(table.file)}:")
    return rows.append_column("id", pc.binary_join_element_wise(stem, numbers, "") if several else numbers)


def _as_text(files: Sequence[Path], columns: Columns, about: Mapping[str, str | None]) -> str:
    """Return a file `.import` that says the same."""
    import yaml  # slow to import

    covariates = {"covariates": list(columns.covariates)} if columns.covariates else {}
    content = {
        "files": sorted({file.name for file in files}),
        **{key: value for key, value in about.items() if value},
        **{key: value for key, value in columns.named.items() if key not in ("covariates", "language")},
        **covariates,
    }
    return str(yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000, default_flow_style=None))
