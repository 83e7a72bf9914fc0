"""Items of mined arcs: which of them stay, and their covariates."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa

from starbank.guards.arcs import FORM_GUARDS
from starbank.guards.registry import find_problems
from starbank.morphology.casing import define_small
from starbank.morphology.sandhi import Sandhi
from starbank.sets import COVARIATES
from starbank.suites import ITEMS, REJECTED, Suite
from starbank.treebanks.arrays import answer, integers, mask, table_of, truths

# A number that names an original and its nonce versions while they are made.
ORIGINAL = "% original"

# The nodes of an arc, by their places.
CUE, TARGET = "CUE", "TARGET"

_NO_WORDS = table_of([], form=str, count=int)

_FITTING = """
    create temp table fitting as
    select written.row, written.form, grammatical, sound, not $listed or words.form is not null as listed,
        coalesce(if($listed, words.count, form_count), 0) as often
    from written join spoken using (place) left join vocabulary as words on words.form = written.form
"""

# Each form, with its place among all, and the word before it, as any of those that alternate.
_MADE = """
    create temp table written as
    select row_number() over (order by row, grammatical desc, form) as place, *,
        regexp_extract(rtrim(array_to_string(regions[:list_position(regions, form) - 1], '')), '\\S*$') as previous
    from (select row, unnest(conditions, recursive := true) from items)
"""

_BEFORE = """
    select place, previous as form, lemma, upos, cell as feats, null::varchar as previous,
        null::varchar as previous_upos, written.form as following, null::varchar as following_upos
    from written join (select distinct form, lemma, upos, cell from members) as member on member.form = small(previous)
    order by place, lemma, upos, cell
"""

_FIT = """
    select items.* exclude (row) replace (list_append(
            covariates, {'name': 'more frequent form', 'value': (good > bad)::bigint}
        ) as covariates)
    from items
        join (
            select row, max(often) filter (grammatical) as good, max(often) filter (not grammatical) as bad
            from fitting group by row
        ) using (row)
    where row not in (select row from problems)
    order by row
"""

_REJECTED = """
    select construction, language, treebank, split, sent_id, target.id as target_id, conditions[1].form as form,
        target.lemma as lemma, target.feats as feats, reason, detail,
        array_to_string(conditions[1].regions, '') as text
    from items join problems using (row) order by row
"""

_VALUE = "list_filter(covariates, lambda c: c.name = '{name}')[1].value"


def fit(items: pa.Table, sandhi: Sandhi, vocabulary: pa.Table | None) -> Suite:
    """Return the items whose forms are fit to be compared, and the rejected rows of the others.

    The forms of an item begin alike where a word before them minds, and are in the `vocabulary` (`form`, `count`) if
    there is one. The covariate `more frequent form` tells whether the grammatical form is more frequent than the
    starred ones, in the vocabulary or else in the treebanks.
    """
    connection = duckdb.cursor()
    define_small(connection, sandhi.language)
    connection.register("made", items)
    connection.register("vocabulary", _NO_WORDS if vocabulary is None else vocabulary)
    connection.execute("create temp table items as select *, row_number() over () as row from made")
    connection.execute(_MADE)
    connection.register("spoken", _spoken(connection, sandhi))
    connection.execute(_FITTING, {"listed": vocabulary is not None})
    connection.register("problems", find_problems(connection, FORM_GUARDS))
    fitting = answer(connection, _FIT).cast(ITEMS)
    return Suite(fitting, answer(connection, _REJECTED).cast(REJECTED))


def _spoken(connection: duckdb.DuckDBPyConnection, sandhi: Sandhi) -> pa.Table:
    """Return by `place` whether the word before a form does not fit there: its `sound`."""
    connection.register("members", sandhi.members)
    before = answer(connection, _BEFORE)
    fits = sandhi.fits(before)
    unfit = truths(mask(fits.is_valid()) & ~mask(fits))
    connection.register("heard", before.select(["place"]).append_column("unfit", unfit))
    return answer(
        connection,
        """
        select place, coalesce(bool_and(unfit), false) as sound
        from written left join heard using (place) group by place
        """,
    )


def originals(items: pa.Table) -> pa.Array:
    """Return the numbers of the originals of items, int64."""
    connection = duckdb.cursor()
    connection.register("items", items)
    return answer(connection, f"select {_VALUE.format(name=ORIGINAL)} as value from items")["value"]


def in_order(items: pa.Table) -> pa.Table:
    """Return the items, each original before its versions, without the numbers of the originals."""
    connection = duckdb.cursor()
    connection.register("items", items)
    ordered = connection.sql(
        f"""
        select * replace (list_filter(covariates, lambda c: c.name <> '{ORIGINAL}') as covariates)
        from items order by {_VALUE.format(name=ORIGINAL)}, {_VALUE.format(name="nonce")}
        """
    )
    return ordered.to_arrow_table().cast(ITEMS)


def to_matches(arcs: pa.Table) -> pa.Table:
    """Return arcs as matches: `sent`, the nodes `CUE` and `TARGET`, and `COVARIATES`, with what is known of the arcs.

    Each arc has the number of its version, `nonce`, 0 for an original, and how many words of the sentence are
    `replaced`.
    """
    connection = duckdb.cursor()
    connection.register("arcs", arcs)
    return answer(
        connection,
        f"""
        select sent, cue as "{CUE}", target as "{TARGET}", "{COVARIATES}" || [
            {{'name': 'pattern ' || pattern || ' ' || direction, 'value': 1::bigint}},
            {{'name': 'attractors like the cue', 'value': rivals}},
            {{'name': 'nonce', 'value': nonce}},
            {{'name': 'replaced', 'value': replaced}},
            {{'name': '{ORIGINAL}', 'value': row}}
        ] as "{COVARIATES}"
        from arcs order by row, nonce
        """,
    )


def original(arcs: pa.Table) -> pa.Table:
    """Return arcs as they are in the treebank, as a version that has no other words."""
    none = integers(np.zeros(len(arcs), dtype=np.int64))
    return arcs.append_column("nonce", none).append_column("replaced", none)
