"""Guards about other readings of the forms: one that makes the starred sentence grammatical, or the other ambiguous.

They read `read_as`, which `read_forms` makes of `compared`: each form of a set with a reading that the lexicon has of
it, whether it is `licensed` in the cell of the other, of the `same_lemma`, in the `same_cell`, `finite`, `plural`,
`genitive`, and whether the two cells differ `by_case`.
"""

from __future__ import annotations

from collections.abc import Collection

import duckdb
import pyarrow as pa

from starbank.guards.registry import Guard
from starbank.guards.thresholds import RARER
from starbank.morphology import Lexicon, matching_cells
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import is_compatible, parse_features

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
    # A noun's readings count in any number, which the verb need not show; a finite verb's count in the very cell.
    Guard(
        "syncretism",
        "The starred form is also a grammatical one of the same word.",
        """
        select row, name, reading from read_as
        where starred and licensed and (same_cell or not finite) and same_lemma
        """,
        by_condition=True,
    ),
    Guard(
        "homograph",
        "The starred form is also a grammatical one of another word.",
        "select row, name, reading from read_as where starred and licensed and (same_cell or not finite)",
        by_condition=True,
    ),
    Guard(
        "ambiguous grammatical form",
        "The grammatical form fills the starred cell, too, so that the set tells nothing apart.",
        "select row, name, reading from read_as where not starred and licensed and same_cell and same_lemma",
        by_condition=True,
    ),
    Guard(
        "adverbial form",
        "The starred form stands alone as an adverbial, and a subject may go unsaid.",
        """
        select row, name, reading from read_as where starred and by_case and (upos = 'ADV' or "use" = 'adverbial')
        """,
        by_condition=True,
    ),
    Guard(
        "determiner of the next noun",
        "A pronoun may become the determiner of the noun that follows, and the argument go unsaid.",
        """
        select compared.row, compared.name, compared.form || ' may be the determiner of ' || noun.form
        from compared
            join words as word on word.row = compared.row and word.node = compared.node
            join bound on bound.row = compared.row and bound.node = compared.node
            join tokens as target on target.node = bound.token
            join tokens as noun on noun.sent = target.sent and noun.position = target.position + 1
            join determiners on determiners.form = lower(compared.form)
        where starred and word.upos = 'PRON' and noun.upos in ('NOUN', 'PROPN', 'ADJ')
            and contains('|' || noun.feats || '|', '|' || "case" || '|')
            and contains('|' || compared.own || '|', '|' || "case" || '|')
        """,
        by_condition=True,
    ),
    Guard(
        "genitive beside a noun",
        "Without the target as an argument, which may go unsaid in many languages, the form may belong to its "
        "neighbour.",
        """
        select row, name, reading || ', beside ' || coalesce(after, before)
        from read_as where starred and genitive and coalesce(after, before) is not null
        """,
        by_condition=True,
    ),
)

# Forms that are determiners as well, whatever their part of speech is said to be, with the case of their nouns.
_DETERMINERS = f"""
    create or replace temp table determiners as
    select lower(word.form) as form, regexp_extract(noun.feats, 'Case=[A-Za-z]+') as "case"
    from corpus as word join corpus as noun on noun.node = word.head
    where lower(word.form) in (select lower(form) from compared where upos = 'PRON')
        and (word.upos = 'DET' or split_part(word.deprel, ':', 1) = 'det') and contains(noun.feats, 'Case=')
    group by all
    having {RARER} * count(*) > (select count(*) from corpus where lower(corpus.form) = lower(any_value(word.form)))
"""

# A finite verb is no reading of a noun, nor the other way round.
_READ_AS = f"""
    create temp table read_as as
    with read as (
        select compared.row, compared.name, compared.starred, word.before, word.after,
            reading.upos, reading."use", reading.count,
            reading.lemma = compared.lemma as same_lemma, licence.licensed, licence.by_case,
            mates.found is not null or licence.agrees and reading.upos = compared.upos as same_cell,
            contains(reading.feats, 'VerbForm=Fin') as finite,
            contains('|' || reading.feats || '|', '|Number=Plur|') as plural,
            licence.by_case and contains('|' || reading.feats || '|', '|Case=Gen|') as genitive,
            compared.form || ' is also ' || reading.lemma
                || ' (' || concat_ws(', ', reading.upos, nullif(reading.feats, '')) || '), '
                || if(reading.count > 0, reading.count || '×', reading.source) as reading,
            sum(reading.count) filter (licence.expected) over (
                partition by compared.row, compared.name, compared.node, compared.form, compared.other
            ) as expected
        from compared
            join words as word on word.row = compared.row and word.node = compared.node
            join readings as reading on reading.form = compared.form
            join licences as licence
                on licence.own = compared.own and licence.other = compared.other and licence.feats = reading.feats
                and licence.source = reading.source
                -- UniMorph does not always tell that a verb is finite.
                and (contains(reading.feats, 'VerbForm=Fin') = contains(compared.own, 'VerbForm=Fin')
                    or licence.agrees and reading.upos = compared.upos)
            left join mates
                on mates.upos = reading.upos and mates.wanted = compared.other and mates.found = reading.feats
    )
    from read where {RARER} * count > coalesce(expected, 0) or count = 0
"""


def read_forms(connection: duckdb.DuckDBPyConnection, construction: Construction, lexicon: Lexicon) -> None:
    """Make the tables `read_as` and `determiners` of the table `compared`."""

    def run(query: str) -> pa.Table:
        return connection.sql(query).to_arrow_table()

    readings = lexicon.read(run("select distinct form from compared order by form")["form"])
    connection.register("readings", readings)
    pairs = run("select distinct own, other from compared")
    connection.register("licences", _licences(pairs, readings, construction.features))
    cells = (
        run("select distinct upos, other as feats from compared"),
        run("select distinct upos, feats from readings"),
    )
    connection.register("mates", matching_cells(*cells))
    connection.execute(_READ_AS)
    connection.execute(_DETERMINERS)


def _licences(pairs: pa.Table, readings: pa.Table, varied: Collection[str]) -> pa.Table:
    """Return what each reading says of a pair of cells: whether it has what tells the other, or the own, from the rest.

    Columns: `own`, `other`, `feats`, `source`, `licensed` (the reading has all of the other's values), `expected` (all
    of its own), `by_case` (the two differ in case), `agrees`. What the construction has `varied` counts also where the
    two are alike: an ergative singular is no reading of the absolutive singular. UniMorph has other features than the
    treebank: what it does not name does not count, and it agrees with the other cell where nothing contradicts that.
    """
    kinds = sorted(set(zip(readings["feats"].to_pylist(), readings["source"].to_pylist(), strict=True)))
    rows = []
    for own_text, other_text in zip(pairs["own"].to_pylist(), pairs["other"].to_pylist(), strict=True):
        cell, opposite = parse_features(own_text), parse_features(other_text)
        differing = [name for name in cell.keys() | opposite.keys() if cell.get(name) != opposite.get(name)]
        for feats, source in kinds:
            reading = parse_features(feats)
            telling = [*differing, *(name for name in varied if name in reading and name in cell and name in opposite)]
            if source == "unimorph":
                telling = [name for name in telling if name in reading]
            licensed, expected = (
                bool(telling) and all(has_value(reading, name, side.get(name)) for name in telling)
                for side in (opposite, cell)
            )
            agrees = source == "unimorph" and all(
                has_value(reading, name, value) for name, value in opposite.items() if name in reading
            )
            rows.append((own_text, other_text, feats, source, licensed, expected, "Case" in differing, agrees))
    return table_of(
        rows, own=str, other=str, feats=str, source=str, licensed=bool, expected=bool, by_case=bool, agrees=bool
    )


def has_value(features: dict[str, str], name: str, value: str | None) -> bool:
    """Tell whether a feature has a value, perhaps among others (`Nom,Acc`), or is absent where `value` is None."""
    return name not in features if value is None else is_compatible(value, features.get(name, ""))
