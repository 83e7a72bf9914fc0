"""Guards about forms that texts have in the starred cell: they may stand there by mistake, or be one of two kinds.

One that is also an adverb may be that in the adjective's place. They read `compared`, `readings` and the treebank.
"""

from __future__ import annotations

from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, RARER

# Nouns share their cells with clitics and emphatics, verbs with what their annotation leaves out.
_MODIFIERS = ("ADJ", "DET")

GUARDS = (
    Guard(
        "cell of two kinds",
        "Where many words have two forms in a cell, its features do not tell which belongs here: Bulgarian adjectives "
        "have a long and a short article, for subjects and for the others.",
        f"""
        with words_of as (
            select upos, feats, lemma, count(distinct small(form)) > 1 as several
            from corpus semi join (select upos, own as feats from compared where starred) using (upos, feats)
            where upos in {_MODIFIERS} group by upos, feats, lemma having count(*) > 1
        ),
        kinds as (
            select upos, feats from words_of group by upos, feats
            having count(*) >= {ENOUGH_CASES} and {RARER} * count(*) filter (several) > count(*)
        )
        select row, name, upos || ' often has two forms with ' || feats
        from compared join kinds using (upos) where starred and own = feats
        """,
        by_condition=True,
        upos=_MODIFIERS,
    ),
    Guard(
        "slip of annotation",
        "The form is mostly in another cell, which looks otherwise in other words, and in this one by mistake.",
        f"""
        with elsewhere as (
            select compared.row, name, compared.form, compared.lemma, compared.upos, own, reading.feats as other
            from compared join readings as reading
                on reading.form = compared.form and reading.lemma = compared.lemma and reading.upos = compared.upos
            where compared.source = 'treebank' and reading.feats <> own
                and reading.count > {RARER} * compared.count
        ),
        kinds as (select distinct upos, own, other from elsewhere),
        forms as (
            select distinct upos, feats, lemma, small(form) as form from corpus
            where (upos, feats) in (select (upos, own) from kinds union all select (upos, other) from kinds)
        ),
        pairs as (
            select kinds.*, one.lemma, bool_or(one.form = two.form) as alike
            from kinds join forms as one on one.upos = kinds.upos and one.feats = own
                join forms as two on two.upos = kinds.upos and two.feats = other and two.lemma = one.lemma
            group by all
        ),
        distinct_kinds as (
            select upos, own, other from pairs group by all
            having count(*) >= {ENOUGH_CASES} and {RARER} * count(*) filter (alike) < count(*)
        )
        select row, name, min(form || ' is mostly ' || other)
        from elsewhere semi join distinct_kinds using (upos, own, other) group by row, name
        """,
        by_condition=True,
    ),
    Guard(
        "adverb in its place",
        "Where no other modifier stands before an adjective, an adverb that looks like it may stand in its place: "
        "Slovenian bral je dobro, he read well.",
        f"""
        with modifying as (
            select compared.* from compared
                join controllers on controllers.row = compared.row and modifies
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as adjective on adjective.node = bound.token
                left join tokens as before on before.sent = adjective.sent
                    and before.position = adjective.position - 1 and before.head = adjective.head
                    and before.relation in ('det', 'amod', 'nummod')
            where starred and compared.upos = 'ADJ' and before.node is null
        )
        select distinct modifying.row, name, modifying.form || ' is also an adverb'
        from modifying join readings as reading on reading.form = modifying.form
        where reading.upos = 'ADV' and {RARER} * reading.count > modifying.count
        """,
        by_condition=True,
        upos=("ADJ",),
    ),
)
