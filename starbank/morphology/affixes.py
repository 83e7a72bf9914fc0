"""What forms of one cell have more than others of it: particles at the end, articles and mutations at the beginning."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.treebanks.arrays import answer

# What is much longer than the rest is another word.
_LONGER = """
    lexicon as longer join lexicon as plain using (lemma, upos, feats)
    where longer.source = 'treebank' and plain.source = 'treebank' and longer."use" is not distinct from plain."use"
        and length(longer.form) <= 2 * length(plain.form)
"""
_ENDINGS = f"""
    with endings as (
        select distinct longer.upos, longer.feats, lower(longer.form[length(plain.form) + 1 :]) as ending
        from {_LONGER} and starts_with(lower(longer.form), lower(plain.form))
            and length(longer.form) >= length(plain.form) + 2
    )
    select *, count(*) over (partition by upos, ending) >= $cells as clitic from endings
"""
# One letter is enough, since few languages inflect there, and few words come by chance.
_BEGINNINGS = f"""
    select longer.upos, small(longer.form[: length(longer.form) - length(plain.form)]) as beginning
    from {_LONGER} and ends_with(small(longer.form), small(plain.form)) and length(longer.form) > length(plain.form)
    group by all having count(distinct lemma) >= $lemmas
"""
_FEWEST_LEMMAS = 3
_FEWEST_CELLS = 3


def optional_endings(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return the endings beyond other forms of their cell: columns `upos`, `feats`, `ending`, `clitic`.

    Finnish has on, onko. An ending that a part of speech has in three cells is a `clitic`, and no part of these.
    """
    return answer(connection, _ENDINGS, params={"cells": _FEWEST_CELLS})


def optional_beginnings(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return what three lemmas have before forms of their cell: columns `upos`, `beginning`; Irish saol, tsaol."""
    return answer(connection, _BEGINNINGS, params={"lemmas": _FEWEST_LEMMAS})
