"""What a word begins with, as far as the form of the word before it depends on that: `a dog`, `an hour`."""

from __future__ import annotations

# By language: classes of beginnings, as regular expressions on forms in small letters; the first that fits counts.
_BEGINNINGS = {
    "eng": (
        ("consonant", "u(ni|s[aeiu]|t[aeio]|r[aeio]|bi)|eu|ew|one|once|ouija"),
        ("vowel", "[aeiou]|hon|hou?r|heir"),
    ),
    # Whether an h is silent the dictionary knows: such words replace each other only after the same kind of word.
    "fra": (("h", "h"), ("vowel", "[aeiouyàâæéèêëîïôœùûü]")),
    "ita": (("vowel", "[aeiouàèéìòù]|h"), ("impure", "s[bcdfghlmnpqrstvz]|z|gn|ps|pn|x|y")),
    "cat": (("vowel", "h?[aeiouàèéíòóú]"),),
    "spa": (("i", "h?i"), ("o", "h?o"), ("a", "h?[aá]")),
    "hun": (("vowel", "[aáeéiíoóöőuúüű]"),),
}


def beginning(form: str, language: str | None) -> str:
    """Return the SQL that tells the class of what `form` begins with; the empty text where the language has none."""
    classes = _BEGINNINGS.get(language or "", ())
    cases = " ".join(f"when regexp_matches(lower({form}), '^({pattern})') then '{name}'" for name, pattern in classes)
    return f"case {cases} else '' end" if cases else "''"
