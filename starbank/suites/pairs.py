"""Items -> plain pairs, for people who want two sentences side by side."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.suites.schemas import COVARIATES, PAIRS

# Each starred condition makes a pair with the grammatical one that it is held against. Where no region is the target,
# a pair has between prefix and suffix all from the first region in which its two differ to the last.
_PAIRS = """
    with numbered as (select *, row_number() over () as row from items),
    placed as (select *, unnest(range(1, len(conditions) + 1)) as place from numbered),
    paired as (
        select *, conditions[place] as bad, nullif(list_position(region_names, 'target'), 0) as middle,
            list_filter(conditions, lambda c: c.name = conditions[place].against)[1] as good
        from placed
        where not conditions[place].grammatical
    ),
    compared as (
        select *, list_filter(
            range(1, len(region_names) + 1), lambda n: good.regions[n] is distinct from bad.regions[n]
        ) as apart
        from paired
    ),
    cut as (
        select *,
            array_to_string(good.regions, '') as sentence_good,
            array_to_string(bad.regions, '') as sentence_bad,
            array_to_string(good.regions[:coalesce(middle, apart[1], 1) - 1], '') as prefix,
            if(middle is null, rtrim(array_to_string(good.regions[apart[1]:apart[-1]], '')), good.form) as form_good,
            if(middle is null, rtrim(array_to_string(bad.regions[apart[1]:apart[-1]], '')), bad.form) as form_bad
        from compared
    )
    select
        item_id, construction, phenomenon, language, treebank, split, sent_id,
        sentence_good,
        sentence_bad,
        prefix,
        if(
            middle is null, sentence_good[len(prefix) + len(form_good) + 1:],
            array_to_string(good.regions[middle + 1:], '')
        ) as suffix,
        form_good,
        form_bad,
        good.name as condition_good,
        bad.name as condition_bad,
        good.form_count as form_good_count,
        bad.form_count as form_bad_count,
        good.form_source as form_good_source,
        bad.form_source as form_bad_source,
        bad.form_confidence as form_bad_confidence,
        {covariates}
    from cut
    order by row, place
"""


def pairs(items: pa.Table) -> pa.Table:
    """Return one row per item and starred condition (schema `PAIRS`), in the order of items and conditions.

    Items whose conditions are not known to be grammatical or starred make none.
    """
    connection = duckdb.cursor()
    connection.register("items", items)
    return (
        connection.sql(_PAIRS.format(covariates=", ".join(name for name, _ in COVARIATES))).to_arrow_table().cast(PAIRS)
    )
