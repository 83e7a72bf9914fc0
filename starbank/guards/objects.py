"""Guards about subjects that may be read as objects.

They read, beside what `find_subjects` and `find_alike` make, what `find_objects` does:

- `looks_like_object`: the rows whose subject has a form that objects have, and in which case;
- `objects`: those of them whose verb may have an object in that case, and has none in any such case here, and those
  whose subject looks like somebody to whom something is done.

Relative pronouns are subjects, too: those that the man sees, those that see the man.
"""

from __future__ import annotations

import duckdb

from starbank.guards.registry import Guard
from starbank.guards.thresholds import FIRM, MOSTLY, RARER, SLIPS
from starbank.treebanks.features import CASE, NOMINALS, NUMBER, UNCASED, VALUE

GUARDS = (
    Guard(
        "subject could be the object",
        "Where subjects go unsaid, a noun that looks like an object may be what somebody does something to.",
        """
        select row, unsaid.name, form || ' may be the object of ' || verb from objects join unsaid using (row)
        where not several
        """,
        by_condition=True,
    ),
)

# Subjects and objects of verbs, bare or with an adposition.
_ARGUMENTS = f"""
    create temp table arguments as
    select token.head as clause, token.node, token.position, token.form, token.upos, token.feats, token.deprel,
        token.position > verb.position as behind,
        token.node not in (select head from corpus where relation = 'case') as bare
    from corpus as token join corpus as verb on verb.node = token.head
    where token.deprel in ('nsubj', 'obj') and token.upos in {NOMINALS} and verb.upos = 'VERB'
"""

# Persons and things may have objects' cases of their own.
_KIND = VALUE.replace("{name}", "Animacy")

# Those of commands may look otherwise, and have no subject.
_BARE = f"""
    create temp table bare_objects as
    select {CASE.format(feats="feats")} as "case", {NUMBER.format(feats="feats")} as number,
        {_KIND.format(feats="feats")} as kind, behind
    from arguments
    where deprel = 'obj' and bare and upos in ('NOUN', 'PROPN')
        and clause in (select clause from arguments where deprel = 'nsubj')
"""

# Kinds of nouns most of which look alike in two cases, whether or not texts show this one in both.
_ALIKE = f"""
    create temp table alike as
    select * from alike_cases where upos in ('NOUN', 'PROPN') and share > {MOSTLY}
"""

_ACTIVE = """
    predicate = 'VERB' and not contains(coalesce(predicate_feats, ''), 'Voice=Pass')
    and clause not in (select head from tokens where deprel in ('aux:pass', 'cop', 'expl:pv', 'expl:pass', 'expl'))
"""

# A noun's form is an object's if objects stand in its case, or in one that it looks alike in.
_LOOKS = f"""
    create temp table looks_like_object as
    with object_cases as (
        from (
            select "case", number, count(*) / sum(count(*)) over (partition by number) as share
            from bare_objects group by "case", number
        )
        where share > {SLIPS}
    ),
    possible as (
        select * from subjects where {_ACTIVE} and deprel = 'nsubj'
    ),
    pronouns as (
        from (
            select small(form) as form, {CASE.format(feats="feats")} as "case",
                count(*) filter (bare and deprel = 'obj') as objects,
                sum(count(*)) over (partition by small(form)) as total
            from arguments where upos = 'PRON' group by small(form), "case"
        )
        where objects > {SLIPS} * total
    ),
    cases as (
        select row, "case" as own, "case" from possible where upos <> 'PRON'
        union
        select row, possible."case", {CASE.format(feats="reading.feats")}
        from possible join controller_readings as reading using (form)
        where reading.upos = possible.upos and (common or {RARER} * reading.count > attested)
            and {NUMBER.format(feats="reading.feats")} = number
            and {CASE.format(feats="reading.feats")} <> possible."case"
        union
        select row, possible."case", alike.other
        from possible join alike on alike.upos = possible.upos and alike.own = possible."case"
            and alike.rest = {UNCASED.format(feats="possible.feats")}
    )
    select distinct possible.row, cases."case"
    from possible join cases using (row)
        join object_cases on object_cases."case" = cases."case" and object_cases.number = possible.number
    union
    -- Pronouns have cases that nouns may not have: Dutch je.
    select row, pronouns."case" from (from relatives union all by name from possible) as either
        join pronouns on pronouns.form = small(either.form)
    where {_ACTIVE} and coalesce(upos, 'PRON') = 'PRON'
"""

# A verb that may have an object has none, and objects stand on this side of verbs. In `nonsense` no sense speaks
# against what is rare.
_OBJECTS = f"""
    create temp table objects as
    with verbs as (select lemma as verb, count(*) as total from corpus where upos = 'VERB' group by lemma),
    transitive as (
        select verb.lemma as verb, {CASE.format(feats="object.feats")} as "case"
        from arguments as object join corpus as verb on verb.node = object.clause join verbs on verbs.verb = verb.lemma
        where object.deprel = 'obj'
        group by verb.lemma, "case" having count(distinct object.clause) > {SLIPS} * any_value(total)
        union
        -- Any object may stand in a case that many do, whatever those of this verb happen to show: Estonian ära ootama.
        select verbs.verb, usable."case"
        from arguments as object join corpus as verb on verb.node = object.clause join verbs on verbs.verb = verb.lemma
            cross join (
                select "case" from bare_objects group by "case"
                having count(*) > {SLIPS} * (select count(*) from bare_objects)
            ) as usable
        where object.deprel = 'obj'
        group by verbs.verb, usable."case" having count(distinct object.clause) > any_value(total) / {RARER}
        union
        -- Some treebanks say so.
        select distinct lemma, "case" from corpus cross join (select distinct "case" from bare_objects)
        where upos = 'VERB' and contains(feats, 'Subcat=Tran')
    ),
    sides as (
        select behind from bare_objects group by behind
        having count(*) > {SLIPS} * (select count(*) from bare_objects)
    ),
    arguments_of as (
        select row, form, verb, clause from subjects join sides using (behind)
        union all
        select row, form, verb, clause from relatives
    ),
    possible as (
        from arguments_of
        where clause not in (select head from tokens where relation in ('ccomp', 'xcomp')) or row in (from nonsense)
        union
        -- The verb may be an infinitive below: they can sell the house.
        select row, arguments_of.form, infinitive.lemma, infinitive.node
        from arguments_of join tokens as infinitive on infinitive.head = clause
        where infinitive.relation = 'xcomp' and contains(infinitive.feats, 'VerbForm=Inf')
    ),
    -- Nearly all objects of a kind are in one case: one in another leaves the place of these free.
    usual as (
        from (
            select kind, "case", count(*) / sum(count(*)) over (partition by kind) as share
            from bare_objects group by kind, "case"
        )
        where share > {FIRM}
    )
    select distinct row, form, verb
    from possible join looks_like_object using (row) join transitive using (verb, "case")
    where (clause, verb, "case") not in (
        select (clause, verb, looks."case")
        from possible join looks_like_object as looks using (row) join transitive using (verb)
            join tokens as token on token.head = clause and token.relation = 'obj'
        where (
            {CASE.format(feats="token.feats")} in ('', transitive."case") or transitive."case" = ''
        ) and (
            {CASE.format(feats="token.feats")} in ('', looks."case") or looks."case" = ''
            or ({_KIND.format(feats="token.feats")}, looks."case") not in (select (kind, "case") from usual)
        )
    )
"""

# A pronoun that is often somebody to whom something is done may be that beside any verb: Bulgarian ти.
_RECEIVERS = f"""
    insert into objects
    with receivers as (
        select small(form) as form from corpus where upos = 'PRON' group by small(form)
        having count(*) filter (
            relation = 'iobj' and node not in (select head from corpus where relation = 'case')
        ) > {SLIPS} * count(*)
    )
    select row, subjects.form, verb from subjects where upos = 'PRON' and small(form) in (from receivers)
"""


def find_objects(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables that the guard reads, and those that they are made of, of what `find_subjects` made."""
    for query in (_ARGUMENTS, _BARE, _ALIKE, _LOOKS, _OBJECTS, _RECEIVERS):
        connection.execute(query)
