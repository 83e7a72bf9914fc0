"""The parts of a suite, one per treebank -> the suite: each item once, no more items than wanted."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from starbank.suites.schemas import REJECTED, Suite

# Why a match is rejected that gives an item, or would give one, where a construction has enough of them.
BEYOND = "beyond the limit"
# The order in which a limit draws, by where an item's target stands: it is there before there is an item.
DRAWN = "md5_number_lower(concat_ws(chr(31), {seed}, {treebank}, sent_id, {id}))"

# A sentence that stands in two treebanks, or a word that two matches bind, gives the same item again.
# Of items no more goes through here than tells which they are: their sentences are looked up by row.
_RANKED = """
    with numbered as (
        select item_id, concat(treebank, ' ', sent_id, ', word ', target.id) as word, {groups} as kind,
            {drawn} as draw, row_number() over () - 1 as row
        from items
    ),
    copies as (
        select item_id, kind, row, row_number() over same as copy, first_value(word) over same as first,
            min(draw) over (partition by item_id) as draw
        from numbered
        window same as (partition by item_id order by row)
    ),
    ranked as (
        select row, copy = 1 as single, first,
            row_number() over (partition by kind order by copy > 1, draw, sha256($seed || ':' || item_id)) as rank
        from copies
    )
    select row, single, first, single and coalesce(rank <= $limit::bigint, true) as stays from ranked order by row
"""

_SURPLUS = f"""
    select construction, language, treebank, split, sent_id, target.id as target_id, conditions[1].form as form,
        target.lemma as lemma, target.feats as feats,
        if(single, '{BEYOND}', 'duplicate item') as reason,
        if(single, $beyond, 'the same as ' || first) as detail,
        array_to_string(conditions[1].regions, '') as text
    from surplus
    order by row
"""

_WITH_LIMIT = "select * replace (if(reason = $beyond, $detail, detail) as detail) from rejected"

# What items may be balanced by: columns, and the condition that is grammatical.
BALANCE = {
    **{name: name for name in ("language", "treebank", "split", "distance", "tree_distance", "attractors")},
    "condition": "conditions[1].name",
}


def merge(parts: Sequence[Suite], limit: int | None = None, seed: int = 0, balance: Sequence[str] = ()) -> Suite:
    """Return one suite of all parts, in their order; items that occur again, or exceed `limit`, are rejected.

    The limit holds for each group of items that are equal in what `balance` names: keys of `BALANCE`, or named
    covariates. Which items stay is drawn at random, from `seed` and from where in its treebank an item is made.
    """
    items = pa.concat_tables([part.items for part in parts])
    connection = duckdb.cursor()
    connection.register("items", items)
    drawn = DRAWN.format(seed="$seed", treebank="treebank", id="target.id")
    query = _RANKED.format(groups=_kind(balance), drawn=drawn)
    ranked = connection.sql(query, params={"seed": str(seed), "limit": limit})
    places = ranked.to_arrow_table()
    stays = places["stays"]
    rejected = [part.rejected for part in parts]
    if not pc.all(stays).as_py():
        goes = pc.invert(stays)
        surplus = items.filter(goes)
        for name in ("row", "single", "first"):
            surplus = surplus.append_column(name, places[name].filter(goes))
        connection.register("surplus", surplus)
        rows = connection.sql(_SURPLUS, params={"beyond": beyond(limit, balance)}).to_arrow_table()
        rejected.append(rows.cast(REJECTED))
    return Suite(items.filter(stays).combine_chunks(), pa.concat_tables(rejected))


def is_filled(parts: Sequence[Suite], limit: int, balance: Sequence[str] = ()) -> bool:
    """Tell whether there are items, and of each kind of them as many distinct ones as `limit` lets `merge` keep."""
    connection = duckdb.cursor()
    connection.register("items", pa.concat_tables([part.items for part in parts]))
    counts = f"select count(distinct item_id) as number from items group by {_kind(balance)}"
    return bool(connection.sql(f"select min(number) >= {limit} from ({counts})").fetchall()[0][0])


def beyond(limit: int | None, balance: Sequence[str]) -> str:
    """Return why an item is `BEYOND` a limit, in words."""
    of_a_kind = f" of a kind ({', '.join(balance)})" if balance else ""
    return f"the construction wants {limit} items{of_a_kind}"


def with_limit(rejected: pa.Table, limit: int | None, balance: Sequence[str]) -> pa.Table:
    """Return rejected rows; those that are `BEYOND` a limit say which one."""
    connection = duckdb.cursor()
    connection.register("rejected", rejected)
    params = {"beyond": BEYOND, "detail": beyond(limit, balance)}
    # Arrow would import pandas for the sake of two texts.
    return connection.sql(_WITH_LIMIT, params=params).to_arrow_table().cast(REJECTED)


def _kind(balance: Sequence[str]) -> str:
    """Return the SQL for the kind of an item."""
    groups = ", ".join(BALANCE.get(name) or _named(name) for name in balance)
    return f"row({groups})" if groups else "true"


def _named(covariate: str) -> str:
    """Return the SQL for the value of a named covariate."""
    name = covariate.replace("'", "''")
    return f"list_filter(covariates, lambda c: c.name = '{name}')[1].value"
