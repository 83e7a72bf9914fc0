"""Cells -> forms -> sentences, cut into the regions `prefix`, `target` and `suffix`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology import Lexicon
from starbank.morphology.casing import cased_like
from starbank.morphology.inherent import CLOSED
from starbank.morphology.paradigm_tables import SOURCE, ParadigmTables, as_determiners
from starbank.queries.constructions import SOURCES, Construction
from starbank.sets.cells import changes_several
from starbank.sets.contractions import write_contractions
from starbank.treebanks.arrays import answer, integers, table_of

_BLANKS = """
    select row_number() over (order by cell.row, cell.place, cell.node) as row, cell.row as match, cell.construction,
        cell.node, cell.name, cell.place, cell.kept, word.lemma, word.upos, cell.feats, word."use", word.contracted,
        word.form as own_form, word.feats as own_feats, avoided.avoid
    from cells as cell join words as word on word.row = cell.row and word.node = cell.node
        left join avoided on avoided.construction = cell.construction
"""

# Forms of the paradigms beside a construction go before those of the lexicon. A word that a token hides may have
# features that none outside of tokens has (Italian della): where the lexicon has no form, others that are hidden do.
# Words of closed classes are few, and each inflects in its own way: what others do tells nothing of them (Russian ти).
_ALLOWED = f"""
    create temp table allowed as
    with hidden as (
        select lemma, upos, feats, form, count(*) as count from fused where start is null group by all
    ),
    candidates as (
        from forms
        union all by name
        select blank.row, hidden.form, blank.feats, 'treebank' as source, hidden.count, 1.0 as confidence,
            false as other_stem,
            row_number() over (partition by blank.row order by hidden.count desc, hidden.form) as rank
        from blanks as blank join hidden using (lemma, upos, feats)
        where contracted and blank.row not in (select row from forms)
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
    where kept
        or (construction, source) in (from permitted) and not (source = 'predicted' and upos in {CLOSED})
            and not {{avoided}}
"""

# A word that keeps its features keeps the text's own form, the others have the best form of their cell.
_FILLED = """
    create temp table filled as
    with best as (
        select row, min(allowed.rank) as rank from blanks join allowed using (row)
        where if(kept, small(allowed.form) = small(own_form), allowed.rank = 1) group by row
    ),
    formed as (
        select blank.match as row, blank.construction, blank.row as cell, blank.node, blank.name, blank.place,
            blank.kept, blank.upos, blank.lemma,
            if(kept, blank.feats, coalesce(allowed.feats, blank.feats)) as feats,
            case
                when kept then own_form
                -- English me is I, and no i.
                when blank.upos = 'PRON' and own_form = small(own_form) and lemma <> small(lemma) then allowed.form
                else {cased}
            end as form,
            if(kept, 'treebank', allowed.source) as source,
            if(kept, coalesce(allowed.count, 0), allowed.count) as count,
            if(kept, 1.0, allowed.confidence) as confidence
        from blanks as blank left join best using (row)
            left join allowed on allowed.row = blank.row and allowed.rank = best.rank
    )
    select *, form as written, false as contracted from formed
"""

_CONDITIONS = """
    create temp table conditions as
    with starring as (select distinct row, name, starred from cells)
    {queries}
"""

# Most constructions change one word. One without a place in the text or without a form leaves the sentence without a
# text.
_OF_ONE_WORD = """
    select row, name, starred, place, text[:start] as prefix, written as target, text["end" + 1 :] as suffix, feats,
        form, source, count, confidence
    from filled join (select row, node, start, "end", text from words) using (row, node) join starring using (row, name)
    where construction in (select construction from constructions where not several)
        and written is not null and start is not null
"""

# What stands between two words that may change belongs to the target where both are in it.
_OF_SEVERAL = """
    select row, name, starring.starred, place,
        string_agg(if(start <= first, gap, '') || if(start < first, written, ''), '' order by start) as prefix,
        string_agg(
            if(start > first and start < last, gap, '') || if(start >= first and start < last, written, ''),
            '' order by start
        ) as target,
        string_agg(if(start >= last, gap || written, ''), '' order by start)
            || any_value(text)[max("end") + 1 :] as suffix,
        string_agg(feats, ' ' order by start) filter (critical) as feats,
        string_agg(form, ' ' order by start) filter (critical) as form,
        arg_max(source, list_position({sources}, source)) as source,
        min(count) as count, min(confidence) as confidence
    from (
        select filled.*, word.start, word."end", word.critical, word.text,
            min(if(critical, word.start, null)) over same as first,
            max(if(critical, word."end", null)) over same as last,
            text[coalesce(lag(word."end") over same_in_order, 0) + 1 : word.start] as gap
        from filled join words as word on word.row = filled.row and word.node = filled.node
        where filled.construction in (select construction from constructions where several)
        window same as (partition by filled.row, filled.name),
            same_in_order as (partition by filled.row, filled.name order by word.start)
    ) join starring using (row, name)
    group by row, name, starring.starred, place
    having count(written) = count(*) and count(start) = count(*)
"""


def make_conditions(
    connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon
) -> None:
    """Make the tables `filled` and `conditions`, the latter without those for which a form is missing."""
    avoided = {number: construction.avoid for number, construction in enumerate(constructions) if construction.avoid}
    connection.register("avoided", table_of(list(avoided.items()), construction=int, avoid=str))
    blanks = answer(connection, _BLANKS)
    written = _written(constructions, blanks)
    sources = [(number, source) for number, construction in enumerate(constructions) for source in construction.forms]
    tables = {
        "blanks": blanks,
        "forms": _forms(constructions, blanks, lexicon),
        "written": written,
        "attested": lexicon.read(written["form"]),
        "permitted": table_of(sources, construction=int, source=str),
    }
    for name, table in tables.items():
        connection.register(name, table)
    patterns = {f"avoid_{number}": pattern for number, pattern in avoided.items()}
    connection.execute(_ALLOWED.format(avoided=_avoided(avoided)), {"table": SOURCE, **patterns})
    language = constructions[0].language
    connection.execute(_FILLED.format(cased=cased_like("own_form", "allowed.form", language)))
    write_contractions(connection, language)
    several = {changes_several(construction) for construction in constructions}
    queries = [_OF_SEVERAL.format(sources=list(SOURCES)) if more else _OF_ONE_WORD for more in sorted(several)]
    connection.execute(_CONDITIONS.format(queries=" union all ".join(queries)))


def _forms(constructions: Sequence[Construction], blanks: pa.Table, lexicon: Lexicon) -> pa.Table:
    """Return the lexicon's forms of blanks; those of constructions that ask alike are looked up together."""
    numbers = defaultdict(list)
    for number, construction in enumerate(constructions):
        sources = tuple(source for source in construction.forms if source != SOURCE)
        # The treebank's own forms are always asked for: they tell how often it has those that the text keeps.
        numbers[sources or ("treebank",), construction.relax, construction.confidence].append(number)
    return pa.concat_tables(
        lexicon.forms(_of(blanks, alike), sources=sources, relax=relax, threshold=confidence)
        for (sources, relax, confidence), alike in numbers.items()
    )


def _written(constructions: Sequence[Construction], blanks: pa.Table) -> pa.Table:
    """Return the forms of blanks that the paradigms beside constructions have."""
    numbers = defaultdict(list)
    for number, construction in enumerate(constructions):
        numbers[construction.paradigms].append(number)
    return pa.concat_tables(
        ParadigmTables(paradigms).forms(as_determiners(_of(blanks, alike)) if paradigms else blanks.slice(0, 0))
        for paradigms, alike in numbers.items()
    )


def _of(blanks: pa.Table, numbers: Sequence[int]) -> pa.Table:
    """Return the blanks of some constructions."""
    return blanks.filter(pc.is_in(blanks["construction"], integers(np.array(numbers))))


def _avoided(patterns: Mapping[int, str]) -> str:
    """Return the SQL that tells whether a construction avoids a form; its parameters are the patterns."""
    cases = [f"when {number} then regexp_full_match(candidates.form, $avoid_{number})" for number in patterns]
    return f"case construction {' '.join(cases)} else false end" if cases else "false"
