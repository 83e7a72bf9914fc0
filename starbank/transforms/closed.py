"""Content words that are none but for their tag: those whose places are their own, found by frequency and frame.

A noun as *August*, *sake* or Hindi *tarah* stands beside the same words again and again, and an adjective as *other* or
*own* where no other adjective does: what stands around such a word is better told by the word than by its part of speech
and its position. And relations in which few lemmas occur are those of particles, light verbs and times of the day.
"""

from __future__ import annotations

import duckdb

# What a lemma tells of what is beside it, in nats a word and more than others like it: from here on it stays in its
# place, and from here on it takes no other's place.
_STAYS, _TAKES_NONE = 1.5, 0.8
# So many words are needed to say so; and how many words' worth what is told in general counts against what was seen.
_FEWEST, _PRIOR = 8, 5
# The chance that two words of a relation are of one lemma, where the relation is closed; Simpson (1949), Measurement of
# diversity, Nature 163.
_SAME = 0.02
_FEWEST_OF_RELATION = 20

_CLOSED_RELATIONS = f"""
    create table closed_relations as
    with sums as (
        select tie, side, sum(number) as number, sum(number * (number - 1)) as pairs
        from (select tie, side, lemma, sum(number) as number from ties group by all) group by all
    )
    select distinct tie from sums
    where number < {_FEWEST_OF_RELATION} or pairs / (number * (number - 1)) > {_SAME}
"""

_OWN_PLACES = f"""
    create table own_places as
    with counted as (
        select upos, lemma, place, value, sum(number) as number from of_lemmas group by all
    ),
    judged as (
        select *, sum(number) over (partition by upos, place, value) - number + 0.5 as elsewhere,
            sum(number) over (partition by upos, place) - sum(number) over (partition by upos, place, lemma)
                + 0.5 * count(*) over (partition by upos, place) as others,
            sum(number) over (partition by upos, place, lemma) as of_lemma
        from counted
    )
    select upos, lemma, sum(number * (
            ln((number - 1 + {_PRIOR} * elsewhere / others) / (of_lemma - 1 + {_PRIOR})) - ln(elsewhere / others)
        )) / any_value(of_lemma) as own
    from judged where of_lemma >= {_FEWEST} group by upos, lemma having own >= {_TAKES_NONE}
"""

_SET = f"""
    update content set reason = 'a function word by nature' from own_places
    where content.reason is null and own_places.upos = content.upos and own_places.lemma = content.lemma
        and own >= {_STAYS};
    update content set fits = false from own_places
    where content.fits and own_places.upos = content.upos and own_places.lemma = content.lemma;
    update content set fits = false, reason = coalesce(reason, if(tie.starts_with('bare:'),
        'an adverbial without a mark of it', 'within a name or a fixed expression'))
    where tie is not null and list_has_any(split(tie, ' '), (select coalesce(list(tie), []) from closed_relations))
"""


def set_closed_apart(connection: duckdb.DuckDBPyConnection) -> None:
    """Give the words of the table `content` that stand in places of their own a reason to stay there.

    What stands around the words of a lemma is in the tables `of_lemmas` and `ties`, see `described`. The tables
    `own_places` (`upos`, `lemma`, and what it tells as `own`) and `closed_relations` (`tie`) are made.
    """
    for statement in (_CLOSED_RELATIONS, _OWN_PLACES, _SET):
        connection.execute(statement)
