"""Minimal sets: the same sentence with the target in each of several cells of its paradigm.

The matched value is grammatical; in place of each other value of `vary` stands the form that the lexicon has for the
target's lemma in that cell, all other features equal. What would not surely make a minimal set is rejected, with the
reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.constructions import Construction
from starbank.morphology import Lexicon, describe_words, matching_cells
from starbank.morphology.casing import cased_like
from starbank.suites import ITEMS, REJECTED, Suite
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, texts
from starbank.treebanks.features import format_features, parse_features

_TARGETS = """
    select
        match.row, token.sent_id, token.split, token.id, token.position, token.start, token."end",
        word.form, word.lemma, word.upos, coalesce(word.feats, '') as feats, word."use",
        word.plain, word.multiword_token, word.glued, word.in_name,
        sentence.text, sentence.text_rebuilt, neighbours.length, neighbours.before, neighbours.after
    from matches as match
        join tokens as token using (node)
        join words as word using (node)
        join sentences as sentence using (sent)
        join neighbours using (row)
"""

# The length of the target's sentence, and the words beside the target, adverbs and particles aside, where they may head
# or build a noun phrase.
_NEIGHBOURS = """
    with others as (
        select match.row, other.form, other.position - token.position as distance,
            regexp_full_match(other.id, '[0-9]+') as is_word,
            coalesce(other.upos in ('ADV', 'PART'), false) as passed_over,
            other.upos in ('ADJ', 'ADP', 'DET', 'NOUN', 'NUM', 'PROPN') or contains(other.feats, 'Case=') as nominal
        from matches as match join tokens as token using (node) join tokens as other using (sent)
        where other.position is not null
    )
    select row,
        count(*) filter (is_word) as length,
        arg_max_null(if(nominal, form, null), distance) filter (distance < 0 and not passed_over) as before,
        arg_min_null(if(nominal, form, null), distance) filter (distance > 0 and not passed_over) as after
    from others group by row
"""

_WANTED = """
    select row_number() over (order by target.row, cell.place) as row, target.row as target, target.lemma, target.upos,
        cell.cell as feats, target."use", target.form as own_form, target.feats as own_feats, cell.name,
        cell.place::int as place
    from targets as target join cells as cell using (upos, feats)
"""

_ALLOWED = """
    select row, form, source, count, row_number() over (partition by row order by rank) as rank
    from forms join wanted using (row)
    where place = 0 or not regexp_full_match(form, $avoid)
    order by row, rank
"""

# The grammatical condition keeps the text's own form, the others have the best form of their cell.
_CONDITIONS = """
    create temp table conditions as
    select wanted.target as row, wanted.name, wanted.place, wanted.feats,
        if(place = 0, target.form, {cased}) as form,
        if(place = 0, 'treebank', filled.source) as form_source,
        if(place = 0, coalesce(filled.count, 0), filled.count) as form_count
    from wanted
        join targets as target on target.row = wanted.target
        left join filled on filled.row = wanted.row
            and if(place = 0, lower(filled.form) = lower(target.form), filled.rank = 1)
    qualify row_number() over (partition by wanted.row order by filled.rank) = 1
"""

# Why a match gives no item: each reason with a query for its rows and what to say of each; the first one counts.
_REASONS = {
    "target value not varied": """
        select row, if(feats = '', 'no features', feats) from targets anti join cells using (upos, feats)
    """,
    "sentence text rebuilt": """
        select row, 'the treebank has no text that aligns with the words' from targets where text_rebuilt
    """,
    "target in a multiword token": """
        select row, form || ' is a part of ' || multiword_token from targets where multiword_token is not null
    """,
    "target not in the text": """
        select row, form from targets where start is null or text[start + 1:"end"] <> form
    """,
    "target glued to another word": """
        select row, '…' || text[greatest(start - 2, 1) : "end" + 3] || '…' from targets where glued
    """,
    "target is no plain word": """
        select row, form || ' (' || concat_ws(', ', upos, nullif(feats, '')) || ')' from targets where not plain
    """,
    "target inside a name": """
        select row, 'more of the name follows ' || form from targets where in_name
    """,
    "no attested form": """
        select row,
            any_value(lemma) || ' (' || any_value(upos) || '): ' || string_agg(condition.feats, '; ' order by place)
        from conditions as condition join targets using (row)
        where condition.form is null
        group by row
    """,
    "identical form": """
        select row, string_agg(name, ', ' order by place) || ': ' || min(form)
        from conditions where form is not null
        group by row, lower(form) having count(*) > 1
    """,
    # A noun's readings count in any number, which the verb need not show; a finite verb's count in the very cell.
    "syncretism": """
        select row, reading from read_as join targets as target using (row)
        where starred and value = grammatical and (same_cell or not finite) and read_as.lemma = target.lemma
    """,
    "homograph": """
        select row, reading from read_as where starred and value = grammatical and (same_cell or not finite)
    """,
    "ambiguous grammatical form": """
        select row, reading
        from read_as join targets as target using (row)
            join conditions as other on other.row = read_as.row and other.name = value and other.place > 0
            join mates on mates.upos = read_as.upos and mates.wanted = other.feats and mates.found = read_as.feats
        where not starred and read_as.lemma = target.lemma
    """,
    "adverbial form": """
        select row, reading from read_as where starred and (upos = 'ADV' or "use" = 'adverbial')
    """,
    # Without the target as an argument, which may go unsaid in many languages, the form may belong to its neighbour:
    # სოფი ბაღის კარს აღებს "Sophie opens the garden gate", სოფის ბაღის კარს აღებს "opens the gate of Sophie's garden".
    "genitive beside a noun": """
        select row, reading || ', beside ' || coalesce(target.after, target.before)
        from read_as join targets as target using (row)
        where starred and genitive and coalesce(target.after, target.before) is not null
    """,
}

# What else the forms of the conditions may be, one row for each value of the feature. A reading five times as rare as
# the condition's is taken for a slip of annotation. A finite verb is no reading of a noun, nor the other way round.
_READ_AS = """
    create temp table read_as as
    with read as (
        select condition.row, condition.form, condition.place > 0 as starred, first.name as grammatical,
            reading.lemma, reading.upos, reading.feats, reading."use", reading.count, value.value,
            mates.found is not null as same_cell,
            contains(reading.feats, 'VerbForm=Fin') as finite,
            $feature = 'Case' and contains('|' || reading.feats || '|', '|Case=Gen|') as genitive,
            condition.form || ' is also ' || reading.lemma
                || ' (' || concat_ws(', ', reading.upos, reading.feats) || '), ' || reading.count || '×' as reading,
            sum(reading.count) filter (value.value = condition.name)
                over (partition by condition.row, condition.place) as expected
        from conditions as condition
            join conditions as first on first.row = condition.row and first.place = 0
            join readings as reading on reading.form = condition.form
                and contains(reading.feats, 'VerbForm=Fin') = contains(condition.feats, 'VerbForm=Fin')
            left join values as value on value.feats = reading.feats
            left join mates
                on mates.upos = reading.upos and mates.wanted = first.feats and mates.found = reading.feats
    )
    from read where 5 * count > coalesce(expected, 0)
"""

_ITEMS = """
    with sets as (
        select row, list({
            'name': name, 'grammatical': place = 0,
            'regions': [text[:start], condition.form, text["end" + 1:]],
            'feats': condition.feats, 'form': condition.form,
            'form_source': form_source, 'form_count': form_count
        } order by place) as conditions
        from conditions as condition join targets using (row)
        where row not in (select row from problems)
        group by row
    )
    select
        left(sha256(array_to_string(
            [$construction, $language] || list_transform(conditions, lambda c: array_to_string(c.regions, '')), chr(31)
        )), 16) as item_id,
        $construction as construction, $phenomenon as phenomenon, $language as language, $treebank as treebank,
        split, sent_id, ['prefix', 'target', 'suffix'] as region_names, conditions,
        {'lemma': lemma, 'upos': upos, 'feats': feats, 'id': id} as target, length, position
    from sets join targets using (row)
    order by row
"""

_REJECTED = """
    select $construction as construction, $language as language, $treebank as treebank, split, sent_id,
        id as target_id, form, lemma, feats, reason, detail, text
    from problems join targets using (row)
    order by row
"""


def minimal_sets(construction: Construction, matches: pa.Table, treebank: Treebank, lexicon: Lexicon) -> Suite:
    """Make one item of each match whose target has an attested form in every cell, and reject the others.

    `matches` are those of the construction's request in `treebank`; `lexicon` holds the paradigms of its language. The
    result has exactly one row per match: one condition per value of `vary`, the grammatical one first, or the reason.
    """
    ((feature, values),) = construction.vary.items()
    connection = duckdb.cursor()

    def run(query: str, **parameters: Any) -> pa.Table:
        return connection.sql(query, params=parameters or None).to_arrow_table()

    _register_targets(connection, matches, construction.target, treebank)
    connection.register("cells", _cells(run("select distinct upos, feats from targets order by all"), feature, values))
    wanted = run(_WANTED)
    connection.register("wanted", wanted)
    connection.register("forms", lexicon.forms(wanted))
    connection.register("filled", run(_ALLOWED, avoid=construction.avoid))
    connection.execute(_CONDITIONS.format(cased=cased_like("target.form", "filled.form", construction.language)))
    readings = lexicon.read(run("select distinct form from conditions where form is not null order by form")["form"])
    connection.register("readings", readings)
    connection.register("values", _values(readings["feats"], feature))
    cells = (
        run("select distinct upos, feats from wanted order by all"),
        run("select distinct upos, feats from readings"),
    )
    connection.register("mates", matching_cells(*cells))
    connection.execute(_READ_AS, {"feature": feature})
    connection.execute(_problems())
    whence = {"construction": construction.name, "language": construction.language, "treebank": treebank.name}
    items = run(_ITEMS, phenomenon=construction.phenomenon, **whence).cast(ITEMS)
    rejected = run(_REJECTED, **whence).cast(REJECTED)
    assert items.num_rows + rejected.num_rows == matches.num_rows, "every match is an item or has been rejected"
    return Suite(items, rejected)


def _register_targets(
    connection: duckdb.DuckDBPyConnection, matches: pa.Table, target: str, treebank: Treebank
) -> None:
    """Make the table `targets`: what is known of each match's target, its sentence and its place in the text."""
    rows = pa.table({"row": integers(np.arange(matches.num_rows)), "node": matches[target]})
    sentences = treebank.sentences.filter(pc.is_in(treebank.sentences["sent"], matches["sent"]))
    # The columns of single features are many, and `feats` has them all.
    tokens = treebank.tokens.select(treebank.tokens.column_names[: treebank.tokens.column_names.index("end") + 1])
    tokens = tokens.filter(pc.is_in(tokens["sent"], matches["sent"]))
    tables = {
        "matches": rows,
        "tokens": tokens,
        "sentences": sentences,
        "words": describe_words(tokens, sentences),
    }
    for name, table in tables.items():
        connection.register(name, table)
    connection.execute(f"create temp table neighbours as {_NEIGHBOURS}")
    connection.execute(f"create temp table targets as {_TARGETS}")


def _cells(found: pa.Table, feature: str, values: tuple[str, ...]) -> pa.Table:
    """Return the cells of each kind of target: `place` 0 is the one it stands in, 1 and so on are the starred ones.

    Targets whose value is none of `values` have no cells.
    """
    rows = [
        (upos, feats, name, str(place), format_features(features | {feature: name}))
        for upos, feats in zip(found["upos"].to_pylist(), found["feats"].to_pylist(), strict=True)
        if (features := parse_features(feats)).get(feature) in values
        for place, name in enumerate(sorted(values, key=lambda name: name != features[feature]))
    ]
    return _text_table(rows, ("upos", "feats", "name", "place", "cell"))


def _values(feats: pa.ChunkedArray, feature: str) -> pa.Table:
    """Return the values of `feature` in each set of features, one per row: `Nom,Acc` has two."""
    rows = [
        (text, value)
        for text in feats.unique().to_pylist()
        for value in parse_features(text).get(feature, "").split(",")
        if value
    ]
    return _text_table(rows, ("feats", "value"))


def _text_table(rows: Sequence[tuple[str | None, ...]], names: tuple[str, ...]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return pa.table(list(map(texts, columns)), names=list(names))


def _problems() -> str:
    """Return the SQL that makes the table `problems`: the first reason that applies to a row, and the case in words."""
    found = " union all ".join(
        f"select row, {rank} as rank, '{reason}' as reason, detail from ({query}) as found(row, detail)"
        for rank, (reason, query) in enumerate(_REASONS.items())
    )
    return f"""
        create temp table problems as select row, reason, detail from ({found})
        qualify row_number() over (partition by row order by rank, detail) = 1
    """
