"""Which forms may alternate, and what stood beside them: tables of DuckDB from which alternations are learned."""

from __future__ import annotations

# Parts of speech that do not inflect: all forms of such a lemma are of one cell, whatever their features tell.
UNINFLECTED = ("ADP", "CCONJ", "SCONJ", "PART", "ADV")
# Of these the forms of two lemmas may alternate, or of a cell and one that has fewer features: l' is le and la.
CLOSED = ("ADP", "CCONJ", "SCONJ", "PART", "DET", "PRON", "AUX")

# What stood beside a form, and how often; a form in small letters. Words that do not inflect have no cells.
PLACES = """
    create table places (
        lemma varchar, upos varchar, feats varchar, form varchar, side varchar, neighbour varchar,
        neighbour_upos varchar, number bigint
    )
"""

ADD_PLACES = """
    insert into places
    with words as (
        select lemma, upos, if(upos in {uninflected}, '', coalesce(feats, '')) as feats,
            {form} as form, surface.* exclude (lemma, upos, feats, form)
        from surface where lemma <> '_' and upos not in ('PUNCT', 'SYM', 'NUM', 'X')
    )
    select lemma, upos, feats, form, 'following', coalesce(following, ''), coalesce(following_upos, ''), count(*)
    from words group by all
    union all
    select lemma, upos, feats, form, 'previous', coalesce(previous, ''), coalesce(previous_upos, ''), count(*)
    from words group by all
"""

# Two forms of one cell, or of one closed class where they differ in one letter or in what one has more at its end;
# `first` is before `second`. Of a cell with very many forms those that occur most count. `kind` tells which letters
# alternate, and at which edge.
PAIRS = """
    create table forms as
    select lemma, upos, feats, form, sum(number)::bigint as number, upos in {closed} as closed
    from places where side = 'following' group by lemma, upos, feats, form
    qualify row_number() over (partition by lemma, upos, feats order by sum(number) desc, form) <= 12;
    create table pairs as
    with function_words as (select *, split(feats, '|') as features from forms where closed),
    paired as (
        select one.upos, one.form as first, other.form as second, one.lemma as first_lemma, other.lemma as second_lemma,
            one.feats as first_feats, other.feats as second_feats, one.feats,
            one.number as firsts, other.number as seconds
        from forms as one join forms as other on one.lemma = other.lemma and one.upos = other.upos
            and one.feats = other.feats and one.form < other.form
        union all
        select one.upos, one.form, other.form, one.lemma, other.lemma, one.feats, other.feats,
            if(list_has_all(one.features, other.features), one.feats, other.feats), one.number, other.number
        from function_words as one join function_words as other on one.lemma = other.lemma and one.upos = other.upos
            and one.form < other.form and one.feats <> other.feats
            and (list_has_all(one.features, other.features) or list_has_all(other.features, one.features))
        union all
        select one.upos, one.form, other.form, one.lemma, other.lemma, one.feats, other.feats, one.feats, one.number,
            other.number
        from function_words as one join function_words as other on one.upos = other.upos and one.feats = other.feats
            and one.form < other.form and one.lemma <> other.lemma
            and (other.form[:length(one.form)] = one.form and length(other.form) <= length(one.form) + 2
                or levenshtein(one.form, other.form) = 1)
        where one.number + other.number >= 20
    ),
    edited as (
        select *, list_position([first[i] <> second[i] for i in range(1, 30)], true) - 1 as start,
            list_position([first[-i] <> second[-i] for i in range(1, 30)], true) - 1 as finish
        from paired
    ),
    named as (
        select * exclude (start, finish),
            case
                when start >= finish then concat('-', first[start + 1:], '~', second[start + 1:])
                else concat(first[:length(first) - finish], '~', second[:length(second) - finish], '-')
            end as kind,
            hash(upos, feats, first_lemma, second_lemma, first, second) as pair
        from edited
    )
    select * exclude (firsts, seconds) from named
    window of_pair as (partition by pair), of_kind as (partition by kind)
    qualify least(sum(firsts) over of_pair, sum(seconds) over of_pair) >= $fewest
        or count(*) over of_kind >= $fewest_pairs
"""

# How often each form of a pair stood beside which words, on either side.
EXAMPLES = """
    create table examples as
    with members as (
        select pair, kind, lemma, upos, member.feats as feats, form, member.second as second
        from pairs, lateral (values
            (first_lemma, first_feats, first, false), (second_lemma, second_feats, second, true)
        ) as member(lemma, feats, form, second)
    )
    select row_number() over (order by pair, side, neighbour, neighbour_upos) as row, *
    from (
        select pair, kind, side, neighbour, neighbour_upos,
            coalesce(sum(number) filter (not second), 0)::bigint as firsts,
            coalesce(sum(number) filter (second), 0)::bigint as seconds
        from (select distinct * from members) join places using (lemma, upos, feats, form)
        group by all
    )
"""

# The members of pairs as words look: `second` tells which of the two it is, `other` is the other one.
MEMBERS = """
    select distinct pair, kind, side, pairs.upos, lemma, member.feats as feats, form, other, member.second as second
    from accepted join pairs using (pair, kind), lateral (values
        (first_lemma, first_feats, first, second, false), (second_lemma, second_feats, second, first, true)
    ) as member(lemma, feats, form, other, second)
"""
