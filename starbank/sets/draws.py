"""Which matches are judged where a construction has a limit: no more than it takes to make so many items.

Matches are drawn in the order in which `merge` takes items, so that what has not been judged stands behind all that it
keeps.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from starbank.queries.constructions import Construction
from starbank.suites import Suite
from starbank.suites.select import DRAWN, beyond
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import table_of

# So many matches are judged at first for an item that is wanted, and so many times more where these are not enough.
FOR_ITEM, _MORE = 3, 4
# The last few of a kind are judged with the others.
_NEARLY = 1.5
# What a construction may be balanced by and is there before a match is judged.
_FORESEEN = frozenset({"language", "treebank", "split", "condition"})

_KIND = "concat_ws(chr(31), if(by_split, split, ''), if(by_condition, {condition}, ''))"

# The matches of each kind that may give an item, in order.
_DRAWS = f"""
    create temp table draws as
    with matches as (
        select row, construction, {DRAWN.format(seed="seed", treebank="$treebank", id="id")} as draw,
            {_KIND.format(condition="cell.name")} as kind
        from (select distinct row, name from cells where place = 0) as cell join words using (row)
            join limits using (construction)
        where words.first
    )
    select row, construction, kind, row_number() over (partition by construction, kind order by draw, row) as place,
        count(*) over (partition by construction, kind) as matches
    from matches
"""
_UNJUDGED = f"""
    create temp table unjudged as
    select draws.*, detail from draws join limits using (construction)
    where place > $times * wanted::double and matches > {_NEARLY} * $times * wanted
"""

_UNFILLED = f"""
    select distinct limits.construction
    from unjudged join limits using (construction) left join (
        select name, {_KIND.format(condition="conditions[1].name")} as kind, count(distinct item_id) as items
        from items join limits on limits.name = items.construction group by all
    ) as made using (name, kind)
    where coalesce(items, 0) < wanted
"""


def draw_matches(
    connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], treebank: Treebank, turn: int
) -> None:
    """Make the table `unjudged` of matches (`row`) that are not judged at this turn (from 0), and why (`detail`).

    Where a construction is balanced by what is known only of items, or has no limit, all matches are judged.
    """
    limits = [
        (
            *(number, construction.name, str(construction.seed or 0), construction.limit),
            *(name in construction.balance for name in ("split", "condition")),
            beyond(construction.limit, construction.balance),
        )
        for number, construction in enumerate(constructions)
        if construction.limit and _FORESEEN.issuperset(construction.balance)
    ]
    columns = {"construction": int, "name": str, "seed": str, "wanted": int}
    table = table_of(limits, **columns, by_split=bool, by_condition=bool, detail=str)
    connection.register("limits", table)
    connection.execute(_DRAWS, {"treebank": treebank.name})
    connection.execute(_UNJUDGED, {"times": FOR_ITEM * _MORE**turn})


def unfilled(connection: duckdb.DuckDBPyConnection, suites: Sequence[Suite]) -> set[int]:
    """Return the numbers of the constructions of which another turn may give more items that are wanted."""
    connection.register("items", pa.concat_tables([suite.items for suite in suites]))
    return {number for (number,) in connection.execute(_UNFILLED).fetchall()}
