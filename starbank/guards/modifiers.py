"""Guards about the target's modifiers: they keep their form, and where they agree in case, they give the star away.

They read `telltale`, which `compare_modifiers` makes: starred conditions (`name`) with a modifier that the treebank
hardly shows beside nouns as the target has become, and often beside nouns as it is.
"""

from __future__ import annotations

import duckdb

from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, RARER
from starbank.treebanks.features import CASE, NOMINALS

GUARDS = (
    Guard(
        "modifier gives it away",
        "What agrees with the target in case tells by itself that something is wrong.",
        """
        select row, name, modifier || ' seldom goes with ' || feats from telltale
        """,
        by_condition=True,
    ),
)

_ATTRIBUTES = "('ADJ', 'DET', 'NUM')"
_MODIFYING = "'amod', 'det', 'nummod', 'nmod', 'compound', 'appos'"
_RELATION = "{token}.relation"
# What a modifier may agree with in the kind of noun, and in languages where it agrees in less, or few are seen.
_KINDS = (
    "[regexp_extract_all({feats}, '(^|[|])((Case|Gender|Number)=[^|]*)', 2),"
    " regexp_extract_all({feats}, '(^|[|])(Case=[^|]*)', 2)]"
)
# The role in which a modifier stands; one that hangs from another word has that of its kind.
_ROLE = f"""
    case when {_RELATION} in ({_MODIFYING}) then {_RELATION}
        else coalesce(['amod', 'det', 'nummod'][list_position(['ADJ', 'DET', 'NUM'], {{token}}.upos)], 'nmod') end
"""

_CHANGES = f"""
    create or replace temp table changes as
    select distinct cells.row, cells.name, bound.token, cells.feats, unnest([0, 1]) as scope,
        unnest({_KINDS.format(feats="word.feats")}) as own, unnest({_KINDS.format(feats="cells.feats")}) as other
    from cells join words as word using (row, node) join bound using (row, node)
    where cells.starred and word.first
        and {CASE.format(feats="word.feats")} <> {CASE.format(feats="cells.feats")}
"""

# The target's modifiers, and what agrees with it in case deeper in its phrase or right before it.
_MODIFIERS = f"""
    create or replace temp table modifiers as
    with recursive targets as (
        select node, sent, position, {CASE.format(feats="feats")} as own_case
        from tokens semi join changes on changes.token = tokens.node
    ),
    phrase as (
        select node as target, node, position, own_case, 0 as step from targets
        union
        select target, below.node, phrase.position, own_case, step + 1
        from phrase join tokens as below on below.head = phrase.node
        where step < 4 and {_RELATION.format(token="below")} in ({_MODIFYING}, 'conj')
            and (
                step = 0 and {_RELATION.format(token="below")} in ('amod', 'det', 'nummod')
                or {CASE.format(feats="below.feats")} = own_case
                    and (below.upos in {_ATTRIBUTES} or below.position < phrase.position)
            )
    ),
    before as (
        select targets.node as target, before.node, small(before.form) as form, before.upos
        from targets join tokens as before on before.sent = targets.sent and before.position = targets.position - 1
        where {CASE.format(feats="before.feats")} = own_case
    ),
    -- Wherever it hangs from, here it may be what its form is elsewhere: Georgian ამა თუ იმ, this or that.
    usual as (
        select form, arg_max(role, (count, role)) as role
        from (
            select small(form) as form, {_RELATION.format(token="corpus")} as role, count(*) as count
            from corpus where small(form) in (select form from before) group by all
        )
        where role in ('amod', 'det', 'nummod') group by form
    ),
    beside as (
        select target, node, role from before left join usual using (form)
        where upos in {_ATTRIBUTES} or role is not null
    )
    select distinct target, token.node as token, token.form as modifier, small(token.form) as form,
        coalesce(places.role, {_ROLE.format(token="token")}) as role, {CASE.format(feats="token.feats")} as "case"
    from (select target, node, null as role from phrase where step > 0 union from beside) as places
        join tokens as token using (node)
"""

# What of a modifier is counted, the narrowest first: its form, its last two letters, its last one, its case, nothing.
_PART = """
    case level when 0 then form when 1 then right(form, 2) when 2 then right(form, 1) when 3 then "case" else '' end
"""
_BY_CASE, _WHATEVER = 3, 4

# The modifiers that the treebank has beside nouns with a case.
_MODIFIED = f"""
    create or replace temp table modified as
    select small(modifier.form) as form, {CASE.format(feats="modifier.feats")} as "case",
        {_ROLE.format(token="modifier")} as role, noun.feats, count(*) as count
    from corpus as modifier join corpus as noun on noun.node = modifier.head
    where noun.upos in {NOMINALS} and contains(noun.feats, 'Case=')
        and {_RELATION.format(token="modifier")} in ({_MODIFYING})
    group by all
"""

# How often the treebank has each form, each ending and each case beside nouns of each kind.
_SHOWN = f"""
    create or replace temp table shown as
    with changing as (select distinct scope, own as kind from changes union select distinct scope, other from changes),
    kinds as (
        select form, "case", role, count, unnest([0, 1]) as scope, unnest({_KINDS.format(feats="feats")}) as kind
        from modified
    )
    select scope, level, {_PART} as part, role, kind, sum(count) as count
    from kinds semi join changing using (scope, kind) cross join range({_WHATEVER + 1}) as levels(level) group by all
"""

# The endings that change with the case: where a letter ends several cases alike, it may end words that do not decline.
_DECLINED = f"""
    create or replace temp table declined as
    with endings as (
        select right(form, 1) as ending, role, "case", sum(count) as own from modified group by all
    )
    from endings
    qualify {RARER} * (sum(own) over (partition by ending, role) - own) < own and own >= {ENOUGH_CASES}
"""

# The narrowest that is and should be seen often enough tells.
_TELLTALE = f"""
    create or replace temp table telltale as
    with parts as (
        select *, {_PART} as part from modifiers cross join range({_WHATEVER}) as levels(level)
    ),
    weighed as (
        select changes.row, changes.name, changes.feats, changes.scope, modifier, parts.level,
            good.count, good.count * all_starred.count / all_good.count as expected, coalesce(starred.count, 0) as seen,
            right(form, 1) as ending, parts.role, "case"
        from changes
            join parts on parts.target = changes.token
            anti join bound on bound.row = changes.row and bound.token = parts.token
            left join shown as good using (scope, level, part, role)
            join shown as all_good using (scope, role)
            join shown as all_starred using (scope, role)
            left join shown as starred on starred.kind = other and starred.scope = changes.scope
                and starred.level = parts.level and starred.part = parts.part and starred.role = parts.role
        where coalesce(good.kind, own) = own and all_good.kind = own and all_starred.kind = other
            and all_good.level = {_WHATEVER} and all_starred.level = {_WHATEVER}
    ),
    narrowest as (
        from weighed
        where count >= {ENOUGH_CASES} and expected > {RARER} or level = 0 and scope = 0 and seen > 0
        qualify row_number()
            over (partition by row, name, modifier order by level, scope, expected desc, role, "case") = 1
    )
    select row, name, modifier, feats from narrowest
    where {RARER} * (seen + 1) < expected and count >= {ENOUGH_CASES}
        and (level < {_BY_CASE} or (ending, role, "case") in (select (ending, role, "case") from declined))
"""


def compare_modifiers(connection: duckdb.DuckDBPyConnection) -> bool:
    """Make the table `telltale`; False where there is none, since no modifiers stand beside words that change case."""
    # Most constructions change no case, and need not look at the whole treebank.
    for query in (_CHANGES, _MODIFIERS):
        if connection.execute(query).fetchall() == [(0,)]:
            return False
    for query in (_MODIFIED, _SHOWN, _DECLINED, _TELLTALE):
        connection.execute(query)
    return True
