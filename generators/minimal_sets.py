"""Minimal sets: the same sentence with some of its words in each of several cells of their paradigms.

What a word has in the text is grammatical; where a condition changes its features stands the form that the lexicon has
for its lemma in that cell, all other features equal. What would not surely make a minimal set is rejected, with the
reason.
"""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from starbank.guards import judge
from starbank.morphology import Lexicon
from starbank.plugins import generator
from starbank.queries.constructions import Construction
from starbank.sets import COVARIATES, find_words, make_cells, make_conditions, make_covariates
from starbank.suites import ITEMS, REJECTED, Suite
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers

_ITEMS = """
    with sets as (
        select condition.row, list({
            'name': name, 'grammatical': not starred, 'against': against.against,
            'regions': [prefix, target, suffix],
            'feats': feats, 'form': form,
            'form_source': source, 'form_count': count, 'form_confidence': confidence
        } order by place) as conditions
        from conditions as condition left join against using (row, name) anti join left_out using (row, name)
        where row not in (select row from problems)
        group by row
    ),
    lacking as (
        select row, list({'name': name, 'reason': reason, 'detail': detail} order by place) as left_out
        from left_out join (select distinct row, name, place from cells) using (row, name)
        group by row
    )
    select
        left(sha256(array_to_string(
            [$construction, $language] || list_transform(conditions, lambda c: array_to_string(c.regions, '')), chr(31)
        )), 16) as item_id,
        $construction as construction, $phenomenon as phenomenon, $language as language, $treebank as treebank,
        split, sent_id, ['prefix', 'target', 'suffix'] as region_names, conditions,
        {'lemma': lemma, 'upos': upos, 'feats': feats, 'id': id} as target,
        covariates.* exclude (row), matched.covariates, coalesce(left_out, []) as left_out
    from sets
        join words using (row)
        join covariates using (row)
        join matched using (row)
        left join lacking using (row)
    where first
    order by row
"""

_REJECTED = """
    select $construction as construction, $language as language, $treebank as treebank, split, sent_id,
        id as target_id, form, lemma, feats, reason, detail, text
    from problems join words using (row)
    where first
    order by row
"""


@generator
def minimal_sets(construction: Construction, matches: pa.Table, treebank: Treebank, lexicon: Lexicon) -> Suite:
    """Make one item of each match that has a sound starred condition, and reject the others.

    `matches` are those of the construction's request in `treebank`, with its named covariates (`COVARIATES`); `lexicon`
    holds the paradigms of its language. The result has exactly one row per match: an item with its sound conditions,
    the grammatical ones first, and what was left out, or the reason why there is none.
    """
    if not matches.num_rows:
        return Suite(pa.Table.from_batches([], ITEMS), pa.Table.from_batches([], REJECTED))
    connection = duckdb.cursor()

    def run(query: str, **parameters: Any) -> pa.Table:
        return connection.sql(query, params=parameters or None).to_arrow_table()

    find_words(connection, construction, matches, treebank)
    make_cells(connection, construction, lexicon)
    make_conditions(connection, construction, lexicon)
    judge(connection, construction, lexicon)
    make_covariates(connection, construction, lexicon)
    rows = integers(np.arange(matches.num_rows))
    connection.register("matched", pa.table({"row": rows, "covariates": matches[COVARIATES]}))
    source = {"construction": construction.name, "language": construction.language, "treebank": treebank.name}
    items = run(_ITEMS, phenomenon=construction.phenomenon, **source).cast(ITEMS)
    rejected = run(_REJECTED, **source).cast(REJECTED)
    assert items.num_rows + rejected.num_rows == matches.num_rows, "every match is an item or has been rejected"
    return Suite(items, rejected)
