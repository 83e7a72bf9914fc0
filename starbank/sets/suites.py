"""Conditions, covariates and problems -> the items and rejects of suites."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.queries.constructions import Construction
from starbank.sets.covariates import COVARIATES
from starbank.suites import ITEMS, REJECTED, Suite
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, numbers, table_of, text, whole

_SOUND = """
    select condition.row, place, name, not starred as grammatical, against.against,
        [prefix, target, suffix] as regions, feats, form,
        source as form_source, count as form_count, confidence as form_confidence
    from conditions as condition left join against using (row, name) anti join left_out using (row, name)
    where row not in (select row from problems)
"""

_ITEMS = f"""
    with lacking as (
        select row, list({{'name': name, 'reason': reason, 'detail': detail}} order by place) as left_out
        from left_out join (select distinct row, name, place from cells) using (row, name)
        group by row
    )
    select
        left(sha256(array_to_string(
            [about.construction, about.language]
                || list_transform(conditions, lambda c: array_to_string(c.regions, '')), chr(31)
        )), 16) as item_id,
        about.construction, about.phenomenon, about.language, $treebank as treebank, split, sent_id,
        ['prefix', 'target', 'suffix'] as region_names, conditions,
        {{'lemma': lemma, 'upos': upos, 'feats': feats, 'id': id}} as target,
        covariates.* exclude (row), matched."{COVARIATES}" as covariates, coalesce(left_out, []) as left_out
    from sets
        join words using (row)
        join covariates using (row)
        join matched using (row)
        join about on about.number = matched.construction
        left join lacking using (row)
    where first
    order by row
"""

_REJECTED = """
    select about.construction, about.language, $treebank as treebank, split, sent_id,
        id as target_id, form, lemma, feats, reason, detail, text
    from problems join words using (row) join about on about.number = words.construction
    where first
    order by row
"""


def make_suites(
    connection: duckdb.DuckDBPyConnection,
    constructions: Sequence[Construction],
    matches: Sequence[pa.Table],
    treebank: Treebank,
) -> list[Suite]:
    """Return the suite of each construction: an item or a reject for each of its matches."""
    about = [
        (number, construction.name, construction.phenomenon, construction.language)
        for number, construction in enumerate(constructions)
    ]
    connection.register("about", table_of(about, number=int, construction=str, phenomenon=str, language=str))
    connection.register("sets", _sets(connection.sql(_SOUND).to_arrow_table()))
    items, rejected = (
        connection.sql(query, params={"treebank": treebank.name}).to_arrow_table().cast(schema)
        for query, schema in ((_ITEMS, ITEMS), (_REJECTED, REJECTED))
    )
    return [
        _suite(construction, table.num_rows, items, rejected)
        for construction, table in zip(constructions, matches, strict=True)
    ]


def _sets(sound: pa.Table) -> pa.Table:
    """Return the conditions of each match, in order: columns `row` and `conditions`, a list of structures.

    DuckDB would sort the texts of each list.
    """
    order = np.lexsort((numbers(sound["place"]), numbers(sound["row"])))
    sound = sound.take(integers(order))
    row = numbers(sound["row"])
    borders = np.append(np.flatnonzero(np.diff(row, prepend=-1)), len(row))
    names = [name for name in sound.column_names if name not in ("row", "place")]
    structures = pa.StructArray.from_arrays([whole(sound[name]) for name in names], names)
    lists = pa.ListArray.from_arrays(integers(borders.astype(np.int32)), structures)
    return pa.table({"row": integers(row[borders[:-1]]), "conditions": lists})


def _suite(construction: Construction, matches: int, items: pa.Table, rejected: pa.Table) -> Suite:
    """Return what is of one construction."""
    tables = [table.filter(pc.equal(table["construction"], text(construction.name))) for table in (items, rejected)]
    assert sum(table.num_rows for table in tables) == matches, "every match is an item or has been rejected"
    return Suite(*tables)
