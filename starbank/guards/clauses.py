"""Guards about clauses inside and beside: what belongs to the outer verb, or is one of its endings, may be the other's.

They read, beside what `find_subjects` makes, what `find_clauses` does:

- `inside`: verbs without agreement, in a clause inside another one;
- `embedded`: the rows whose subject could be that of a `predicate` inside the clause, and `impersonal`, the starred
  conditions (`name`) whose form has no subject then;
- `agreeing_inside`: the starred conditions whose subject may be that of a clause which agrees with it, right behind it
  or around.
"""

from __future__ import annotations

import duckdb

from starbank.guards.common import make_of_unsaid
from starbank.guards.registry import Guard
from starbank.guards.thresholds import FIRM, SLIPS
from starbank.treebanks.features import CASE, NOMINALS, NUMBER, VALUE

SUBJECT_GUARDS = (
    Guard(
        "subject could be of a clause inside",
        "Where subjects go unsaid, the subject may be that of a clause inside: one whose verb does not agree, if such "
        "verbs have subjects, one that agrees beside an impersonal verb (Greek τα παιδιά μπορεί να έρθουν), or one "
        "that agrees and stands between the two (Basque buruak onartuko ez duela jakinarazi *zuten, they announced "
        "that the head will not accept it); or that of one outside, which agrees (gizarteak errefusatu *zutela "
        "oroitarazi zuen, society recalled that they refused it).",
        """
        select row, unsaid.name, form || ' may be the subject of ' || predicate from embedded join unsaid using (row)
        union all
        select row, name, form || ' may be the subject of ' || predicate
        from impersonal semi join unsaid using (row, name)
        union all
        select row, name, form || ' may be the subject of ' || predicate
        from agreeing_inside semi join unsaid using (row, name)
        """,
        by_condition=True,
    ),
)

_PERSON = " || ".join(VALUE.format(feats="{table}.feats", name=name) for name in ("Person", "Number"))

# Where case varies, what has another number in the same case is an argument of this verb as well.
_VARIED = f"""
    select distinct row from cells join words as word using (row, node)
    where cells.starred and {CASE.format(feats="cells.feats")} <> {CASE.format(feats="word.feats")}
"""

# Where a bare noun often stands before one that has the case of both, the last of several words has the endings of all.
_SUSPENDING = f"""
    select avg(
        ({CASE.format(feats="first.feats")} = 'Nom' and {CASE.format(feats="last.feats")} not in ('', 'Nom'))::int
    ) > {SLIPS}
    from corpus as first join corpus as last on last.head = first.node
    where first.upos = 'NOUN' and last.upos = 'NOUN' and last.relation = 'conj'
        and contains(first.feats, 'Case=') and contains(last.feats, 'Case=')
"""

GUARDS = (
    Guard(
        "ending of a later word",
        "The last of several words may have an ending for all of them: Turkish ben girer, çıkarım, I come and go.",
        f"""
        with verbs as (
            select bound.row, bound.node, target.upos, target.position,
                unnest([target.node, if(split_part(target.deprel, ':', 1) = 'conj', target.head, null)]) as head
            from bound join tokens as target on target.node = bound.token
        )
        select cells.row, cells.name, min(other.form || ' may have the ending of ' || word.form)
        from cells join filled using (row, name, node) join words as word using (row, node)
            join verbs using (row, node)
            join tokens as other on other.head = verbs.head and other.upos = verbs.upos
        where cells.starred and starts_with(small(word.form), small(filled.form))
            and small(word.form) <> small(filled.form)
            and split_part(other.deprel, ':', 1) = 'conj' and other.position > verbs.position
            and other.node not in (select head from tokens where starts_with(deprel, 'nsubj') and head is not null)
            and {_PERSON.format(table="other")} = {_PERSON.format(table="word")}
            and ({_SUSPENDING})
        group by cells.row, cells.name
        """,
        by_condition=True,
    ),
    Guard(
        "argument of a clause inside",
        "Before a verb without agreement, in a clause of its own, a noun may belong to that, in a case that many such "
        "verbs take, or this verb elsewhere, and the argument go unsaid: Basque ekitaldiari eskatzeko, to ask of the "
        "event.",
        f"""
        with arguments as (
            select distinct verb.node, verb.lemma, {CASE.format(feats="token.feats")} as "case"
            from corpus as token join corpus as verb on verb.node = token.head
            where verb.upos = 'VERB' and token.upos in {NOMINALS} and token.relation in ('nsubj', 'obj', 'iobj', 'obl')
                and token.node not in (select head from corpus where relation = 'case')
        ),
        shown as (select node, "case" from arguments semi join inside using (node)),
        cases as (
            select "case" from shown where "case" <> '' group by "case"
            having count(*) > {SLIPS} * (select count(*) from inside)
        ),
        takers as (select lemma, "case" from arguments group by lemma, "case" having count(*) > 1),
        varied as ({_VARIED}),
        beside as (
            select distinct compared.row, compared.name, compared.form, inside.node, inside.form as verb,
                inside.lemma, {CASE.format(feats="compared.own")} as "case"
            from compared semi join varied using (row)
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as target on target.node = bound.token
                join tokens as outermost on outermost.node = target.head
                join inside on inside.sent = target.sent and inside.position > target.position
                    and outermost.position not between target.position and inside.position
                left join tokens as above on above.node = inside.head
            where starred and target.head in (inside.head, above.head)
                and target.relation in ('nsubj', 'obj', 'iobj', 'obl')
                and target.node not in (select head from tokens where relation = 'case')
        )
        select row, name, min(form || ' may belong to ' || verb)
        from beside anti join shown using (node, "case")
        where "case" in (from cases) or (lemma, "case") in (from takers)
        group by row, name
        """,
        by_condition=True,
        upos=NOMINALS,
    ),
    Guard(
        "argument of another clause",
        "Where case varies, a noun may be an argument of a later verb inside or around its clause that agrees with it "
        "and has none: Basque irakasleak, joan zenean, erosi zidan, the teacher bought it for me when he went.",
        f"""
        with asked as (
            select distinct compared.row, compared.name, compared.form, target.sent, target.position, target.head,
                outermost.position as outermost, [outermost.head, above.head] as around,
                {CASE.format(feats="reading.feats")} as "case", {NUMBER.format(feats="reading.feats")} as number
            from compared semi join ({_VARIED}) using (row)
                join (
                    select form, feats from readings where upos in {NOMINALS} union select form, own from compared
                ) as reading using (form)
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as target on target.node = bound.token
                join tokens as outermost on outermost.node = target.head
                left join tokens as above on above.node = outermost.head
            where starred and target.relation in ('nsubj', 'obj', 'iobj', 'obl')
                and target.node not in (select head from tokens where relation = 'case')
        ),
        agreeing as (
            select verb.node, verb.sent, verb.position, verb.form as verb, string_split(word.feats, '|') as features
            from tokens as word
                join tokens as verb on verb.node = if(word.relation in ('aux', 'cop'), word.head, word.node)
            where contains(word.feats, 'Number[') and verb.upos = 'VERB' and verb.relation <> 'acl'
        ),
        beside as (
            select asked.*, node, verb, agreeing.position as place
            from asked join agreeing using (sent)
            where node <> head and list_contains(features, 'Number[' || lower("case") || ']=' || number)
                and list_contains(features, 'Person[' || lower("case") || ']=3')
                and asked.position < least(outermost, agreeing.position)
                and (agreeing.position < outermost or list_contains(around, node))
        ),
        -- A complement clause has the place of the absolutive. The last word of a phrase may have its case.
        own as (
            select beside.row, beside.name, beside.node
            from beside join tokens as argument on argument.head = beside.node
            where argument.relation in ('nsubj', 'obj', 'iobj', 'obl')
                and {CASE.format(feats="argument.feats")} in ('', "case")
                or argument.relation in ('ccomp', 'csubj', 'xcomp') and "case" = 'Abs'
        ),
        -- Of a clause inside, nothing of the outer verb stands between.
        apart as (
            select beside.row, beside.name, beside.node from beside join tokens as other on other.head = beside.head
            where place < outermost and other.position > beside.position and other.position < place
                and other.relation <> 'punct'
        )
        select row, name, min(form || ' may belong to ' || verb)
        from beside anti join own using (row, name, node) anti join apart using (row, name, node)
        group by row, name
        """,
        by_condition=True,
        upos=NOMINALS,
    ),
)

# Verbs without agreement, in a clause inside another one.
_INSIDE = """
    create temp table inside as
    select node, head, sent, position, form, lemma from corpus
    where upos = 'VERB' and relation in ('advcl', 'ccomp', 'xcomp', 'acl', 'csubj')
        and not regexp_matches(coalesce(feats, ''), 'Number|Person')
        and node not in (select head from corpus where relation in ('aux', 'cop'))
"""

# Between a subject and such a verb there is nothing of the outer clause's verb.
_EMBEDDED = f"""
    create temp table embedded as
    with inner_cases as (
        select {CASE.format(feats="subject.feats")} as "case"
        from inside join corpus as subject on subject.head = inside.node and subject.deprel = 'nsubj'
        group by "case" having count(*) > {SLIPS} * (select count(*) from inside)
    )
    select distinct row, subjects.form, inside.form as predicate
    from subjects join inner_cases using ("case")
        join tokens as outermost on outermost.node = subjects.clause
        join inside on inside.sent = subjects.sent and inside.position > subjects.position
            and outermost.position not between subjects.position and inside.position
        left join tokens as above on above.node = inside.head
    where subjects.clause in (inside.head, above.head)
        and inside.node not in (select head from tokens where relation = 'nsubj')
"""

# Verbs in a form that often has a complement in another number, or with a subject of its own, need no subject. In
# nonsense no sense speaks against what is rare.
_IMPERSONAL = f"""
    create temp table impersonal as
    with inner_verbs as (
        select node, head, form, {NUMBER.format(feats="feats")} as number from corpus
        where relation in ('ccomp', 'xcomp', 'csubj') and upos in ('VERB', 'AUX')
        union all
        select predicate.node, predicate.head, copula.form, {NUMBER.format(feats="copula.feats")}
        from corpus as predicate join corpus as copula on copula.head = predicate.node
        where predicate.relation in ('ccomp', 'xcomp', 'csubj') and copula.relation = 'cop'
    ),
    complements as (
        select verb.node as clause, small(verb.form) as verb, {NUMBER.format(feats="verb.feats")} as outer_number,
            inner_verbs.form as predicate, number,
            inner_verbs.node in (select head from corpus where relation = 'nsubj') as own_subject
        from inner_verbs join corpus as verb on verb.node = inner_verbs.head
        where verb.upos = 'VERB' and number <> '' and verb.feats like '%Number=%'
    ),
    forms as (
        select verb, count(*) as count, count(*) filter (own_subject or number <> outer_number) as impersonal
        from complements group by verb having impersonal > 1
    )
    select distinct subjects.row, compared.name, subjects.form, complements.predicate
    from subjects join complements on complements.clause = subjects.clause and complements.number = subjects.number
        join compared on compared.row = subjects.row and starred
        join forms on forms.verb = small(compared.form)
    where not own_subject and small(compared.form) <> complements.verb
        and (impersonal > {1 - FIRM:.1f} * forms.count or subjects.row in (from nonsense))
"""

# What sets the grammatical form apart from the starred one stands in the clause between the subject and its verb, too.
_APART = """
    list_filter(string_split({good}, '|'), lambda value: not list_contains(string_split({starred}, '|'), value))
"""
_AGREEING_INSIDE = f"""
    create temp table agreeing_inside as
    select distinct subjects.row, compared.name, subjects.form, predicate.form as predicate
    from subjects join compared on compared.row = subjects.row and starred
        join tokens as outermost on outermost.node = subjects.clause
        join tokens as predicate on predicate.head = outermost.node and predicate.relation = 'ccomp'
            and predicate.position between subjects.position and outermost.position
        join tokens as agreeing
            on if(agreeing.relation in ('aux', 'cop'), agreeing.head, agreeing.node) = predicate.node
        left join tokens as between_them on between_them.head = outermost.node
            and between_them.position > subjects.position and between_them.position < predicate.position
            and between_them.relation in ('nsubj', 'obj', 'iobj', 'aux', 'advcl')
    where between_them.node is null
        and predicate.node not in (select head from tokens where relation = 'nsubj')
        and list_has_all(
            string_split(coalesce(agreeing.feats, ''), '|'),
            {_APART.format(good="compared.other", starred="compared.own")}
        )
"""

# The same of a verb outside and behind, where nothing of the inner clause stands before its subject, and which has
# subjects in its case elsewhere.
_AGREEING_OUTSIDE = f"""
    insert into agreeing_inside
    with takers as (
        select distinct verb.lemma, {CASE.format(feats="subject.feats")} as "case"
        from corpus as subject join corpus as verb on verb.node = subject.head where subject.deprel = 'nsubj'
    )
    select distinct subjects.row, compared.name, subjects.form, predicate.form
    from subjects join compared on compared.row = subjects.row and starred
        join tokens as clause on clause.node = subjects.clause
        left join tokens as above on above.node = clause.head
        join tokens as predicate on predicate.node in (clause.head, above.head)
            and predicate.upos = 'VERB' and predicate.position > clause.position
            and clause.position > subjects.position
        join takers on takers.lemma = predicate.lemma and takers."case" = subjects."case"
        join tokens as agreeing
            on if(agreeing.relation in ('aux', 'cop'), agreeing.head, agreeing.node) = predicate.node
        left join tokens as before on before.head = subjects.clause and before.position < subjects.position
            and before.relation <> 'punct'
    where before.node is null and clause.relation in ('ccomp', 'advcl', 'acl', 'csubj', 'xcomp')
        and predicate.node not in (select head from tokens where relation in ('nsubj', 'csubj'))
        and list_has_all(
            string_split(coalesce(agreeing.feats, ''), '|'),
            {_APART.format(good="compared.other", starred="compared.own")}
        )
"""


def find_inside(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table `inside`."""
    connection.execute(_INSIDE)


def find_clauses(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables that guards about subjects read, of those that `find_subjects` made and of `inside`."""
    make_of_unsaid(connection, _EMBEDDED, _IMPERSONAL, _AGREEING_INSIDE, _AGREEING_OUTSIDE)
