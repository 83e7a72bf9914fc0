"""Cells of nouns that look alike in most lemmas, such as the German nominative and accusative plural."""

from __future__ import annotations

import duckdb

# So many lemmas tell of two cells, and in so many of them they are to have one form.
_LEMMAS, _MOSTLY = 3, 0.5

_MERGED = """
    with seen as (
        select distinct lemma, upos, feats, small(form) as form from lexicon
        where source = 'treebank' and upos = 'NOUN' and "use" is null
    ),
    pairs as (
        select one.upos, one.lemma, one.feats as one, other.feats as other, bool_or(one.form = other.form) as same
        from seen as one join seen as other using (lemma, upos) where one.feats <> other.feats group by all
    )
    select upos, one, other from pairs group by all having count(*) >= $lemmas and avg(same::int) >= $mostly
"""


def merged_cells(connection: duckdb.DuckDBPyConnection) -> frozenset[tuple[str, str, str]]:
    """Return the cells, as UPOS and features twice, that have one form in most of the lemmas that show both."""
    return frozenset(connection.execute(_MERGED, {"lemmas": _LEMMAS, "mostly": _MOSTLY}).fetchall())
