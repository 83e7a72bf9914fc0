"""Guards about forms that texts have in the starred cell: they may be one of two kinds, or stand elsewhere.

One that is also an adverb may be that in the adjective's place. They read `compared`, `readings` and the treebank.
"""

from __future__ import annotations

from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, FREQUENT, RARER, SLIPS
from starbank.treebanks.features import CASE

# Nouns share their cells with clitics and emphatics, verbs with what their annotation leaves out.
_MODIFIERS = ("ADJ", "DET")

_CONTENT = ("ADJ", "NOUN", "VERB")
_FUNCTIONS = ("case", "mark", "cc", "advmod", "discourse")

# Adverbs are made from adjectives by their last letters, whatever the degree; short words look alike by chance.
_SHORT = 3
_ENDING = "small(form[-2:])"
_UNGRADED = "regexp_replace({feats}, 'Degree=[^|]*[|]?', '')"

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
        "noun of a verb",
        "Verbs make nouns of many kinds, which have the verb's lemma and the same features: Turkish etmek and ettiği. "
        "Where several such nouns of one verb often stand in a cell, any of them may be another.",
        f"""
        with several as (
            select allowed.row from allowed where source = 'treebank'
            group by allowed.row, allowed.feats having count(distinct small(allowed.form)) > 1
        ),
        of_verbs as (
            -- What is before or behind another form, such as an article or an emphatic ending, makes no other noun.
            select lemma, feats, count(*) as count, min(small(form)) as first, max(small(form)) as last,
                not (starts_with(last, first) or ends_with(last, first) or ends_with(first, last)) as several
            from corpus where upos = 'NOUN' and lemma in (select lemma from corpus where upos = 'VERB')
            group by lemma, feats
        ),
        -- Those that have a lemma of their own look like it at times: English work.
        derived as (
            from of_verbs where lemma not in (
                select lemma from corpus where upos = 'NOUN' and small(form) = small(lemma)
            )
        ),
        mixed as (
            select count(*) filter (several) > 1
                and count(*) filter (several) > {SLIPS} * count(*) filter (count > 1) as often
            from derived
        )
        select row, name, form || ' may be another noun than ' || opposite || ' of the verb ' || lemma
        from compared cross join mixed
        where starred and upos = 'NOUN' and (
            (cell in (from several) or opposite_cell in (from several)) and lemma in (select lemma from of_verbs)
            or often and lemma in (select lemma from derived)
        )
        """,
        by_condition=True,
        upos=("NOUN",),
    ),
    Guard(
        "another reading of its noun",
        "Beside some words nouns stand in another case, which the noun's form may be, too: Estonian mitu maad, several "
        "countries, has a partitive singular.",
        f"""
        with readings_beside as (
            select compared.row, name, compared.form, compared.lemma, compared.upos, own, reading.feats,
                controllers.form as noun
            from compared join controllers using (row)
                join controller_readings as reading
                    on reading.form = controllers.form and reading.upos = controllers.upos
            where starred and modifies and {CASE.format(feats="reading.feats")} <> {CASE.format(feats="own")}
                and (reading.common or {RARER} * reading.count > attested)
        ),
        pairs as (
            select word.lemma, word.upos, word.feats as own, noun.feats, count(*) as count
            from corpus as word join corpus as noun on noun.node = word.head
            where word.relation in ('det', 'amod', 'nummod')
                and (word.lemma, word.upos, word.feats) in (select (lemma, upos, own) from readings_beside)
            group by all
        ),
        usual as (
            from pairs qualify count > 1 and count > {SLIPS} * sum(count) over (partition by lemma, upos, own)
        )
        select row, name, min(form || ' stands beside ' || noun || ' (' || feats || ')')
        from readings_beside semi join usual using (lemma, upos, own, feats) group by row, name
        """,
        by_condition=True,
        upos=_MODIFIERS,
    ),
    Guard(
        "form of another use",
        "Auxiliaries may have a form beside verbs and another one as a copula: Armenian չի գնում, does not go, but լավ "
        "չէ, is not good.",
        f"""
        with uses as (
            select lemma, upos, feats, small(form) as form, relation, count(*) as count
            from corpus where upos = 'AUX' group by all
        ),
        seen as (select lemma, upos, feats, form, sum(count) as total from uses group by all),
        places as (
            select compared.row, name, small(compared.form) as form, compared.lemma, compared.upos, own as feats,
                target.relation
            from compared
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as target on target.node = bound.token
            where starred and compared.upos = 'AUX' and target.relation in ('aux', 'cop')
        )
        select row, name, min(places.form || ' does not stand so, but ' || usual.form)
        from places join seen using (lemma, upos, feats, form)
            join uses as usual using (lemma, upos, feats, relation)
        where total >= {FREQUENT} and usual.form <> places.form and usual.count > 1
            and (places.form, places.relation) not in (select (form, relation) from uses)
        group by row, name
        """,
        by_condition=True,
        upos=("AUX",),
    ),
    Guard(
        "function word, too",
        "What texts often have as an adposition, a conjunction or an adverb may be that, whatever part of speech it is "
        "given: Hebrew נוסף ל, another one, and besides.",
        f"""
        with uses as (
            select small(form) as form, count(*) filter (relation in {_FUNCTIONS}) as count, count(*) as total
            from corpus
            where small(form) in (select small(form) from compared where starred and upos in {_CONTENT})
            group by all
        )
        select row, name, compared.form || ' is a function word ' || uses.count || '×'
        from compared join uses on uses.form = small(compared.form)
        where starred and upos in {_CONTENT} and uses.count > 1 and {RARER} * uses.count > total
        """,
        by_condition=True,
        upos=_CONTENT,
    ),
    Guard(
        "adverb in its place",
        "Where no other modifier stands before an adjective, an adverb that looks like it may stand in its place: "
        "Slovenian bral je dobro, he read well. Where adverbs are made like that form, so may one that no text shows, "
        "beside another adjective or a verb: Bulgarian успешно реформаторска работа.",
        f"""
        with modifying as (
            select compared.*, [before.upos, after.upos] as neighbours,
                coalesce(before.head = adjective.head and before.relation in ('det', 'amod', 'nummod'), false) as later
            from compared
                join controllers on controllers.row = compared.row and modifies
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as adjective on adjective.node = bound.token
                -- Behind the words of degree that it may have: he chose very badly.
                left join tokens as degree on degree.sent = adjective.sent and degree.upos = 'ADV'
                    and degree.position = adjective.position - 1 and degree.head = adjective.node
                left join tokens as before on before.sent = adjective.sent
                    and before.position = coalesce(degree.position, adjective.position) - 1
                left join tokens as after on after.sent = adjective.sent
                    and after.position = adjective.position + 1
            where starred and compared.upos = 'ADJ'
        ),
        adverbs as (
            select distinct small(form) as form, {_ENDING} as ending from corpus
            where upos = 'ADV' and length(form) > {_SHORT}
        ),
        adjectives as (
            select distinct {_UNGRADED.format(feats="feats")} as cell, small(form) as form, {_ENDING} as ending
            from corpus where upos = 'ADJ' and length(form) > {_SHORT}
        ),
        -- On which side of them adverbs stand.
        sides as (
            select word.upos, adverb.position > word.position as behind, count(*) as count
            from corpus as adverb
                join (
                    select node, node as head, position, upos from corpus
                    where upos = 'VERB' or upos = 'ADJ' and relation = 'amod'
                    union all
                    -- Beside a copula stand those of the predicate.
                    select node, head, position, upos from corpus where relation = 'cop'
                ) as word on word.head = adverb.head and abs(adverb.position - word.position) = 1
            where adverb.upos = 'ADV' and adverb.relation = 'advmod'
            group by all
        ),
        usual as (from sides qualify count > {SLIPS} * sum(count) over (partition by upos)),
        kinds as (
            select cell, ending from adjectives left join adverbs using (form, ending)
            where ending in (select ending from adverbs group by ending having count(*) >= {ENOUGH_CASES})
            group by cell, ending
            having count(adverbs.form) > 1 and {RARER} * count(adverbs.form) > count(*)
        )
        select distinct modifying.row, name, modifying.form || ' is also an adverb'
        from modifying join readings as reading on reading.form = modifying.form
        where not later and reading.upos in ('ADV', 'PART') and {RARER} * reading.count > modifying.count
        union
        select distinct row, name, form || ' may be an adverb'
        from modifying join usual on usual.upos = neighbours[if(behind, 1, 2)]
        where ({_UNGRADED.format(feats="own")}, {_ENDING}) in (select (cell, ending) from kinds)
        """,
        by_condition=True,
        upos=("ADJ",),
    ),
)
