"""A guard about subjects that may be adverbials: by wisdom they say, where subjects go unsaid.

It reads `adverbials`, which `find_adverbials` makes: the rows whose subject has a form, perhaps of another case, that
stands as an adverbial without an adposition: in cases that nouns mostly stand in so, as the Latin ablative, and in
nonsense, where no sense speaks against it, nouns that often do, such as days.
"""

from __future__ import annotations

import duckdb

from starbank.guards.common import make_of_unsaid
from starbank.guards.registry import Guard
from starbank.guards.thresholds import MOSTLY, RARER
from starbank.treebanks.features import CASE, NUMBER, UNCASED

GUARDS = (
    Guard(
        "subject could be an adverbial",
        "Where subjects go unsaid, a noun that looks like an adverbial may be one: Spanish el día, on that day; Latin "
        "sapientia, wisdom, and by wisdom.",
        """
        select row, unsaid.name, form || ' may be an adverbial' from adverbials join unsaid using (row)
        where not several
        """,
        by_condition=True,
    ),
)

_ADVERBIALS = f"""
    create temp table adverbials as
    with bare as (
        select lemma, {CASE.format(feats="feats")} as "case", count(*) as count,
            count(*) filter (relation = 'obl') as adverbial
        from corpus
        where upos in ('NOUN', 'PROPN') and relation in ('nsubj', 'obj', 'iobj', 'obl', 'nmod')
            and node not in (select head from corpus where relation = 'case')
        group by all
    ),
    cases as (
        select "case" from bare where "case" <> '' group by "case"
        having sum(adverbial) > {MOSTLY} * sum(count)
    ),
    -- What is annotated so once may be a slip.
    nouns as (from bare where adverbial > 1 and {RARER} * adverbial > count),
    readings as (
        select row, form, lemma, "case" from subjects where upos = 'NOUN' and "case" = ''
        union
        select row, form, subjects.lemma, {CASE.format(feats="reading.feats")}
        from subjects join controller_readings as reading using (form)
        where subjects.upos = 'NOUN' and reading.upos = 'NOUN' and {NUMBER.format(feats="reading.feats")} = number
            and {CASE.format(feats="reading.feats")} <> subjects."case"
            and (reading.common or {RARER} * reading.count > attested)
        union
        select row, form, lemma, alike.other
        from subjects join alike on alike.upos = subjects.upos and alike.own = subjects."case"
            and alike.rest = {UNCASED.format(feats="subjects.feats")}
        where subjects.upos = 'NOUN'
    )
    select distinct row, form from readings
    where "case" in (from cases)
        or (lemma, "case") in (select (lemma, "case") from nouns) and row in (from nonsense)
"""


def find_adverbials(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table `adverbials` of those that `find_subjects` and `find_objects` made."""
    make_of_unsaid(connection, _ADVERBIALS)
