"""The pairs of a paradigm -> items: the files of a suite, with which all else is done as with any other."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from starbank.files import sha256
from starbank.names import as_name, is_name
from starbank.queries.benchmarks import Paradigm
from starbank.sets.cut import cut
from starbank.suites.schemas import COVARIATES, ITEMS, REJECTED, Suite
from starbank.treebanks.arrays import answer, integers

# White space around a sentence is none of it; a prefix and what follows have a space between, as in BHS.
_SENTENCES = """
    select id, row,
        if({prefix} = '' or regexp_matches({prefix}, '\\s$'), {prefix}, {prefix} || ' ')
            || {good} as good,
        if({prefix} = '' or regexp_matches({prefix}, '\\s$'), {prefix}, {prefix} || ' ')
            || {bad} as bad,
        {covariates}
    from pairs
"""
_ITEMS = """
    with cut as (
        select *,
            left(good, first::bigint) as prefix,
            substr(good, first + 1, length(good) - first - last) as form_good,
            substr(bad, first + 1, length(bad) - first - last) as form_bad,
            right(good, last::bigint) as suffix
        from sentences
    )
    select
        sha256(concat_ws(chr(31), $name, $language, id, good, bad))[:16] as item_id,
        $name as construction, $phenomenon as phenomenon, $language as language, $source as treebank, 'test' as split,
        id as sent_id,
        ['prefix', 'target', 'suffix'] as region_names,
        [
            {{'name': 'grammatical', 'grammatical': true, 'against': null, 'regions': [prefix, form_good, suffix],
              'feats': null, 'form': form_good, 'form_source': null, 'form_count': null, 'form_confidence': null}},
            {{'name': 'starred', 'grammatical': false, 'against': 'grammatical',
              'regions': [prefix, form_bad, suffix], 'feats': null, 'form': form_bad, 'form_source': null,
              'form_count': null, 'form_confidence': null}}
        ] as conditions,
        null as target,
        {covariates},
        [] as left_out
    from cut
    where good <> bad
    order by row
"""
_REJECTED = """
    select $name as construction, $language as language, $source as treebank, 'test' as split, id as sent_id,
        null as target_id, null as form, null as lemma, null as feats, 'identical form' as reason,
        'the two sentences are the same' as detail, good as text
    from sentences
    where good = bad
    order by row
"""
_TRIM = r"regexp_replace({}, '^\s+|\s+$', '', 'g')"
_NUMBER = r"if({0} ilike 'true', 1, if({0} ilike 'false', 0, try_cast(regexp_replace({0}, '\.0+$', '') as bigint)))"
# What the regions tell by themselves.
_COUNTED = {
    "length": r"len(regexp_extract_all(good, '\S+'))",
    "position": r"len(regexp_extract_all(prefix, '\S+')) + 1",
}


def make_paradigm(paradigm: Paradigm) -> Suite:
    """Return the items of a paradigm; a pair whose sentences are the same is rejected.

    The regions are what both sentences begin with, the words in which they differ, and what both end with; of a pair
    in which words were left out or added, the target is the whole sentence. `treebank` is the benchmark's name,
    and `sent_id` that of the pair. A covariate that items have a column for goes there.
    """
    connection = duckdb.cursor()
    connection.register("pairs", paradigm.pairs)
    connection.register("sentences", _sentences(connection, paradigm))
    about = {"name": paradigm.name, "language": paradigm.language, "source": _source(paradigm)}
    sql = _ITEMS.format(covariates=", ".join(_covariates(paradigm)))
    items = answer(connection, sql, params=about | {"phenomenon": paradigm.phenomenon})
    rejected = answer(connection, _REJECTED, params=about)
    return Suite(items.cast(ITEMS), rejected.cast(REJECTED))


def tell_paradigm(paradigm: Paradigm, shown: int = 3) -> list[str]:
    """Return lines that tell what a paradigm holds, with its first pairs; starred sentences have a star."""
    columns = ", ".join(f"{key}: {value}" for key, value in paradigm.columns.named.items() if key != "covariates")
    count = paradigm.pairs.num_rows
    pairs = f"{count} pair{'s' * (count != 1)} in {paradigm.language}"
    lines = [f"{paradigm.name}: {pairs}, {paradigm.source}", f"    {columns}"]
    for pair in paradigm.pairs.slice(0, shown).to_pylist():
        begin = f"{pair['prefix']} " if pair.get("prefix") else ""
        lines += [f"pair {pair['id']}", f"    {begin}{pair['good']}", f"    *{begin}{pair['bad']}"]
    return lines


def provenance(paradigm: Paradigm) -> dict[str, Any]:
    """Return what a suite says of the tables that it is from."""
    files = [{"name": file.name, "sha256": _sum(file, file.stat().st_mtime_ns)} for file in paradigm.tables]
    return {
        "construction": {
            **paradigm.heading,
            "query": paradigm.query,
            "query_sha256": hashlib.sha256(paradigm.query.encode()).hexdigest(),
            "control": False,
            "grammatical": list(paradigm.grammatical),
            "predictions": [],
            "imported": True,
            "benchmark": paradigm.source,
        },
        "treebanks": [
            {
                "name": _source(paradigm),
                "kind": "imported",
                "license": paradigm.license,
                "release": None,
                "source": None,
                "files": sorted(files, key=lambda file: (file["name"], file["sha256"])),
            }
        ],
    }


@cache
def _sum(file: Path, changed: int) -> str:
    """Return the sum of a file, of which many paradigms may be."""
    return sha256(file)


def _source(paradigm: Paradigm) -> str:
    """Return the name that the benchmark has where treebanks have theirs."""
    name = as_name(paradigm.source)
    return name if is_name(name) else paradigm.name


def _sentences(connection: duckdb.DuckDBPyConnection, paradigm: Paradigm) -> pa.Table:
    prefix = "ltrim(prefix)" if paradigm.columns.prefix else "''"
    texts = {"good": _TRIM.format("good"), "bad": _TRIM.format("bad"), "prefix": prefix}
    columns = [f"{_column(name)}" for name in paradigm.columns.covariates] or ["null as none"]
    table = answer(connection, _SENTENCES.format(**texts, covariates=", ".join(columns)))
    first, last = cut(table["good"], table["bad"])
    return table.append_column("first", integers(first)).append_column("last", integers(last))


def _column(name: str) -> str:
    return '"' + f"covariate {name}".replace('"', '""') + '"'


def _covariates(paradigm: Paradigm) -> list[str]:
    """Return the columns of covariates as SQL, in the order of the schema."""
    values = {name: _NUMBER.format(_column(name)) for name in paradigm.columns.covariates}
    named = [(name.replace("'", "''"), value) for name, value in values.items() if name not in dict(COVARIATES)]
    listed = ", ".join(f"{{'name': '{name}', 'value': {value}}}" for name, value in named)
    known = {
        **_COUNTED,
        **values,
        "covariates": f"list_filter([{listed}], lambda one: one.value is not null)" if named else "[]",
    }
    return [f"{known.get(name, 'null')} as {name}" for name, _ in COVARIATES]
