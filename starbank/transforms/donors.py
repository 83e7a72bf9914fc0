"""Which words may stand for others, in SQL: how much was seen of them, and the pool of each at each level.

The table `donors` has the words that may: those are `sure` of which more than one was seen, `usable` where they were
seen themselves, not only where forms lend one another frames, and `idle` that may have nothing beside them.
"""

from __future__ import annotations

from functools import reduce

from starbank.transforms.frames import REQUIREMENTS

# A verb that was seen with nothing beside it (any number), if it is so in more than this share of its places without
# an object.
_BARE, _WITHOUT = 0x9E3779B97F4A7C15, 0.15
# Where a part of speech has so many words, nouns, verbs and adjectives whose lemma is there once take no other's place,
# nor does a verb that was seen once without an object or a clause.
_FEW = 100

# Whether a word stands in a frame of its own. A verb that mostly takes an object is now and then without; a noun that
# mostly has an article is without in headlines: neither of the two is to be had for all places like these.
DONORS = f"""
    create table donors as
    with of_lemmas as (select upos, lemmas, count(*) as number from content where lemmas is not null group by all),
    of_frames as (select upos, alike, count(*) as number from content where alike is not null group by all),
    of_valencies as (select valency, count(*) as number from content where valency is not null group by all),
    of_bare as (
        select lemma, if(lonely, null, alike) as taking, count(*) filter (bare) as number, count(*) as alone
        from content where upos = 'VERB' group by all
    ),
    of_forms as (select cell, form, count(*) as number from content where novel group by all),
    often as (
        select upos, lemma, count(*) as number, sum(count(*)) over (partition by upos) < {_FEW} as of_few
        from content where novel group by upos, lemma
    )
    select row, form, kind, coalesce(signatures, [0]) as signatures, not $plain or
        coalesce(if(content.upos = 'VERB', greatest(of_frames.number, of_valencies.number), of_forms.number), 0) > 1
            as sure,
        sure or of_few is not false or case
            when content.upos = 'VERB' then not lonely and often.number > 1
            when content.upos in ('NOUN', 'ADJ') then often.number > 1
            else true
        end as usable,
        content.upos = 'VERB' and (bare or not lonely) and of_bare.number > {_WITHOUT} * of_bare.alone as idle
    from content
        left join of_lemmas using (upos, lemmas)
        left join of_frames using (upos, alike)
        left join of_valencies using (valency)
        left join of_bare on content.upos = 'VERB' and of_bare.lemma = content.lemma
            and of_bare.taking is not distinct from if(content.lonely, null, content.alike)
        left join of_forms using (cell, form)
        left join often on often.upos = content.upos and often.lemma = content.lemma
        left join signing on signing.cell = content.cell and signing.lemma = content.lemma
    where fits and case
        when content.upos = 'VERB' then coalesce(of_frames.number * if(lonely, 2, 3) >= of_lemmas.number, true)
        when lonely then of_frames.number > 1 and of_frames.number * 2 > of_lemmas.number
            and content.lemma in (from countable)
        else true
    end
"""

# The pool of a word at a level: what `rest` and governed obliques tell, and what the level asks of features and places.
_PLACED = reduce("xor({}, {})".format, [f"if(asks_{name}, {name}, 0::ubigint)" for name in (*REQUIREMENTS, "wish")])
_KEYED = """
    from {content} as content
        join levels on levels.upos = content.upos
        join features on features.cell = content.cell and features.level = levels.level
        left join governed on governed.upos = content.upos and governed.lemma = content.lemma
            and governed.obliques = content.obliques,
        lateral (select xor(coalesce({governed}, content.obliques), {placed}) as around),
        lateral (select xor(xor(rest, hash(levels.level)), around) as base)
"""

# A form has the frames of its own places, and at the level at which it is lent them those of its verb's other forms.
POOLS = f"""
    with keyed as (
        select content.row, content.form, content.lemma, content.cell, frame, around, base, features, lends,
            sure, usable, unnest(if(idle, [0, {_BARE}], signatures)::ubigint[]) as silent
        {_KEYED.format(content="content", governed="governed", placed=_PLACED)} join donors on donors.row = content.row
        where sure or not asks_wish
    ),
    lent as (from keyed join lenders using (cell) where lends),
    forms as (
        select lemma, lender, xor(xor(base, xor(frame, around)), features) as own, form, min(row) as row
        from lent group by all
    ),
    frames as (select distinct lemma, lender, xor(xor(frame, around), silent) as framed from lent where sure)
    select row, form, xor(xor(base, features), silent) as key, sure from keyed where not lends and usable
    union all
    select row, form, xor(own, framed), true from forms join frames using (lemma, lender)
"""

TARGETS = """
    create or replace temp table targets as
    select row, reason, noun, cover, raised, form
    from content where row >= $first and row < $end
"""

_ASKING = "(from content semi join asking on asking.row = content.row)"
KEYS = f"""
    select content.row, levels.level,
        xor(xor(base, {{features}}), if(bare, {_BARE}, coalesce(signature, 0))::ubigint) as key
    {_KEYED.format(content=_ASKING, governed="if(eases, eased, governed)", placed=_PLACED)}
        left join signed on signed.row = content.row
    where levels.level < $levels
    order by levels.level, content.row
"""
