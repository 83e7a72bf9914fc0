"""Capitals, as SQL expressions over DuckDB columns.

Scripts without capitals pass through unchanged; Georgian does, too: its Mtavruli letters are no capitals of a sentence.
"""

from __future__ import annotations

# Here the capital of `i` is `İ`, and `I` is the capital of `ı`.
_DOTTED = frozenset({"aze", "azj", "azb", "crh", "gag", "tur"})


def lower(text: str, language: str | None) -> str:
    """Return the SQL that writes all of `text` in small letters."""
    return f"lower(translate({text}, 'Iİ', 'ıi'))" if language in _DOTTED else f"lower({text})"


def upper(text: str, language: str | None) -> str:
    """Return the SQL that writes all of `text` in capitals."""
    return f"upper(translate({text}, 'iı', 'İI'))" if language in _DOTTED else f"upper({text})"


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
