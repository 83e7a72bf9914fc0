"""Which requirements a place gives up first, where no other word meets them all: those that words mind least.

A requirement tells something if words mind it. Whether they mind what stands around them (its relation, its obliques,
its determiners) shows in lemmas: of what the other requirements leave open, a lemma tells how its own other places are.
Whether a feature matters shows in places: subjects tell the Number of verbs, and nothing tells the InflClass of Latin
nouns. Both are measured as the share of the uncertainty (log loss) that is left less, each word judged by all others.
"""

from __future__ import annotations

from functools import reduce

import duckdb

from starbank.transforms.frames import REQUIREMENTS

# A requirement is given up that surely (standard errors) tells no more than this share.
_TELLING, _CONFIDENCE = 0.06, 1.64
# An oblique of which verbs surely tell no more is an adjunct, and asked for nowhere. So is one that a lemma has in no
# more than this share of its places, if it was seen so often.
_ADJUNCT = 0.12
_SEEN, _WITHOUT = 5, 0.15
# But a lemma that has some oblique in nearly all of its places, likely (a likelihood ratio) not by chance, has none
# that is an adjunct: consist, belong.
_ALWAYS, _SURE = 0.75, 3.84
# Most of what stands beside nouns is no argument: what is stands there again, and much more often than by chance.
_NOUNS_SURE = 10.83
# And of which there is something to be told (nats), in so many words.
_OPEN, _FEWEST = 0.05, 100
# How many words' worth what is told in general counts against what was seen: what tells most of these.
_PRIORS = (1, 4, 16)
# An oblique that is rarer is taken for a governed one.
_COMMON = 20
# So many levels below that at which a place asks for all; and a last one, at which forms of a verb lend one another
# what was seen of them, where they differ in nothing that changes what the verb takes.
_LEVELS = 4
_EASED, _LENT = _LEVELS + 2, _LEVELS + 3
_INDIFFERENT = "^((Person|Number|Gender|Tense|Mood|Polarity|Polite)([[].*)?=|VerbForm=(Fin|Inf|Conv|Ger))"

# How much less uncertain the `value` is where `teller` is known, by `upos` and `requirement`; `given` is what is known
# in both cases. Takes rows of these columns with their `number`.
_TOLD = """
    with counted as (
        select upos, requirement, given, teller, value, sum(number) as number from ({rows}) group by all
    ),
    -- Windows would sort all for each of these.
    of_value as (select upos, requirement, given, value, sum(number) as number from counted group by all),
    of_all as (select upos, requirement, given, sum(number) as number from of_value group by all),
    of_teller as (select upos, requirement, given, teller, sum(number) as number from counted group by all),
    judged as (
        select counted.*, of_value.number / of_all.number as share, of_teller.number as of_teller
        from counted
            join of_value on of_value.upos = counted.upos and of_value.requirement = counted.requirement
                and of_value.given = counted.given and of_value.value is not distinct from counted.value
            join of_all on of_all.upos = counted.upos and of_all.requirement = counted.requirement
                and of_all.given = counted.given
            join of_teller on of_teller.upos = counted.upos and of_teller.requirement = counted.requirement
                and of_teller.given = counted.given and of_teller.teller is not distinct from counted.teller
    ),
    gains as (
        select upos, requirement, prior, number, -ln(share) as loss,
            ln((number - 1 + prior * share) / (of_teller - 1 + prior)) + loss as gain
        from judged, (select unnest({priors}) as prior) where of_teller > 1
    ),
    told as (
        select upos, requirement, prior, sum(number * loss) as open, sum(number) as number,
            sum(number * gain) / sum(number * loss) as share,
            sqrt(sum(number * gain * gain)) / sum(number * loss) as error
        from gains group by upos, requirement, prior having sum(number * loss) > 0
            and sum(number) >= {fewest}
    )
    select upos, requirement, share + {confidence} * error as telling, share - {confidence} * error as least_telling,
        open / number as open
    from told qualify row_number() over (partition by upos, requirement order by share desc, prior) = 1
"""


def _of_places() -> str:
    """Return the rows of the requirements of places: the lemma tells, where all other requirements are known."""
    rows = []
    for name in REQUIREMENTS:
        given = reduce("xor({}, {})".format, ["frame", "obliques", *(other for other in REQUIREMENTS if other != name)])
        rows.append(f"""
            select upos, '{name}' as requirement, {given} as given, lemma as teller, {name} as value, count(*) as number
            from content where reason is null and novel
                and upos in (select upos from content where {name} <> hash('{name}' || chr(31)))
            group by all
        """)
    return " union all ".join(rows)


# Features: what stands around a word tells, of one kind at a time.
_OF_FEATURES = """
    select upos, concat(place, ' ', split_part(feature, '=', 1)) as requirement, 0 as given, value as teller,
        hash(feature) as value, number
    from of_features
        -- Adverbs and numerals have all that is asked of them in their frame.
        join (select cell, upos, unnest(split(features, '|')) as feature from cells
            where features <> '' and upos in ('NOUN', 'PROPN', 'VERB', 'ADJ')) using (cell)
"""

# Obliques, one kind at a time: a case or adposition that verbs govern is told by the verb, that of an adjunct is not.
_OF_OBLIQUES = f"""
    with kinds as (select obliques, unnest(split(kinds, ' ')) as kind from oblique_kinds where kinds <> ''),
    common as (
        select kinds.kind from content join kinds using (obliques) where reason is null and novel and upos = 'VERB'
        group by kinds.kind having count(*) >= {_COMMON}
    ),
    governors as (
        select lemma, obliques, count(*) as number from content
        where reason is null and novel and upos = 'VERB' group by all
    )
    select 'VERB' as upos, kind as requirement, 0 as given, lemma as teller,
        (obliques in (select obliques from kinds where kinds.kind = common.kind))::ubigint as value, number
    from governors, common
"""

# Of several obliques those that are governed: that verbs tell, and that this one does not mostly do without.
_GOVERNED = f"""
    create table governed as
    with shown as (
        select upos, lemma, obliques, count(*) filter (novel) as number
        from content where upos in ('VERB', 'ADJ', 'NOUN') group by upos, lemma, obliques
    ),
    of_lemmas as (
        select upos, lemma, sum(number) as of_lemma, coalesce(sum(number) filter (kinds <> ''), 0) as having_some,
            sum(having_some) over (partition by upos) / sum(of_lemma) over (partition by upos) as usual
        from shown join oblique_kinds using (obliques) group by upos, lemma
    ),
    kinds as (
        select shown.*, of_lemma, having_some, usual, unnest(split(kinds, ' ')) as kind
        from shown join of_lemmas using (upos, lemma) join oblique_kinds using (obliques)
    ),
    totals as (select upos, sum(of_lemma) as of_upos from of_lemmas group by upos),
    counted as (
        select *, greatest(sum(number) over (partition by upos, lemma, kind), 1) as with_kind,
            sum(number) over (partition by upos, kind) / of_upos as usual_kind
        from kinds join totals using (upos)
    ),
    judged as (
        select counted.*, 2 * with_kind * ln(greatest(with_kind / of_lemma / usual_kind, 1)) as likely,
            2 * having_some * ln(greatest(having_some, 1) / of_lemma / usual) as likely_some,
            coalesce(telling, 1) > {_TELLING} and likely >= {_SURE}
                or having_some >= {_ALWAYS} * of_lemma and likely_some >= {_SURE} as own,
            of_lemma < {_SEEN} or with_kind > {_WITHOUT} * of_lemma as often,
            if(counted.upos = 'NOUN', with_kind > 1 and likely >= {_NOUNS_SURE},
                coalesce(telling, 1) > {_ADJUNCT} and often or own) as asks,
            if(counted.upos = 'NOUN' or not exists (from told_of_obliques), asks,
                coalesce(least_telling, 0) > {_TELLING} and often or own and with_kind > 1) as asks_eased
        from counted left join told_of_obliques on requirement = kind
    )
    select upos, lemma, obliques,
        hash('obliques' || chr(31) || coalesce(string_agg(kind, ' ' order by kind) filter (asks), '')) as governed,
        hash('obliques' || chr(31) || coalesce(string_agg(kind, ' ' order by kind) filter (asks_eased), '')) as eased
    from judged where kind <> '' group by upos, lemma, obliques
"""

# What is given up at the first level below the one at which all is asked for, and what at the next ones.
_GIVEN_UP = f"""
    create table given_up as
    with told as (
        select upos, requirement, telling, open, false as feature from told_of_places
        union all
        select upos, split_part(requirement, ' ', 2), max(telling), max(open), true
        from told_of_features group by all
    )
    select upos, requirement, feature, telling,
        ceil({_LEVELS} * row_number() over places / greatest(count(*) over (partition by upos), {_LEVELS}))::bigint
            + 1 as level
    from told where telling <= {_TELLING} and open >= {_OPEN}
    window places as (partition by upos order by telling, requirement)
"""

_ASKS = ", ".join(
    f"not coalesce(bool_or(requirement = '{name}' and not feature), false) as asks_{name}" for name in REQUIREMENTS
)
_ALL = """
    create table given_up (upos varchar, requirement varchar, feature boolean, telling double, level bigint);
    create table governed (upos varchar, lemma ubigint, obliques ubigint, governed ubigint, eased ubigint)
"""
_MADE = f"""
    create table levels as
    with levels as (
        select distinct upos, unnest({{first}}) as level from content union select distinct upos, level from given_up
        union select 'VERB', unnest([{_EASED}, {_LENT}, {_LENT} + 1]) where list_contains({{first}}, 0)
    )
    select levels.upos, levels.level, {_ASKS}, levels.level = 0 as asks_wish, levels.level >= {_LENT} as lends,
        levels.level in ({_EASED}, {_LENT} + 1) as eases,
        coalesce(list(requirement) filter (feature), []) as without
    from levels left join given_up on given_up.upos = levels.upos and given_up.level <= levels.level
    group by levels.upos, levels.level;
    create table features as
    with kept as (
        select cell, level, array_to_string(list_transform(split(features, '|'), lambda feature: if(
                list_contains(without, split_part(feature, '=', 1)), split_part(feature, '=', 1), feature
            )), '|') as kept,
            replace(replace(replace(kept, 'Gender=Masc', 'Gender=' || chr(31)), 'Gender=Fem', 'Gender=Masc'),
                'Gender=' || chr(31), 'Gender=Fem') as other
        from cells join levels using (upos)
    )
    select cell, level, hash(kept) as features, hash(other) as other_features from kept;
    -- Forms of which the features say all that a frame would.
    create table lenders as
    select cell, hash(list_filter(split(features, '|'), lambda f: not regexp_matches(f, '{_INDIFFERENT}')
        and not (f.starts_with('XPOS=') and regexp_matches(features, '(VerbForm|Mood)=')))) as lender
    from cells where upos = 'VERB' and features <> ''
        and (not features.contains('Person=') or features.contains('Number='))
"""


def find_levels(connection: duckdb.DuckDBPyConnection, back_off: bool) -> None:
    """Make the tables `levels` and `features` of what places ask for, from those that `described` tells of.

    - `levels`: of each `upos` and `level`, whether it `asks_` for each of the `REQUIREMENTS`, and the names of features
      whose values it does `without`; at level 0, if there is `back_off`, it asks for its wish and a word that is sure,
      too, at level 1 for all requirements, and at the others for less; at the last ones of verbs their forms lend one
      another frames (`lends`), and obliques are asked for only if something surely minds them (`eases`);
    - `lenders`: of a `cell` of verbs what is alike (`lender`) where they lend them;
    - `governed`: of the obliques (the hash in `content`) of a lemma the hash of those that it governs, which are asked
      for always, and of those that it surely does (`eased`);
    - `features`: of each `cell` and `level` hashes of the `features` asked for, and of those of the other gender.
    """
    if back_off:
        told = {"told_of_places": _of_places(), "told_of_features": _OF_FEATURES, "told_of_obliques": _OF_OBLIQUES}
        for name, rows in told.items():
            query = _TOLD.format(rows=rows, priors=list(_PRIORS), confidence=_CONFIDENCE, fewest=_FEWEST)
            connection.execute(f"create temp table {name} as {query}")
        connection.execute(_GIVEN_UP)
        connection.execute(_GOVERNED)
    else:
        connection.execute(_ALL)
    # Where nothing is given up, nothing is wished for either.
    connection.execute(_MADE.format(first=[0, 1] if back_off else [1]))
