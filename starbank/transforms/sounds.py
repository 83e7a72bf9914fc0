"""Where spelling minds what stands beside a word: `a dog`, `an hour`; and what its own ending tells of its features."""

from __future__ import annotations

from starbank.languages import language_of


def beginning(language: str | None, form: str) -> str:
    """Return the SQL that tells the class of sounds with which a form begins, empty for those that nothing minds."""
    classes = "".join(
        f"when regexp_matches(lower({form}), {_text(f'^({pattern})')}) then {_text(name)} "
        for name, pattern in language_of(language).beginnings.items()
    )
    return f"case {classes} else '' end" if classes else "''"


def sound(language: str | None) -> str:
    """Return the SQL that tells what must be alike in how a word of the table `words` begins and ends.

    A word after one whose end is `linking` is replaced by words that were found after such, with the same first letter.
    """
    spoken = language_of(language)
    parts = []
    for upos, endings in spoken.endings.items():
        ending = _text(f"({'|'.join(endings)})$")
        parts.append(f"if(words.upos = {_text(upos)}, regexp_extract(plain_form, {ending}, 1), '')")
    for upos, pattern in spoken.lemma_endings.items():
        parts.append(f"if(words.upos = {_text(upos)} and regexp_matches(lemma, {_text(f'({pattern})$')}), 'lemma', '')")
    return f"concat_ws(' ', {', '.join(parts)})" if parts else "''"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
