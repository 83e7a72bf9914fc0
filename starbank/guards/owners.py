"""Guards about owners: the starred modifier may be one, a noun that belongs to its neighbour.

They read `own_genitives`, the lemmas whose genitives any noun may have beside it, the `sides` of a noun on which it has
them, and `alone`, the lemmas of determiners that may do without a noun; `adjective_owners`, the sides on which such
owners are adjectives, too, with their `case` and `number`; and `unowned`, the signs of nouns that have no such owner.
"""

from __future__ import annotations

import duckdb

from starbank.guards.registry import Guard
from starbank.guards.thresholds import CERTAIN_CASES, RARER, SLIPS
from starbank.treebanks.features import CASE, NOMINALS, NUMBER

# How a noun begins and ends, and whether it has an article; what the text does not show is written with _ in treebanks:
# Hebrew ה_, the article inside a preposition.
_SIGNS = """
    unnest([
        left(small(noun.form), 2) || '-', '-' || right(small(noun.form), 2),
        if(noun.node in (
            select head from {table}
            where relation = 'det' and contains(feats, 'PronType=Art') and not contains(form, '_')
        ), 'article', '')
    ])
"""

GUARDS = (
    Guard(
        "genitive of its own",
        "A modifier may stand for a noun, which another may have beside it, in the genitive or bare: Estonian selle is "
        "of this, and also its.",
        f"""
        select compared.row, compared.name, compared.form || ' may belong to ' || noun.form
        from compared
            join bound on bound.row = compared.row and bound.node = compared.node
            join tokens as target on target.node = bound.token
            join tokens as noun on noun.node = target.head and noun.upos in {NOMINALS}
            join own_genitives on own_genitives.lemma = compared.lemma and precedes = (target.node < noun.node)
        where starred and compared.row in (select row from controllers) and (
            contains(compared.own, 'Case=Gen')
            or (small(compared.form), compared.lemma) in (
                select (small(form), lemma) from readings where contains(feats, 'Case=Gen')
            )
        )
        union all
        -- Pronouns may be owners where nouns hardly ever are: Greek σε άλλων χώρες, in others' countries.
        select distinct compared.row, compared.name, compared.form || ' may stand alone beside ' || noun.form
        from compared
            join bound on bound.row = compared.row and bound.node = compared.node
            join tokens as target on target.node = bound.token
            join tokens as noun on noun.node = target.head and noun.upos in {NOMINALS}
            join sides on sides."case" = 'Gen'
                and (
                    sides.precedes = (target.node < noun.node)
                    or not contains(compared.other, 'Case=Gen') and compared.row in (select row from controllers)
                )
        where starred and compared.upos = 'DET'
            and contains(compared.own, 'Case=Gen') and not contains(compared.own, 'PronType=Art')
            and compared.lemma in (from alone)
        union all
        select distinct compared.row, compared.name, compared.form || ' is also a noun, and may belong to ' || noun.form
        from compared join readings as reading on reading.form = compared.form
            join bound on bound.row = compared.row and bound.node = compared.node
            join tokens as target on target.node = bound.token
            join tokens as noun on noun.node = target.head and noun.upos in {NOMINALS}
            join sides
                on sides.precedes = (target.node < noun.node) and sides."case" = {CASE.format(feats="reading.feats")}
        where starred and compared.row in (select row from controllers) and compared.upos not in {NOMINALS}
            and reading.upos = 'NOUN'
            and {RARER} * reading.count > compared.count
        """,
        by_condition=True,
    ),
    Guard(
        "adjective as an owner",
        "An adjective may stand for a noun that its own noun belongs to, where adjectives do: Hebrew מנהג עתיקים, a "
        "custom of ancients.",
        f"""
        with adjectives as (
            select compared.row, compared.name, compared.form, noun.form as noun,
                {_SIGNS.format(table="tokens")} as sign
            from compared
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as target on target.node = bound.token
                join tokens as noun on noun.node = target.head and noun.upos = 'NOUN'
                join adjective_owners as owner on owner.precedes = (target.node < noun.node)
                    and owner."case" = {CASE.format(feats="own")} and owner.number = {NUMBER.format(feats="own")}
            where starred and compared.row in (select row from controllers) and compared.upos = 'ADJ'
        )
        select row, name, form || ' may be whose ' || min(noun) || ' it is'
        from adjectives group by row, name, form having not bool_or(sign in (from unowned))
        """,
        by_condition=True,
        upos=("ADJ",),
    ),
)

# Words whose genitives hang from nouns as genitives do, on one side of them, too often for slips of annotation.
_OWN_GENITIVES = f"""
    create or replace temp table own_genitives as
    with genitives as (
        select * from corpus
        where lemma in (select lemma from compared where starred) and contains(feats, 'Case=Gen')
    )
    select lemma, precedes
    from (
        select word.lemma, word.node < noun.node as precedes, count(*) as count
        from genitives as word join corpus as noun on noun.node = word.head
        where word.relation = 'nmod' and noun.upos in {NOMINALS}
        group by all
    )
        join (select lemma, count(*) as total from genitives group by lemma) using (lemma)
    where {RARER**2} * count >= total
"""

# Determiners that also stand alone, for somebody or something, too often for slips of annotation.
_ALONE = f"""
    create or replace temp table alone as
    select lemma from corpus
    where lemma in (select lemma from compared where starred and upos = 'DET')
    group by lemma
    having {RARER**2} * count(*) filter (relation in ('nsubj', 'obj', 'iobj', 'obl', 'nmod')) >= count(*)
"""

# Nouns whose owners stand beside them without an adposition.
_OWNED = f"""
    create or replace temp table owned as
    select word.node < noun.node as precedes, {CASE.format(feats="word.feats")} as "case",
        {NUMBER.format(feats="word.feats")} as number, word.form, word.lemma, word.upos, noun.node
    from corpus as word join corpus as noun on noun.node = word.head
    where word.upos in ('NOUN', 'ADJ') and noun.upos = 'NOUN' and word.relation in ('nmod', 'compound')
        and word.node not in (select head from corpus where relation = 'case')
"""

# The sides of a noun on which it has others beside it, in the genitive, or bare as in a Hebrew construct.
_SIDES = f"""
    create or replace temp table sides as
    select precedes, "case" from (
        select precedes, "case", count(*) as count from owned where upos = 'NOUN' group by all
    )
    where "case" in ('', 'Gen')
    qualify {RARER**2} * count >= sum(count) over (partition by "case")
        and ("case" = 'Gen' or count > {SLIPS} * (select count(*) from corpus where upos = 'NOUN'))
"""

# Of the owners on a side, in a case and a number, one in so many at least is an adjective, or has the form or the lemma
# of one: treebanks may call adjectives nouns where they stand for one.
_ADJECTIVES = f"""
    create or replace temp table adjective_owners as
    with adjectives as (select distinct small(form) as form, lemma from corpus where upos = 'ADJ')
    select precedes, "case", number
    from (
        select *,
            upos = 'ADJ' or small(form) in (select form from adjectives) or lemma in (select lemma from adjectives)
                as adjective
        from owned
    )
        semi join sides using (precedes, "case")
    group by all
    having count(*) filter (adjective) > 1 and {RARER**3} * count(*) filter (adjective) >= count(*)
"""

# The signs of nouns that hardly ever have one: a Hebrew noun in -im is in no construct, nor one with an article.
_UNOWNED = f"""
    create or replace temp table unowned as
    with nouns as (
        select noun.node in (select node from owned) as owned, {_SIGNS.format(table="corpus")} as sign
        from corpus as noun where upos = 'NOUN'
    )
    select sign from nouns where sign <> '' group by sign
    having count(*) >= {CERTAIN_CASES} and {RARER} * avg(owned::int) < (select avg(owned::int) from nouns)
"""


def find_owners(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables `own_genitives`, `alone`, `sides`, `adjective_owners` and `unowned`."""
    for query in (_OWN_GENITIVES, _ALONE, _OWNED, _SIDES, _ADJECTIVES, _UNOWNED):
        connection.execute(query)
