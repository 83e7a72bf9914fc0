"""How words are made of their lemmas, up to vowels and the consonants where they meet: Turkish *-i* and *-ini*.

Some features leave it open: Turkish nouns with the ending of an owner that FEATS does not tell, German adjectives with
and without an article. That shows where lemmas have several shapes, and where a shape is rare that is usual with more.
"""

from __future__ import annotations

import duckdb

from starbank.morphology.letters import find_vowels

# A cell has words of several kinds if so many lemmas have several shapes in it, and two words of a lemma differ by such
# a chance.
_LEMMAS, _DIFFER = 5, 0.1
# A shape is out of place that no larger share of the words of a cell have, if it is the shape of more than half of
# those (so many) that have these features and more.
_RARE, _USUAL, _FEWEST = 0.2, 0.5, 10

# Enough to tell vowels, and without long names of pages.
_BEGINNINGS = """
    select distinct lower(lemma)[:8] as beginning from counted where lemma <> '_' and upos in ('NOUN', 'VERB', 'ADJ')
"""

_SHAPES = """
    create temp table shapes as
    with made as (
        select upos, form, feats, lemma, sum(number)::bigint as number, lower(form) as small, lower(lemma) as plain
        from counted where upos in ('NOUN', 'PROPN', 'ADJ', 'VERB') and lemma <> '_' and feats <> ''
        group by upos, form, feats, lemma
    ),
    ended as (
        select *, case
            when starts_with(small, plain) then small[length(plain) + 1 :]
            -- A vowel that is another before endings: Hungarian -a, -á-.
            when starts_with(small, plain[: -2]) and regexp_matches(plain[-1], $vowels)
                and regexp_matches(small[length(plain)], $vowels) then small[length(plain) + 1 :]
            when starts_with(small, plain[: -2]) then small[length(plain) :]
            when length(plain) > 3 and starts_with(small, plain[: -3]) then small[length(plain) - 1 :]
            else '?' end as ending
        from made
    )
    select upos, form, feats, lemma, number,
        regexp_replace(regexp_replace(ending, $vowels || '+', '•', 'g'), '^[^•?]+', '') as shape
    from ended
"""

_KINDS = f"""
    create temp table of_kinds as
    with lemmas as (
        select upos, feats, lemma, sum(number) as words, sum(number * number) as alike, count(*) as shapes
        from (select upos, feats, lemma, shape, sum(number) as number from shapes group by all) group by all
    )
    select upos, feats from lemmas where words > 1 group by upos, feats
    having count(*) filter (shapes > 1) >= {_LEMMAS}
        and sum(words * words - alike) >= {_DIFFER} * sum(words * (words - 1));
    create temp table out_of_place as
    with shares as (
        select upos, feats, shape, sum(number) / sum(sum(number)) over (partition by upos, feats) as share,
            sum(number) as number, split(feats, '|') as listed
        from shapes group by upos, feats, shape
    )
    select distinct rare.upos, rare.feats, rare.shape
    from shares as rare join shares as usual using (upos, shape)
    where rare.shape <> '?' and rare.share <= {_RARE} and usual.share > {_USUAL} and usual.number >= {_FEWEST}
        and len(usual.listed) > len(rare.listed) and list_has_all(usual.listed, rare.listed);
    create temp table shaped as
    select upos, form, feats, any_value(shape) filter (of_kinds.upos is not null) as of_kind,
        any_value(shape) filter (out_of_place.upos is not null) as strange
    from shapes left join of_kinds using (upos, feats) left join out_of_place using (upos, feats, shape)
    where of_kinds.upos is not null or out_of_place.upos is not null
    group by upos, form, feats
"""


def find_shapes(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table `shaped` of forms (`upos`, `form`, `feats`) whose features leave open how they are made.

    `of_kind` is the shape of a form where words of its features are of several kinds, `strange` that of a form that
    looks as if it had more features.
    """
    beginnings = connection.sql(_BEGINNINGS).to_arrow_table()["beginning"]
    vowels = {letter for letter in find_vowels(beginnings.to_pylist()) if letter.isalpha() or not letter.isascii()}
    connection.execute(_SHAPES, {"vowels": f"[•{''.join(sorted(vowels))}]"})
    connection.execute(_KINDS)
