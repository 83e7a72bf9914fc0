"""Guards about what a subject could be instead: the owner of a noun, one of two subjects, a predicate.

Languages that leave subjects unsaid have a second reading of many starred sentences: the verb's subject goes without
saying, and the noun belongs to a neighbour, is its object (`objects.py`), or of a clause inside (`clauses.py`). They
read what `find_subjects` makes:

- `subjects`: the controllers that are subjects, with their `clause`, whose head is a `verb`, which they are `behind`;
- `relatives`: the rows where a relative pronoun is the subject, with its `form`, its `clause` and the `verb` of that;
- `unsaid`: the starred conditions (`name`) of rows whose verb the treebank often has without a subject, and whether
  it agrees with several arguments (`several`), so that what else is unsaid is not clear;
- `predicates`: the rows whose subject could be what somebody is, with a `verb` that is also a copula;
- `owners`: the rows whose subject could belong to a `noun` beside it;
- `optional`: the rows where the subject varies, of a `verb` that the treebank often has without one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import duckdb

from starbank.guards.common import make_of_unsaid
from starbank.guards.registry import Guard
from starbank.guards.thresholds import RARER, SLIPS
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import CASE, NOMINALS, NUMBER, RELATIVE, is_compatible, parse_features, plain

# What pronouns look like that only introduce a clause.
_PARTICLES = ("PART", "CCONJ", "SCONJ")

GUARDS = (
    Guard(
        "subject could belong to a noun",
        "Where subjects go unsaid, one that looks like a genitive, or like other owners, may belong to the noun beside "
        "it.",
        """
        select row, unsaid.name, form || ' may belong to ' || noun from owners join unsaid using (row)
        where not several
        """,
        by_condition=True,
    ),
    Guard(
        "subject could be the predicate",
        "Where subjects go unsaid, who is asked after beside a verb that is also a copula may be what they are, and so "
        "may what stands behind it: Armenian ինչ կլինեն, what will they be.",
        """
        select row, unsaid.name, form || ' may be what somebody is, with ' || verb
        from predicates join unsaid using (row) where not several
        """,
        by_condition=True,
    ),
    Guard(
        "subject may be left out",
        "Where subjects go unsaid, what follows the verb in another number need not be its subject.",
        "select row, form || ' need not be the subject of ' || verb from optional",
    ),
    Guard(
        "name of several",
        "Where subjects go unsaid, and names show neither case nor number, one may be a firm's or a team's, or only "
        "what somebody speaks of: Bulgarian Ройтерс съобщиха, Reuters say.",
        f"""
        with named as (
            select node in (select head from corpus where relation = 'det') as article from corpus
            where upos = 'PROPN' and relation = 'nsubj'
        )
        select distinct row, compared.name, subjects.form || ' may be several'
        from subjects join unsaid using (row) join compared using (row, name)
        where compared.starred and subjects.upos = 'PROPN' and "case" = '' and not several
            and {NUMBER.format(feats="own")} = 'Plur' and {NUMBER.format(feats="other")} <> 'Plur'
            -- A first name or a title tells that it is a person, and so does an article that is missing.
            and subjects.node not in (select head from tokens where relation <> 'punct' and head is not null)
            -- What stays as it is tells, too: Bulgarian бяха виждала.
            and (row, clause) not in (
                select (bound.row, if(token.relation in ('aux', 'cop'), token.head, token.node))
                from bound join tokens as target on target.node = bound.token
                    join tokens as token on token.sent = target.sent and token.node <> target.node
                where bound.first and {NUMBER.format(feats="token.feats")} = 'Sing'
            )
            and (select {RARER} * count(*) filter (article) < count(*) from named)
        """,
        by_condition=True,
    ),
    Guard(
        "subject could be an adverb",
        "Where subjects go unsaid, what is also an adverb may be one: Basque antza, the look, and apparently; or a "
        "particle: Polish to, that, and then.",
        f"""
        select distinct row, unsaid.name, form || ' is also ' || reading.lemma || ' (' || reading.upos || ')'
        from subjects join unsaid using (row) join controller_readings as reading using (form)
        where (reading.upos = 'ADV' or subjects.upos = 'PRON' and reading.upos in {_PARTICLES})
            and {RARER} * reading.count > attested
        """,
        by_condition=True,
    ),
)

# The head of the clause that a verb, an auxiliary or a copula is the predicate of.
_CLAUSE = "if({token}.relation in ('aux', 'cop'), {token}.head, {token}.node)"
_AGREEING = ("Gender", "Number", "Person")

_SUBJECTS = f"""
    create temp table subjects as
    select controller.row, controller.construction, subject.node, subject.sent, subject.position, subject.deprel,
        controller.form, controller.lemma, controller.upos, controller.feats, controller.attested,
        {CASE.format(feats="controller.feats")} as "case", {NUMBER.format(feats="controller.feats")} as number,
        clause.node as clause, clause.lemma as verb, clause.upos as predicate, clause.feats as predicate_feats,
        subject.position > clause.position as behind
    from controllers as controller
        join bound on bound.row = controller.row and bound.first
        join tokens as target on target.node = bound.token
        join tokens as subject on subject.node = controller.token
        join tokens as clause on clause.node = subject.head and clause.node = {_CLAUSE.format(token="target")}
    where controller.token = controller.decider and subject.relation = 'nsubj'
"""

_RELATIVES = f"""
    create temp table relatives as
    select controller.row, pronoun.form, clause.node as clause, clause.position, clause.lemma as verb,
        clause.upos as predicate, clause.feats as predicate_feats
    from controllers as controller
        join bound on bound.row = controller.row and bound.first
        join tokens as target on target.node = bound.token
        join tokens as pronoun on pronoun.node = controller.token
        join tokens as clause on clause.node = pronoun.head and clause.node = {_CLAUSE.format(token="target")}
    where controller.token <> controller.decider and pronoun.deprel = 'nsubj'
        and {RELATIVE.format(feats="pronoun.feats")}
"""

# A verb that agrees with the word that varies.
_VERBS = f"""
    select controller.row, target.form, controller.form as verb, controller.feats
    from controllers as controller
        join bound on bound.row = controller.row and bound.first
        join tokens as target on target.node = bound.token
    where target.head = controller.token and target.relation = 'nsubj' and target.upos in {NOMINALS}
        and controller.upos in ('VERB', 'AUX')
    order by controller.row
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
            select head from corpus where relation in ('nsubj', 'csubj', 'expl') and head is not null
        )
    )
    from clauses join corpus as clause on clause.node = clauses.clause
    where clause.relation in ('root', 'ccomp', 'advcl', 'parataxis', 'acl')
        and clause.deprel <> 'acl'
    group by all
"""

_STARRED = """
    select distinct cells.construction, cells.row, cells.name, cells.feats
    from cells semi join (select row from subjects union select row from relatives) using (row)
        join words using (row, node)
    where cells.starred and words.first
    order by all
"""

# Owners are in the genitive, or in another case where the noun says that it has one: Hungarian a csapat hazája. The
# noun's phrase begins beside it. A name without a case may stand in any, where nouns have one.
_OWNERS = f"""
    create temp table owners as
    with owned as (
        select owner.position > noun.position as behind, {CASE.format(feats="owner.feats")} as "case",
            not contains(owner.feats, 'Case=Gen') as possessed
        from corpus as owner join corpus as noun on noun.node = owner.head
        where owner.relation = 'nmod' and (contains(owner.feats, 'Case=Gen') or contains(noun.feats, '[psor]'))
            and owner.upos in ('NOUN', 'PROPN') and noun.upos in ('NOUN', 'PROPN')
            and owner.node not in (select head from corpus where relation = 'case')
    ),
    sides as (
        from owned group by all having count(*) > {SLIPS} * (select count(*) from owned)
    ),
    -- The noun is what stands beside the subject, or above that.
    near as (
        select subjects.*, sides.behind as after, sides."case" as owning, possessed,
            unnest([beside.node, above.node, above.head]) as noun
        from subjects cross join sides
            join tokens as beside on beside.sent = subjects.sent
                and beside.position = subjects.position + if(sides.behind, -1, 1)
            left join tokens as above on above.node = beside.head
    )
    select distinct near.row, near.form, noun.form as noun
    from near
        join tokens as noun on noun.node = near.noun and noun.upos in ('NOUN', 'PROPN') and noun.node <> near.node
            and (noun.position < near.position) = near.after
            -- What has an owner says so, and has neither an article nor another one.
            and (not possessed or contains(noun.feats, '[psor]') and noun.node not in (
                select head from tokens where relation in ('det', 'nmod') and head is not null
            ))
        left join controller_readings as reading on reading.form = near.form
            and {CASE.format(feats="reading.feats")} = owning
            and (reading.common or {RARER} * reading.count > attested)
    where reading.form is not null or near."case" = owning or near."case" = '' and near.upos = 'PROPN'
"""

# Predicates of a copula stand in cases of their own, and one clause has one; who is asked after may be either, and what
# stands behind the verb.
_PREDICATIVE = f"""
    create temp table predicates as
    with copulas as (
        select copula.lemma as verb, {CASE.format(feats="predicate.feats")} as "case", count(*) as count
        from corpus as copula join corpus as predicate on predicate.node = copula.head
        where copula.relation = 'cop' and predicate.upos in {NOMINALS} group by all
    ),
    cases as (
        from copulas qualify {RARER} * count > sum(count) over (partition by verb)
    )
    select row, form, verb from subjects semi join cases using (verb, "case")
    where (behind or upos = 'PRON' and regexp_matches(feats, 'PronType=[A-Za-z,]*(Int|Rel)'))
        and predicate in ('VERB', 'AUX') and clause not in (select head from tokens where relation in ('cop', 'xcomp'))
"""


def find_subjects(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction]) -> bool:
    """Make the tables that the guards read; False where no controller is a subject.

    Verbs that agree with several arguments (`Number[abs]`) tell which of them is unsaid.
    """
    counts = [connection.execute(query).fetchall() for query in (_SUBJECTS, _RELATIVES)]
    verbs = connection.execute(_VERBS).fetchall()
    if counts == [[(0,)], [(0,)]] and not verbs:
        return False
    predicates = [
        (parse_features(feats or ""), count, unsaid)
        for feats, count, unsaid in connection.execute(_PREDICATES).fetchall()
    ]

    @cache
    def goes_unsaid(feats: str) -> bool:
        return _unsaid(parse_features(feats), predicates) > SLIPS

    unsaid = [
        (row, name, any(feature != plain(feature) for feature in constructions[number].features))
        for number, row, name, feats in connection.execute(_STARRED).fetchall()
        if goes_unsaid(feats)
    ]
    optional = [(row, form, verb) for row, form, verb, feats in verbs if goes_unsaid(feats)]
    connection.register("unsaid", table_of(unsaid, row=int, name=str, several=bool))
    connection.register("optional", table_of(optional, row=int, form=str, verb=str))
    make_of_unsaid(connection, _OWNERS, _PREDICATIVE)
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
