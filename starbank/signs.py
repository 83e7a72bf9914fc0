"""Signs that a starred sentence may be fine: each a query for `item_id`, condition, weight, and the reason in words.

The queries read the tables that `starbank/suspicion.py` lays out: `cases`, one row for each starred condition;
`places`, where it stands in its sentence; `words`, all of the treebank; and readings of forms.
"""

from __future__ import annotations

# Relations in which a word heads a clause or an argument: its sisters say nothing of it.
CLAUSAL = (
    "root",
    "conj",
    "parataxis",
    "advcl",
    "acl",
    "ccomp",
    "csubj",
    "xcomp",
    "nsubj",
    "obj",
    "iobj",
    "obl",
    "nmod",
)

CASES = """
    create temp table cases as
    with starred as (
        select item_id, treebank, sent_id, target, distance, attractors, lemma_count, unnest(conditions) as c,
            list_filter(conditions, lambda x: x.grammatical)[1] as good
        from items
    )
    select item_id, treebank, sent_id, target.id as id, target.upos as upos, target.lemma as lemma,
        distance, attractors, lemma_count,
        c.name as name, c.form as form, good.form as good_form, c.form_source as source, c.form_count as count,
        good.form_count as good_count, c.form_confidence as confidence, c.feats as feats,
        array_to_string(c.regions, '') as sentence
    from starred where not c.grammatical
"""

# The words of the matched sentences' treebank, and where each case stands in it: its word, and the word that decides.
PLACES = """
    create or replace temp table words as
    select node, sent, sent_id, id, position, lower(form) as form, form as written, lemma, upos,
        coalesce(feats, '') as feats, head, split_part(deprel, ':', 1) as relation, start, "end"
    from tokens where position is not null
"""
ANCHORED = """
    create or replace temp table places as
    select cases.*, lower(cases.form) as small, lower(cases.good_form) as small_good,
        word.node, word.sent, word.position, word.head, word.start, 
        list_filter(string_split(changes.changed, '|'), lambda pair: pair <> '') as changed,
        anchors.anchor, anchors.matches, anchor.form as anchor_form, anchor.lemma as anchor_lemma,
        anchor.upos as anchor_upos, anchor.feats as anchor_feats, anchor.head as anchor_head,
        anchor.relation as anchor_relation, anchor.position as anchor_position,
        word.relation as own_relation,
        if(anchor.head = word.node, anchor.relation, if(word.head = anchor.node, word.relation, null)) as edge,
        coalesce(anchor.head = word.node, false) as below, sentences.text
    from cases
        join words as word on word.sent_id = cases.sent_id and word.id = cases.id
        join sentences on sentences.sent = word.sent
        join changes on changes.name = cases.name
        left join anchors on anchors.node = word.node
        left join words as anchor on anchor.node = anchors.anchor
    where cases.treebank = $treebank
"""

# Coordinated words are no evidence: they agree together.
ALONE = """
    create or replace temp table alone as
    from words
    where relation <> 'conj' and node not in (select head from words where relation = 'conj' and head is not null)
"""

# What the treebank says elsewhere.
ATTESTED = {
    "the starred sentence is in the treebank": """
        select item_id, name, 10.0, 'the starred sentence itself is in the treebank: ' || min(other.sent_id)
        from places join sentences as other on lower(other.text) = lower(places.sentence)
        where other.sent <> places.sent group by all
    """,
    "the same words": """
        with around as (
            select places.item_id, places.name, small, places.sent, anchor_position, places.position,
                one.form as before, two.form as after
            from places
                join words as one on one.sent = places.sent and one.position = places.position - 1
                    and one.upos <> 'PUNCT'
                join words as two on two.sent = places.sent and two.position = places.position + 1
                    and two.upos <> 'PUNCT'
        )
        select item_id, name, if(abs(anchor_position - around.position) = 1, 4.0, 2.0),
            'the treebank has “' || before || ' ' || small || ' ' || after || '”: ' || min(word.sent_id)
        from around
            join words as word on word.form = small and word.sent <> around.sent
            join words as one on one.sent = word.sent and one.position = word.position - 1 and one.form = before
            join words as two on two.sent = word.sent and two.position = word.position + 1 and two.form = after
        group by item_id, name, anchor_position, around.position, before, small, after
    """,
    "the same two words": """
        select item_id, places.name, 4.0,
            'the treebank has “' || anchor_form || '” with “' || small || '” (' || edge || '): ' || min(word.sent_id)
        from places
            join words as word on word.form = small and word.sent <> places.sent
            join alone as anchor on anchor.form = anchor_form and anchor.sent = word.sent
                and if(below, anchor.head = word.node and anchor.relation = edge,
                    word.head = anchor.node and word.relation = edge)
        where edge is not null and list_has_all(string_split(word.feats, '|'), changed)
        group by item_id, places.name, anchor_form, small, edge
    """,
    "the same kind of word": """
        with told as (
            select places.item_id, places.name, places.anchor_lemma as lemma, array_to_string(changed, ', ') as what,
                count(*) filter (list_has_all(string_split(word.feats, '|'), changed)) as found, count(*) as total,
                min(word.sent_id) filter (list_has_all(string_split(word.feats, '|'), changed)) as example
            from places
                join alone as anchor on anchor.lemma = anchor_lemma and anchor.upos = anchor_upos
                    and anchor.feats = anchor_feats
                join words as word on word.sent = anchor.sent and word.upos = places.upos
                    and if(below, anchor.head = word.node and anchor.relation = edge,
                        word.head = anchor.node and word.relation = edge)
            where edge is not null and changed <> [] and word.sent <> places.sent
            group by all
        )
        select item_id, name, 1.0 + 2.0 * found / total,
            'elsewhere, ' || lemma || ' goes with ' || what || ' in ' || found || ' of ' || total || ': ' || example
        from told where found > 0
    """,
}

# What the sentence says.
BESIDE = {
    "the starred value beside it": """
        select item_id, places.name, if(min(word.relation) = 'nmod', 0.8, 2.0),
            min('beside it, ' || word.written || ' (' || word.relation || ') has ' || array_to_string(changed, ', '))
        from places join words as word on word.sent = places.sent
            and (word.head in (places.node, places.anchor)
                or word.head = places.head and own_relation not in {clausal})
        where changed <> [] and list_has_all(string_split(word.feats, '|'), changed)
            and word.node not in (places.node, coalesce(places.anchor, -1)) and word.upos <> places.upos
            and (word.relation in ('expl', 'aux', 'cop', 'det', 'amod', 'nummod')
                or word.relation = 'nmod' and word.upos in ('NOUN', 'PROPN') and word.head = places.anchor and below)
        group by all
    """.replace("{clausal}", str(CLAUSAL)),
    "a word that may have either value": """
        select item_id, places.name, 3.0,
            min(anchor.written || ' may have ' || array_to_string(changed, ', ') || ' too')
        from places join words as anchor on anchor.node = places.anchor
            join anchor_readings as reading on reading.form = anchor.written and reading.lemma = anchor_lemma
                and reading.upos = anchor_upos
        where changed <> [] and list_has_all(string_split(reading.feats, '|'), changed)
            and not list_has_all(string_split(anchor_feats, '|'), changed)
        group by all
    """,
    "several candidates": """
        select item_id, places.name, 1.5,
            min('it may depend on ' || word.written || ' as well (' || word.relation || ')')
        from places join words as word on word.sent = places.sent and word.head = places.anchor_head
            and word.relation = places.anchor_relation and word.node <> places.anchor and word.node <> places.node
        where below group by all
    """,
    "several matches": """
        select item_id, name, 1.0, 'the request finds it ' || matches || ' times, with other words bound'
        from places where matches > 1
    """,
    "coordination": """
        select item_id, places.name, 0.7, min('it is coordinated with ' || word.written)
        from places join words as word on word.sent = places.sent and word.relation = 'conj'
            and word.head in (places.node, places.anchor)
        group by all
    """,
    "quotation": """
        select item_id, name, 0.5, 'it stands in quotation marks, perhaps a title'
        from places
        where len(regexp_extract_all(text[: start], '["“„«]')) > len(regexp_extract_all(text[: start], '[”»]'))
            and len(regexp_extract_all(text[: start], '"')) % 2 = if(contains(text[: start], '"'), 1, 0)
            and regexp_matches(text[start + 1 :], '["”“»]')
    """,
    "fragment": """
        select item_id, name, 0.5, 'the sentence has no end: perhaps a heading'
        from places where not regexp_matches(trim(text), '[.!?…。।۔؟։:;”"»)]$')
    """,
    "distance": """
        select item_id, name, 0.1 * least(distance - 8, 10),
            'what decides is ' || distance || ' words away' || if(attractors > 0, ', with others in between', '')
        from places where distance > 8
    """,
}

# What is known of the form.
OF_FORM = {
    "predicted": """
        select item_id, name, 0.3 + 10 * (1 - confidence),
            form || ' is predicted, with confidence ' || round(confidence, 2)
        from cases where source = 'predicted'
    """,
    "frequency": """
        select item_id, name, 1.0, form || ' is seen ' || count || ' times, ' || good_form || ' ' || good_count
        from cases where count >= 10 and count >= 5 * greatest(good_count, 1)
    """,
    "rare": """
        select item_id, name, 0.4, 'the lemma is seen only once' from cases where lemma_count <= 1
    """,
    # What many of the starred forms can be, as English plurals can be infinitives, tells nothing of one of them.
    "readings": """
        with others as (
            select item_id, cases.name, cases.count as own, reading.count,
                if(reading.lemma = cases.lemma, 0.4, 1.0) as weight,
                cases.form || ' is also ' || reading.lemma || ' ('
                    || concat_ws(', ', reading.upos, nullif(reading.feats, '')) || ')' as told,
                count(distinct item_id) over (partition by reading.upos, reading.feats)
                    / (select count(distinct item_id) from cases) as share
            from cases join readings as reading on reading.form = cases.form
            where reading.feats <> cases.feats or reading.upos <> cases.upos or reading.lemma <> cases.lemma
        )
        select item_id, name, max(weight) * (0.5 + sum(count) / (sum(count) + any_value(own) + 1)),
            arg_max(told, (weight, count, told))
        from others where share <= 0.2 group by item_id, name
    """,
    "clitic": """
        select item_id, name, 0.7, form || ' may be more than one word'
        from cases where regexp_matches(form, '[''’ʼ\\-–]') and not contains(form, ' ')
    """,
}
