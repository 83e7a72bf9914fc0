"""Guards about what agrees with the target: it changes along, and has a form for it, or keeps what the target loses.

It reads `cells`, `filled`, `words`, `bound` and `controllers`, which `starbank/sets` makes, `readings`, and the
treebank.
"""

from __future__ import annotations

from starbank.guards.registry import Guard
from starbank.guards.thresholds import FIRM, MOSTLY, RARER, SLIPS
from starbank.treebanks.features import CASE, NOMINALS, SHARED, SHARED_VALUE, VALUE

# The cases of modifiers (`own`) and of their nouns.
_MODIFYING = f"""
    select modifier.upos, {CASE.format(feats="modifier.feats")} as own, {CASE.format(feats="head.feats")} as "case"
    from corpus as modifier join corpus as head on head.node = modifier.head
    where modifier.relation in ('amod', 'det') and contains(modifier.feats, 'Case=')
"""

# The case that most owners have.
_OWNING = f"""
    select {CASE.format(feats="owner.feats")} from corpus as owner
    where owner.relation = 'nmod' and contains(owner.feats, 'Case=')
        and owner.node not in (select head from corpus where relation = 'case')
    group by all order by count(*) desc, 1 limit 1
"""


def _values(feats: str) -> str:
    """Return the values of what nouns share with what agrees with them."""
    return ", ".join(VALUE.format(name=name, feats=feats) for name in SHARED)


# A modifier that looks the same with the starred value tells nothing.
_KEPT = f"""
    changing as materialized (
        from (
            select cells.row, cells.name, bound.token, word.upos, unnest({list(SHARED)}) as feature,
                unnest([{_values("word.feats")}]) as own, unnest([{_values("cells.feats")}]) as value
            from cells join words as word using (row, node) join bound using (row, node)
            where cells.starred and word.first and word.upos not in ('VERB', 'AUX') and word.feats <> cells.feats
        )
        where own <> '' and value <> '' and own <> value
    ),
    modifying as (
        select token.*, token.head as target, false as beside
        from tokens as token
        where token.head in (select token from changing) and token.relation in ('amod', 'det')
        union all
        -- What stands before its noun in a case that no owner has, without an adposition, agrees whatever it is called.
        select token.*, target.node, false
        from tokens as target join tokens as token on token.head = target.node and token.position < target.position
        where target.node in (select token from changing) and token.relation = 'nmod'
            and token.node not in (select head from tokens where relation = 'case')
            and {CASE.format(feats="token.feats")} not in ({_OWNING})
        union all
        select token.*, target.node, true
        from tokens as target
            join tokens as token on token.sent = target.sent and token.position = target.position - 1
        where target.node in (select token from changing) and token.upos = 'DET'
    ),
    kept as materialized (
        select distinct cells.row, cells.name, feature, small(token.form) as form, token.lemma, token.upos,
            token.relation, own, value
        from changing as cells join modifying as token on token.target = cells.token
            anti join bound on bound.row = cells.row and bound.token = token.node
            anti join controllers on controllers.row = cells.row and controllers.token = token.node
        where {SHARED_VALUE.format(feats="token.feats")} = own and (not beside or cells.upos = 'PRON')
            and (token.relation <> 'nmod' or feature = 'Case')
    ),
    alike as (
        from (
            select form, upos, feature, value, count(*) as count,
                sum(count(*)) over (partition by form, upos, feature) as total
            from (
                select form, upos, feature, {SHARED_VALUE.format(feats="feats")} as value
                from (
                    select small(token.form) as form, upos, feats from corpus as token
                    where small(token.form) in (select form from kept)
                ) cross join (select distinct feature from kept)
            )
            group by form, upos, feature, value
        )
        where count > {SLIPS} * total
    )
"""

# What agrees in case has another form for it; but Estonian adjectives have no comitative, theirs is the genitive, and
# Georgian ones in a vowel have one form for all cases: one that texts do not show in it inflects as those do that end
# alike.
_CONCORD = f"""
    (
        (lemma, upos, value) in (
            select (lemma, upos, {CASE.format(feats="feats")}) from corpus
            where relation in ('amod', 'det') and lemma in (select lemma from kept)
        )
        or (upos, own, value, form[-1:]) in (
            with forms as (
                select distinct lemma, upos, {CASE.format(feats="feats")} as "case", small(form) as form
                from corpus
                where relation in ('amod', 'det') and contains(feats, 'Case=') and upos in (select upos from kept)
            )
            select (upos, one."case", two."case", one.form[-1:])
            from forms as one join forms as two using (lemma, upos)
            where one."case" <> two."case"
            group by upos, one."case", two."case", one.form[-1:]
            having count(*) > 1 and avg((one.form <> two.form)::int) >= {FIRM}
        )
    ) and value in (
        select noun."case" from ({_MODIFYING}) as noun where noun."case" in (select value from kept)
        group by noun."case" having avg((own = noun."case")::int) > {MOSTLY}
    )
"""


# Pairs of cells that modifiers and nouns have beside one another, and how often each should be there if those of one
# case, gender and number stood alike beside all nouns that such modifiers have.
_PAIRED = f"""
    with pairs as (
        select modifier.upos, modifier.feats as own, head.feats as noun, count(*) as count,
            concat_ws('|', {_values("modifier.feats")}) as shared
        from corpus as modifier join corpus as head on head.node = modifier.head
        where modifier.relation in ('amod', 'det') and head.upos in {NOMINALS}
            and contains(head.feats, 'Case=')
            and {CASE.format(feats="modifier.feats")} = {CASE.format(feats="head.feats")}
            and modifier.upos in (select upos from words where agreeing)
        group by all
    ),
    owns as (select upos, shared, own, sum(count) as count from pairs group by all),
    nouns as (select upos, shared, noun, sum(count) as count from pairs group by all),
    totals as (select upos, shared, sum(count) as count from pairs group by all)
    select owns.upos, own, noun, coalesce(pairs.count, 0) as count, owns.count * nouns.count / totals.count as expected
    from owns join nouns using (upos, shared) join totals using (upos, shared) left join pairs using (upos, own, noun)
"""

GUARDS = (
    Guard(
        "no such concord",
        "With such nouns modifiers have another form in the starred case, so that they would not agree: Slovenian has "
        "one accusative beside animates, and another beside things.",
        f"""
        select distinct cells.row, cells.name, modifier.form || ' does not agree so with ' || noun.form
        from cells join words as word using (row, node)
            join words as target on target.row = word.row and target.first
            join filled as modifier on modifier.row = cells.row and modifier.name = cells.name
                and modifier.node = cells.node
            join filled as noun on noun.row = cells.row and noun.name = cells.name and noun.node = target.node
            -- What belongs to a noun, such as its animacy, may show in this case alone.
            join readings as reading on reading.form = noun.form and reading.lemma = noun.lemma
                and {CASE.format(feats="reading.feats")} = {CASE.format(feats="noun.feats")}
            join ({_PAIRED}) as paired
                on paired.upos = word.upos and paired.own = modifier.feats and paired.noun = reading.feats
        where cells.starred and word.agreeing and expected >= {RARER} and {RARER} * paired.count < expected
        """,
        by_condition=True,
    ),
    Guard(
        "no concord in this case",
        "What changes along with its noun must agree in the starred case, too: beside an Estonian abessive stands a "
        "genitive.",
        f"""
        select distinct cells.row, cells.name, word.form || ' has no concord in ' || "case"
        from cells join words as word using (row, node)
            join (
                select upos, "case" from ({_MODIFYING}) where upos in (select upos from words where agreeing)
                group by all having avg((own = "case")::int) < {MOSTLY}
            ) as apart on apart.upos = word.upos and apart."case" = {CASE.format(feats="cells.feats")}
        where cells.starred and word.agreeing and "case" <> {CASE.format(feats="word.feats")}
        """,
        by_condition=True,
    ),
    Guard(
        "modifier keeps the value",
        "What has an article or an adjective that agrees with it does not go with that any more, whatever else it "
        "agrees with: Greek η οποία, *η οποίος.",
        f"""
        with {_KEPT}
        select row, name, form || ' has ' || feature || '=' || own
        from kept anti join alike using (form, upos, feature, value)
        where feature <> 'Case' or relation = 'nmod' or {_CONCORD}
        """,
        by_condition=True,
    ),
)
