"""Patterns in which the value at the left end of an arc tells the one at the right end."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.treebanks.arrays import answer

# What both ends have, by pattern; pairs of values that were seen once are taken for slips.
_COUNTED = """
    with counted as (
        select pattern, direction, cue_value, target_value, count(*) as n
        from arcs where cue_value is not null and target_value is not null
        group by all having count(*) > 1
    ),
    totals as (
        select pattern, direction, cue_value, sum(n) as n from counted group by all having sum(n) > $fewest
    ),
    pairs as (
        select one.pattern, one.direction, one.cue_value as one, other.cue_value as other
        from totals as one join totals as other using (pattern, direction) where one.cue_value < other.cue_value
    ),
    shares as (
        select pattern, direction, one, other, counted.n,
            sum(counted.n) over (partition by pattern, direction, one, other) as of_all,
            sum(counted.n) over (partition by pattern, direction, one, other, cue_value) as of_cue,
            sum(counted.n) over (partition by pattern, direction, one, other, target_value) as of_target
        from pairs join counted using (pattern, direction)
        where cue_value in (one, other)
    )
    select pattern, direction, list_value(one, other) as "values",
        any_value(of_all)::bigint as arcs,
        -sum(n / of_all * ln(n / of_target)) as cue_entropy,
        -sum(n / of_all * ln(n / of_cue)) as target_entropy
    from shares group by pattern, direction, one, other
    having cue_entropy < $entropy and target_entropy < $entropy
    order by arcs desc, pattern, direction, "values"
"""


def find_patterns(arcs: pa.Table, entropy: float, fewest: int) -> pa.Table:
    """Return the patterns in which two values of the cue go with two of the target, one with one.

    `arcs` are as `find_arcs` has them. Of a pattern that is kept each of two values of the cue occurs more than
    `fewest` times, and over these two the conditional entropies (nats) of the cue's value given the target's, and of
    the target's given the cue's, are below `entropy`; the authors look at the first alone, which is the same for two
    values. Columns: `pattern`, `direction`, `values` (the two), `arcs` (how many), `cue_entropy`, `target_entropy`; the
    most frequent first.
    """
    connection = duckdb.cursor()
    connection.register("arcs", arcs)
    return answer(connection, _COUNTED, params={"entropy": entropy, "fewest": fewest})


# Only the most frequent pattern can have more originals than all others together.
_BALANCED = """
    with counted as (select pattern, direction, count(*) as n from originals group by all),
    rest as (select *, sum(n) over () - n as others from counted)
    select versions.* from versions join rest using (pattern, direction)
    where others = 0 or nonce < others * (1 + $nonce) // n
    order by row, nonce
"""


def balance(versions: pa.Table, originals: pa.Table, nonce: int) -> pa.Table:
    """Return as many of the `nonce` versions of arcs that no pattern has more items than all others together.

    `originals` are the arcs, `versions` those of their versions, with the number of each, `nonce`, from 1. All
    originals stay, and all versions where there is one pattern only.
    """
    connection = duckdb.cursor()
    connection.register("versions", versions)
    connection.register("originals", originals)
    return answer(connection, _BALANCED, params={"nonce": nonce})
