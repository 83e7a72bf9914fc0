"""Content words that are none but for their tag: words in places of their own, found by frequency and frame.

A noun as *sake* or Hindi *tarah* stands beside the same words again and again, and an adjective as *few* or *own* where
others do not: what stands around such a word is better told by the word than by its part of speech. And relations in
which few lemmas occur are those of particles, light verbs and times of the day.
"""

from __future__ import annotations

import duckdb

from starbank.transforms.described import CLASS
from starbank.transforms.frames import OF_LEMMAS

# What a lemma tells of what is around it, in nats a word and more than others of its part of speech do: from here on it
# stays in places that it tells better than others, and from here on it takes no other's place. And one that tells so
# much of a place stays there, whatever it does elsewhere.
_STAYS, _TAKES_NONE, _FIXED = 2.0, 1.0, 5.0
_BETTER = 1.0
# So many words are needed to say so; and how many words' worth what is told in general counts against what was seen.
_FEWEST, _PRIOR = 5, 5
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
        select class, lemma, place, value, sum(number) as number from of_lemmas group by all
    ),
    judged as (
        select *, sum(number) over (partition by class, place, value) - number + 0.5 as elsewhere,
            sum(number) over (partition by class, place) - sum(number) over (partition by class, place, lemma)
                + 0.5 * count(*) over (partition by class, place) as others,
            sum(number) over (partition by class, place, lemma) as of_lemma
        from counted
    )
    select class, lemma, place, value, ln((number - 1 + {_PRIOR} * elsewhere / others) / (of_lemma - 1 + {_PRIOR}))
            - ln(elsewhere / others) as own,
        sum(number * own) over (partition by class, lemma) / of_lemma as of_lemma
    from judged where of_lemma >= {_FEWEST}
"""


# Nouns that mostly stand alone with one adposition, and one after them, and adjectives that nearly always stand for an
# article: the likelihood ratio of Dunning (1993), Accurate methods for the statistics of surprise and coincidence,
# Computational Linguistics 19.
_MOSTLY, _NEARLY_ALWAYS = 0.5, 0.9
_SEEN, _SURE = 2, 10.83
_FIXED_PHRASES = f"""
    create table fixed_phrases as
    with words as (
        select upos, cell, lemma, phrase, count(*) as together, sum(count(*)) over (partition by cell, lemma) as number,
            sum(count(*)) over (partition by cell, phrase) as of_phrase,
            sum(count(*)) over (partition by cell) as of_cell
        from content where novel and (upos = 'NOUN' or upos = 'ADJ' and phrase is not null)
        group by upos, cell, lemma, phrase
    )
    select cell, lemma, phrase from words
    where phrase is not null and phrase <> hash('determined') and together >= {_SEEN}
        and together >= if(upos = 'NOUN', {_MOSTLY}, {_NEARLY_ALWAYS}) * number
        and 2 * together * ln(together / number * (of_cell - number + 0.5) / (of_phrase - together + 0.5)) >= {_SURE}
"""


# Nouns that only stand alone, without an article: somebody; and with an adposition, even once: Italian di solito.
_ALONE = f"""
    create temp table alone as
    select lemma from content where upos = 'NOUN' and novel and lemma not in (from countable)
    group by lemma having count(*) > {_SEEN} and bool_or(lonely);
    update content set fits = false, reason = coalesce(reason, 'a function word by what stands around it')
    where upos = 'NOUN' and lemma in (from alone);
    update content set fits = false, reason = coalesce(reason, 'within a name or a fixed expression')
    where upos = 'NOUN' and lonely and phrase is not null and lemma not in (from countable)
"""


# Adverbs and bare nouns that mostly stand beside one verb: look forward.
_PAIRED = f"""
    create temp table paired as
    with verbs as (
        select lemma as verb, count(*) / sum(count(*)) over () as chance from content
        where upos = 'VERB' and novel group by lemma
    ),
    counted as (
        select word, verb, count(*) as together, sum(count(*)) over (partition by word) as number
        from pairs_of_verbs where novel group by word, verb
    ),
    fixed as (
        select word, verb from counted join verbs using (verb)
        where together > {_SEEN} and together * 2 >= number and 2 * together * ln(together / number / chance) >= {_SURE}
    )
    select unnest([row, head]) as row from pairs_of_verbs join fixed using (word, verb);
    update content set reason = coalesce(reason, 'within a name or a fixed expression'), fits = false
    where row in (select row from paired)
"""

# What is written in the grammar of another language has words there that others are not: Urdu بورڈ آف ایجوکیشن.
_FOREIGN = """
    create temp table foreign_chains as
    select distinct head from (
        select chains.*, foreign_word or coalesce(reason = 'a function word by what stands around it', false) as closed,
            least(head, min(row) over chain) as first, greatest(head, max(row) over chain) as last
        from chains left join content using (row) window chain as (partition by head)
    ) where closed and row > first and row < last;
    update content set reason = coalesce(reason, 'within a name or a fixed expression'), fits = false
    where row in (select unnest([row, head]) from chains semi join foreign_chains using (head))
"""


def _in(place: str) -> str:
    """Return the SQL of a table of what lemmas tell of one of the places."""
    return f"""in_{place} as (
        select class, lemma, value as {place}, own, of_lemma from own_places where place = '{place}'
    )"""


_SET = f"""
    create temp table bound as
    with {", ".join(map(_in, OF_LEMMAS))},
    told as (
        select content.row, {" + ".join(f"in_{name}.own" for name in OF_LEMMAS)} as own, in_before.of_lemma as of_lemma
        from content join (select cell, {CLASS} as class from cells) using (cell)
            {" ".join(f"join in_{name} using (class, lemma, {name})" for name in OF_LEMMAS)}
        where reason is null
    )
    select row, own >= {_FIXED} or of_lemma >= {_STAYS} and own >= {_BETTER} as stays
    from told where own >= {_FIXED} or of_lemma >= {_TAKES_NONE};
    update content set reason = 'a function word by what stands around it' from bound
    where bound.row = content.row and stays;
    update content set fits = false from bound where bound.row = content.row;
    update content set fits = false, reason = coalesce(reason, if(tie.starts_with('bare:'),
        'an adverbial without a mark of it', 'within a name or a fixed expression'))
    where tie is not null and list_has_any(split(tie, ' '), (select coalesce(list(tie), []) from closed_relations));
    -- Objects without an article make an expression with their verb.
    update content set fits = false, reason = coalesce(reason, 'within a name or a fixed expression')
    where row in (
        select head from pairs_of_verbs join content using (row)
        where tie = 'bare-argument:obj' and tie in (from closed_relations)
    );
    -- A word that has one phrase in half of the cases may have another in the other half.
    update content set fits = false,
        reason = coalesce(reason,
            if(list_contains(phrases, content.phrase), 'within a name or a fixed expression', null))
    from (select cell, lemma, list(phrase) as phrases from fixed_phrases group by all) as fixed
    where fixed.cell = content.cell and fixed.lemma = content.lemma
"""


def set_closed_apart(connection: duckdb.DuckDBPyConnection) -> None:
    """Give the words of the table `content` that stand in places of their own a reason to stay there.

    What stands around the words of a lemma is in the tables `of_lemmas` and `ties`, see `described`. The tables
    `own_places` (`class`, `lemma`, `place`, `value`: what it tells of that as `own`, and on the whole as `of_lemma`)
    and `closed_relations` (`tie`) are made.
    """
    for statement in (_CLOSED_RELATIONS, _OWN_PLACES, _FIXED_PHRASES, _SET, _FOREIGN, _ALONE, _PAIRED):
        connection.execute(statement)
