"""Guards about sounds: the words beside the target may be written as they are before, or behind, another form of it.

They read `compared`, which `starbank/guards/forms.py` makes, and the treebank.
"""

from __future__ import annotations

from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, RARER, SLIPS

# The words before targets that begin with another letter than they did, and whether they are written as one with them.
_PLACED = """
    select compared.row, compared.name, small(before.form) as before, before.lemma, compared.form,
        small(compared.form[1]) as letter, before."end" = target.start as glued
    from compared
        join bound on bound.row = compared.row and bound.node = compared.node
        join tokens as target on target.node = bound.token
        join tokens as before on before.sent = target.sent and before.position = target.position - 1
            and before.upos <> 'PUNCT'
    where starred and small(compared.form[1]) <> small(opposite[1])
"""

# What elided words end in.
_APOSTROPHES = "('''', '’')"

# The first letter of a word's lemma, how the word begins if that is not how the lemma does, and what stands before the
# letter if anything does.
_MUTATION = """
    left(small({word}.lemma), 1) as letter,
    if(left(small({word}.form), 2) = left(small({word}.lemma), 2), '', left(small({word}.form), 2)) as beginning,
    if(replace(small({word}.form), '-', '')[2] = left(small({word}.lemma), 1), left(beginning, 1), '') as prefix
"""

GUARDS = (
    Guard(
        "word before is elided",
        "It tells by itself what sound comes next: n'est, but ne sont.",
        f"""
        with placed as (from ({_PLACED}) where glued),
        followed as (
            select small(word.form) as before, small(after.form[1]) as letter, count(*) as count
            from corpus as word join corpus as after on after.sent = word.sent and after.position = word.position + 1
            where small(word.form) in (select before from placed) and after.upos <> 'PUNCT'
            group by all
        )
        select distinct placed.row, placed.name, before || ' seldom stands before ' || letter
        from placed left join followed using (before, letter)
            join (select before, sum(count) as total from followed group by before) using (before)
        where {RARER * ENOUGH_CASES} * coalesce(count, 0) < total
        """,
        by_condition=True,
    ),
    Guard(
        "word before has to be elided",
        "Before some sounds texts write it with the next word: ne sont, but n'est.",
        f"""
        with placed as (from ({_PLACED}) where not glued),
        followed as (
            select word.lemma, small(word.form) as before, small(after.form[1]) as letter,
                right(word.form, 1) in {_APOSTROPHES} as elided, count(*) as count
            from corpus as word join corpus as after on after.sent = word.sent and after.position = word.position + 1
            where word.lemma in (select lemma from corpus where right(form, 1) in {_APOSTROPHES})
                and after.upos <> 'PUNCT'
            group by all
        ),
        letters as (
            select letter from followed where elided group by letter having sum(count) >= {ENOUGH_CASES}
        ),
        counts as (
            select lemma, before, elided, sum(count) as count
            from followed semi join letters using (letter) group by all
        ),
        elided as (select lemma, sum(count) as count from counts where elided group by lemma)
        select distinct placed.row, placed.name, before || ' seldom stands before ' || letter
        from placed semi join letters using (letter) join elided using (lemma) left join counts using (lemma, before)
        where {RARER} * (coalesce(counts.count, 0) + 1) <= elided.count
        """,
        by_condition=True,
    ),
    Guard(
        "word behind is mutated",
        "Where words begin otherwise behind some words, as in Celtic languages, the next one tells which stood there: "
        "Irish an tsráid, but na sráide.",
        f"""
        with placed as (
            select compared.row, compared.name, small(compared.form) as form, after.form as beside,
                {_MUTATION.format(word="after")}
            from compared
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as target on target.node = bound.token
                join tokens as after on after.sent = target.sent and after.position = target.position + 1
            where starred and compared.upos = 'DET' and after.upos in ('NOUN', 'PROPN', 'ADJ')
        ),
        cells as (
            select count(distinct left(small(form), 2)) as beginnings from corpus
            where upos = 'NOUN' and exists (from placed)
            group by lemma, regexp_replace(feats, '(Definite|Form|Mutation)=[^|]*', '', 'g') having count(*) > 1
        ),
        followed as (
            select small(word.form) as form, {_MUTATION.format(word="after")}, count(*) as count
            from corpus as word join corpus as after on after.sent = word.sent and after.position = word.position + 1
            where small(word.form) in (select form from placed)
            group by all
        ),
        letters as (
            select form, letter, arg_max(prefix, (count, prefix)) as usual from followed group by all having usual <> ''
        ),
        -- Letters that have one thing before them are alike: na hiarthar, na hoileáin.
        seen as (
            select row, name, beside, placed.form,
                coalesce(sum(count) filter (followed.beginning = placed.beginning), 0) as count, sum(count) as total
            from placed join followed using (form, letter) group by all
            union all
            select row, name, beside, placed.form,
                coalesce(sum(count) filter (followed.prefix = placed.prefix), 0), sum(count)
            from placed join letters using (form, letter)
                join letters as alike on alike.form = letters.form and alike.usual = letters.usual
                join followed on followed.form = alike.form and followed.letter = alike.letter
            group by all
        )
        select distinct row, name, beside || ' does not begin so behind ' || form from seen
        where total >= {ENOUGH_CASES} and count <= {SLIPS} * total
            and (select avg((beginnings > 1)::int) from cells) > {SLIPS}
        """,
        by_condition=True,
        upos=("DET",),
    ),
)
