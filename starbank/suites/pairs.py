"""Items -> plain pairs, for people who want two sentences side by side."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.suites.schemas import PAIRS

# An item's first condition is grammatical; it makes a pair with each starred one.
_PAIRS = """
    with numbered as (select *, conditions[1] as good, row_number() over () as row from items),
    paired as (select *, unnest(range(2, len(conditions) + 1)) as place, conditions[place] as bad from numbered)
    select
        item_id, construction, phenomenon, language, treebank, split, sent_id,
        array_to_string(good.regions, '') as sentence_good,
        array_to_string(bad.regions, '') as sentence_bad,
        good.regions[1] as prefix,
        good.regions[3] as suffix,
        good.form as form_good,
        bad.form as form_bad,
        good.name as condition_good,
        bad.name as condition_bad,
        good.form_count as form_good_count,
        bad.form_count as form_bad_count,
        length,
        position
    from paired
    where not bad.grammatical
    order by row, place
"""


def pairs(items: pa.Table) -> pa.Table:
    """Return one row per item and starred condition (schema `PAIRS`), in the order of items and conditions."""
    connection = duckdb.cursor()
    connection.register("items", items)
    return connection.sql(_PAIRS).to_arrow_table().cast(PAIRS)
