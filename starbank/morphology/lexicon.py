"""Treebanks -> the forms they attest as free words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from starbank.errors import StarbankError
from starbank.files import read_metadata, read_parquet
from starbank.morphology.casing import decapitalised
from starbank.morphology.words import describe_words
from starbank.treebanks import Treebank

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

_FREE_FORMS = """
    select lemma, upos, coalesce(feats, '') as feats, form, "use", initial, {small} as small, form <> small as capital
    from words
    where plain and not glued and multiword_token is null and not in_name
"""

# A sentence's first word has its capital from its place if elsewhere the word is small, or, where it occurs nowhere
# else, if its lemma is.
_COUNTED = """
    with evidence as (
        select *,
            count(*) filter (not initial and capital) over same as capitals,
            count(*) filter (not initial and not capital) over same as smalls
        from forms
        window same as (partition by lemma, upos, small)
    ),
    spelled as (
        select * replace (
            if(
                initial and capital and if(capitals + smalls > 0, smalls >= capitals, lemma = {small_lemma}),
                small,
                form
            ) as form)
        from evidence
    )
    select $language as language, lemma, upos, feats, form, "use", count(*) as count,
        'treebank' as source, 1.0::double as confidence
    from spelled
    group by lemma, upos, feats, form, "use"
    order by lemma, upos, feats, form, "use" nulls first
"""


def build_lexicon(treebanks: Sequence[Treebank]) -> pa.Table:
    """Return the forms that one or more treebanks attest, one row per (lemma, upos, feats, form, use) of a language.

    The schema is `LEXICON`. A word counts if it stands free in the text: not glued to another word, not within a
    multiword token, not inside a name; misspelt, foreign and abbreviated words, and those with digits, do not count.
    """
    languages = sorted({treebank.language or "und" for treebank in treebanks})
    tables = [
        _language_lexicon([treebank for treebank in treebanks if (treebank.language or "und") == language], language)
        for language in languages
    ]
    return pa.concat_tables(tables)


def _language_lexicon(treebanks: Sequence[Treebank], language: str) -> pa.Table:
    connection = duckdb.cursor()
    words = pa.concat_tables([describe_words(treebank.tokens, treebank.sentences) for treebank in treebanks])
    connection.register("words", words)
    connection.execute("create temp view forms as " + _FREE_FORMS.format(small=decapitalised("form", language)))
    query = _COUNTED.format(small_lemma=decapitalised("lemma", language))
    return connection.sql(query, params={"language": language}).to_arrow_table().cast(LEXICON)


def read_lexicon(path: Path) -> pa.Table:
    """Read a `lexicon.parquet`; raise `StarbankError` where the file is something else."""
    try:
        schema = read_metadata(path).get("schema")
        if schema == "lexicon/1":
            return read_parquet(path).replace_schema_metadata(None)
    except (pa.ArrowInvalid, OSError) as error:
        raise StarbankError(f"cannot be read as Parquet: {error}", file=path) from error
    raise StarbankError(f"holds {schema or 'no Starbank table'} instead of lexicon/1", file=path)
