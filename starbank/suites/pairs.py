"""Items -> plain pairs, for people who want two sentences side by side."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.suites.schemas import COVARIATES, PAIRS

# Each starred condition makes a pair with the grammatical one that it is held against.
_PAIRS = """
    with numbered as (select *, row_number() over () as row from items),
    placed as (
        select *, unnest(range(1, len(conditions) + 1)) as place,
            -- Regions may be finer than prefix, target and suffix.
            coalesce(nullif(list_position(region_names, 'target'), 0), 2) as middle
        from numbered
    ),
    paired as (
        select *, conditions[place] as bad,
            list_filter(conditions, lambda c: c.name = conditions[place].against)[1] as good
        from placed
    )
    select
        item_id, construction, phenomenon, language, treebank, split, sent_id,
        array_to_string(good.regions, '') as sentence_good,
        array_to_string(bad.regions, '') as sentence_bad,
        array_to_string(good.regions[:middle - 1], '') as prefix,
        array_to_string(good.regions[middle + 1:], '') as suffix,
        good.form as form_good,
        bad.form as form_bad,
        good.name as condition_good,
        bad.name as condition_bad,
        good.form_count as form_good_count,
        bad.form_count as form_bad_count,
        good.form_source as form_good_source,
        bad.form_source as form_bad_source,
        bad.form_confidence as form_bad_confidence,
        {covariates}
    from paired
    where not bad.grammatical
    order by row, place
"""


def pairs(items: pa.Table) -> pa.Table:
    """Return one row per item and starred condition (schema `PAIRS`), in the order of items and conditions."""
    connection = duckdb.cursor()
    connection.register("items", items)
    return (
        connection.sql(_PAIRS.format(covariates=", ".join(name for name, _ in COVARIATES))).to_arrow_table().cast(PAIRS)
    )
