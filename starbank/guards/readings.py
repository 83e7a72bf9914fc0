"""Guards about other readings of the forms: one that makes the starred sentence grammatical, or the other ambiguous.

They read `read_as`, which `read_forms` makes of `compared`: each form of a set with a reading that the lexicon has of
it, whether it is `licensed` in the cell of the other, of the `same_lemma`, in the `same_cell`, whether it `fits` there,
whether it is `plural` or `genitive`, and whether the two cells differ `by_case`.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from starbank.guards.common import mark_common
from starbank.guards.homonyms import alternating_readings, listed_readings, predicted_readings
from starbank.guards.licences import find_licences
from starbank.guards.registry import Guard
from starbank.guards.thresholds import RARER
from starbank.morphology import Lexicon, matching_cells
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import answer
from starbank.treebanks.features import CASE

# Readings that are predicted count where a construction asked for them, and those that texts have everywhere.
_ASKED_FOR = "coalesce(reading.construction, compared.construction) = compared.construction"
_FUNCTION_WORDS = ("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ")

GUARDS = (
    Guard(
        "honorific form",
        "The starred form honours a single person.",
        """
        select read_as.row, name, reading from read_as join controllers on controllers.row = read_as.row
        where starred and licensed and same_lemma and honoured and plural
        """,
        by_condition=True,
    ),
    # A noun's readings count in any number, which the verb need not show; a finite verb's in any tense and mood: er
    # habe is reported speech; those of a modifier in the case of its noun.
    Guard(
        "syncretism",
        "The starred form is also a grammatical one of the same word.",
        """
        select row, name, reading from read_as left join controllers using (row)
        where starred and licensed and (same_cell or fits) and (in_case or modifies is not true) and same_lemma
        """,
        by_condition=True,
    ),
    Guard(
        "homograph",
        "The starred form is also a grammatical one of another word.",
        """
        select row, name, reading from read_as left join controllers using (row)
        where starred and licensed and (same_cell or fits) and (in_case or modifies is not true)
        """,
        by_condition=True,
    ),
    Guard(
        "another feature",
        "The form has the grammatical value, too, and is wrong for another reason, if it is: a weak adjective, a "
        "mutation that is missing.",
        f"""
        select row, name, reading from read_as
        where starred and same_value and same_lemma and same_upos and {RARER} * count > shown
        """,
        by_condition=True,
    ),
    Guard(
        "another function word",
        "Function words of other kinds may stand in its place, if texts have them before such words: Slovenian ti is "
        "these, and also you; but not between an adposition and its noun, nor an adposition before a subject.",
        f"""
        with followed as (
            select token.node, small(token.form) as form, token.upos,
                -- Before an auxiliary stands what stands before verbs.
                if(after.upos = 'AUX', 'VERB', after.upos)
                    || regexp_extract(coalesce(after.feats, ''), 'VerbForm=[A-Za-z]+') as kind
            from corpus as token
                join corpus as after on after.sent = token.sent and after.position = token.position + 1
            where token.upos in {_FUNCTION_WORDS}
        )
        select distinct compared.row, compared.name,
            compared.form || ' is also ' || reading.lemma || ' (' || reading.upos || ')'
        from compared join readings as reading on reading.form = compared.form and {_ASKED_FOR}
            join bound on bound.row = compared.row and bound.node = compared.node
            join followed as here on here.node = bound.token
        where starred and compared.upos in {_FUNCTION_WORDS} and reading.upos in {_FUNCTION_WORDS}
            and reading.upos <> compared.upos and reading.lemma <> compared.lemma
            -- A join would pair all that is followed alike.
            and (small(compared.form), reading.upos, here.kind) in (select (form, upos, kind) from followed)
            and {RARER} * reading.count > compared.count
            and (bound.row, bound.node) not in (select (row, node) from beside_adposition where behind)
            and not (
                reading.upos = 'ADP' and bound.token in (
                    select word.node
                    from tokens as word
                        join tokens as subject on subject.node = word.head
                        join tokens as verb on verb.node = subject.head
                    where subject.relation = 'nsubj' and subject.position < verb.position
                )
            )
        """,
        by_condition=True,
        upos=_FUNCTION_WORDS,
    ),
    Guard(
        "ambiguous grammatical form",
        "The grammatical form fills the starred cell, too, so that the set tells nothing apart.",
        "select row, name, reading from read_as where not starred and licensed and same_cell and same_lemma",
        by_condition=True,
    ),
    Guard(
        "determiner of the next noun",
        "A pronoun may become the determiner of the noun that follows, perhaps behind a word of its own, and the "
        "argument go unsaid; or a noun may take the pronoun before for its own: Georgian ზოგი თეორია, some theory.",
        f"""
        with bare as (
            select compared.row, compared.name, compared.form, compared.own, word.upos, target.node, target.sent,
                target.position,
                {CASE.format(feats="own")} <> {CASE.format(feats="other")} as by_case
            from compared
                join words as word on word.row = compared.row and word.node = compared.node
                join bound on bound.row = compared.row and bound.node = compared.node
                join tokens as target on target.node = bound.token
            where starred
        )
        select row, name, min(bare.form || ' may be the determiner of ' || noun.form)
        from bare
            join (
                select sent, position, unnest([node, if(relation in ('nmod', 'amod'), head, null)]) as noun from tokens
            ) as after on after.sent = bare.sent and after.position = bare.position + 1
            join tokens as noun on noun.node = after.noun and noun.position > bare.position
            join determiners on determiners.form = small(bare.form)
        where bare.upos = 'PRON' and noun.upos in ('NOUN', 'PROPN', 'ADJ')
            and contains('|' || noun.feats || '|', '|' || "case" || '|')
            and contains('|' || own || '|', '|' || "case" || '|')
        group by row, name
        union all
        select row, name, min(pronoun.form || ' may be the determiner of ' || bare.form)
        from bare
            join tokens as pronoun on pronoun.sent = bare.sent and pronoun.upos = 'PRON'
                and pronoun.head <> bare.node and pronoun.position between bare.position - 4 and bare.position - 1
            join determiners on determiners.form = small(pronoun.form)
            left join tokens as between_them on between_them.sent = bare.sent
                and between_them.position between pronoun.position + 1 and bare.position - 1
                and between_them.upos not in ('ADJ', 'ADV', 'NUM')
        where bare.upos = 'NOUN' and by_case and between_them.node is null
            and contains('|' || own || '|', '|' || "case" || '|')
        group by row, name
        """,
        by_condition=True,
        upos=("PRON", "NOUN"),
    ),
)

# Forms that are determiners as well, whatever their part of speech is said to be, with the case of their nouns.
_DETERMINERS = f"""
    create or replace temp table determiners as
    select small(word.form) as form, regexp_extract(noun.feats, 'Case=[A-Za-z]+') as "case"
    from corpus as word join corpus as noun on noun.node = word.head
    where small(word.form) in (
            select small(form) from compared where upos = 'PRON'
            union all
            select small(form) from tokens where upos = 'PRON' and exists (from compared where upos = 'NOUN')
        )
        and (word.upos = 'DET' or word.relation = 'det') and contains(noun.feats, 'Case=')
    group by all
    having {RARER} * count(*) > (select count(*) from corpus where small(corpus.form) = small(any_value(word.form)))
"""

# A finite verb is no reading of a noun, nor the other way round.
_READ_AS = f"""
    create temp table read_as as
    -- What a form is read as tells its kind: there are many words of one.
    with kinds as (
        select row_number() over () as kind, *
        from (select distinct construction, lemma, upos, form, own, other, count from compared)
    ),
    read as (
        select compared.kind, reading.upos, reading."use", reading.count, reading.common, compared.count as shown,
            -- An auxiliary and its verb have the same forms.
            sum(reading.count) over (
                partition by compared.kind, reading.lemma, reading.feats, reading."use",
                    if(reading.upos = 'AUX', 'VERB', reading.upos)
            ) as support,
            reading.upos = compared.upos as same_upos, licence.same_value,
            reading.lemma = compared.lemma as same_lemma, licence.licensed, licence.by_case, licence.in_case,
            mates.found is not null or licence.agrees and reading.upos = compared.upos as same_cell,
            licence.fits,
            contains('|' || reading.feats || '|', '|Number=Plur|') as plural,
            licence.by_case and contains('|' || reading.feats || '|', '|Case=Gen|') as genitive,
            compared.form || ' is also ' || reading.lemma
                || ' (' || concat_ws(', ', reading.upos, nullif(reading.feats, '')) || '), '
                || if(reading.count > 0, reading.count || '×', reading.source) as reading,
            sum(reading.count) filter (licence.expected) over (partition by compared.kind) as expected
        from kinds as compared
            join readings as reading on reading.form = compared.form and {_ASKED_FOR}
            join licences as licence
                on licence.construction = compared.construction and licence.own = compared.own
                and licence.other = compared.other and licence.feats = reading.feats
                and licence.source = reading.source
                -- UniMorph does not always tell that a verb is finite.
                and (contains(reading.feats, 'VerbForm=Fin') = contains(compared.own, 'VerbForm=Fin')
                    or licence.agrees and reading.upos = compared.upos)
            left join mates
                on mates.upos = reading.upos and mates.wanted = compared.other and mates.found = reading.feats
    )
    select compared.row, compared.name, compared.starred, word.before, word.after, word.upos as target, read.*
    from read
        join kinds using (kind)
        join compared on compared.construction = kinds.construction and compared.form = kinds.form
            and compared.own = kinds.own and compared.other = kinds.other and compared.upos = kinds.upos
            and compared.lemma is not distinct from kinds.lemma and compared.count = kinds.count
        join words as word on word.row = compared.row and word.node = compared.node
    where ({RARER} * read.support > coalesce(read.expected, 0) or read.count = 0 or read.common)
        -- What agrees with a word that looks the same tells.
        and small(compared.form) <> small(compared.opposite)
"""


_READ_PAIRS = f"""
    select distinct compared.construction, own, other, reading.feats, reading.source
    from compared join readings as reading on reading.form = compared.form and {_ASKED_FOR}
    order by all
"""


# What a word governs is read whether or not it is compared: words in concord change with their noun.
_FORMS = """
    select form from compared
    union
    select form from filled semi join governors using (row) where form is not null
    order by form
"""


def read_forms(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon) -> None:
    """Make the tables `read_as` and `determiners` of the table `compared`, and `readings`.

    In the last, `construction` is null for readings that the lexicon has, or would have.
    """

    def run(query: str) -> pa.Table:
        return answer(connection, query)

    readings = lexicon.read(run(_FORMS)["form"])
    readings = readings.append_column("construction", pa.nulls(readings.num_rows, pa.int64()))
    others = (
        predicted_readings(connection, constructions, lexicon),
        alternating_readings(connection, lexicon),
        listed_readings(connection, constructions),
    )
    readings = pa.concat_tables([readings, *(other.cast(readings.schema) for other in others)])
    mark_common(connection, "readings", readings)
    features = [construction.features for construction in constructions]
    connection.register("licences", find_licences(run(_READ_PAIRS), features))
    cells = (
        run("select distinct upos, other as feats from compared"),
        run("select distinct upos, feats from readings"),
    )
    connection.register("mates", matching_cells(*cells))
    connection.execute(_READ_AS)
    connection.execute(_DETERMINERS)
