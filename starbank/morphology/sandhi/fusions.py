"""Which words that meet are written as one: German zu dem, zum; Spanish de el, del."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from starbank.morphology.sandhi.pairs import CLOSED
from starbank.morphology.words import covering
from starbank.treebanks.arrays import take, whole

FUSED = """
    create table fused (
        first varchar, first_upos varchar, second varchar, second_upos varchar, surface varchar, number bigint
    )
"""

ADD_FUSED = """
    insert into fused
    select {first}, first_upos, {second}, second_upos, {surface}, count(*) from multiword group by all
"""

# `places` tells how often they met.
FUSIONS = """
    with met as (
        select form as first, upos as first_upos, {neighbour} as second, following_upos as second_upos,
            count(*) as adjacent
        from places group by all
    )
    select first, first_upos, second, second_upos, arg_max(surface, (number, surface)) as surface,
        sum(number)::bigint as fused, greatest(any_value(adjacent), sum(number)::bigint) as adjacent
    from (select * replace (sum(number) as number) from fused group by all)
        left join met using (first, first_upos, second, second_upos)
    group by first, first_upos, second, second_upos
    order by fused desc, first, first_upos, second, second_upos
"""

# How often function words were written as one with another word that they met, and with any word of a part of speech.
MEETINGS = f"""
    with met as (
        select form as first, upos as first_upos, {{neighbour}} as second, following_upos as second_upos,
            count(*) as adjacent
        from places where upos in {CLOSED} or following_upos in {CLOSED} group by all
    ),
    counted as (
        select met.*, coalesce(number, 0) as fused
        from met left join (select * exclude (surface, number), sum(number) as number from fused group by all)
            using (first, first_upos, second, second_upos)
    )
    select first, first_upos, second, second_upos, sum(fused)::bigint as fused, sum(adjacent)::bigint as adjacent
    from counted
    group by grouping sets ((first, first_upos, second, second_upos), (first, first_upos, second_upos),
        (first_upos, second, second_upos))
    having (first is null or first_upos in {CLOSED}) and (second is null or second_upos in {CLOSED})
    order by all
"""


def multiword_tokens(tokens: pa.Table) -> pa.Table:
    """Return the multiword tokens of two words: `first`, `second`, `surface` (forms), `first_upos`, `second_upos`."""
    cover = covering(tokens)
    size = np.bincount(cover[cover >= 0], minlength=len(cover))
    row = np.flatnonzero((cover >= 0) & (size[cover] == 2))[::2]
    # Of two words the second follows the first, or an empty node between them.
    other = np.flatnonzero((cover >= 0) & (size[cover] == 2))[1::2]
    form, upos = whole(tokens["form"]), whole(tokens["upos"])
    return pa.table(
        {
            "first": take(form, row),
            "first_upos": take(upos, row),
            "second": take(form, other),
            "second_upos": take(upos, other),
            "surface": take(form, cover[row]),
        }
    )
