"""Soft guards: signs that a starred sentence may be fine, each with its weight.

They read what `starbank/guards/suspicion.py` lays out: `cases`, a row for each starred condition; `places`, where it
stands in its sentence; `words` and `sentences`, all of the treebank, and `alone`, words that are not coordinated;
`readings` of the starred forms, and `anchor_readings` of the words that decide (the anchors).
"""

from __future__ import annotations

from functools import partial

from starbank.guards.registry import Certainty, Guard
from starbank.guards.thresholds import COMMON, FAR, FREQUENT, RARER

# Relations in which a word heads a clause or an argument: its sisters say nothing of it.
_CLAUSAL = (
    *("root", "conj", "parataxis", "advcl", "acl", "ccomp", "csubj", "xcomp"),
    *("nsubj", "obj", "iobj", "obl", "nmod"),
)


_sign = partial(Guard, certainty=Certainty.SOFT)

# What the treebank says elsewhere, and what the sentence says.
IN_SENTENCE = (
    _sign(
        "the starred sentence is in the treebank",
        "Somebody has written it.",
        """
        select item_id, name, 10.0, 'the starred sentence itself is in the treebank: ' || min(twin.sent_id)
        from places join sentences as twin on small(twin.text) = small(places.sentence)
        where twin.sent <> places.sent group by all
        """,
    ),
    _sign(
        "the same words",
        "The form stands between the same two words elsewhere.",
        """
        with around as (
            select places.item_id, places.name, small, places.sent, anchor_position, places.position,
                previous.form as before, next.form as after
            from places
                join words as previous on previous.sent = places.sent and previous.position = places.position - 1
                    and previous.upos <> 'PUNCT'
                join words as next on next.sent = places.sent and next.position = places.position + 1
                    and next.upos <> 'PUNCT'
        ),
        -- Of each word those beside it, once: joins would look for them anew at every place.
        threes as (
            select sent, sent_id, form, lag(form) over same as before, lead(form) over same as after
            from words window same as (partition by sent order by position)
        )
        select item_id, name, if(abs(anchor_position - position) = 1, 4.0, 2.0),
            'the treebank has “' || around.before || ' ' || small || ' ' || around.after || '”: ' || min(three.sent_id)
        from around
            join threes as three on three.form = small and three.before = around.before
                and three.after = around.after and three.sent <> around.sent
        group by item_id, name, anchor_position, position, around.before, small, around.after
        """,
    ),
    _sign(
        "the same two words",
        "The form stands in the same relation to the same word elsewhere.",
        """
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
    ),
    _sign(
        "the same kind of word",
        "A word of the same kind has the starred value beside the same word elsewhere.",
        """
        with elsewhere as (
            select places.item_id, places.name, places.anchor_lemma as lemma, array_to_string(changed, ', ') as what,
                count(*) filter (list_has_all(string_split(word.feats, '|'), changed)) as cases, count(*) as total,
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
        select item_id, name, 1.0 + 2.0 * cases / total,
            'elsewhere, ' || lemma || ' goes with ' || what || ' in ' || cases || ' of ' || total || ': ' || example
        from elsewhere where cases > 0
        """,
    ),
    _sign(
        "the starred value beside it",
        "Another word that may decide has the starred value.",
        f"""
        select item_id, places.name, if(min(word.relation) = 'nmod', 0.8, 2.0),
            min('beside it, ' || word.written || ' (' || word.relation || ') has ' || array_to_string(changed, ', '))
        from places join words as word on word.sent = places.sent
            and (word.head in (places.node, places.anchor)
                or word.head = places.head and own_relation not in {_CLAUSAL})
        where changed <> [] and list_has_all(string_split(word.feats, '|'), changed)
            and word.node not in (places.node, coalesce(places.anchor, -1)) and word.upos <> places.upos
            and (word.relation in ('expl', 'aux', 'cop', 'det', 'amod', 'nummod')
                or word.relation = 'nmod' and word.upos in ('NOUN', 'PROPN') and word.head = places.anchor and below)
        group by all
        """,
    ),
    _sign(
        "a word that may have either value",
        "The word that decides has the starred value elsewhere, in the same form.",
        """
        select item_id, places.name, 3.0,
            min(anchor.written || ' may have ' || array_to_string(changed, ', ') || ' too')
        from places join words as anchor on anchor.node = places.anchor
            join anchor_readings as reading on reading.form = anchor.written and reading.lemma = anchor_lemma
                and reading.upos = anchor_upos
        where changed <> [] and list_has_all(string_split(reading.feats, '|'), changed)
            and not list_has_all(string_split(anchor_feats, '|'), changed)
        group by all
        """,
    ),
    _sign(
        "several candidates",
        "Two words stand in the relation that decides.",
        """
        select item_id, places.name, 1.5,
            min('it may depend on ' || word.written || ' as well (' || word.relation || ')')
        from places join words as word on word.sent = places.sent and word.head = places.anchor_head
            and word.relation = places.anchor_relation and word.node <> places.anchor and word.node <> places.node
        where below group by all
        """,
    ),
    _sign(
        "several matches",
        "The request binds the word in more than one way.",
        """
        select item_id, name, 1.0, 'the request finds it ' || matches || ' times, with other words bound'
        from places where matches > 1
        """,
    ),
    _sign(
        "coordination",
        "Coordinated words agree together, or one by one.",
        """
        select item_id, places.name, 0.7, min('it is coordinated with ' || word.written)
        from places join words as word on word.sent = places.sent and word.relation = 'conj'
            and word.head in (places.node, places.anchor)
        group by all
        """,
    ),
    _sign(
        "quotation",
        "Titles and what is quoted need not fit the sentence.",
        """
        select item_id, name, 0.5, 'it stands in quotation marks, perhaps a title'
        from places
        where len(regexp_extract_all(text[: start], '["“„«]')) > len(regexp_extract_all(text[: start], '[”»]'))
            and len(regexp_extract_all(text[: start], '"')) % 2 = if(contains(text[: start], '"'), 1, 0)
            and regexp_matches(text[start + 1 :], '["”“»]')
        """,
    ),
    _sign(
        "fragment",
        "Headings and lists leave words out.",
        """
        select item_id, name, 0.5, 'the sentence has no end: perhaps a heading'
        from places where not regexp_matches(trim(text), '[.!?…。।۔؟։:;”"»)]$')
        """,
    ),
    _sign(
        "distance",
        "What decides is far away.",
        f"""
        select item_id, name, 0.1 * least(distance - {FAR}, 10),
            'what decides is ' || distance || ' words away' || if(attractors > 0, ', with others in between', '')
        from places where distance > {FAR}
        """,
    ),
)

# What is known of the form.
OF_FORM = (
    _sign(
        "predicted",
        "The form was learned, not read.",
        """
        select item_id, name, 0.3 + 10 * (1 - confidence),
            form || ' is predicted, with confidence ' || round(confidence, 2)
        from cases where source = 'predicted'
        """,
    ),
    _sign(
        "frequency",
        "The starred form is much more frequent than the grammatical one.",
        f"""
        select item_id, name, 1.0, form || ' is seen ' || count || ' times, ' || good_form || ' ' || good_count
        from cases where count >= {FREQUENT} and count >= {RARER} * greatest(good_count, 1)
        """,
    ),
    _sign(
        "rare",
        "Of a lemma that is seen once, little is known.",
        "select item_id, name, 0.4, 'the lemma is seen only once' from cases where lemma_count <= 1",
    ),
    # What many of the starred forms can be, as English plurals can be infinitives, tells nothing of one of them.
    _sign(
        "readings",
        "The form is also something else.",
        f"""
        with other_readings as (
            select item_id, cases.name, cases.count as own, reading.count,
                if(reading.lemma = cases.lemma, 0.4, 1.0) as weight,
                cases.form || ' is also ' || reading.lemma || ' ('
                    || concat_ws(', ', reading.upos, nullif(reading.feats, '')) || ')' as words,
                count(distinct item_id) over (partition by reading.upos, reading.feats)
                    / (select count(distinct item_id) from cases) as share
            from cases join readings as reading on reading.form = cases.form
            where reading.feats <> cases.feats or reading.upos <> cases.upos or reading.lemma <> cases.lemma
        )
        select item_id, name, max(weight) * (0.5 + sum(count) / (sum(count) + any_value(own) + 1)),
            arg_max(words, (weight, count, words))
        from other_readings where share <= {COMMON} group by item_id, name
        """,
    ),
    _sign(
        "clitic",
        "The form may be more than one word.",
        """
        select item_id, name, 0.7, form || ' may be more than one word'
        from cases where regexp_matches(form, '[''’ʼ\\-–]') and not contains(form, ' ')
        """,
    ),
)
