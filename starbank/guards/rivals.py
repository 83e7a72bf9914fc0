"""Guards about other nouns: the starred form may go with one of them in place of the controller.

They read `rivals`, which `find_rivals` makes: the nouns that a modifier could belong to as well, or a relative clause,
each with the starred conditions (`name`) whose form would go with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from starbank.guards.common import SEVERAL
from starbank.guards.registry import Guard
from starbank.guards.thresholds import FIRM, MOSTLY, RARER, SLIPS
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import (
    CASE,
    NOMINALS,
    RELATIVE,
    UNCASED,
    UNGENDERED,
    VALUE,
    is_compatible,
    parse_features,
    plain,
)

# What a noun and a modifier may not differ in.
_ALIKE = " and ".join(
    f"({one} = '' or {other} = '' or {one} = {other})"
    for name in ("Case", "Gender", "Number")
    for one, other in [[VALUE.format(feats=f"{word}.feats", name=name) for word in ("modifier", "noun")]]
)

GUARDS = (
    Guard(
        "modifiers away from nouns",
        "Where modifiers often stand away from their nouns, beyond the verb or another of its arguments, the starred "
        "one may be of any noun, or a noun itself: Latin magnam habet gloriam.",
        """
        select controllers.row, controllers.form || ' need not be beside what modifies it'
        from controllers cross join scattering where modifies and scattered
        """,
    ),
    Guard(
        "another noun fits",
        "A modifier could belong to a noun beside it, above it or below it, a relative clause to one on the way.",
        "select row, name, rival || ' is near' from rivals",
        by_condition=True,
    ),
    Guard(
        "modifier of another noun",
        "Where the noun changes, its modifier could belong to the noun that this one hangs from, or to one beside it.",
        f"""
        with modifiers as (
            select controllers.row, controllers.form, modifier.feats, target.node, target.head, target.sent,
                unnest([modifier.position - 1, modifier.position + 1]) as place
            from controllers
                join bound on bound.row = controllers.row and bound.first
                join tokens as target on target.node = bound.token
                join tokens as modifier on modifier.node = controllers.token and modifier.head = target.node
            where target.upos in ('NOUN', 'PROPN') and modifier.upos in ('ADJ', 'DET', 'VERB')
        ),
        -- A join by one or the other would pair them with all words of the sentence.
        placed as (
            select row, form, feats, node, head as other from modifiers
            union
            select row, modifiers.form, modifiers.feats, modifiers.node, beside.node
            from modifiers join tokens as beside on beside.sent = modifiers.sent and beside.position = place
        )
        select distinct cells.row, cells.name, modifier.form || ' may belong to ' || noun.form
        from placed as modifier
            join tokens as noun on noun.node = modifier.other and noun.node <> modifier.node
                and noun.upos in {NOMINALS}
            join cells on cells.row = modifier.row and cells.starred
        where {_ALIKE}
        """,
        by_condition=True,
        upos=("NOUN", "PROPN"),
    ),
    Guard(
        "modifier of the noun above",
        "Where a noun looks the same in the starred case, what changes along with it may belong to the noun that this "
        "one hangs from, beyond it: Urdu یہ وقت کے چیف منسٹر, this minister of the time.",
        f"""
        with modifiers as (
            select word.row, cells.name, word.form, cells.feats, token.position, noun.position as place, noun.head
            from words as word join cells using (row, node) join bound using (row, node)
                join tokens as token on token.node = bound.token
                join bound as target on target.row = word.row and target.first
                join tokens as noun on noun.node = target.token
            where cells.starred and word.agreeing
                and (word.row, cells.name) in (
                    select (row, name) from filled join words as noun using (row, node)
                    where noun.first and small(filled.form) = small(noun.form)
                )
        )
        select distinct modifier.row, modifier.name, modifier.form || ' may belong to ' || noun.form
        from modifiers as modifier join tokens as noun on noun.node = modifier.head and noun.upos in {NOMINALS}
        where (modifier.position < place) = (place < noun.position) and {_ALIKE}
        """,
        by_condition=True,
        upos=("NOUN", "PROPN"),
    ),
    Guard(
        "clause as antecedent",
        "A relative pronoun may stand for all that was said before it, as which does.",
        f"""
        with recursive above as (
            select small(form) as pronoun, node, head, relation, 0 as step from corpus
            where {RELATIVE.format(feats="feats")}
                and small(form) in (
                    select small(form) from compared where starred and {RELATIVE.format(feats="own")}
                )
            union all
            select pronoun, token.node, token.head, token.relation, step + 1
            from above join corpus as token on token.node = above.head
            where above.relation not in ('acl', 'advcl') and step < 4
        ),
        antecedents as (
            select pronoun, count(*) as count, count(*) filter (upos in ('VERB', 'AUX')) as clauses
            from above join corpus as antecedent on antecedent.node = above.head
            where above.relation in ('acl', 'advcl') group by pronoun
        )
        select row, name, form || ' may stand for a clause'
        from compared join antecedents on pronoun = small(form)
        where starred and clauses > 1 and clauses > {1 - FIRM:.1f} * antecedents.count
        """,
        by_condition=True,
        upos=("DET", "PRON"),
    ),
)

# A modifier's rivals: nouns between it and its noun and right beside it, and those that its noun hangs from, if both
# are on one side of it. Those of a relative clause stand between its noun and the pronoun, or before the noun that
# hangs from them.
_NEAR = f"""
    create temp table near as
    with recursive places as (
        select controller.row, controller.decider, target.head = controller.decider as modifier,
            if(controller.token = controller.decider, target.position, pronoun.position) as position,
            noun.position as noun, noun.sent
        from controllers as controller
            join bound on bound.row = controller.row and bound.first
            join tokens as target on target.node = bound.token
            join tokens as pronoun on pronoun.node = controller.token
            join tokens as noun on noun.node = controller.decider
        where controller.token <> controller.decider or target.head = controller.decider
            or {RELATIVE.format(feats="target.feats")}
    ),
    -- What each step asks is looked up once. A noun also hangs from one by a participle: mushrooms coated with crumbs;
    -- and what a relative clause is of by any verb: the plan to build houses which.
    hanging as materialized (
        select token.node, token.head, not (
                above.upos in {NOMINALS} or above.upos = 'ADJ'
                or above.upos = 'VERB' and contains(above.feats, 'VerbForm=Part')
            ) as by_verb
        from tokens as token join tokens as above on above.node = token.head
    ),
    ancestors as (
        select row, decider as node, not modifier as through, 0 as step from places
        union
        select row, hanging.head, through, step + 1
        from ancestors join hanging using (node) where step < 4 and (through or not by_verb)
    ),
    -- A relative clause may be of any argument of the verb before it, though another stands in between.
    extraposed as (
        select places.row, verb.node as verb
        from places join tokens as decider on decider.node = places.decider
            join tokens as verb on verb.node = decider.head and verb.upos in ('VERB', 'AUX')
        where not modifier
    )
    select distinct places.row, other.form, other.upos, unnest([
            coalesce(other.feats, ''),
            if(
                not modifier and {SEVERAL.format(node="other.node")},
                replace(coalesce(other.feats, ''), 'Number=Sing', 'Number=Plur'), coalesce(other.feats, '')
            )
        ]) as feats
    from places join tokens as other using (sent)
        left join ancestors on ancestors.row = places.row and ancestors.node = other.node
        left join extraposed on extraposed.row = places.row and extraposed.verb = other.head
    where other.upos in {NOMINALS} and other.node <> places.decider and other.position <> places.position
        and not (modifier and other.upos = 'PRON')
        and (
            other.position between least(places.position, noun) and greatest(places.position, noun)
            or modifier and abs(other.position - places.position) = 1
            or extraposed.row is not null and other.position < places.position
            or ancestors.node is not null
                and if(modifier, (places.position < noun) = (noun < other.position), other.position < noun)
            -- A bare noun before it may as well be the head, of a construct: the number of workers.
            or modifier and other.head = places.decider and other.upos = 'NOUN'
                and other.position < noun and noun < places.position
                and other.node not in (select head from tokens where relation = 'case')
            -- A noun's own genitive: the chemistry of compounds that are, where compounds stand before it.
            or not modifier and other.head = places.decider and other.position < noun
                and contains(other.feats, 'Case=Gen')
        )
"""

# Are more modifiers away from their nouns than slips of annotation could be?
_SCATTERING = f"""
    create temp table scattering as
    with modifiers as (
        select modifier.node, noun.node as noun, noun.head as above,
            least(modifier.position, noun.position) as first, greatest(modifier.position, noun.position) as last
        from corpus as modifier join corpus as noun on noun.node = modifier.head
        where modifier.relation in ('amod', 'det') and noun.upos in ('NOUN', 'PROPN')
    ),
    away as (
        select modifiers.node from modifiers join corpus as word on word.head = above
        where word.node <> noun and word.position > first and word.position < last
        union
        select modifiers.node from modifiers join corpus as word on word.node = above
        where word.position > first and word.position < last
    )
    select (select count(*) from away) > {SLIPS} * (select count(*) from modifiers) as scattered
"""

_RIVALS = """
    create or replace temp table rivals as
    select distinct cells.row, cells.name, near.form as rival
    from near
        join cells on cells.row = near.row and cells.starred
        join words as word on word.row = cells.row and word.node = cells.node and word.first
        join readings_of on readings_of.row = cells.row and readings_of.name = cells.name
        join fits
            on fits.construction = cells.construction and fits.target = readings_of.feats and fits.noun = near.feats
            and fits.upos = near.upos
"""

# A starred word may look like another of its forms: in the case of a noun nearby.
_READINGS = f"""
    create or replace temp table readings_of as
    select cells.row, cells.construction, cells.name, cells.feats
    from cells join words as word using (row, node)
    where cells.starred and word.first
    union
    -- Whether or not texts show this word so, as those like it do: Arabic ones without vowels.
    select cells.row, cells.construction, cells.name, replace(cells.feats, 'Case=' || own, 'Case=' || other)
    from cells join words as word using (row, node)
        join alike_cases as alike on alike.upos = word.upos and rest = {UNCASED.format(feats="cells.feats")}
            and own = {CASE.format(feats="cells.feats")}
    where cells.starred and word.first and share > {MOSTLY}
    union
    select cells.row, cells.construction, cells.name, replace(cells.feats, 'Gender=' || own, 'Gender=' || other)
    from cells join filled using (row, name, node) join words as word using (row, node)
        join alike_genders as alike
            on rest = {UNGENDERED.format(feats="cells.feats")}
            and contains('|' || cells.feats || '|', '|Gender=' || own || '|') and ending = right(small(filled.form), 2)
    where cells.starred and word.first and word.upos = 'ADJ'
    union
    select filled.row, filled.construction, filled.name, reading.feats
    from filled join cells using (row, name, node) join words as word using (row, node)
        join readings as reading
            on reading.form = filled.form and coalesce(reading.construction, filled.construction) = filled.construction
    where cells.starred and word.first and (
        {RELATIVE.format(feats="reading.feats")}
        or reading.upos = filled.upos and reading.lemma = filled.lemma and {RARER} * reading.count > filled.count
    )
"""


def find_rivals(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction]) -> None:
    """Make the table `rivals`, and `readings_of`, of what features starred words may be; `alike_cases` is there."""
    connection.execute(_SCATTERING)
    connection.execute(_NEAR)
    connection.execute(_READINGS)
    pairs = connection.execute(
        """
        select distinct readings_of.construction, readings_of.feats, near.feats, near.upos
        from near join readings_of using (row)
        """
    ).fetchall()
    fits = [
        (number, target, noun, upos)
        for number, target, noun, upos in pairs
        if _fits(target, noun, upos, constructions[number].features)
    ]
    connection.register("fits", table_of(fits, construction=int, target=str, noun=str, upos=str))
    connection.execute(_RIVALS)


def _fits(target: str, noun: str, upos: str, varied: dict[str, tuple[str, ...]]) -> bool:
    """Tell whether a word with such features could go with a noun: it has the varied values, and contradicts none.

    A relative pronoun has a case of its own. Names may have values that they do not show.
    """
    ruled, ruler = parse_features(target), parse_features(noun)
    relative = "Rel" in ruled.get("PronType", "").split(",")
    if not relative and upos != "PROPN" and not all(plain(name) in ruler for name in varied):
        return False
    case = () if relative else ("Case",)
    shared = [name for name in (*case, "Gender", "Number", *varied) if name in ruled and plain(name) in ruler]
    return all(is_compatible(ruled[name], ruler[plain(name)]) for name in shared)
