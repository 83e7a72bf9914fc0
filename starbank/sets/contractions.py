"""Contractions: what texts write for a form and the word beside it: French du where le stands behind de, but de la."""

from __future__ import annotations

import duckdb

from starbank.guards.thresholds import ENOUGH_CASES, RARER
from starbank.morphology.casing import cased_like

# The forms that stand in place of a word which a token hides, or behind a word that texts write as one with them; with
# the place in the text where the two begin.
_BESIDE = """
    create temp table beside as
    with hiding as (select (others, form, upos) from fused where start is null),
    changed as (
        select filled.row, node, name, small(filled.form) as form, small(word.form) as own, filled.upos, bound.token,
            word.start, word.contracted
        from filled join words as word using (row, node) join bound using (row, node)
        where not kept and filled.form is not null
            -- German zu der is zur, too, which makes no other sentence of it.
            and (word.contracted or small(filled.form) <> small(word.form))
    )
    select row, changed.node, name, changed.form, changed.upos, fused.others, changed.start as place, true as hidden
    from changed join fused on fused.node = changed.token where contracted
    union all
    select row, changed.node, name, changed.form, changed.upos, small(before.form) || ' _', before.start, false
    from changed join tokens as target on target.node = changed.token
        join tokens as before on before.sent = target.sent and before.position = target.position - 1
            and before."end" + 1 = changed.start
    where not contracted and (row, before.node) not in (select (row, token) from bound)
        and (small(before.form) || ' _', changed.form, changed.upos) in (from hiding)
        -- What stays two words here, though it could be one, does so for a reason: Portuguese apesar de o ter.
        and (small(before.form) || ' _', changed.own, changed.upos) not in (from hiding)
"""

# How texts write a form beside other words: as one, and how often, or side by side.
_CONTRACTIONS = f"""
    create temp table contractions as
    with pairs as (select distinct others, form, upos from beside),
    seen as (
        select others, form, upos, surface, count(*) as count, true as fused
        from fused semi join pairs using (others, form, upos)
        group by all
    ),
    apart as (
        select pair.others, pair.form, pair.upos, left(others, -2) || ' ' || pair.form, count(*), false
        from pairs as pair
            join corpus as word on small(word.form) || ' _' = pair.others
            join corpus as after on after.sent = word.sent and after.position = word.position + 1
                and small(after.form) = pair.form and after.start = word.start + length(word.form) + 1
        group by all
        having count(*) >= {ENOUGH_CASES}
    )
    select others, form, upos, arg_max(surface, (count, surface)) as surface,
        coalesce(sum(count) filter (fused), 0) as fused, coalesce(sum(count) filter (not fused), 0) as apart
    from (from seen union all from apart) group by others, form, upos
"""

_CHOSEN = f"""
    create temp table chosen as
    select row, node, name, place, hidden, surface
    from beside join contractions using (others, form, upos)
    where hidden or fused >= {ENOUGH_CASES} and {RARER} * apart < fused
"""

# A word that becomes one with that before it takes it along under all conditions.
_MOVED = "create temp table moved as select distinct row, node, place from chosen where not hidden"
_PLACED = """
    create or replace temp table words as
    select word.* replace (
        coalesce(moved.place, word.start) as start, word.contracted or moved.place is not null as contracted
    )
    from words as word left join moved using (row, node)
"""

_WRITTEN = """
    create or replace temp table filled as
    select filled.* replace (
        case
            when not word.contracted then written
            when kept then {replaced}
            when chosen.surface is not null then {cased}
            when moved.row is not null then word.text[word.start + 1 : word."end" - length(word.form)] || filled.form
        end as written,
        chosen.surface is not null as contracted
    )
    from filled left join words as word using (row, node) left join chosen using (row, node, name)
        left join moved using (row, node)
"""


def write_contractions(connection: duckdb.DuckDBPyConnection, language: str | None) -> None:
    """Let `written` of the table `filled` be what texts write for a form and the word beside it, if they write that.

    A token that hides the word is replaced by the token that texts have, or by both words side by side; null where they
    have neither. A word that becomes one with the word before it is replaced together with that, and begins there in
    the table `words`. What is written so is `contracted`.
    """
    ((hiding,),) = connection.execute("select count(*) from fused where start is null").fetchall()
    if not hiding:
        return
    for query in (_BESIDE, _CONTRACTIONS, _CHOSEN, _MOVED, _PLACED):
        connection.execute(query)
    replaced = 'word.text[word.start + 1 : word."end"]'
    connection.execute(_WRITTEN.format(replaced=replaced, cased=cased_like(replaced, "chosen.surface", language)))
