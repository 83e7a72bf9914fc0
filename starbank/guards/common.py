"""What several modules of guards need: shares, readings that are no slips of annotation, and unsaid subjects."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.guards.thresholds import ENOUGH_CASES, SLIPS

# SQL: the upper end of Wilson's interval (95%) for the share of `part` in `total`. What a small treebank shows seldom
# may be frequent all the same.
UPPER = """
    ((({part}) + 1.9208 + 1.96 * sqrt(({part}) * (({total}) - ({part})) / ({total}) + 0.9604)) / (({total}) + 3.8416))
"""

# SQL: is this several nouns, which are plural together, or what is counted, which may be?
SEVERAL = "{node} in (select head from tokens where relation in ('conj', 'nummod'))"

_MARKED = f"""
    create or replace temp table {{name}} as
    with cells as (
        select lemma, upos, feats, count(*) as total from corpus
        where (lemma, upos, feats) in (
            select (lemma, upos, feats) from unmarked_readings where "count" >= {ENOUGH_CASES}
        )
        group by lemma, upos, feats
    )
    select reading.*,
        coalesce(reading."count" >= {ENOUGH_CASES} and reading."count" > {SLIPS} * total, false) as common
    from unmarked_readings as reading left join cells using (lemma, upos, feats)
"""


def mark_common(connection: duckdb.DuckDBPyConnection, name: str, readings: pa.Table) -> None:
    """Make the table `name` of what a lexicon reads, and whether a reading is `common` in its cell of the treebank.

    That is one that its cell often has, however rare it is among all that looks so: Greek το is mostly a neuter, and
    short for τον; Estonian ta is mostly he, and his, too.
    """
    connection.register("unmarked_readings", readings)
    connection.execute(_MARKED.format(name=name))
    connection.unregister("unmarked_readings")


def make_of_unsaid(connection: duckdb.DuckDBPyConnection, *queries: str) -> None:
    """Make tables about subjects that may go unsaid: empty ones, and at no cost, where the table `unsaid` is empty."""
    [(rows,)] = connection.execute("select count(*) from unsaid").fetchall()
    for query in queries:
        connection.execute(query if rows else f"{query} limit 0")
