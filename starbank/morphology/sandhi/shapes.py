"""Alternations of all words of a shape, whether or not their other forms were seen.

A Tamil accusative doubles the stop of the next word; a Greek noun that bears its accent on the third syllable from the
end has a second one before an enclitic. The letters before an ending that comes and goes, or the vowels from the accent
on, are the shape that decides.
"""

from __future__ import annotations

# A kind with fewer pairs is open to no other words.
_MANY_PAIRS = 10

# How many letters of a word bear a mark.
MARKS = """
    create or replace temp macro marks(word) as
        len(list_filter(string_split(word, ''), lambda letter: strip_accents(letter) <> letter))
"""

# Kinds that are open to all words: `ending` is what the second form has more, `marked` how many marks the first one has
# where it has one less.
OPEN_KINDS = f"""
    create temp table open_kinds as
    select kind, min(side) as side, if(kind.starts_with('marks'), null, split_part(kind, '~', 2)) as ending,
        if(kind.starts_with('marks'), split_part(kind, ' ', 2)::bigint, null) as marked
    from accepted semi join kinds using (kind, side) anti join lemmas using (pair)
    where kind.starts_with('-~') or kind.starts_with('marks') and kind <> 'marks 0'
    group by kind having count(distinct pair) >= {_MANY_PAIRS}
"""

_SHAPED = """
    with letters as (
        select *, list_filter(string_split(form, ''), lambda letter: contains({vowels}, letter)) as sounds,
            list_filter(range(1, len(sounds) + 1), lambda i: strip_accents(sounds[i]) <> sounds[i]) as accents
        from {table}, open_kinds
    ),
    shapes as (
        select * exclude (sounds, accents),
            coalesce(form.ends_with(ending) and not lemma.ends_with(ending), len(accents) > marked) as second,
            case
                when ending is not null
                    then cell || if(second, form[-length(ending) - 2:-length(ending) - 1], form[-2:])
                when len(accents) between marked and marked + 1 then array_to_string(list_transform(
                    sounds[accents[marked] + 1:], lambda letter: strip_accents(letter)), '')
            end as shape,
            if(second, form[:-length(ending) - 1], form || ending) as other
        from letters
    )
    select * exclude (kind, shape, ending, marked),
        concat_ws(' ', kind, upos, if(ending is null, length(shape), null)) as kind, hash(kind, upos, shape) as pair
    from shapes where shape is not null
"""


def shaped_query(table: str, vowels: str) -> str:
    """Return the SQL that gives the forms of a table (form, lemma, upos, cell, …) the `pair` of their shape.

    That is one for each of the `open_kinds` that a form may be of, with its `side`; `second` tells which form of it
    this is, and `other` is the other one, null where that is not known.
    """
    return _SHAPED.format(table=table, vowels=f"'{vowels}'")
