"""Guards about what a governor governs: is it the target, and this target in particular?

They read `governors`, `cells`, `bound`, `tokens` and `corpus`, which `starbank/sets` makes.
"""

from __future__ import annotations

from starbank.guards.priors import SLIP
from starbank.guards.registry import Guard
from starbank.guards.thresholds import RARER, SLIPS
from starbank.treebanks.features import CASE, NOMINALS, VALUE

_NUMBER = VALUE.format(feats="{table}.feats", name="Number")

# The side on which each adposition seldom stands, beside what it is said to govern.
_OUT_OF_PLACE = f"""
    select lemma, behind from (
        select adposition.lemma, adposition.position > noun.position as behind, count(*) as count
        from corpus as adposition join corpus as noun on noun.node = adposition.head
        where adposition.upos = 'ADP' and adposition.relation = 'case' group by all
    )
    qualify count <= {SLIPS} * sum(count) over (partition by lemma)
"""

# The number of nouns beside numerals of a form, and the one that it asks for.
_COUNTED = f"""
    select small(numeral.form) as numeral, noun.lemma, {_NUMBER.format(table="noun")} as number,
        mode(number) over (partition by small(numeral.form)) as governed
    from corpus as numeral join corpus as noun on noun.node = numeral.head
    where numeral.upos = 'NUM' and numeral.relation = 'nummod' and noun.upos = 'NOUN' and number <> ''
        and not regexp_matches(numeral.form, '[0-9]')
"""

GUARDS = (
    Guard(
        "another word is governed",
        "Between the target and its postposition stands what that may govern, or the adposition stands on the other "
        "side, beside another noun: Turkish elde etmek için, in order to get, where the verb is what için governs.",
        f"""
        with adpositions as (
            select governor.row, governor.form, word.sent, word.lemma, word.position, target.node,
                target.position as place
            from governors as governor
                join tokens as word on word.node = governor.token
                join bound on bound.row = governor.row and bound.first
                join tokens as target on target.node = bound.token
            where governor.upos = 'ADP' and word.deprel = 'case' and word.head = target.node
        ),
        suspects as (
            select adpositions.*, unnest(range(place + 1, position)) as there from adpositions where position > place
            union all
            select adpositions.*, if(position > place, position + 1, position - 1)
            from adpositions join ({_OUT_OF_PLACE}) as rare
                on rare.lemma = adpositions.lemma and rare.behind = (position > place)
        )
        select suspects.row, min(suspects.form || ' may govern ' || other.form)
        from suspects join tokens as other on other.sent = suspects.sent and other.position = there
        where other.upos in {(*NOMINALS, "VERB")} and other.node not in (
            select head from tokens where deprel = 'case' and head is not null
        )
        group by suspects.row
        """,
    ),
    Guard(
        "numeral of another noun",
        "What belongs to the noun behind it may be between that noun and its numeral: Turkish bir yazılım mühendisi, "
        "one engineer of software.",
        f"""
        select cells.row, cells.name, min(governor.form || ' may count ' || noun.form)
        from cells join governors as governor using (row)
            join bound on bound.row = cells.row and bound.node = cells.node
            join tokens as target on target.node = bound.token
            join tokens as noun on noun.node = target.head
        where cells.starred and governor.upos = 'NUM' and noun.upos in ('NOUN', 'PROPN')
            and target.position < noun.position
            and regexp_matches(target.deprel, '^(nmod|compound|amod)')
            and {_NUMBER.format(table="noun")} in ('', {_NUMBER.format(table="target")})
            and {CASE.format(feats="governor.feats")} in ('', {CASE.format(feats="noun.feats")})
            and target.node not in (select head from tokens where deprel = 'case' and head is not null)
        group by cells.row, cells.name
        """,
        by_condition=True,
    ),
    Guard(
        "numeral inside an adjective",
        "What a numeral counts may be a part of an adjective: Turkish üç aylık, quarterly, of ay, month.",
        f"""
        select cells.row, min(word.form || ' is also an adjective')
        from cells join governors as governor using (row) join words as word using (row, node)
        where governor.upos = 'NUM' and word.upos = 'NOUN' and small(word.form) in (
            select small(form) from corpus where upos in ('ADJ', 'NOUN')
            group by all having count(*) filter (upos = 'ADJ') * {RARER} > count(*) filter (upos = 'NOUN')
        )
        group by cells.row
        """,
    ),
    Guard(
        "numeral or determiner",
        "What counts one thing may be a determiner of several, as annotators have it elsewhere: Turkish bir iş, a job, "
        "and bir işler, some work or other.",
        f"""
        with determiners as (
            select small(determiner.form) as form, {_NUMBER.format(table="noun")} as number, count(*) as count
            from corpus as determiner join corpus as noun on noun.node = determiner.head
            where determiner.upos = 'DET' and determiner.relation = 'det' and noun.upos = 'NOUN' group by all
        )
        select cells.row, cells.name, min(governor.form || ' is a determiner beside ' || determiners.number)
        from cells join governors as governor using (row)
            join determiners on determiners.form = small(governor.form)
                and determiners.number = {_NUMBER.format(table="cells")}
        where cells.starred and governor.upos = 'NUM' and determiners.count * {SLIP} > governor.readings
        group by cells.row, cells.name
        """,
        by_condition=True,
    ),
    Guard(
        "noun with numerals in either number",
        "Beside some nouns a numeral tells of about so many: Turkish yirmi yaşlarında, some twenty years old.",
        f"""
        with counted as ({_COUNTED}),
        either as (
            select lemma, governed, count(*) filter (number <> governed) as others, count(*) as count
            from counted group by lemma, governed having others * {SLIP} > count
        )
        select cells.row, cells.name,
            min(word.lemma || ' has another number beside ' || others || ' of ' || count || ' numerals')
        from cells join governors as governor using (row) join words as word using (row, node)
            join either on either.lemma = word.lemma and governed = {_NUMBER.format(table="word")}
        where cells.starred and governor.upos = 'NUM' and {_NUMBER.format(table="cells")} not in ('', governed)
        group by cells.row, cells.name
        """,
        by_condition=True,
    ),
)
