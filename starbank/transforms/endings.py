"""What a word's own ending tells of its features, where a treebank is silent on them."""

from __future__ import annotations

from starbank.languages import language_of


def ending(language: str | None) -> str:
    """Return the SQL that tells what must be alike in how two words of the table `words` end."""
    spoken = language_of(language)
    parts = []
    for upos, endings in spoken.endings.items():
        pattern = _text(f"({'|'.join(endings)})$")
        parts.append(f"if(words.upos = {_text(upos)}, regexp_extract(plain_form, {pattern}, 1), '')")
    for upos, pattern in spoken.lemma_endings.items():
        parts.append(f"if(words.upos = {_text(upos)} and regexp_matches(lemma, {_text(f'({pattern})$')}), 'lemma', '')")
    return f"concat_ws(' ', {', '.join(parts)})" if parts else "''"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
