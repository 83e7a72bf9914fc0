"""Guards about the words beside the target: they may tell by themselves that another form should stand there.

They read `compared`, which `starbank/guards/forms.py` makes, and the treebank.
"""

from __future__ import annotations

from starbank.guards.registry import Guard
from starbank.guards.thresholds import CERTAIN_CASES, ENOUGH_CASES, RARER
from starbank.treebanks.features import CASE, NUMBER, VALUE

_VERB_FORM = VALUE.replace("{name}", "VerbForm")

# Features but for those that agree, and of a pronoun beside a word.
_UNAGREED = "regexp_replace(coalesce({feats}, ''), '(Gender|Number|Person)=[^|]*[|]?', '', 'g')"
_PRONOUN = f"if(beside.upos = 'PRON', {_UNAGREED.format(feats='beside.feats')}, null) as pronoun"

GUARDS = (
    Guard(
        "auxiliary of another verb form",
        "Auxiliaries with one lemma go with participles and with infinitives, each in a tense or mood of its own: "
        "Romanian am, has, and aș, would.",
        f"""
        with auxiliaries as (from corpus where upos = 'AUX' and deprel like 'aux%'),
        own as (
            from auxiliaries where small(form) in (select small(form) from compared where upos = 'AUX')
        ),
        -- What stands nearest of the verb and its other auxiliaries: has been seen, would be seen.
        beside as (
            select aux.node, aux.form, {_VERB_FORM.format(feats="verb.feats")} as kind,
                abs(verb.position - aux.position) as distance
            from own as aux join corpus as verb on verb.node = aux.head
            union all
            select aux.node, aux.form, {_VERB_FORM.format(feats="verb.feats")}, abs(verb.position - aux.position)
            from own as aux join auxiliaries as verb on verb.head = aux.head and verb.node <> aux.node
        ),
        heads as (
            select node, small(form) as form, arg_min(kind, (distance, kind)) as kind
            from beside group by all
        ),
        kinds as (
            select form, kind, count(*) as count, sum(count(*)) over (partition by form) as total
            from heads group by form, kind
        )
        select compared.row, compared.name, compared.form || ' seldom goes with VerbForm=' || here.kind
        from compared
            join bound on bound.row = compared.row and bound.node = compared.node
            join heads as here on here.node = bound.token
            join kinds as good on good.form = small(opposite) and good.kind = here.kind
            join (select distinct form, total from kinds) as starred on starred.form = small(compared.form)
            left join kinds as seen on seen.form = starred.form and seen.kind = here.kind
        where compared.starred and here.kind <> ''
            and {RARER} * greatest(seen.count, 1) < starred.total * good.count / good.total
        """,
        by_condition=True,
        upos=("AUX",),
    ),
    Guard(
        "another order",
        "Clitics have their places, which a form may not share with others of its word: Slovenian jo je, but sta jo.",
        f"""
        with places as (
            select compared.row, compared.name, compared.lemma, small(compared.form) as form,
                small(opposite) as opposite, {_UNAGREED.format(feats="own")} as kind, small(beside.form) as beside,
                {_PRONOUN},
                beside.position > target.position as behind
            from compared
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as target on target.node = bound.token
                join tokens as beside on beside.sent = target.sent and abs(beside.position - target.position) = 1
            where compared.starred and compared.upos = 'AUX' and beside.upos <> 'PUNCT'
        ),
        -- Beside pronouns of a kind, the forms of a word have one place, but perhaps for the one that is here.
        orders as (
            select word.lemma, small(word.form) as form, {_UNAGREED.format(feats="word.feats")} as kind,
                small(beside.form) as beside,
                {_PRONOUN},
                beside.position > word.position as behind, count(*) as count
            from corpus as word
                join corpus as beside on beside.sent = word.sent and abs(beside.position - word.position) = 1
            where word.upos = 'AUX' and word.lemma in (select lemma from places)
            group by all
        ),
        seen as (
            select places.row, places.name, places.form, places.beside, places.behind, false as by_kind,
                orders.form as variant, orders.form = places.opposite as opposite,
                orders.behind = places.behind as here, count
            from places join orders using (beside) where orders.form in (places.form, places.opposite)
            union all
            select places.row, places.name, places.form, places.beside, places.behind, true,
                orders.form, orders.form = places.opposite, orders.behind = places.behind, count
            from places join orders using (lemma, kind, pronoun)
        ),
        counts as (
            select row, name, form, beside, behind, by_kind,
                coalesce(sum(count) filter (here and not opposite), 0) as here,
                coalesce(sum(count) filter (not here and not opposite), 0) as turned,
                coalesce(sum(count) filter (here and opposite), 0) as good,
                coalesce(sum(count) filter (not here and opposite), 0) as good_turned,
                count(distinct variant) filter (here and not opposite) as forms,
                count(distinct variant) filter (not here and not opposite) as forms_turned,
                coalesce(sum(count) filter (here and variant = form), 0) as form_here,
                coalesce(sum(count) filter (not here and variant = form), 0) as form_turned
            from seen group by all
        )
        select distinct row, name, form || ' stands ' || if(behind, 'behind ', 'before ') || beside
        from counts
        where if(
            by_kind,
            good >= {RARER} * greatest(good_turned, 1) and (
                {RARER} * greatest(here, 1) <= turned and forms < forms_turned
                or {RARER} * greatest(form_here, 1) <= form_turned
            ),
            {RARER} * good >= good_turned and {RARER} * greatest(here, 1) <= turned
        )
        """,
        by_condition=True,
        upos=("AUX",),
    ),
    Guard(
        "contracted with the word before",
        "Where texts write two words as one, or never have an adposition before a form that is frequent, they are "
        "wrong side by side whatever they mean: Irish de an, which is den. What a multiword token is made of is "
        "written so: French de la mer, *du mer.",
        f"""
        with sides as (
            select compared.row, compared.name, small(before.form) as one, small(compared.form) as other,
                before.lemma as adposition, own,
                before.upos = 'ADP' and {CASE.format(feats="own")} = {CASE.format(feats="compared.other")} as ungoverned
            from compared
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as target on target.node = bound.token
                join tokens as before on before.sent = target.sent and before.position = target.position - 1
            where compared.starred
                and (compared.row, compared.node, compared.name) not in (
                    select (row, node, name) from filled where contracted
                )
        ),
        -- Words that are written as one have no places in the text of their own.
        within as (select small(form) as form, sent, position from corpus where start is null and position is not null),
        fused as (
            select one.form as one, two.form as other, count(*) as contracted
            from within as one join within as two on two.sent = one.sent and two.position = one.position + 1
            where (one.form, two.form) in (select (one, other) from sides)
            group by all
        ),
        bigrams as (
            select small(word.form) as one, small(after.form) as other, count(*) as count
            from corpus as word join corpus as after on after.sent = word.sent and after.position = word.position + 1
            -- A join of all neighbours would be large.
            where small(word.form) in (select one from sides) and small(after.form) in (select other from sides)
            group by all
        ),
        frequencies as (
            select small(form) as form, count(*) as count from corpus
            where small(form) in (select one from sides where ungoverned union select other from sides where ungoverned)
            group by all
        ),
        -- What may be expected by chance.
        apart as (
            select distinct one, other
            from sides join frequencies as ones on ones.form = one join frequencies as others on others.form = other
                anti join bigrams using (one, other)
            where ungoverned and ones.count * others.count >= {CERTAIN_CASES} * (select count(*) from corpus)
        ),
        -- Irish den is one word, an adposition that has the article in it.
        articles as (
            select lemma as adposition, {NUMBER.format(feats="feats")} as number from corpus
            where upos = 'ADP' and contains(feats, 'PronType=Art')
            group by all having count(*) >= {ENOUGH_CASES}
        )
        select distinct row, name, one || ' and ' || other || ' are written as one'
        from sides join articles using (adposition)
        where ungoverned and contains(own, 'PronType=Art') and number in ('', {NUMBER.format(feats="own")})
        union
        select row, name, one || ' and ' || other || ' are written as one'
        from sides join fused using (one, other) join bigrams using (one, other)
        where contracted >= {ENOUGH_CASES} and {RARER} * (count - contracted) < contracted
        union
        select row, name, one || ' never stands before ' || other from sides join apart using (one, other)
        where ungoverned
        """,
        by_condition=True,
    ),
    Guard(
        "number is shown beside",
        "Where a noun changes its number along with its case, a single name beside it, or a relative clause that "
        "agrees, has another: Basque Jacques Chirac *presidenteei.",
        f"""
        with agreeing as (
            select if(relation in ('aux', 'cop'), head, node) from tokens
            where upos in ('VERB', 'AUX') and contains(feats, 'Number')
        )
        select row, cells.name, min(beside.form || ' has the number of ' || target.form)
        from cells join words as word using (row, node) join bound using (row, node)
            join tokens as target on target.node = bound.token
            join tokens as beside on beside.head = target.node
        where cells.starred and target.relation in ('nsubj', 'obj', 'iobj', 'obl')
            and {NUMBER.format(feats="word.feats")} <> {NUMBER.format(feats="cells.feats")}
            and {CASE.format(feats="word.feats")} <> {CASE.format(feats="cells.feats")}
            and (
                beside.relation in ('nmod', 'appos', 'flat', 'compound') and beside.upos = 'PROPN'
                    and {CASE.format(feats="beside.feats")} = ''
                or beside.relation = 'acl' and beside.node in (from agreeing)
            )
        group by row, cells.name
        """,
        by_condition=True,
        upos=("NOUN", "ADJ"),
    ),
)
