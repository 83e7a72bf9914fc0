"""Soft guards: signs that a starred sentence may be fine, each with its weight.

They read what `starbank/guards/suspicion.py` lays out: `cases`, a row for each starred condition; `places`, where it
stands in its sentence; `words` and `sentences`, all of the treebank, and `alone`, words that are not coordinated;
`readings` of the starred forms, and `anchor_readings` of the words that decide (the anchors).
"""

from __future__ import annotations

from starbank.guards.registry import VERBS, Certainty, Example, Guard
from starbank.guards.thresholds import COMMON, FAR, FREQUENT, RARER

# Relations in which a word heads a clause or an argument: its sisters say nothing of it.
_CLAUSAL = (
    *("root", "conj", "parataxis", "advcl", "acl", "ccomp", "csubj", "xcomp"),
    *("nsubj", "obj", "iobj", "obl", "nmod"),
)


def _clause(noun: str, verb: str, *more: str, number: str = "", sign: str = ".") -> str:
    """Return the sentence `The NOUN VERB .` with more words, which follow the verb, and numbers as they should be."""
    lemma, verbal = (verb.removesuffix("s"), "Sing") if verb.endswith("s") else (verb, "Plur")
    nominal = number or ("Plur" if noun.endswith("s") else "Sing")
    words = [
        "1 The the DET _ 2 det",
        f"2 {noun} {noun.removesuffix('s')} NOUN Number={nominal} 3 nsubj",
        f"3 {verb} {lemma} VERB Number={verbal} 0 root",
        *(f"{place} {word} 3 {relation}" for place, (word, relation) in enumerate(map(_split, more), start=4)),
    ]
    text = " ".join(["The", noun, verb, *(word.split(" ", 1)[0] for word in more)]) + sign
    if not sign:
        return "\n".join([text, *words])
    words[-1] += " SpaceAfter=No"
    return "\n".join([text, *words, f"{len(words) + 1} {sign} {sign} PUNCT _ 3 punct"])


def _split(word: str) -> tuple[str, str]:
    """Divide `home home ADV _ advmod` into what stands before the head and the relation."""
    description, _, relation = word.rpartition(" ")
    return description, relation


_VERBS = tuple(
    _clause(f"baker{plural}", f"{verb}{singular}") for verb in VERBS for plural, singular in (("", "s"), ("s", ""))
)
_PREDICTED = "vary: {Number: [Sing, Plur]}\nconfidence: 0"
_LOUDLY, _TODAY = "loudly loudly ADV _ advmod", "today today ADV _ advmod"


# What the treebank says elsewhere, and what the sentence says.
IN_SENTENCE = (
    Guard(
        "the starred sentence is in the treebank",
        "Somebody has written it.",
        ("places", "sentences"),
        """
        select item_id, name, 10.0, 'the starred sentence itself is in the treebank: ' || min(twin.sent_id)
        from places join sentences as twin on lower(twin.text) = lower(places.sentence)
        where twin.sent <> places.sent group by all
        """,
        Example(
            _clause("sheep", "sings"),
            starred="*The sheep sing.",
            gloss="one sheep, or several",
            detail="the starred sentence itself is in the treebank: s2",
            beside=(_clause("sheep", "sing", number="Plur"),),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "the same words",
        "The form stands between the same two words elsewhere.",
        ("places", "words"),
        """
        with around as (
            select places.item_id, places.name, small, places.sent, anchor_position, places.position,
                previous.form as before, next.form as after
            from places
                join words as previous on previous.sent = places.sent and previous.position = places.position - 1
                    and previous.upos <> 'PUNCT'
                join words as next on next.sent = places.sent and next.position = places.position + 1
                    and next.upos <> 'PUNCT'
        )
        select item_id, name, if(abs(anchor_position - around.position) = 1, 4.0, 2.0),
            'the treebank has “' || before || ' ' || small || ' ' || after || '”: ' || min(word.sent_id)
        from around
            join words as word on word.form = small and word.sent <> around.sent
            join words as previous on previous.sent = word.sent and previous.position = word.position - 1
                and previous.form = before
            join words as next on next.sent = word.sent and next.position = word.position + 1 and next.form = after
        group by item_id, name, anchor_position, around.position, before, small, after
        """,
        Example(
            _clause("team", "sings", _LOUDLY),
            starred="*The team sing loudly.",
            gloss="the team, its members",
            detail="the treebank has “team sing loudly”: s2",
            beside=(_clause("team", "sing", _LOUDLY, _TODAY),),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "the same two words",
        "The form stands in the same relation to the same word elsewhere.",
        ("places", "words", "alone"),
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
        Example(
            _clause("team", "sings", _LOUDLY),
            starred="*The team sing loudly.",
            gloss="the team, its members",
            detail="the treebank has “team” with “sing” (nsubj): s2",
            beside=(_clause("team", "sing", _TODAY),),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "the same kind of word",
        "A word of the same kind has the starred value beside the same word elsewhere.",
        ("places", "words", "alone"),
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
        Example(
            _clause("team", "sings"),
            starred="*The team sing.",
            gloss="the team, its members",
            detail="elsewhere, team goes with Number=Plur in 1 of 1: s2",
            beside=(_clause("team", "hum"), _clause("bakers", "sing")),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "the starred value beside it",
        "Another word that may decide has the starred value.",
        ("places", "words"),
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
        Example(
            "These team sings\n1 These this DET Number=Plur 2 det\n2 team team NOUN Number=Sing 3 nsubj\n"
            "3 sings sing VERB Number=Sing 0 root",
            starred="*These team sing",
            gloss="the determiner is a plural",
            detail="beside it, These (det) has Number=Plur",
            beside=(_clause("bakers", "sing"),),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "a word that may have either value",
        "The word that decides has the starred value elsewhere, in the same form.",
        ("places", "words", "anchor_readings"),
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
        Example(
            _clause("sheep", "sings"),
            starred="*The sheep sing.",
            gloss="one sheep, or several",
            detail="sheep may have Number=Plur too",
            beside=(_clause("sheep", "hum", number="Plur"), _clause("bakers", "sing")),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "several candidates",
        "Two words stand in the relation that decides.",
        ("places", "words"),
        """
        select item_id, places.name, 1.5,
            min('it may depend on ' || word.written || ' as well (' || word.relation || ')')
        from places join words as word on word.sent = places.sent and word.head = places.anchor_head
            and word.relation = places.anchor_relation and word.node <> places.anchor and word.node <> places.node
        where below group by all
        """,
        Example(
            "This he knows\n1 This this PRON Number=Sing 3 nsubj\n2 he he PRON Number=Sing 3 nsubj\n"
            "3 knows know VERB Number=Sing 0 root",
            starred="*This he know",
            gloss="which of the two is the subject?",
            detail="it may depend on This as well (nsubj)",
            beside=(_clause("bakers", "know"),),
            pattern='V [upos=VERB]; S [lemma="he"]; V -[nsubj]-> S',
        ),
        Certainty.SOFT,
    ),
    Guard(
        "several matches",
        "The request binds the word in more than one way.",
        ("places",),
        """
        select item_id, name, 1.0, 'the request finds it ' || matches || ' times, with other words bound'
        from places where matches > 1
        """,
        Example(
            "This he knows\n1 This this PRON Number=Sing 3 nsubj\n2 he he PRON Number=Sing 3 nsubj\n"
            "3 knows know VERB Number=Sing 0 root",
            starred="*This he know",
            gloss="either may be S of the request",
            detail="the request finds it 2 times, with other words bound",
            beside=(_clause("bakers", "know"),),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "coordination",
        "Coordinated words agree together, or one by one.",
        ("places", "words"),
        """
        select item_id, places.name, 0.7, min('it is coordinated with ' || word.written)
        from places join words as word on word.sent = places.sent and word.relation = 'conj'
            and word.head in (places.node, places.anchor)
        group by all
        """,
        Example(
            _clause("baker", "sings", "hum hum VERB Number=Plur conj"),
            starred="*The baker sing hum.",
            gloss="",
            detail="it is coordinated with hum",
            beside=(_clause("bakers", "sing"),),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "quotation",
        "Titles and what is quoted need not fit the sentence.",
        ("places",),
        """
        select item_id, name, 0.5, 'it stands in quotation marks, perhaps a title'
        from places
        where len(regexp_extract_all(text[: start], '["“„«]')) > len(regexp_extract_all(text[: start], '[”»]'))
            and len(regexp_extract_all(text[: start], '"')) % 2 = if(contains(text[: start], '"'), 1, 0)
            and regexp_matches(text[start + 1 :], '["”“»]')
        """,
        Example(
            "«Baker sings» .\n1 « « PUNCT _ 3 punct SpaceAfter=No\n2 Baker baker NOUN Number=Sing 3 nsubj\n"
            "3 sings sing VERB Number=Sing 0 root SpaceAfter=No\n4 » » PUNCT _ 3 punct\n5 . . PUNCT _ 3 punct",
            starred="*«Baker sing» .",
            gloss="a headline",
            detail="it stands in quotation marks, perhaps a title",
            beside=(_clause("bakers", "sing"),),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "fragment",
        "Headings and lists leave words out.",
        ("places",),
        """
        select item_id, name, 0.5, 'the sentence has no end: perhaps a heading'
        from places where not regexp_matches(trim(text), '[.!?…。।۔؟։:;”"»)]$')
        """,
        Example(
            _clause("baker", "sings", sign=""),
            starred="*The baker sing",
            gloss="no full stop",
            detail="the sentence has no end: perhaps a heading",
            beside=(_clause("bakers", "sing"),),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "distance",
        "What decides is far away.",
        ("places",),
        f"""
        select item_id, name, 0.1 * least(distance - {FAR}, 10),
            'what decides is ' || distance || ' words away' || if(attractors > 0, ', with others in between', '')
        from places where distance > {FAR}
        """,
        Example(
            "The baker who {} sings.\n".format(" ".join(["here"] * 9))
            + "1 The the DET _ 2 det\n2 baker baker NOUN Number=Sing 13 nsubj\n3 who who PRON _ 4 nsubj\n"
            + "".join(f"{place} here here ADV _ 2 advmod\n" for place in range(4, 13))
            + "13 sings sing VERB Number=Sing 0 root SpaceAfter=No\n14 . . PUNCT _ 13 punct",
            starred="*The baker who {} sing.".format(" ".join(["here"] * 9)),
            gloss="eleven words lie between",
            detail="what decides is 11 words away",
            beside=(_clause("bakers", "sing"),),
            settings="vary: {Number: [Sing, Plur]}\ncontroller: S",
        ),
        Certainty.SOFT,
    ),
)

# What is known of the form.
OF_FORM = (
    Guard(
        "predicted",
        "The form was learned, not read.",
        ("cases",),
        """
        select item_id, name, 0.3 + 10 * (1 - confidence),
            form || ' is predicted, with confidence ' || round(confidence, 2)
        from cases where source = 'predicted'
        """,
        Example(
            _clause("baker", "yawns"),
            starred="*The baker yawn.",
            gloss="a good prediction, from other verbs",
            detail="yawn is predicted, with confidence 1.0",
            beside=_VERBS,
            settings=_PREDICTED,
        ),
        Certainty.SOFT,
    ),
    Guard(
        "frequency",
        "The starred form is much more frequent than the grammatical one.",
        ("cases",),
        f"""
        select item_id, name, 1.0, form || ' is seen ' || count || ' times, ' || good_form || ' ' || good_count
        from cases where count >= {FREQUENT} and count >= {RARER} * greatest(good_count, 1)
        """,
        Example(
            _clause("baker", "sings"),
            starred="*The baker sing.",
            gloss="",
            detail="sing is seen 10 times, sings 1",
            beside=tuple([_clause("bakers", "sing")] * 10),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "rare",
        "Of a lemma that is seen once, little is known.",
        ("cases",),
        "select item_id, name, 0.4, 'the lemma is seen only once' from cases where lemma_count <= 1",
        Example(
            _clause("baker", "yawns"),
            starred="*The baker yawn.",
            gloss="nobody knows what else the form may be",
            detail="the lemma is seen only once",
            beside=_VERBS,
            settings=_PREDICTED,
        ),
        Certainty.SOFT,
    ),
    # What many of the starred forms can be, as English plurals can be infinitives, tells nothing of one of them.
    Guard(
        "readings",
        "The form is also something else.",
        ("cases", "readings"),
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
        Example(
            _clause("baker", "sings"),
            starred="*The baker sing.",
            gloss="in this treebank sing is an adverb as well",
            detail="sing is also sing (ADV)",
            beside=(*_VERBS, "Here sing\n1 Here here ADV _ 2 advmod\n2 sing sing ADV _ 0 root"),
        ),
        Certainty.SOFT,
    ),
    Guard(
        "clitic",
        "The form may be more than one word.",
        ("cases",),
        """
        select item_id, name, 0.7, form || ' may be more than one word'
        from cases where regexp_matches(form, '[''’ʼ\\-–]') and not contains(form, ' ')
        """,
        Example(
            _clause("baker", "re-sings"),
            starred="*The baker re-sing.",
            gloss="perhaps the verb sing with a particle before it",
            detail="re-sing may be more than one word",
            beside=(_clause("bakers", "re-sing"),),
        ),
        Certainty.SOFT,
    ),
)
