"""Guards about what a subject could be instead: an object, an owner, or one of two subjects; and what could be one.

Languages that leave subjects unsaid have a second reading of many starred sentences: the verb's subject goes without
saying, and the noun is its object, or belongs to a neighbour. They read what `find_subjects` makes:

- `subjects`: the controllers that are subjects, with their `clause`, whose head is a `verb`, which they are `behind`;
- `unsaid`: the starred conditions (`name`) of rows whose verb the treebank often has without a subject;
- `objects`: the rows whose subject could be the object of its verb, and `owners`, those where it could belong to a
  `noun` beside it; `exchanged`, those whose object could be the subject of the starred verb in its place;
- `pairs`: what is coordinated in the phrase of a singular subject, before its noun, and may stand in its case.
"""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, MOSTLY, RARER, SLIPS
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import NOMINALS, is_compatible, parse_features, plain

GUARDS = (
    Guard(
        "subject could be the object",
        "Where subjects go unsaid, a noun that looks like an object may be what somebody does something to.",
        "select row, unsaid.name, form || ' may be the object of ' || verb from objects join unsaid using (row)",
        by_condition=True,
    ),
    Guard(
        "subject could belong to a noun",
        "Where subjects go unsaid, one that looks like a genitive may belong to the noun beside it.",
        "select row, unsaid.name, form || ' may belong to ' || noun from owners join unsaid using (row)",
        by_condition=True,
    ),
    Guard(
        "object could be the subject",
        "Where objects look like subjects and may stand in their place, the verb may agree with them.",
        """
        select row, cells.name, object || ' may be the subject of ' || verb
        from exchanged join cells using (row)
        where cells.starred and contains('|' || cells.feats || '|', '|Number=' || number || '|')
        """,
        by_condition=True,
    ),
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
)

_CASE = "regexp_extract({feats}, '(^|[|])Case=([^|]*)', 2)"
_NUMBER = "regexp_extract({feats}, '(^|[|])Number=([^|]*)', 2)"
_RELATION = "split_part({token}.deprel, ':', 1)"
# The head of the clause that a verb, an auxiliary or a copula is the predicate of.
_CLAUSE = "if(split_part({token}.deprel, ':', 1) in ('aux', 'cop'), {token}.head, {token}.node)"
_AGREEING = ("Gender", "Number", "Person")

_SUBJECTS = f"""
    create or replace temp table subjects as
    select controller.row, controller.construction, subject.node, subject.sent, subject.position, subject.deprel,
        controller.form, controller.lemma, controller.upos, controller.feats, controller.attested,
        {_CASE.format(feats="controller.feats")} as "case", {_NUMBER.format(feats="controller.feats")} as number,
        clause.node as clause, clause.lemma as verb, clause.upos as predicate, clause.feats as predicate_feats,
        subject.position > clause.position as behind
    from controllers as controller
        join bound on bound.row = controller.row and bound.first
        join tokens as target on target.node = bound.token
        join tokens as subject on subject.node = controller.token
        join tokens as clause on clause.node = subject.head and clause.node = {_CLAUSE.format(token="target")}
    where controller.token = controller.decider and {_RELATION.format(token="subject")} = 'nsubj'
"""

# Verbs of one clause, by their features, with and without a subject; those that are coordinated share one.
_PREDICATES = f"""
    with clauses as (
        select token.feats, {_CLAUSE.format(token="token")} as clause from corpus as token
        where token.upos in ('VERB', 'AUX')
            and not regexp_matches(token.feats, 'Mood=Imp|VerbForm=(Inf|Ger|Conv|Vnoun)')
    )
    select clauses.feats, count(*), count(*) filter (
        clauses.clause not in (
            select head from corpus where split_part(deprel, ':', 1) in ('nsubj', 'csubj', 'expl') and head is not null
        )
    )
    from clauses join corpus as clause on clause.node = clauses.clause
    where {_RELATION.format(token="clause")} in ('root', 'ccomp', 'advcl', 'parataxis', 'acl')
        and clause.deprel <> 'acl'
    group by all
"""

_STARRED = """
    select distinct cells.row, cells.name, cells.feats
    from cells semi join subjects using (row) join words using (row, node) where cells.starred and words.first
    order by all
"""

# Objects of verbs that have a subject, too: those of commands may look otherwise.
_BARE = f"""
    create or replace temp table bare_objects as
    select {_CASE.format(feats="coalesce(token.feats, '')")} as "case",
        {_NUMBER.format(feats="coalesce(token.feats, '')")} as number, token.position > verb.position as behind
    from corpus as token join corpus as verb on verb.node = token.head
    where token.deprel = 'obj' and verb.upos = 'VERB' and token.upos in ('NOUN', 'PROPN')
        and token.node not in (select head from corpus where split_part(deprel, ':', 1) = 'case')
        and verb.node in (select head from corpus where deprel = 'nsubj')
"""

# A noun's form is an object's if objects stand in its case, or in one that it looks alike in.
_LOOKS = f"""
    create or replace temp table looks_like_object as
    with object_cases as (
        from (
            select "case", number, count(*) / sum(count(*)) over (partition by number) as share
            from bare_objects group by "case", number
        )
        where share > {SLIPS}
    ),
    possible as (
        select * from subjects
        where predicate = 'VERB' and deprel = 'nsubj'
            and not regexp_matches(coalesce(predicate_feats, ''), 'Voice=(Pass|Mid)')
            and clause not in (select head from tokens where deprel in ('aux:pass', 'expl:pv', 'expl:pass', 'expl'))
    ),
    cases as (
        select row, "case" as own, "case" from possible where upos <> 'PRON'
        union
        select row, possible."case", {_CASE.format(feats="reading.feats")}
        from possible join controller_readings as reading using (form)
        where reading.upos = possible.upos and {RARER} * reading.count > attested
            and {_NUMBER.format(feats="reading.feats")} = number
            and {_CASE.format(feats="reading.feats")} <> possible."case"
        union
        select row, possible."case", alike.other
        from possible join alike on alike.upos = possible.upos and alike.own = possible."case"
            and alike.rest = regexp_replace(possible.feats, 'Case=[^|]*[|]?', '')
    )
    select distinct possible.row
    from possible join cases using (row)
        join object_cases on object_cases."case" = cases."case" and object_cases.number = possible.number
"""

# A verb that often has an object has none, and objects stand on this side of verbs.
_OBJECTS = f"""
    create or replace temp table objects as
    with transitive as (
        select lemma as verb from corpus where upos = 'VERB' group by lemma
        having {RARER} * count(*) filter (node in (select head from corpus where deprel = 'obj')) > count(*)
    ),
    sides as (
        select behind from bare_objects group by behind
        having count(*) > {SLIPS} * (select count(*) from bare_objects)
    )
    select row, form, verb
    from subjects semi join looks_like_object using (row) join transitive using (verb) join sides using (behind)
    where clause not in (select head from tokens where split_part(deprel, ':', 1) in ('obj', 'ccomp', 'xcomp'))
"""

# Subject and object change places: the treebank must have such an order of subject, object and verb, and their forms
# must go with it.
_EXCHANGED = f"""
    create or replace temp table exchanged as
    with arguments as (
        select token.head as clause, token.node, token.position, token.form, token.feats, token.deprel,
            token.position > verb.position as behind
        from corpus as token join corpus as verb on verb.node = token.head
        where token.deprel in ('nsubj', 'obj') and token.upos in ('NOUN', 'PROPN') and verb.upos = 'VERB'
            and token.node not in (select head from corpus where split_part(deprel, ':', 1) = 'case')
    ),
    orders as (
        select subject.behind as subject_behind, object.behind as object_behind,
            subject.position < object.position as subject_first, count(*) as count
        from arguments as subject join arguments as object using (clause)
        where subject.deprel = 'nsubj' and object.deprel = 'obj' group by all
    ),
    pairs as (
        select subjects.row, subjects.form as subject, subjects."case", subjects.number as own, verb, behind,
            subjects.position < object.position as first,
            object.form as object, object.upos, {_CASE.format(feats="coalesce(object.feats, '')")} as object_case,
            {_NUMBER.format(feats="coalesce(object.feats, '')")} as number,
            regexp_replace(coalesce(object.feats, ''), 'Case=[^|]*[|]?', '') as rest,
            object.position > clause.position as object_behind
        from subjects join tokens as clause on clause.node = subjects.clause
            join tokens as object on object.head = subjects.clause and object.deprel = 'obj'
        where subjects.upos in ('NOUN', 'PROPN') and object.upos in ('NOUN', 'PROPN') and predicate = 'VERB'
            and object.node not in (select head from tokens where split_part(deprel, ':', 1) = 'case')
    )
    select distinct pairs.row, object, pairs.number, verb
    from pairs
        join orders as here on here.subject_behind = behind and here.object_behind = pairs.object_behind
            and here.subject_first = first
        join orders as there on there.subject_behind = pairs.object_behind and there.object_behind = behind
            and there.subject_first <> first
    where there.count > {SLIPS} * (here.count + there.count) and row in (select row from looks_like_object)
        and (
            object_case = "case"
            or (upos, rest, object_case, "case") in (select (upos, rest, own, other) from alike)
            or (lower(object), "case") in (
                select (lower(form), {_CASE.format(feats="feats")}) from corpus where upos in ('NOUN', 'PROPN')
            )
        )
"""

# Kinds of nouns most of which look alike in two cases, whether or not texts show this one in both.
_ALIKE = f"""
    create or replace temp table alike as
    with forms as (
        select distinct lemma, upos, regexp_replace(feats, 'Case=[^|]*[|]?', '') as rest,
            {_CASE.format(feats="feats")} as "case", lower(form) as form
        from corpus where upos in ('NOUN', 'PROPN') and contains(feats, 'Case=')
    )
    select upos, rest, one."case" as own, two."case" as other
    from forms as one join forms as two using (lemma, upos, rest)
    where one."case" <> two."case"
    group by all
    having count(*) >= {ENOUGH_CASES} and avg((one.form = two.form)::int) > {MOSTLY}
"""

# A name without a case may stand in any, where nouns have one.
_OWNERS = f"""
    create or replace temp table owners as
    with owned as (
        select owner.position > noun.position as behind
        from corpus as owner join corpus as noun on noun.node = owner.head
        where split_part(owner.deprel, ':', 1) = 'nmod' and contains(owner.feats, 'Case=Gen')
            and owner.upos in ('NOUN', 'PROPN') and noun.upos in ('NOUN', 'PROPN')
            and owner.node not in (select head from corpus where split_part(deprel, ':', 1) = 'case')
    ),
    sides as (select behind from owned group by behind having count(*) > {SLIPS} * (select count(*) from owned))
    select distinct subjects.row, subjects.form, noun.form as noun
    from subjects cross join sides
        join tokens as noun on noun.sent = subjects.sent
            and noun.position = subjects.position + if(sides.behind, -1, 1)
            and noun.upos in ('NOUN', 'PROPN')
        left join controller_readings as reading on reading.form = subjects.form
            and contains(reading.feats, 'Case=Gen') and {RARER} * reading.count > attested
    where reading.form is not null or subjects."case" = '' and subjects.upos = 'PROPN'
"""

_PAIRS = f"""
    create or replace temp table pairs as
    with recursive below as (
        select row, node from subjects where number <> 'Plur'
        union
        select row, token.node from below join tokens as token on token.head = below.node
        where split_part(token.deprel, ':', 1) in ('nmod', 'amod', 'compound', 'flat', 'appos', 'nummod', 'det')
    )
    select distinct subjects.row, subjects.form as subject, member.form
    from below join subjects using (row)
        join tokens as member on member.node = below.node and member.upos in {NOMINALS}
        join tokens as other on other.head = member.node and other.deprel = 'conj'
            and other.position between member.position and subjects.position
        join tokens as link on link.head = other.node and link.deprel = 'cc'
    where member.node <> subjects.node
        and member.node not in (select head from tokens where split_part(deprel, ':', 1) = 'case')
        and (
            {_CASE.format(feats="coalesce(member.feats, '')")} in ('', subjects."case")
            or (lower(member.form), subjects."case") in (
                select (lower(form), {_CASE.format(feats="feats")}) from corpus
                where upos in {NOMINALS} and contains(feats, 'Case=')
            )
        )
"""


def find_subjects(connection: duckdb.DuckDBPyConnection) -> bool:
    """Make the tables that the guards read; False where no controller is a subject."""
    if connection.execute(_SUBJECTS).fetchall() == [(0,)]:
        return False
    connection.execute(_PAIRS)
    predicates = [
        (parse_features(feats or ""), count, unsaid) for feats, count, unsaid in connection.sql(_PREDICATES).fetchall()
    ]
    shares: dict[str, float] = {}
    unsaid = []
    for row, name, feats in connection.sql(_STARRED).fetchall():
        if feats not in shares:
            shares[feats] = _unsaid(parse_features(feats), predicates)
        if shares[feats] > SLIPS:
            unsaid.append((row, name))
    connection.register("unsaid", table_of(unsaid, row=int, name=str))
    for query in (_BARE, _ALIKE, _LOOKS, _EXCHANGED):
        connection.execute(query)
    for query in (_OBJECTS, _OWNERS):
        connection.execute(query if unsaid else f"{query} limit 0")
    return True


def _unsaid(starred: Mapping[str, str], predicates: list[tuple[dict[str, str], int, int]]) -> float:
    """Return the share of verbs that agree as a starred one does which stand without a subject."""
    names = [name for name in starred if plain(name) in _AGREEING]
    alike = [
        (count, unsaid)
        for features, count, unsaid in predicates
        if names and all(name in features and is_compatible(starred[name], features[name]) for name in names)
    ]
    total = sum(count for count, _ in alike)
    return sum(unsaid for _, unsaid in alike) / total if total else 0.0
