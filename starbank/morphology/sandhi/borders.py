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

# Each content word with what stands at one side of it: the word, where it is not one of many, and whether its letter
# there is a vowel.
_BESIDE = f"""
    select {{columns}}, upos, cell, form, 'previous' as side,
        [class({{previous}}[-1]), if(previous_upos in {_OPEN}, null, ' ' || {{previous}})] as keys
    from {{words}} where upos in {_CONTENT}
    union all
    select {{columns}}, upos, cell, form, 'following',
        [class({{following}}[1]), if(following_upos in {_OPEN}, null, ' ' || {{following}})]
    from {{words}} where upos in {_CONTENT}
"""

# Letters are judged among the words of a cell, and among all words of a part of speech, which are more.
_COUNTED = f"""
    create or replace temp table borders as
    with keyed as (select * exclude (keys), unnest(keys) as key from ({{beside}})),
    counted as (
        select side, upos, cell, if(side = 'previous', form[:{_LETTERS}], form[-{_LETTERS}:]) as letters,
            key, sum(number) as number
        from keyed where key is not null and form <> '' group by all
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

_ASKED = f"""
    with keyed as (select * exclude (keys), unnest(keys) as key from ({{beside}}))
    select number, keyed.side = 'following' as following
    from keyed join avoided on avoided.side = keyed.side and avoided.upos = keyed.upos and avoided.key = keyed.key
        and avoided.cell in (keyed.cell, {_ANY})
        and if(keyed.side = 'previous', form.starts_with(edge), form.ends_with(edge))
"""


def counted_query(language: str | None) -> str:
    """Return the SQL that makes the table `borders` of the words in `places`, for which `AVOIDED` asks."""
    return _COUNTED.format(beside=_beside("1 as number", "places", language))


def asked_query(language: str | None) -> str:
    """Return the SQL that tells which of `asked_words` (`number`) should not stand there, on which side."""
    return _ASKED.format(beside=_beside("number", "asked_words", language))


def _beside(number: str, words: str, language: str | None) -> str:
    sides = {side: lower(side, language) for side in ("previous", "following")}
    return _BESIDE.format(columns=number, words=words, **sides)
