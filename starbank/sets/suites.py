"""Conditions, covariates and problems -> the items and rejects of suites."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from starbank.queries.constructions import Construction
from starbank.sets.covariates import COVARIATES
from starbank.suites import ITEMS, REJECTED, Suite
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import table_of, text

_ITEMS = f"""
    with sets as (
        select condition.row, list({{
            'name': name, 'grammatical': not starred, 'against': against.against,
            'regions': [prefix, target, suffix],
            'feats': feats, 'form': form,
            'form_source': source, 'form_count': count, 'form_confidence': confidence
        }} order by place) as conditions
        from conditions as condition left join against using (row, name) anti join left_out using (row, name)
        where row not in (select row from problems)
        group by row
    ),
    lacking as (
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
    items, rejected = (
        connection.sql(query, params={"treebank": treebank.name}).to_arrow_table().cast(schema)
        for query, schema in ((_ITEMS, ITEMS), (_REJECTED, REJECTED))
    )
    return [
        _suite(construction, table.num_rows, items, rejected)
        for construction, table in zip(constructions, matches, strict=True)
    ]


def _suite(construction: Construction, matches: int, items: pa.Table, rejected: pa.Table) -> Suite:
    """Return what is of one construction."""
    tables = [table.filter(pc.equal(table["construction"], text(construction.name))) for table in (items, rejected)]
    assert sum(table.num_rows for table in tables) == matches, "every match is an item or has been rejected"
    return Suite(*tables)
