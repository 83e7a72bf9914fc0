"""What forms of one cell have in place of others of it, or beyond these: endings, particles, articles, mutations."""

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
# Endings that nouns have for one another in one cell, where that is more than a slip of annotation.
_ALTERNATIONS = """
    create temp table if not exists alternations as
    with forms as (
        select distinct lemma, upos, feats, "use", small as form from lexicon
        where source = 'treebank' and upos in ('NOUN', 'PROPN')
    ),
    cut as (
        select *, left(form, -length) as stem, right(form, length) as ending
        from forms cross join unnest(range(1, $longest + 1)) as lengths(length) where length(form) > length + 1
    ),
    pairs as (
        select distinct upos, feats, cut.ending, other.ending as alternant, lemma
        from cut join cut as other using (lemma, upos, feats, stem)
        where cut."use" is not distinct from other."use" and left(cut.ending, 1) <> left(other.ending, 1)
    )
    select upos, feats, ending, alternant
    from pairs
        join (select upos, feats, ending, count(distinct lemma) as all_lemmas from cut group by all)
            using (upos, feats, ending)
    group by all having count(*) >= $lemmas and count(*) > $slips * any_value(all_lemmas)
"""
_ALTERNANTS = """
    select distinct asked.form, asked.lemma, asked.upos, entry.feats, entry."use"
    from asked join alternations as step on step.upos = asked.upos and ends_with(small(asked.form), alternant)
        join lexicon as entry on entry.lemma = asked.lemma and entry.upos = asked.upos and entry.feats = step.feats
            and entry.source = 'treebank'
            and entry.small = left(small(asked.form), -length(alternant)) || ending
    order by all
"""
_LONGEST = 2
_SLIPS = 0.05
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


def alternants(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return the cells of which nouns' forms may be variants: columns `form`, `lemma`, `upos`, `feats`, `use`.

    The forms are those of the table `asked` (`form`, `lemma`, `upos`). Where nouns have two endings in one cell, as
    Urdu علاقہ and علاقے, others that are seen with the one may have the other.
    """
    about = {"longest": _LONGEST, "lemmas": _FEWEST_LEMMAS, "slips": _SLIPS}
    connection.execute(_ALTERNATIONS, about)
    return answer(connection, _ALTERNANTS)
