"""Gender control: nouns that change gender from one variant of a sentence to the next, with all that agrees."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
import numpy as np
import pyarrow as pa

from starbank.transforms.agreement import find_agreement
from starbank.transforms.pools import ContentWords
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, numbers, texts, truths

# The four variants of Vyākarana (Patil et al. 2021), and the gender that each takes away.
MODES = {"original": (), "opposite": ("Masc", "Fem"), "masculine": ("Fem",), "feminine": ("Masc",)}
SUFFIXES = {"original": "org", "opposite": "opp", "masculine": "masc", "feminine": "fem"}

_NOUNS = """
    create temp table nouns as
    select noun.row, noun.upos, noun.gender, coalesce(
        content.reason, tied.reason,
        if(unformed.row is not null, 'no form of a word that agrees with it', null),
        if(content.other, null, 'no noun of the other gender like it')
    ) as reason
    from gendered as noun
        left join content using (row)
        left join (select row, min(reason) as reason from tied group by row) as tied using (row)
        left join (
            select distinct controller as row from agrees join inflected on inflected.row = agrees.row
            where inflected.form is null
        ) as unformed using (row)
    where noun.noun and noun.gender in ('Masc', 'Fem')
    order by row
"""

# The words that change in a variant that takes some genders away: nouns, whose place another takes, and what agrees
# with them, in its other form.
_CHANGED = """
    with changed as (select row from nouns where reason is null and list_contains($taken, gender))
    select row, null::varchar as form, case gender when 'Masc' then replace(feats, 'Gender=Masc', 'Gender=Fem')
        else replace(feats, 'Gender=Fem', 'Gender=Masc') end as feats
    from changed join gendered using (row)
    union all
    select inflected.row, form, inflected.feats
    from inflected where row in (select agrees.row from agrees join changed on changed.row = agrees.controller)
    order by 1
"""

_GENDERS = """
    select nouns.row, upos, gender as before, reason,
        if(reason is null and list_contains($taken, gender), if(gender = 'Masc', 'Fem', 'Masc'), gender) as after
    from nouns order by row
"""


@dataclass(frozen=True)
class Exchange:
    """What changes gender in one variant: `row` (int64), its `form` (null for a noun, which is drawn), its `feats`."""

    row: np.ndarray
    form: pa.StringArray
    feats: pa.StringArray
    nouns: pa.Table


def find_exchanges(
    connection: duckdb.DuckDBPyConnection, treebank: Treebank, words: ContentWords, modes: list[str]
) -> list[Exchange]:
    """Return what changes in each of some `MODES`; `nouns` tells of each noun its gender before and after.

    A noun changes where a noun of the other gender fits into its place and all that agrees with it has a form.
    """
    find_agreement(connection, treebank)
    content = {"row": integers(words.row), "reason": words.reason, "other": truths(words.has_other)}
    connection.register("content", pa.table(content))
    connection.execute(_NOUNS)
    exchanges = []
    for mode in modes:
        taken = {"taken": list(MODES[mode])}
        changed = connection.sql(_CHANGED, params=taken).to_arrow_table().combine_chunks()
        nouns = connection.sql(_GENDERS, params=taken).to_arrow_table()
        column = {name: changed[name].combine_chunks() for name in changed.column_names}
        exchanges.append(Exchange(numbers(column["row"]), column["form"], column["feats"], nouns))
    return exchanges


def balance(exchanges: list[Exchange], modes: list[str]) -> tuple[pa.Table, tuple[str, ...]]:
    """Return the table `genders/1` of docs/formats.md and lines that sum it up."""
    connection = duckdb.connect()
    tables = [
        exchange.nouns.append_column("mode", texts([mode] * len(exchange.nouns)))
        for mode, exchange in zip(modes, exchanges, strict=True)
    ]
    connection.register("genders", pa.concat_tables(tables))
    connection.register("modes", pa.table({"mode": texts(modes), "place": integers(np.arange(len(modes)))}))
    table = connection.sql("""
        select mode, upos, before, after, reason, count(*) as count
        from genders join modes using (mode) group by mode, upos, before, after, reason, place
        order by place, upos, before, after, reason nulls first
    """).to_arrow_table()
    lines = connection.sql("""
        select printf('nouns, %-9s %6d masculine, %6d feminine (%.1f %%)', mode,
            count(*) filter (after = 'Masc'), count(*) filter (after = 'Fem'), 100 * avg((after = 'Fem')::int))
        from genders join modes using (mode) group by mode, place order by place
    """).fetchall()
    reasons = connection.sql("""
        select printf('keeps its gender: %6d %s', count(*), reason)
        from genders join modes using (mode) where reason is not null and place = 0
        group by reason order by count(*) desc, reason
    """).fetchall()
    return table, tuple(line for (line,) in [*lines, *reasons])
