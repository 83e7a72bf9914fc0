"""Guards about mined arcs: is an arc an instance of a pattern, and are its forms fit to be compared?

They read `instances`, the arcs with their pattern, and `spanned`, what stands between the ends of each
(`starbank/sets/mining/instances.py`), and `fitting`, the forms of the items made of them
(`starbank/sets/mining/items.py`).
"""

from __future__ import annotations

from dataclasses import replace

from starbank.guards import controllers
from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, FIRM
from starbank.treebanks.features import NOMINALS

_DISAGREES = next(guard for guard in controllers.GUARDS if guard.name == "controller does not agree")
_NOT_FIRM = next(guard for guard in controllers.GUARDS if guard.name == "agreement is not firm")

GUARDS = (
    Guard(
        "arc of another length",
        "Close by, agreement is easy to learn by heart; far away it is seldom annotated well.",
        "select row, length || ' words' from instances where not near",
    ),
    Guard(
        "arc that others cross",
        "The two ends are not on one path, and who depends on whom is open.",
        "select row, pattern || ' ' || direction from instances where not projective",
    ),
    Guard(
        "no pattern",
        "In such places the one end does not tell the value of the other.",
        """select row, pattern || ' ' || direction from instances where "values" is null""",
    ),
    replace(
        _DISAGREES,
        query="""
        select row, cue_value || ', ' || target_value from instances where cue_value is distinct from target_value
        """,
    ),
    replace(
        _NOT_FIRM,
        query=f"""
        select row, cue_value || ': of ' || arcs || ' such arcs ' || agreeing || ' agree' from (
            select *, count(*) over same as arcs, count(*) filter (cue_value = target_value) over same as agreeing
            from instances where cue_value is not null and target_value is not null
            window same as (
                partition by direction, split_part(pattern, '_', 1), split_part(pattern, '_', -1), cue_value
            )
        )
        where arcs >= {ENOUGH_CASES} and agreeing < {FIRM} * arcs
        """,
    ),
    Guard(
        "not in the vocabulary",
        "A model that has not seen a word cannot be asked about it.",
        "select row, unknown from spanned where unknown is not null",
    ),
    Guard(
        "another word agrees with it",
        "The target's own article, adjective or auxiliary tells that something is wrong, whatever is far away.",
        """
        select instances.row, min(token.form) || ' has ' || min(target_value)
        from instances join tokens as token on token.head = instances.target and token.value = target_value
        where token.node <> cue and (
            split_part(token.deprel, ':', 1) in ('det', 'amod', 'nummod', 'aux', 'cop')
            -- Participles of a language may be clauses that stand before their noun.
            or split_part(token.deprel, ':', 1) = 'acl' and token.upos = 'ADJ' and token.node < instances.target
        )
        group by instances.row
        """,
    ),
    Guard(
        "coordinated modifiers",
        "Two of them may tell of two things, with a singular noun, too: the red and the white wine are.",
        f"""
        with nouns as (
            select row, unnest([cue, target]) as node, unnest([cue_value = 'Sing', target_value = 'Plur']) as several
            from instances
        )
        select distinct nouns.row, modifier.form || ' and ' || conjunct.form
        from nouns join tokens as noun using (node)
            join tokens as modifier on modifier.head = noun.node
            join tokens as conjunct on conjunct.head = modifier.node
        where several and noun.upos in {NOMINALS} and split_part(conjunct.deprel, ':', 1) = 'conj'
            and split_part(modifier.deprel, ':', 1) in ('amod', 'det', 'nmod')
            and (modifier.upos in ('ADJ', 'DET') or modifier.node < noun.node)
        """,
    ),
)

# Once the others have spoken, and their `problems` are known.
LATE_GUARDS = (
    Guard(
        "another arc to the target",
        "A sentence gives one item of a word: that of the shortest arc.",
        """
        select instances.row, pattern || ' ' || direction
        from instances anti join problems on problems.row = instances.row
        qualify row_number() over (partition by target order by length, instances.row) > 1
        """,
    ),
)

FORM_GUARDS = (
    Guard(
        "another sound at the beginning",
        "The word before tells the two forms apart: a dog, an eagle.",
        """
        select row, string_agg(form, ', ' order by grammatical desc, form)
        from fitting group by row having count(distinct sound) > 1
        """,
    ),
    Guard(
        "not in the vocabulary",
        "A model that has not seen a word cannot be asked about it.",
        """
        select row, string_agg(form, ', ' order by grammatical desc, form)
        from fitting group by row having bool_or(not listed)
        """,
    ),
)
