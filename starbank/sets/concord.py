"""The words in concord with the targets of matches, which change along with them."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from starbank.guards.thresholds import ENOUGH_CASES, MOSTLY
from starbank.queries.constructions import Construction
from starbank.sets.covariates import CONCORD
from starbank.treebanks.arrays import answer
from starbank.treebanks.features import NOMINALS, VALUE, plain

# Words that are said to be in a case need not agree in it: Hungarian adjectives are all nominatives, as nouns before
# postpositions are. Where the noun has another value than most such words, those that agree have it, too.
_UNCHANGING = f"""
    with pairs as (
        select word.upos, {{value}} as value, {{ruler}} as ruler, count(*) as count
        from corpus as word join corpus as noun on noun.node = word.head
        where word.relation in ('amod', 'det', 'nummod', 'acl') and noun.upos in {NOMINALS}
        group by all
    ),
    rated as (
        select *, arg_max(value, (total, value)) over (partition by upos) as usual
        from (
            select *, sum(count) over (partition by upos, value) as total from pairs where value <> '' and ruler <> ''
        )
    )
    select upos from rated where ruler <> usual
    group by upos
    having sum(count) >= {ENOUGH_CASES}
        and coalesce(sum(count) filter (list_has_any(split(value, ','), split(ruler, ','))), 0) < {MOSTLY} * sum(count)
"""

_CHANGING = """
    select in_concord.* from in_concord join corpus on corpus.node = in_concord.token
    where coalesce(corpus.upos, '') not in ({unchanging})
        -- What has an adposition of its own has the case of that: Greek για έναν κόσμο χωρίς πυρηνικά.
        and corpus.node not in (select head from corpus where relation = 'case' and head is not null)
    order by row, token
"""


def words_in_concord(
    connection: duckdb.DuckDBPyConnection, construction: Construction, rows: pa.Table, matches: pa.Table
) -> pa.Table:
    """Return the words that change along with the targets, a `token` of a `row` and a `construction` each.

    `rows` has the numbers of the matches; the connection has `corpus`. Parts of speech that the treebank shows not to
    agree in what varies stay as they are, and words that have an adposition.
    """
    words = matches[CONCORD].combine_chunks()
    listed = rows.take(pc.list_parent_indices(words)).append_column("token", pc.list_flatten(words))
    connection.register("in_concord", listed)
    for name in sorted(set(map(plain, construction.features))):
        value, ruler = (VALUE.format(name=name, feats=f"{word}.feats") for word in ("word", "noun"))
        unchanging = _UNCHANGING.format(value=value, ruler=ruler)
        connection.register("in_concord", answer(connection, _CHANGING.format(unchanging=unchanging)))
    return answer(connection, "from in_concord")
