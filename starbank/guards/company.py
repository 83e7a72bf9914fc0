"""Guards about what else is in the phrase of a singular subject, and may make it plural.

They read, beside what `find_subjects` makes, what `find_company` does:

- `pairs`: what is coordinated in the phrase of a singular subject, before its noun, and may stand in its case;
- `companions`: who comes along with a singular subject, with the adposition that says so.
"""

from __future__ import annotations

import duckdb

from starbank.guards.registry import Guard
from starbank.languages import language_of
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import CASE, NOMINALS

GUARDS = (
    Guard(
        "coordination in the subject",
        "What is coordinated before the noun of a subject may be coordinated with it.",
        """
        select row, cells.name, pairs.form || ' and ' || subject || ' may be two'
        from pairs join cells using (row)
        where cells.starred and contains('|' || cells.feats || '|', '|Number=Plur|')
        """,
        by_condition=True,
    ),
    Guard(
        "company of the subject",
        "Whoever comes along may be one of several: Russian мать с сыном пошли, mother with son went.",
        """
        select row, cells.name, companions.form || ' ' || companion || ' comes along with ' || subject
        from companions join cells using (row)
        where cells.starred and contains('|' || cells.feats || '|', '|Number=Plur|')
        """,
        by_condition=True,
    ),
)

_PAIRS = f"""
    create temp table pairs as
    -- What each step of a recursion asks is looked up once.
    with recursive modifiers as materialized (
        select node, head from tokens
        where relation in ('nmod', 'amod', 'compound', 'flat', 'appos', 'nummod', 'det')
    ),
    below as (
        select row, node from subjects where number <> 'Plur'
        union
        select row, modifiers.node from below join modifiers on modifiers.head = below.node
    ),
    -- Before its noun the first of two may hang from the subject, and after it the second may stand beside it.
    members as (
        select subjects.row, subjects.form as subject, subjects."case", member.form, member.feats
        from below join subjects using (row)
            join tokens as first on first.node = below.node and first.upos in {NOMINALS}
            join tokens as second on second.head = first.node and second.deprel = 'conj'
            join tokens as link on link.head = second.node and link.deprel = 'cc'
            join tokens as member
                on member.node = if(second.position < subjects.position, first.node, second.node)
                and member.upos in {NOMINALS}
        where first.node <> subjects.node and (second.position > subjects.position or first.position < second.position)
            and member.node not in (select head from tokens where relation = 'case')
    )
    select distinct row, subject, form from members
    where {CASE.format(feats="members.feats")} in ('', members."case")
        or (small(form), members."case") in (
            select (small(form), {CASE.format(feats="feats")}) from corpus
            where upos in {NOMINALS} and contains(feats, 'Case=') and small(form) in (select small(form) from members)
        )
"""

# It stands beside the subject, or between that and the verb, perhaps below an adverb (together with). What comes from
# somewhere is in the genitive: Russian с крыши, off the roof.
_COMPANIONS = f"""
    create temp table companions as
    with phrases as (
        select adposition.form, companion.form as companion, if(above.upos = 'ADV', above.node, companion.node) as node
        from tokens as adposition join comitatives on comitatives.lemma = adposition.lemma
            join tokens as companion on companion.node = adposition.head
            join tokens as above on above.node = companion.head
        where adposition.relation = 'case' and {CASE.format(feats="companion.feats")} <> 'Gen'
    )
    select distinct subjects.row, subjects.form as subject, phrases.form, companion
    from phrases join tokens as phrase using (node)
        join tokens as above on above.node = phrase.head
        join subjects on subjects.sent = phrase.sent and (
            subjects.node = above.node
            or subjects.clause in (above.node, if(above.relation = 'xcomp', above.head, null))
                and phrase.position between subjects.position and above.position
        )
    where subjects.number <> 'Plur'
"""


def find_company(connection: duckdb.DuckDBPyConnection, language: str | None) -> None:
    """Make the tables that the guards read; what comes along with an adposition, the `language` lists as comitative."""
    comitatives = [(lemma,) for lemma in language_of(language).words.get("comitative", ())]
    connection.register("comitatives", table_of(comitatives, lemma=str))
    connection.execute(_PAIRS)
    connection.execute(_COMPANIONS)
