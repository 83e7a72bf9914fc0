"""Which forms may alternate, and what stood beside them: tables of DuckDB from which alternations are learned."""

from __future__ import annotations

# Parts of speech that do not inflect: all forms of such a lemma are of one cell, whatever their features tell.
UNINFLECTED = ("ADP", "CCONJ", "SCONJ", "PART", "ADV")
# Of these the forms of two lemmas may alternate, or of a cell and one that has fewer features: l' is le and la.
CLOSED = ("ADP", "CCONJ", "SCONJ", "PART", "DET", "PRON", "AUX")
_NO_WORDS = ("PUNCT", "SYM", "NUM", "X")
# Pairs that are too rare to be judged alone are judged together with others of the kind.
FEWEST, FEWEST_PAIRS = 3, 3

# Short forms of one function word are pairs, however rare: Slovenian k, h.
SHORT = f"""(
    upos in {CLOSED} and first_lemma = second_lemma and greatest(length(first), length(second)) <= 3
)"""

# Each word, in small letters, with its cell and what stood beside it.
PLACES = """
    create table places (
        form varchar, lemma varchar, upos varchar, cell varchar, previous varchar, previous_upos varchar,
        following varchar, following_upos varchar
    )
"""

ADD_PLACES = f"""
    insert into places
    select {{form}}, lemma, upos, if(upos in {UNINFLECTED}, '', coalesce(feats, '')), coalesce(previous, ''),
        coalesce(previous_upos, ''), coalesce(following, ''), coalesce(following_upos, '')
    from surface
"""

# Two forms of one cell, or of one closed class where both are one letter or one has little more at its end. Of a
# cell with very many forms those that occur most count. `kind` tells which letters alternate at which edge, or that the
# `second` form has more marks than the `first`.
PAIRS = f"""
    create table forms as
    select lemma, upos, cell, form, count(*) as number, upos in {CLOSED} as closed
    from places where lemma <> '_' and upos not in {_NO_WORDS} group by lemma, upos, cell, form
    qualify row_number() over (partition by lemma, upos, cell order by count(*) desc, form) <= 12;
    create table pairs as
    with function_words as (select *, split(cell, '|') as features from forms where closed),
    paired as (
        select one.upos, one.form as first, other.form as second, one.lemma as first_lemma, other.lemma as second_lemma,
            one.cell as first_cell, other.cell as second_cell, one.cell,
            one.number as firsts, other.number as seconds
        from forms as one join forms as other on one.lemma = other.lemma and one.upos = other.upos
            and one.cell = other.cell and one.form < other.form
        union all
        select one.upos, one.form, other.form, one.lemma, other.lemma, one.cell, other.cell,
            if(list_has_all(one.features, other.features), one.cell, other.cell), one.number, other.number
        from function_words as one join function_words as other on one.lemma = other.lemma and one.upos = other.upos
            and one.form < other.form and one.cell <> other.cell
            and (list_has_all(one.features, other.features) or list_has_all(other.features, one.features))
        union all
        select one.upos, one.form, other.form, one.lemma, other.lemma, one.cell, other.cell, one.cell, one.number,
            other.number
        from function_words as one join function_words as other on one.upos = other.upos and one.cell = other.cell
            and one.form < other.form and one.lemma <> other.lemma
            and (other.form[:length(one.form)] = one.form and length(other.form) <= length(one.form) + 2
                or length(one.form) = 1 and length(other.form) = 1)
        where one.number + other.number >= 20
    ),
    edited as (
        select *, list_position([first[i] <> second[i] for i in range(1, 30)], true) - 1 as start,
            list_position([first[-i] <> second[-i] for i in range(1, 30)], true) - 1 as finish,
            if(strip_accents(first) = strip_accents(second), marks(second) - marks(first), 0) as more
        from paired
    ),
    named as (
        select * exclude (start, finish, more, first, second, first_lemma, second_lemma, first_cell, second_cell),
            if(more < 0, second, first) as first, if(more < 0, first, second) as second,
            if(more < 0, second_lemma, first_lemma) as first_lemma,
            if(more < 0, first_lemma, second_lemma) as second_lemma,
            if(more < 0, second_cell, first_cell) as first_cell, if(more < 0, first_cell, second_cell) as second_cell,
            case
                when more <> 0 then concat('marks ', least(marks(first), marks(second)))
                when start >= finish then concat('-', first[start + 1:], '~', second[start + 1:])
                else concat(first[:length(first) - finish], '~', second[:length(second) - finish], '-')
            end as kind,
            hash(upos, cell, first_lemma, second_lemma, first, second) as pair
        from edited
    )
    select * exclude (firsts, seconds) from named
    window of_pair as (partition by pair), of_kind as (partition by kind)
    qualify least(sum(firsts) over of_pair, sum(seconds) over of_pair) >= {FEWEST}
        or count(*) over of_kind >= {FEWEST_PAIRS} or {SHORT}
"""

# The forms of pairs: `second` tells which of the two it is, `other` is the other one.
MEMBERS = """
    select distinct pair, kind, pairs.upos, lemma, member.cell as cell, form, other, member.second as second
    from pairs, lateral (values
        (first_lemma, first_cell, first, second, false), (second_lemma, second_cell, second, first, true)
    ) as member(lemma, cell, form, other, second)
"""

# How often each form of a pair stood beside which words, on either side.
EXAMPLES = """
    create or replace temp table examples as
    with shown as (
        select pair, kind, second, previous, previous_upos, following, following_upos
        from {members} join places using (form, lemma, upos, cell)
    ),
    beside as (
        select pair, kind, second, 'following' as side, following as neighbour, following_upos as neighbour_upos
        from shown
        union all
        select pair, kind, second, 'previous', previous, previous_upos from shown
    ),
    counted as (
        select pair, kind, side, neighbour, neighbour_upos,
            count(*) filter (not second) as firsts, count(*) filter (second) as seconds
        from beside group by all
    )
    select row_number() over (order by pair, side, neighbour, neighbour_upos) as row, * from counted
"""
