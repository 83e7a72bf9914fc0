"""Capitals, as SQL expressions over DuckDB columns, and of Arrow arrays; single texts: `starbank.languages.Language`.

Scripts without capitals pass through unchanged; Georgian does, too: its Mtavruli letters are no capitals of a sentence.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from starbank.languages import language_of


def small(texts: pa.StringArray, language: str | None) -> pa.StringArray:
    """Return texts in small letters."""
    for letter, capital in language_of(language).capitals.items():
        texts = pc.replace_substring(texts, capital, letter)
    return pc.utf8_lower(texts)


def lower(text: str, language: str | None) -> str:
    """Return the SQL that writes all of `text` in small letters."""
    letters = language_of(language).capitals
    return f"lower({_translated(text, ''.join(letters.values()), ''.join(letters))})"


def define_small(connection: duckdb.DuckDBPyConnection, language: str | None) -> None:
    """Let queries of a connection say `small(text)` for a text in small letters, as the language has them."""
    connection.execute(f"create or replace temp macro small(original) as {lower('original', language)}")


def upper(text: str, language: str | None) -> str:
    """Return the SQL that writes all of `text` in capitals."""
    letters = language_of(language).capitals
    return f"upper({_translated(text, ''.join(letters), ''.join(letters.values()))})"


def _translated(text: str, letters: str, replacements: str) -> str:
    return f"translate({text}, '{letters}', '{replacements}')" if letters else text


def decapitalised(text: str, language: str | None) -> str:
    """Return the SQL that gives `text` a small first letter."""
    return f"{lower(f'{text}[1]', language)} || {text}[2:]"


def cased_like(original: str, form: str, language: str | None) -> str:
    """Return the SQL that gives `form` the capitals of `original`: none, all, only the first, or else its own."""
    small, capital = lower(original, language), upper(original, language)
    return f"""case
        when {original} = {small} then {lower(form, language)}
        when {original} = {capital} and length({original}) > 1 then {upper(form, language)}
        when {original}[1] <> {lower(f"{original}[1]", language)}
            then {upper(f"{form}[1]", language)} || {form}[2:]
        else {form}
    end"""
