"""Which words that meet are written as one: German zu dem, zum; Spanish de el, del."""

from __future__ import annotations

from starbank.morphology.casing import lower

COUNTS = """
    create table meetings (
        first varchar, first_upos varchar, second varchar, second_upos varchar, surface varchar, number bigint
    )
"""

_MEETINGS = """
    insert into meetings
    with words as (
        select row, sent, {form} as form, upos, cover, {cover_form} as surface,
            count(*) over (partition by sent, cover) as together
        from tokens
    ),
    beside as (
        select form as first, upos as first_upos,
            lead(form) over places as second, lead(upos) over places as second_upos,
            cover is not null and cover = lead(cover) over places as fused, together, surface
        from words window places as (partition by sent order by row)
    )
    select first, first_upos, second, second_upos, if(fused, surface, null), count(*)
    from beside where second is not null and first_upos <> 'PUNCT' and second_upos <> 'PUNCT'
        and (not fused or together = 2)
    group by all
"""

# What meets often apart, and never as one, is no fusion.
FUSIONS = """
    select first, first_upos, second, second_upos, arg_max(surface, number) as surface,
        coalesce(max(number) filter (surface is not null), 0)::bigint as fused, sum(number)::bigint as adjacent
    from (select * replace (sum(number) as number) from meetings group by all)
    group by first, first_upos, second, second_upos
    having fused > 0
    order by adjacent desc, first, first_upos, second, second_upos
"""


def meetings_query(language: str | None) -> str:
    """Return the SQL that adds what meets in the table `tokens` (row, sent, form, upos, cover, cover_form)."""
    return _MEETINGS.format(form=lower("form", language), cover_form=lower("cover_form", language))
