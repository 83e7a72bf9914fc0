"""Treebanks -> the forms they attest as free words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import duckdb
import pyarrow as pa

from starbank.errors import StarbankError
from starbank.files import read_metadata, read_parquet
from starbank.languages import RULE, language_of
from starbank.morphology.casing import decapitalised, lower, upper
from starbank.morphology.inflection import METADATA_KEY
from starbank.morphology.words import describe_words
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import answer, table_of

LEXICON = pa.schema(
    {
        "language": pa.string(),
        "lemma": pa.string(),
        "upos": pa.string(),
        "feats": pa.string(),
        "form": pa.string(),
        "use": pa.string(),
        "count": pa.int64(),
        "source": pa.string(),
        "confidence": pa.float64(),
    }
)

# How much larger than their sum tables of parts grow before they are added up.
_GROWTH = 4

# What counts of the words of a treebank or of a part of it, and of several of these.
_FREE = """
    select lemma, upos, feats, "use", initial, form, count(*) as n
    from words
    where plain and not glued and multiword_token is null and not in_name
        -- What begins or ends with a hyphen is a piece of a word: Finnish EU:n -jäsen, German Haus- und Hof-.
        and not regexp_matches(form, '^[-‐‑–]|[-‐‑–]$')
    group by all
"""
_SUM = """
    select lemma, upos, feats, "use", initial, form, sum(n)::bigint as n from words group by all
"""

# A word in capitals only is one of headlines and signs, unless its lemma is so too: EAEk.
_SPELLED = """
    with written as (
        select lemma, upos, coalesce(feats, '') as feats, "use", initial, n,
            length(form) > 1 and form = {upper} and lemma <> {upper_lemma} as shouted,
            if(not shouted, form, if(upos = 'PROPN', form[1] || {lower_rest}, {lower})) as form
        from free
    )
    select *, {small} as small, form <> small as capital, lemma = {small_lemma} as small_lemma from written
    -- Capitals may have lost their accents, if they begin as the lemma does up to the first of its own: Greek ΟΛΗ, όλη.
    where not (
        shouted and strip_accents(form) = form and strip_accents(lemma) <> lemma
        and starts_with(form, strip_accents(lemma[
            : list_filter(range(1, length(lemma) + 1), lambda place: strip_accents(lemma[place]) <> lemma[place])[1]
        ]))
    )
"""

# A sentence's first word has its capital from its place if elsewhere the word is small, or, where it occurs nowhere
# else, if its lemma is. Inside a sentence a capital is a name's or a title's where words of the kind are mostly small.
_COUNTED = """
    with evidence as (
        select *,
            coalesce(sum(n) filter (not initial and capital) over same, 0) as capitals,
            coalesce(sum(n) filter (not initial and not capital) over same, 0) as smalls,
            sum(n * capital::int) filter (not initial) over alike / sum(n) filter (not initial) over alike as usual
        from forms
        window same as (partition by lemma, upos, small), alike as (partition by upos, small_lemma)
    ),
    spelled as (
        select * replace (
            if(
                capital and (
                    initial and if(capitals + smalls > 0, smalls >= capitals, small_lemma)
                    or small_lemma and upos <> 'PROPN' and usual < 0.2
                ),
                small,
                form
            ) as form)
        from evidence
    ),
    counted as (
        select lemma, upos, feats, form, "use", sum(n) as count
        from spelled group by lemma, upos, feats, form, "use"
    ),
    bound as (
        select entry.lemma, entry.upos, entry.feats, entry.form, min(rule."use") as "use"
        from (select distinct lemma, upos, feats, form from counted) as entry
            join rules as rule on list_contains(split(rule.upos, ','), entry.upos)
                and if(rule.feats is null, entry.feats = '', contains(entry.feats, rule.feats))
                and regexp_full_match(entry.form, rule.form)
        where case rule."if"
            when 'always' then true
            when 'lemma' then regexp_replace(entry.form, '^' || rule.form || '$', rule.plain) = entry.lemma
            else exists (
                from counted as other
                where other.lemma = entry.lemma and other.upos = entry.upos and other.feats = entry.feats
                    and other.form = regexp_replace(entry.form, '^' || rule.form || '$', rule.plain)
            )
        end
        group by entry.lemma, entry.upos, entry.feats, entry.form
    )
    select $language as language, lemma, upos, feats, form, coalesce(bound."use", counted."use") as "use",
        sum(count) as count, 'treebank' as source, 1.0::double as confidence
    from counted left join bound using (lemma, upos, feats, form)
    group by all
    order by lemma, upos, feats, form, "use" nulls first
"""


def build_lexicon(treebanks: Iterable[Treebank]) -> pa.Table:
    """Return the forms that one or more treebanks attest, one row per (lemma, upos, feats, form, use) of a language.

    The schema is `LEXICON`. A word counts if it stands free in the text: not glued to another word, not within a
    multiword token, not inside a name; misspelt, foreign and abbreviated words, those with digits, and pieces with a
    hyphen do not count. What is bound to its place (`bound` in the language's file) has that as its `use`.

    Of a large treebank parts will do, such as `starbank.treebanks.open_parts` gives with the columns `READ` of
    `words.py`: each is forgotten when it has been counted.
    """
    free: dict[str, list[pa.Table]] = {}
    for treebank in treebanks:
        tables = free.setdefault(treebank.language or "und", [])
        tables.append(_run(_FREE, words=describe_words(treebank.tokens, treebank.sentences)))
        # Sums of sums would take their time, and tables of parts their room.
        if len(tables) > 1 and sum(map(len, tables)) > _GROWTH * len(tables[0]):
            tables[:] = [_run(_SUM, words=pa.concat_tables(tables))]
    return pa.concat_tables(_language_lexicon(pa.concat_tables(free[language]), language) for language in sorted(free))


def _run(sql: str, **tables: pa.Table) -> pa.Table:
    """Return what SQL makes of these tables."""
    connection = duckdb.cursor()
    for name, table in tables.items():
        connection.register(name, table)
    return answer(connection, sql)


def _language_lexicon(free: pa.Table, language: str) -> pa.Table:
    connection = duckdb.cursor()
    connection.register("words", free)
    connection.execute(f"create temp table free as {_SUM}")
    small = {
        "upper": upper("form", language),
        "upper_lemma": upper("lemma", language),
        "lower": lower("form", language),
        "lower_rest": lower("form[2:]", language),
        "small": decapitalised("form", language),
        "small_lemma": decapitalised("lemma", language),
    }
    connection.execute("create temp view forms as " + _SPELLED.format(**small))
    rules = [tuple(map(rule.get, RULE)) for rule in language_of(language).bound]
    connection.register("rules", table_of(rules, **dict.fromkeys(RULE, str)))
    return answer(connection, _COUNTED, params={"language": language}).cast(LEXICON)


def read_lexicon(path: Path) -> pa.Table:
    """Read a `lexicon.parquet`, with its learned inflection; raise `StarbankError` where the file is something else."""
    try:
        metadata = read_metadata(path)
        schema = metadata.get("schema")
        if schema == "lexicon/1":
            weights = json.dumps(metadata.get("inflection", {})).encode()
            return read_parquet(path).replace_schema_metadata({METADATA_KEY: weights})
    except (pa.ArrowInvalid, OSError) as error:
        raise StarbankError(f"cannot be read as Parquet: {error}", file=path) from error
    raise StarbankError(f"holds {schema or 'no Starbank table'} instead of lexicon/1", file=path)
