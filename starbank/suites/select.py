"""The parts of a suite, one per treebank -> the suite: each item once, no more items than wanted."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from starbank.suites.schemas import ITEMS, REJECTED, Suite

# A sentence that stands in two treebanks, or a word that two matches bind, gives the same item again.
_RANKED = """
    create temp table ranked as
    with numbered as (select *, row_number() over () as row from items),
    copies as (
        select *, row_number() over same as copy,
            first_value(concat(treebank, ' ', sent_id, ', word ', target.id)) over same as first
        from numbered
        window same as (partition by item_id order by row)
    )
    select *,
        row_number() over (partition by {groups} order by copy > 1, sha256($seed || ':' || item_id)) as rank
    from copies
"""

_MERGED = "select {columns} from ranked where copy = 1 and ($limit is null or rank <= $limit) order by row"

_SURPLUS = """
    select construction, language, treebank, split, sent_id, target.id as target_id, conditions[1].form as form,
        target.lemma as lemma, target.feats as feats,
        if(copy > 1, 'duplicate item', 'beyond the limit') as reason,
        if(copy > 1, 'the same as ' || first, 'the construction wants ' || $limit || ' items' || {of_a_kind}) as detail,
        array_to_string(conditions[1].regions, '') as text
    from ranked where copy > 1 or rank > $limit
    order by row
"""

# What items may be balanced by: columns, and the condition that is grammatical.
BALANCE = {
    **{name: name for name in ("language", "treebank", "split", "distance", "tree_distance", "attractors")},
    "condition": "conditions[1].name",
}


def merge(parts: Sequence[Suite], limit: int | None = None, seed: int = 0, balance: Sequence[str] = ()) -> Suite:
    """Return one suite of all parts, in their order; items that occur again, or exceed `limit`, are rejected.

    The limit holds for each group of items that are equal in what `balance` names: keys of `BALANCE`, or named
    covariates. Which items stay is drawn at random from `seed` and the items' content alone.
    """
    connection = duckdb.cursor()
    connection.register("items", pa.concat_tables([part.items for part in parts]))
    groups = ", ".join(BALANCE.get(name) or _named(name) for name in balance) or "true"
    connection.execute(_RANKED.format(groups=groups), {"seed": str(seed)})
    columns = ", ".join(ITEMS.names)
    items = connection.sql(_MERGED.format(columns=columns), params={"limit": limit}).to_arrow_table().cast(ITEMS)
    of_a_kind = f"' of a kind ({', '.join(balance)})'".replace("\n", " ") if balance else "''"
    surplus = (
        connection.sql(_SURPLUS.format(of_a_kind=of_a_kind), params={"limit": limit}).to_arrow_table().cast(REJECTED)
    )
    return Suite(items, pa.concat_tables([*(part.rejected for part in parts), surplus]))


def _named(covariate: str) -> str:
    """Return the SQL for the value of a named covariate."""
    name = covariate.replace("'", "''")
    return f"list_filter(covariates, lambda c: c.name = '{name}')[1].value"
