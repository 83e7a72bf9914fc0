"""How content words begin and end beside others: what hardly ever stands there, though by chance it often should.

No other form of the word need be known: Irish *sa* stands before words in *ch*, and before none in *sh*, whatever these
are without their mutation; Hungarian *nem* before no verb in *meg*.
"""

from __future__ import annotations

from starbank.morphology.casing import lower

# A border is avoided that is to be expected so often by chance and is seen in at most this share of the cases.
_EXPECTED, _SEEN = 6, 0.1
_OPEN = ("NOUN", "PROPN", "VERB", "ADJ", "NUM")
_CONTENT = (*_OPEN, "ADV")
_LETTERS = 3
_ANY = "'*'"
# Whether a word begins with a vowel, as no letters are written.
_SOUND = "' ' || class({}[1])"

# Letters are judged among the words of a cell, and among all words of a part of speech, which are more. How words begin
# hangs less on what they are: a first letter, and whether that is a vowel, is judged among all words, too.
_COUNTED = f"""
    create or replace temp table borders as
    with words as (
        -- What is there again counts once.
        select distinct upos, cell, form, previous, previous_upos, following, following_upos
        from places where upos in {_CONTENT}
    ),
    beside as (
        -- What stands there: the word, where it is not one of many, and whether its letter at that side is a vowel.
        select upos, cell, 'previous' as side, form[:{_LETTERS}] as letters,
            [class({{previous}}[-1]), if(previous_upos in {_OPEN}, null, ' ' || {{previous}})] as keys
        from words
        union all
        select upos, cell, 'following', form[-{_LETTERS}:],
            [class({{following}}[1]), if(following_upos in {_OPEN}, null, ' ' || {{following}})]
        from words
    ),
    keyed as (select side, upos, cell, letters, unnest(keys) as key from beside),
    counted as (
        select side, upos, cell, letters, key, count(*) as number
        from keyed where key is not null and letters <> '' group by all
    ),
    contexts as (
        from counted
        union all
        select side, upos, {_ANY}, letters, key, sum(number) from counted group by all
    ),
    parts as (
        select * exclude (letters), unnest(list_distinct(list_transform(range(1, {_LETTERS + 1}),
            lambda i: if(side = 'previous', letters[:i], letters[-i:])))) as edge
        from contexts
        union all
        select side, {_ANY}, {_ANY}, key, number, unnest([letters[1], {_SOUND.format("letters")}])
        from counted where side = 'previous'
    )
    select side, upos, cell, key, key[1] = ' ' as is_word, edge, sum(number) as number from parts group by all
"""

AVOIDED = f"""
    with of_edge as (
        select side, upos, cell, is_word, edge, sum(number) as number from borders group by all
        having sum(number) >= {_EXPECTED}
    ),
    of_key as (
        select side, upos, cell, is_word, key, sum(number) as number from borders where length(edge) = 1 group by all
        having sum(number) >= {_EXPECTED}
    ),
    of_all as (select side, upos, cell, is_word, sum(number) as number from of_key group by all),
    expected as (
        select side, upos, cell, is_word, edge, key, of_edge.number * of_key.number / of_all.number as expected
        from of_all join of_edge using (side, upos, cell, is_word) join of_key using (side, upos, cell, is_word)
        where expected >= {_EXPECTED}
    )
    select side, upos, cell, key, edge
    from expected left join borders using (side, upos, cell, is_word, key, edge)
    where coalesce(number, 0) <= {_SEEN} * expected
"""

# What each form refuses beside it, and where that is beside it: forms and neighbours are looked at once.
_ASKED = f"""
    with words as (from asked_words where upos in {_CONTENT}),
    content as (
        select number, upos, cell, form, 'previous' as side, previous as beside from words
        union all
        select number, upos, cell, form, 'following', following from words
    ),
    keyed as (
        select side, beside, unnest([class(if(side = 'previous', small[-1], small[1])), ' ' || small]) as key
        from (select distinct side, beside, {{small}} as small from content)
    ),
    near as (from keyed semi join avoided using (side, key)),
    -- Pairs that meet are far fewer than those that could.
    pairs as (select distinct upos, cell, form, side, key from content join near using (side, beside)),
    edges as (
        select *, unnest(if(
            side = 'previous',
            list_transform(range(1, {_LETTERS + 1}), lambda i: form[:i]) || [{_SOUND.format("form")}],
            list_transform(range(1, {_LETTERS + 1}), lambda i: form[-i:])
        )) as edge
        from pairs
    ),
    refused as (
        select distinct edges.upos, edges.cell, form, side, key from edges join avoided using (side, key, edge)
        where avoided.upos in (edges.upos, {_ANY}) and avoided.cell in (edges.cell, {_ANY})
    )
    select distinct number, side = 'following' as following
    from content join near using (side, beside) join refused using (side, upos, cell, form, key)
"""


def counted_query(language: str | None) -> str:
    """Return the SQL that makes the table `borders` of the words in `places`, for which `AVOIDED` asks."""
    return _COUNTED.format(previous=lower("previous", language), following=lower("following", language))


def asked_query(language: str | None) -> str:
    """Return the SQL that tells which of `asked_words` (`number`) should not stand there, on which side."""
    return _ASKED.format(small=lower("beside", language))
