"""What is published: suites as their files tell them."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import SuiteError
from starbank.files import read_parquet
from starbank.names import RULE, is_name
from starbank.suites import schemas
from starbank.suites.provenance import TREEBANK, read_provenance, require_columns, require_names
from starbank.treebanks.arrays import integers, numbers, texts

TABLES = {"items": schemas.ITEMS, "pairs": schemas.PAIRS, "rejected": schemas.REJECTED}
# Names of configs that hold the items, the pairs and the rejects of all suites.
ALL, PAIRS, REJECTED = "all", "pairs", "rejected"
# What the card tells of a suite, which has to be there.
_REQUIRED = (
    *(f"construction.{key}" for key in ("name", "title", "language", "phenomenon", "query", "query_sha256")),
    *("matches", "starbank", *(f"treebanks.{key}" for key in TREEBANK)),
)
# ISO 639-3 for a language that nothing tells.
UNDETERMINED = "und"


@dataclass(frozen=True)
class PublishedSuite:
    """One suite in one language (ISO 639-3): its tables by name, and the provenance that `items.parquet` carries."""

    name: str
    language: str
    tables: dict[str, pa.Table]
    provenance: dict[str, Any]

    @property
    def items(self) -> pa.Table:
        """The items."""
        return self.tables["items"]

    @property
    def construction(self) -> dict[str, Any]:
        """What the construction file says, the request included."""
        construction: dict[str, Any] = self.provenance["construction"]
        return construction

    @property
    def language_name(self) -> str:
        """The name of the language, or its code where no treebank tells the name."""
        if self.is_import or not self.treebanks:
            return self.language
        return language_name(self.treebanks[0]["name"])

    @property
    def is_template(self) -> bool:
        """Whether the items are from a template and a lexicon, which takes the place of the treebank."""
        return bool(self.construction.get("template"))

    @property
    def is_import(self) -> bool:
        """Whether the items are somebody else's, whose file takes the place of the treebank."""
        return bool(self.construction.get("imported"))

    @property
    def is_annotated(self) -> bool:
        """Whether the items are from a treebank."""
        return not self.is_template and not self.is_import

    @property
    def has_pairs(self) -> bool:
        """Whether there are pairs, which takes conditions that are known to be starred."""
        return bool(self.tables["pairs"].num_rows)

    @property
    def matches(self) -> int:
        """How many matches there were."""
        return int(self.items.num_rows + self.tables["rejected"].num_rows)

    @cached_property
    def treebanks(self) -> list[dict[str, Any]]:
        """The treebanks that the matches are from; where there are none, those that were searched."""
        names = _treebanks(self.tables)
        searched = self.provenance["treebanks"]
        return [treebank for treebank in searched if treebank["name"] in names] or searched

    @cached_property
    def sums(self) -> dict[str, str]:
        """A sum of the rows of each table.

        The metadata of a file, which tell of all languages in it, are left out: what they say of this one is its
        provenance.
        """
        return {name: _sum(table.replace_schema_metadata()) for name, table in sorted(self.tables.items())}


def _sum(table: pa.Table) -> str:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table.combine_chunks())
    return hashlib.sha256(sink.getvalue()).hexdigest()


def read_suites(paths: Sequence[Path]) -> list[PublishedSuite]:
    """Read suites, each path being the folder of one or a folder of such folders; they are sorted by name.

    A suite of several languages is taken apart by them. A suite has the name of its folder, and where there are several
    languages, that of its language before it.
    Raises `SuiteError` where there is none, where one lacks a file or its provenance, and where two would be loaded by
    the same name.
    """
    parts = [suite for path in paths for folder in _folders(Path(path)) for suite in _read(folder)]
    suites = sorted(parts, key=lambda suite: suite.name)
    if not suites:
        raise SuiteError("no suite is named", hint="Name the folders that `starbank generate` wrote.")
    several = languages(suites) if len(languages(suites)) > 1 else []
    if several:
        named = (replace(suite, name=f"{suite.language}-{suite.name}") for suite in suites)
        suites = sorted(named, key=lambda suite: suite.name)
    names = [*several, *(suite.name for suite in suites)]
    configs = [ALL, PAIRS, REJECTED, *(config for name in names for config in (name, pairs_config(name)))]
    twice = sorted({config for config in configs if configs.count(config) > 1})
    if twice:
        hint = "Rename one of the construction files, or publish the suites as two datasets."
        raise SuiteError(f"more than one thing would be loaded by the name {twice[0]!r}", hint=hint)
    return suites


def default_title(suites: Sequence[PublishedSuite], name: str) -> str:
    """Return a title such as `Georgian case alignment`, with `, published` for a dataset named `kat-published`."""
    filled = with_items(suites)
    names = dict.fromkeys(suite.language_name for suite in filled)
    phenomena = dict.fromkeys(suite.construction["phenomenon"] for suite in filled)
    what = next(iter(phenomena)) if len(phenomena) == 1 else "minimal sets"
    _, _, variant = name.partition("-")
    *most, last = names
    return f"{' and '.join([', '.join(most), last] if most else [last])} {what}" + (f", {variant}" if variant else "")


def with_items(suites: Sequence[PublishedSuite]) -> list[PublishedSuite]:
    """Return the suites that have items, which a dataset is filled by; all where none has."""
    return [suite for suite in suites if suite.items.num_rows] or list(suites)


def language_name(treebank: str) -> str:
    """Return the name of a treebank's language: UD_Old_French-PROFITEROLE is Old French."""
    return treebank.removeprefix("UD_").partition("-")[0].replace("_", " ")


def languages(suites: Sequence[PublishedSuite]) -> list[str]:
    """Return the languages of suites (ISO 639-3), sorted."""
    return sorted({suite.language for suite in suites})


def pairs_config(name: str) -> str:
    """Return the name by which `datasets` loads the pairs of a suite."""
    return f"{name}-pairs"


def unify(tables: Iterable[pa.Table]) -> pa.Schema:
    """Return the schema that holds the columns of all tables, so that all of them load as one."""
    return pa.unify_schemas([table.schema.remove_metadata() for table in tables])


def _folders(path: Path) -> list[Path]:
    folders = (
        [path] if (path / "items.parquet").exists() else sorted(file.parent for file in path.glob("*/items.parquet"))
    )
    if not folders:
        raise SuiteError("there is no suite here", file=path, hint="Name a folder that `starbank generate` wrote.")
    return folders


def _read(folder: Path) -> list[PublishedSuite]:
    if not is_name(folder.resolve().name):
        raise SuiteError("the suite's folder has what is no name", file=folder, hint=RULE)
    tables = {name: _table(folder / f"{name}.parquet", schema) for name, schema in TABLES.items()}
    provenance = read_provenance(folder / "items.parquet", _REQUIRED)
    if provenance.get("schema") != "items/1":
        raise SuiteError("does not say where its items come from", file=folder, hint="Generate it again.")
    name = folder.resolve().name
    codes = sorted({code for table in tables.values() for code in table["language"].unique().to_pylist()})
    if len(codes) > 1:
        return _by_language(name, tables, provenance, codes)
    language = next(iter(codes), None) or provenance["construction"]["language"] or UNDETERMINED
    return [PublishedSuite(name, language, tables, provenance)]


def _table(file: Path, schema: pa.Schema) -> pa.Table:
    try:
        table = read_parquet(file)
    except (OSError, pa.ArrowException, ValueError) as error:
        raise SuiteError(f"is no whole suite: {error}", file=file.parent, hint="Generate it again.") from error
    require_columns(table.schema, schema, file)
    require_names(table, file)
    return table


def _by_language(
    name: str, tables: Mapping[str, pa.Table], provenance: dict[str, Any], codes: Sequence[str]
) -> list[PublishedSuite]:
    """Take a suite apart by the language of its rows, each part with what its own treebanks say."""
    parts = {table: _parts(rows, codes) for table, rows in tables.items()}
    by_code = [{table: parts[table][place] for table in parts} for place in range(len(codes))]
    names = [{language_name(treebank) for treebank in _treebanks(of_code)} for of_code in by_code]
    # What was searched in vain is told with the first, so that nothing is lost.
    searched = {language_name(treebank["name"]) for treebank in provenance["treebanks"]}
    names[0] |= searched.difference(*names)
    about = [_of_languages(provenance, of_code) for of_code in names]
    return [PublishedSuite(name, *each) for each in zip(codes, by_code, about, strict=True)]


def _parts(table: pa.Table, codes: Sequence[str]) -> list[pa.Table]:
    """Return the rows of each language."""
    place = numbers(pc.index_in(table["language"], value_set=texts(codes)))
    order = np.argsort(place, kind="stable")
    borders = np.searchsorted(place[order], np.arange(len(codes) + 1)).tolist()
    return [table.take(integers(order[first:end])) for first, end in pairwise(borders)]


def _treebanks(tables: Mapping[str, pa.Table]) -> set[str]:
    """Return the names of the treebanks that rows are from."""
    return {name for table in tables.values() for name in table["treebank"].unique().to_pylist()}


def _of_languages(provenance: dict[str, Any], names: Container[str]) -> dict[str, Any]:
    """Return provenance with the treebanks of some languages: that of all languages may be longer than the rows."""

    def told(treebanks: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        return [treebank for treebank in treebanks if language_name(treebank.get("name", "")) in names]

    inputs = provenance.get("inputs", {})
    lexicons = [each for each in inputs.get("lexicons", []) if told(each.get("treebanks", []))]
    own = {"lexicons": lexicons, "usage": told(inputs.get("usage", []))}
    inputs = inputs | {key: value for key, value in own.items() if key in inputs}
    return provenance | {"treebanks": told(provenance["treebanks"]), "inputs": inputs}
