"""What the words of a treebank are like on the whole: counted part by part, before any of them is looked at."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from starbank.treebanks import Treebank

# The columns of tokens and of sentences that are counted.
READ = (("sent", "id", "form", "lemma", "upos", "feats", "deprel"), ("sent",))

_COUNTED = """
    insert into counted
    select upos, form, coalesce(feats, '') as feats, lemma, coalesce(lower(form) = lower(lemma), false), count(*)
    from tokens where regexp_full_match(id, '[0-9]+') group by all;
    insert into particles
    select distinct lower(form) as particle from tokens
    where deprel in ('compound:prt', 'compound:preverb') and upos <> 'PRON' and lower(form) not in (from particles);
    insert into pronouns
    select lower(lemma), count(*), count(*) filter (deprel in ('obj', 'iobj') or deprel.starts_with('expl')),
        count(*) filter (feats.contains('Reflex=Yes'))
    from tokens where upos = 'PRON' and lemma <> '_' group by all
"""

_SUMS = """
    create temp table readings as select upos, form, sum(number)::bigint as often from counted group by upos, form;
    create temp table occurrences as select form, sum(often)::bigint as forms from readings group by form;
    create temp table kinds_of_feats as
    select upos, feats, sum(number)::bigint as number, sum(number) filter (cited) / sum(number) as cited
    from counted group by upos, feats;
    -- Whether nouns have cases, whether words of a UPOS inflect, and whether there are articles.
    create temp table cases as
    select sum(number) filter (feats.contains('Case=')) / sum(number) > 0.3 as matter
    from kinds_of_feats where upos = 'NOUN';
    create temp table featured as
    select upos, coalesce(sum(number) filter (regexp_matches(feats, '(Case|Number|Person|Tense|VerbForm)=')), 0)
        / sum(number) > 0.1 as inflects
    from kinds_of_feats group by upos;
    create temp table articles as
    select coalesce(sum(number) filter (feats.contains('PronType=Art')), 0) / sum(number) > 0.01 as there
    from kinds_of_feats;
    -- Letters with which many forms begin and their lemmas do not: the Arabic article.
    create temp table prefixes as
    with sums as (
        select upos, lower(strip_accents(form))[:2] as opening,
            coalesce(sum(number) filter (opening <> lower(strip_accents(lemma))[:2]), 0)::bigint as unlike,
            sum(number)::bigint as number
        from counted where lemma <> '_' and upos in ('NOUN', 'PROPN', 'ADJ') group by upos, opening
    )
    select upos, opening as prefix from sums
    where unlike >= {started} * (select sum(number) from sums as others where others.upos = sums.upos)
        and unlike * 2 > number;
    -- The features that must be alike and that words of a UPOS have at all in this treebank.
    create temp table required as
    select upos, list(name order by name) as names from (
        select wanted.upos, wanted.name from wanted join kinds_of_feats using (upos)
        group by wanted.upos, wanted.name
        having coalesce(sum(number) filter (
            list_contains(list_transform(split(feats, '|'), lambda f: split_part(f, '=', 1)), wanted.name)
        ), 0) / sum(number) >= 0.05
    ) group by upos
"""

# Pronouns that are objects and nothing else, where none is said to be reflexive: French se.
_REFLEXIVES = """
    create temp table reflexives as
    select lemma from pronouns group by lemma
    having sum(objects) >= {only} * sum(number) and (select sum(reflexives) from pronouns) = 0
"""

# Content words that are closed-class words elsewhere, nearly as often: *have*, *few*, *one*; and nouns that mostly are
# adjectives: Italian *tutto*, German *zu guter Letzt*.
_FUNCTION_WORDS = """
    create temp table function_words as
    with counts as (
        select upos, lower(lemma) as lemma, sum(number) as number from counted
        where lemma <> '_' and upos is not null group by upos, lower(lemma)
    ),
    closed as (
        select lemma, sum(number) as number from counts
        where upos in ('ADP', 'AUX', 'CCONJ', 'DET', 'NUM', 'PART', 'PRON', 'SCONJ') group by lemma
    )
    select upos, lemma from counts join closed using (lemma)
    where upos in ('NOUN', 'PROPN', 'VERB', 'ADJ', 'ADV') and closed.number * 2 >= counts.number
    union
    select noun.upos, lemma from counts as noun join counts as adjective using (lemma)
    where noun.upos = 'NOUN' and adjective.upos = 'ADJ' and adjective.number >= 2 * noun.number
"""

# Adverbs of which there may be as many as adjectives: those that are made of one as several others are, slow-ly.
_DERIVED = """
    create temp table derived as
    with starts as (
        select distinct upos, lower(lemma) as lemma, lower(lemma)[:3] as start from counted where length(lemma) > 3
    ),
    paired as (
        select adverb.lemma, adjective.lemma as source,
            coalesce(list_position([adverb.lemma[i] <> source[i] for i in range(1, 40)], true), 40) as first
        from starts as adverb join starts as adjective using (start)
        where adverb.upos = 'ADV' and adjective.upos = 'ADJ'
    ),
    endings as (
        select lemma, source[first:] as old, lemma[first:] as new from paired
        where first > 3 and length(old) <= 3 and length(new) between 1 and 6
    )
    select distinct lemma from endings
    qualify count(distinct lemma) over (partition by old, new) >= {most}
"""
# So many adverbs are made alike, and such a share of the words of a UPOS begin alike.
_MADE_ALIKE, _STARTED = 5, 0.1
# A pronoun that is an object in such a share of its places is nothing else.
_ONLY = 0.95


def count_words(connection: duckdb.DuckDBPyConnection, parts: Iterable[Treebank]) -> None:
    """Make tables of what is usual in a treebank, from its parts and from the table `wanted` (`upos`, `name`).

    - `readings`: how `often` a form has a UPOS; `occurrences`: how often it occurs, as `forms`;
    - `counted`: how often each form has a lemma and features;
    - `cases`, `articles`: whether they matter;
    - `reflexives`: the `lemma` of each pronoun that may be reflexive, where none is said to be;
    - `particles`: those of verbs, which some verbs begin with where they do not stand apart (`particle`);
    - `prefixes`: letters with which many forms of a UPOS begin, and their lemmas do not (`prefix`);
    - `featured`: whether words of a UPOS inflect (`inflects`);
    - `function_words`: the `upos` and `lemma` of content words that are words of closed classes elsewhere;
    - `derived`: the `lemma` of each adverb that is derived from an adjective;
    - `kinds_of_feats`: which share of the words of some features has the form of its lemma (`cited`);
    - `required`: the `names` of the features of `wanted` that words of a UPOS have at all.
    """
    connection.execute("""create temp table counted (
        upos varchar, form varchar, feats varchar, lemma varchar, cited boolean, number bigint
    )""")
    connection.execute("create temp table particles (particle varchar)")
    connection.execute("create temp table pronouns (lemma varchar, number bigint, objects bigint, reflexives bigint)")
    for part in parts:
        connection.register("tokens", part.tokens)
        connection.execute(_COUNTED)
        connection.unregister("tokens")
    connection.execute(_SUMS.format(started=_STARTED))
    connection.execute(_REFLEXIVES.format(only=_ONLY))
    connection.execute(_FUNCTION_WORDS)
    connection.execute(_DERIVED.format(most=_MADE_ALIKE))
