"""Guards about subject and object that change places: what was the object is what the starred verb agrees with.

They read `exchanged`, which `find_exchanges` makes of what `find_subjects` and `find_objects` do: the rows with an
`object` that could be the subject in its place, with the `number` and `gender` that it has.
"""

from __future__ import annotations

import duckdb

from starbank.guards.common import SEVERAL, UPPER
from starbank.guards.registry import Guard
from starbank.guards.thresholds import SLIPS
from starbank.treebanks.features import CASE, NOMINALS, NUMBER, RELATIVE, UNCASED, VALUE

# SQL: may a verb in a starred cell go with a noun of this `number` and `gender`? One of the two must be there to tell.
_GOES_WITH = f"""
    {NUMBER.format(feats="cells.feats")} in ('', number) and {NUMBER.format(feats="cells.feats")} || gender <> ''
    and (
        gender = '' or {VALUE.format(feats="cells.feats", name="Gender")} = ''
        or list_has_any(
            string_split({VALUE.format(feats="cells.feats", name="Gender")}, ','), string_split(gender, ',')
        )
    )
"""

GUARDS = (
    Guard(
        "object could be the subject",
        "Where objects look like subjects and may stand in their place, the verb may agree with them.",
        f"""
        select distinct row, cells.name, object || ' may be the subject of ' || verb
        from exchanged join cells using (row) where cells.starred and {_GOES_WITH}
        """,
        by_condition=True,
    ),
)

_NUMBERS = f"""
    unnest(list_distinct([
        {NUMBER.format(feats="object.feats")},
        if({SEVERAL.format(node="object.node")}, 'Plur', {NUMBER.format(feats="object.feats")})
    ]))
"""

# Subject and object change places: the treebank must have such an order of subject, object and verb, and their forms
# must go with it. The object may be that of an infinitive below: the firm helps to clean the oceans.
_EXCHANGED = f"""
    create temp table exchanged as
    with nouns as (
        select *, upos = 'PRON' as pronoun from arguments where bare and upos in {NOMINALS}
    ),
    orders as (
        select subject.pronoun, subject.behind as subject_behind, object.pronoun as object_pronoun,
            object.behind as object_behind, subject.position < object.position as subject_first, count(*) as count
        from nouns as subject join nouns as object using (clause)
        where subject.deprel = 'nsubj' and object.deprel = 'obj' group by all
    ),
    -- Where the verb comes second, objects stand before it mostly with pronouns behind it: Dutch dat boek leest hij.
    placed as (
        select subject_behind, object_behind, subject_first, sum(count) as count
        from orders where not object_pronoun group by all
    ),
    turned as (
        select here.subject_behind, here.object_behind, here.subject_first,
            {UPPER.format(part="there.count", total="here.count + there.count")} > {SLIPS} as often
        from placed as here join placed as there on there.subject_behind = here.object_behind
            and there.object_behind = here.subject_behind and there.subject_first <> here.subject_first
    ),
    clauses as (
        select distinct clause, clause as verb from subjects
        union
        select clause, infinitive.node
        from (select distinct clause from subjects) join tokens as infinitive on infinitive.head = clause
        where infinitive.relation = 'xcomp' and contains(infinitive.feats, 'VerbForm=Inf')
    ),
    beginnings as (
        select head as clause, min(position) as beginning from tokens where relation <> 'punct' group by head
    ),
    pairs as (
        select subjects.row, subjects.form as subject, subjects."case", subjects.verb, behind,
            -- The first word of a relative clause is its pronoun, or something of that: whose party.
            subjects.upos = 'PRON' or clause.deprel = 'acl:relcl' and subjects.position = beginning as pronoun,
            subjects.position < object.position as first,
            object.form as object, object.upos, {CASE.format(feats="object.feats")} as object_case,
            {_NUMBERS} as number, {VALUE.format(feats="object.feats", name="Gender")} as gender,
            {UNCASED.format(feats="object.feats")} as rest,
            object.position > clause.position as object_behind
        from subjects join tokens as clause on clause.node = subjects.clause
            join clauses on clauses.clause = subjects.clause
            join beginnings on beginnings.clause = subjects.clause
            join tokens as object on object.head = clauses.verb and object.deprel = 'obj'
        where subjects.upos in {NOMINALS} and object.upos in ('NOUN', 'PROPN') and predicate = 'VERB'
            and object.node not in (select head from tokens where relation = 'case')
    )
    select distinct pairs.row, object, pairs.number, pairs.gender, verb
    from pairs
        join orders as here on here.subject_behind = behind and here.object_behind = pairs.object_behind
            and here.subject_first = first and here.pronoun = pairs.pronoun and not here.object_pronoun
        left join orders as there on there.subject_behind = pairs.object_behind and there.object_behind = behind
            and there.subject_first <> first and there.object_pronoun = pairs.pronoun and not there.pronoun
        left join turned on turned.object_behind = pairs.object_behind and turned.subject_behind = behind
            and turned.subject_first = first and not pairs.pronoun
    where (
        {UPPER.format(part="there.count", total="here.count + there.count")} > {SLIPS}
        or turned.often
        or there.count > 0 and row in (from nonsense)
    )
        and row in (select row from looks_like_object)
        and (
            object_case in ('', "case")
            or (upos, rest, object_case, "case") in (select (upos, rest, own, other) from alike)
            or (small(object), "case") in (
                select (small(form), {CASE.format(feats="feats")}) from corpus
                where upos in ('NOUN', 'PROPN') and small(form) in (select small(object) from pairs)
            )
        )
"""

# The object of a relative clause stands where subjects do beside a pronoun that is the object, in such a form.
_EXCHANGED_RELATIVES = f"""
    insert into exchanged
    with pronouns as (from arguments where upos = 'PRON' and {RELATIVE.format(feats="feats")}),
    nouns as (
        select *, {CASE.format(feats="feats")} as "case", {UNCASED.format(feats="feats")} as rest
        from arguments where bare and upos in ('NOUN', 'PROPN')
    ),
    beside as (
        select behind, count(*) as count, sum(count(*)) over () as total
        from nouns join (select clause from pronouns where bare and deprel = 'obj') using (clause)
        where deprel = 'nsubj' group by behind
    ),
    subject_cases as (
        select "case" from nouns where deprel = 'nsubj' group by "case"
        having count(*) > {SLIPS} * (select count(*) from nouns where deprel = 'nsubj')
    )
    select distinct row, nouns.form, {NUMBER.format(feats="nouns.feats")},
        {VALUE.format(feats="nouns.feats", name="Gender")}, verb
    from relatives semi join looks_like_object using (row)
        join nouns using (clause) join beside using (behind) cross join subject_cases
    where nouns.deprel = 'obj' and {UPPER.format(part="beside.count", total="total")} > {SLIPS}
        and (
            nouns."case" = subject_cases."case"
            or (upos, rest, nouns."case", subject_cases."case") in (select (upos, rest, own, other) from alike)
            or (small(nouns.form), subject_cases."case") in (
                select (small(form), {CASE.format(feats="feats")}) from corpus where upos in ('NOUN', 'PROPN')
            )
        )
"""


def find_exchanges(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table that the guard reads."""
    for query in (_EXCHANGED, _EXCHANGED_RELATIVES):
        connection.execute(query)
