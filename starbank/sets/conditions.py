"""Cells -> forms -> sentences, cut into the regions `prefix`, `target` and `suffix`."""

from __future__ import annotations

import duckdb

from starbank.morphology import Lexicon
from starbank.morphology.casing import cased_like
from starbank.morphology.paradigm_tables import SOURCE, ParadigmTables
from starbank.queries.constructions import SOURCES, Construction

_BLANKS = """
    select row_number() over (order by cell.row, cell.place, cell.node) as row, cell.row as match, cell.node, cell.name,
        cell.place, cell.kept, word.lemma, word.upos, cell.feats, word."use", word.form as own_form,
        word.feats as own_feats
    from cells as cell join words as word on word.row = cell.row and word.node = cell.node
"""

# Forms of the paradigms beside a construction go before those of the lexicon.
_ALLOWED = """
    create temp table allowed as
    with candidates as (
        from forms
        union all by name
        select written.row, written.form, blank.feats, $table as source, coalesce(attested.count, 0) as count,
            1.0 as confidence, false as other_stem, 0 as rank
        from written join blanks as blank using (row) left join (
            select form, upos, sum(count)::bigint as count from attested group by form, upos
        ) as attested on attested.form = written.form and attested.upos = blank.upos
    )
    select row, candidates.form, candidates.feats, source, count, confidence, other_stem,
        row_number() over (partition by row order by rank) as rank
    from candidates join blanks using (row)
    where kept or list_contains($sources, source) and not regexp_full_match(candidates.form, $avoid)
"""

# A word that keeps its features keeps the text's own form, the others have the best form of their cell.
_FILLED = """
    create temp table filled as
    select blank.match as row, blank.row as cell, blank.node, blank.name, blank.place, blank.kept, blank.upos,
        blank.lemma,
        if(kept, blank.feats, coalesce(allowed.feats, blank.feats)) as feats,
        if(kept, own_form, {cased}) as form,
        if(kept, 'treebank', allowed.source) as source,
        if(kept, coalesce(allowed.count, 0), allowed.count) as count,
        if(kept, 1.0, allowed.confidence) as confidence
    from blanks as blank left join allowed
        on allowed.row = blank.row and if(kept, lower(allowed.form) = lower(own_form), allowed.rank = 1)
    qualify row_number() over (partition by blank.row order by allowed.rank) = 1
"""

# What stands between two words that may change belongs to the target where both are in it.
_CONDITIONS = """
    create temp table conditions as
    with spans as (
        select filled.*, word.start, word."end", word.critical, word.text,
            min(if(critical, word.start, null)) over same as first,
            max(if(critical, word."end", null)) over same as last,
            text[coalesce(lag(word."end") over same_in_order, 0) + 1 : word.start] as gap
        from filled join words as word on word.row = filled.row and word.node = filled.node
        window same as (partition by filled.row, filled.name),
            same_in_order as (partition by filled.row, filled.name order by word.start)
    )
    select row, name, cells.starred, place,
        string_agg(if(start <= first, gap, '') || if(start < first, form, ''), '' order by start) as prefix,
        string_agg(
            if(start > first and start < last, gap, '') || if(start >= first and start < last, form, ''),
            '' order by start
        ) as target,
        string_agg(if(start >= last, gap || form, ''), '' order by start)
            || any_value(text)[max("end") + 1 :] as suffix,
        string_agg(feats, ' ' order by start) filter (critical) as feats,
        string_agg(form, ' ' order by start) filter (critical) as form,
        arg_max(source, list_position({sources}, source)) as source,
        min(count) as count, min(confidence) as confidence
    from spans join (select distinct row, name, starred from cells) as cells using (row, name)
    group by row, name, cells.starred, place
    -- A word without a place in the text or without a form leaves the sentence without a text.
    having count(form) = count(*) and count(start) = count(*)
"""


def make_conditions(connection: duckdb.DuckDBPyConnection, construction: Construction, lexicon: Lexicon) -> None:
    """Make the tables `filled` and `conditions`, the latter without those for which a form is missing."""
    blanks = connection.sql(_BLANKS).to_arrow_table()
    connection.register("blanks", blanks)
    sources = [source for source in construction.forms if source != SOURCE]
    # The treebank's own forms are always asked for: they tell how often it has those that the text keeps.
    forms = lexicon.forms(
        blanks, sources=sources or ["treebank"], relax=construction.relax, threshold=construction.confidence
    )
    connection.register("forms", forms)
    written = ParadigmTables(construction.paradigms).forms(blanks)
    connection.register("written", written)
    connection.register("attested", lexicon.read(written["form"]))
    parameters = {"table": SOURCE, "sources": list(construction.forms), "avoid": construction.avoid}
    connection.execute(_ALLOWED, parameters)
    connection.execute(_FILLED.format(cased=cased_like("own_form", "allowed.form", construction.language)))
    connection.execute(_CONDITIONS.format(sources=list(SOURCES)))
