"""What speaks against an item: the first reason of each match that gives none.

A starred sentence must really be wrong. So the forms of a condition are looked up as a reader would understand them:
whether they have a reading that makes the starred sentence grammatical, or the grammatical one ambiguous.
"""

from __future__ import annotations

from collections.abc import Collection

import duckdb
import pyarrow as pa

from starbank.constructions import Construction
from starbank.morphology import Lexicon, matching_cells
from starbank.sets.controllers import CONTROLLER_REASONS, find_controller_readings
from starbank.sets.tables import text_table
from starbank.treebanks.features import parse_features

# Why a match gives no item: each reason with a query for its rows and what to say of each; the first one counts.
_REASONS = {
    "target value not varied": """
        select row, if(feats = '', 'no features', feats) from words where first and row not in (select row from cells)
    """,
    "sentence text rebuilt": """
        select row, 'the treebank has no text that aligns with the words' from words where text_rebuilt
    """,
    "target in a multiword token": """
        select row, form || ' is a part of ' || multiword_token from words where multiword_token is not null
    """,
    "target not in the text": """
        select row, form from words where start is null or text[start + 1:"end"] <> form
    """,
    "target glued to another word": """
        select row, '…' || text[greatest(start - 2, 1) : "end" + 3] || '…' from words where glued
    """,
    "target is no plain word": """
        select row, form || ' (' || concat_ws(', ', upos, nullif(feats, '')) || ')' from words where not plain
    """,
    "target inside a name": """
        select row, 'more of the name follows ' || form from words where in_name
    """,
    **CONTROLLER_REASONS,
    "no form": """
        select row, any_value(lemma) || ' (' || any_value(upos) || '): ' || string_agg(feats, '; ' order by place)
        from filled where form is null
        group by row
    """,
    # What is learned may be no word of the language.
    "doubtful prediction": """
        select filled.row, doubts.detail from filled join doubts on doubts.row = filled.cell
    """,
    "identical form": """
        select row, string_agg(name, ', ' order by place) || ': ' || min(form)
        from conditions
        group by row, lower(prefix || target || suffix) having count(*) > 1
    """,
    # जेम्स गेले: the neuter singular is the masculine plural, too, which honours James.
    "honorific form": """
        select read_as.row, reading from read_as join controllers using (row)
        where starred and licensed and same_lemma and honoured and plural
    """,
    # A noun's readings count in any number, which the verb need not show; a finite verb's count in the very cell.
    "syncretism": """
        select row, reading from read_as where starred and licensed and (same_cell or not finite) and same_lemma
    """,
    "homograph": """
        select row, reading from read_as where starred and licensed and (same_cell or not finite)
    """,
    "ambiguous grammatical form": """
        select row, reading from read_as where not starred and licensed and same_cell and same_lemma
    """,
    "adverbial form": """
        select row, reading from read_as where starred and by_case and (upos = 'ADV' or "use" = 'adverbial')
    """,
    # Without the target as an argument, which may go unsaid in many languages, the form may belong to its neighbour:
    # სოფი ბაღის კარს აღებს "Sophie opens the garden gate", სოფის ბაღის კარს აღებს "opens the gate of Sophie's garden".
    "genitive beside a noun": """
        select row, reading || ', beside ' || coalesce(after, before)
        from read_as where starred and genitive and coalesce(after, before) is not null
    """,
    # Where features do not tell यह from its oblique इस, इन is no plural of the one, but in another case, too.
    "cell with several forms": """
        select row, other || ' stands in the cell of ' || form || ', too, and looks more like ' || opposite from shared
    """,
}

# The forms in which a starred condition and the grammatical one beside it differ, each held against the other's cell.
_COMPARED = """
    create temp table compared as
    with sides as (
        select starred, good
        from against
            join filled as starred using (row, name)
            join filled as good on good.row = against.row and good.name = against.against and good.node = starred.node
        where starred.feats <> good.feats
    ),
    paired as (
        select starred as one, good as another, true as starred from sides
        union all
        select good, starred, false from sides
    )
    select one.row, one.node, one.lemma, one.upos, starred, one.form, one.feats as own, another.feats as other,
        one.cell, one.source, one.count, another.form as opposite
    from paired where one.form is not null
"""

# Forms that share a cell with a condition's, more than once and not much rarer, and look more like what that is held
# against. Nouns share theirs with clitics and emphatics.
_SHARED = """
    create temp table shared as
    select compared.row, compared.form, compared.opposite, min(other.form) as other
    from compared join allowed as other on other.row = compared.cell and other.feats = compared.own
    where compared.source <> 'table' and compared.upos not in ('NOUN', 'PROPN')
        and other.source = 'treebank' and lower(other.form) not in (lower(compared.form), lower(opposite))
        and other.count > 1 and 5 * other.count > compared.count
        and levenshtein(lower(other.form), lower(opposite)) < levenshtein(lower(compared.form), lower(opposite))
    group by all
"""

# A reading five times as rare as the condition's is taken for a slip of annotation. A finite verb is no reading of a
# noun, nor the other way round.
_READ_AS = """
    create temp table read_as as
    with read as (
        select compared.row, compared.starred, word.before, word.after, reading.upos, reading."use", reading.count,
            reading.lemma = compared.lemma as same_lemma,
            licence.licensed = 'yes' as licensed,
            licence.by_case = 'yes' as by_case,
            mates.found is not null or licence.agrees = 'yes' and reading.upos = compared.upos as same_cell,
            contains(reading.feats, 'VerbForm=Fin') as finite,
            contains('|' || reading.feats || '|', '|Number=Plur|') as plural,
            licence.by_case = 'yes' and contains('|' || reading.feats || '|', '|Case=Gen|') as genitive,
            compared.form || ' is also ' || reading.lemma
                || ' (' || concat_ws(', ', reading.upos, nullif(reading.feats, '')) || '), '
                || if(reading.count > 0, reading.count || '×', reading.source) as reading,
            sum(reading.count) filter (licence.expected = 'yes')
                over (partition by compared.row, compared.node, compared.form, compared.other) as expected
        from compared
            join words as word on word.row = compared.row and word.node = compared.node
            join readings as reading on reading.form = compared.form
            join licences as licence
                on licence.own = compared.own and licence.other = compared.other and licence.feats = reading.feats
                and licence.source = reading.source
                -- UniMorph does not always tell that a verb is finite.
                and (contains(reading.feats, 'VerbForm=Fin') = contains(compared.own, 'VerbForm=Fin')
                    or licence.agrees = 'yes' and reading.upos = compared.upos)
            left join mates
                on mates.upos = reading.upos and mates.wanted = compared.other and mates.found = reading.feats
    )
    from read where 5 * count > coalesce(expected, 0) or count = 0
"""

_PREDICTED = """
    select cell as row, lemma, upos, feats, form, coalesce(
        (select list(lower(allowed.form)) from allowed where allowed.row = filled.cell and other_stem), []
    ) as other_stems
    from filled where source = 'predicted'
"""

_PROBLEMS = """
    create temp table problems as select row, reason, detail from ({found})
    qualify row_number() over (partition by row order by rank, detail) = 1
"""


def find_problems(connection: duckdb.DuckDBPyConnection, construction: Construction, lexicon: Lexicon) -> None:
    """Make the table `problems`: the first reason that applies to a match, and its case in words."""

    def run(query: str) -> pa.Table:
        return connection.sql(query).to_arrow_table()

    connection.execute(_COMPARED)
    connection.execute(_SHARED)
    connection.register("doubts", lexicon.doubts(run(_PREDICTED)))
    readings = lexicon.read(run("select distinct form from compared order by form")["form"])
    connection.register("readings", readings)
    connection.register(
        "licences", _licences(run("select distinct own, other from compared"), readings, construction.features)
    )
    cells = (
        run("select distinct upos, other as feats from compared"),
        run("select distinct upos, feats from readings"),
    )
    connection.register("mates", matching_cells(*cells))
    connection.execute(_READ_AS)
    find_controller_readings(connection, construction, lexicon)
    found = " union all ".join(
        f"select row, {rank} as rank, '{reason}' as reason, detail from ({query}) as found(row, detail)"
        for rank, (reason, query) in enumerate(_REASONS.items())
    )
    connection.execute(_PROBLEMS.format(found=found))


def _licences(pairs: pa.Table, readings: pa.Table, varied: Collection[str]) -> pa.Table:
    """Return what each reading says of a pair of cells: whether it has what tells the other, or the own, from the rest.

    Columns: `own`, `other`, `feats`, `source`, `licensed` (the reading has all of the other's values), `expected` (all
    of its own), `by_case` (the two differ in case), `agrees`. What the construction has `varied` counts also where the
    two are alike: an ergative singular is no reading of the absolutive singular. UniMorph has other features than the
    treebank: what it does not name does not count, and it agrees with the other cell where nothing contradicts that.
    """
    kinds = sorted(set(zip(readings["feats"].to_pylist(), readings["source"].to_pylist(), strict=True)))
    found = [(feats, source, parse_features(feats)) for feats, source in kinds]
    rows = []
    for own_text, other_text in zip(pairs["own"].to_pylist(), pairs["other"].to_pylist(), strict=True):
        own, other = parse_features(own_text), parse_features(other_text)
        differing = [name for name in own.keys() | other.keys() if own.get(name) != other.get(name)]
        for feats, source, features in found:
            told = [*differing, *(name for name in varied if name in features and name in own and name in other)]
            if source == "unimorph":
                told = [name for name in told if name in features]
            licensed, expected = (
                bool(told) and all(has_value(features, name, side.get(name)) for name in told) for side in (other, own)
            )
            agrees = source == "unimorph" and all(
                has_value(features, name, value) for name, value in other.items() if name in features
            )
            rows.append(
                (
                    own_text,
                    other_text,
                    feats,
                    source,
                    *(("no", "yes")[is_so] for is_so in (licensed, expected, "Case" in differing, agrees)),
                )
            )
    return text_table(rows, ("own", "other", "feats", "source", "licensed", "expected", "by_case", "agrees"))


def has_value(features: dict[str, str], name: str, value: str | None) -> bool:
    """Tell whether a feature has a value, perhaps among others (`Nom,Acc`), or is absent where `value` is None."""
    if value is None:
        return name not in features
    return not set(value.split(",")).isdisjoint(features.get(name, "").split(","))
