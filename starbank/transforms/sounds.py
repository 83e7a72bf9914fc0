"""Where spelling minds what stands beside a word: `a dog`, `an hour`; and what its own ending tells of its features."""

from __future__ import annotations

# By language: classes of beginnings, as regular expressions on forms in small letters; the first that fits counts.
_BEGINNINGS = {
    "eng": (
        ("consonant", "u(ni|s[aeiu]|t[aeio]|r[aeio]|bi)|eu|ew|one|once"),
        ("vowel", "[aeiou]|hon|hou?r|heir"),
    ),
    "fra": (("h", "h"), ("vowel", "[aeiouyàâæéèêëîïôœùûü]")),
    "ita": (("vowel", "[aeiouàèéìòù]|h"), ("impure", "s[bcdfghlmnpqrstvz]|z|gn|ps|pn|x|y")),
    "cat": (("vowel", "h?[aeiouàèéíòóú]"),),
    "spa": (("i", "h?i"), ("o", "h?o"), ("a", "h?[aá]")),
    "hun": (("vowel", "[aáeéiíoóöőuúüű]"),),
}

# A word after one that ends so is replaced by words that were found after such, with the same first letter: whether an
# h is silent only the dictionary knows, and a Tamil stop is doubled across the border of words.
_LINKING = {"fra": "[''’]$", "tam": "(க்|ச்|த்|ப்)$"}

# Endings that must be alike: those that inflect where features may be silent on them, and doubled stops.
_ENDINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "hin": {"VERB": ("ा", "े", "ी", "ीं", "ें", "ों"), "ADJ": ("ा", "े", "ी", "ों")},
    "deu": {"ADJ": ("em", "en", "er", "es", "e")},
    "fra": {"ADJ": ("es", "e", "s", "x")},
    "mar": {"VERB": ("ा", "े", "ी", "ं"), "ADJ": ("ा", "े", "ी")},
    # Long genitives and datives stand before `და`, what ends in ც says `too`, and optatives are called indicative.
    "kat": {
        **dict.fromkeys(("NOUN", "PROPN"), ("სა", "ითა", "ც", "ვე")),
        "ADJ": ("სა", "ითა", "ც", "ვე", "ი", "მა"),
        "VERB": ("ოს", "დეს", "ო"),
    },
    # Treebanks may not tell gerunds from infinitives.
    "ita": {"VERB": ("ndo",)},
    "spa": {"VERB": ("ndo",)},
    "tam": dict.fromkeys(("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"), ("க்", "ச்", "த்", "ப்")),
}

# How lemmas of adjectives end that inflect: of two in -ी only one may have a masculine in -ा.
_VARIABLE = {"hin": "ा|आ", "mar": "ा"}


def beginning(language: str | None, form: str) -> str:
    """Return the SQL that tells the class of sounds with which a form begins, empty for those that nothing minds."""
    classes = "".join(
        f"when regexp_matches(lower({form}), '^({pattern})') then '{name}' "
        for name, pattern in _BEGINNINGS.get(language or "", ())
    )
    return f"case {classes} else '' end" if classes else "''"


def sound(language: str | None) -> str:
    """Return the SQL that tells what must be alike in how a word of the table `words` begins and ends."""
    language = language or ""
    parts = [beginning(language, "plain_form")] if language in _BEGINNINGS else []
    if language in _LINKING:
        parts.append(f"if(regexp_matches(previous, '{_LINKING[language]}'), concat('after ', plain_form[1]), '')")
    if language in _ENDINGS:
        parts += [
            f"if(words.upos = '{upos}', regexp_extract(plain_form, '({'|'.join(endings)})$', 1), '')"
            for upos, endings in _ENDINGS[language].items()
        ]
    if language in _VARIABLE:
        parts.append(f"if(words.upos = 'ADJ' and regexp_matches(lemma, '({_VARIABLE[language]})$'), 'variable', '')")
    return f"concat_ws(' ', {', '.join(parts)})" if parts else "''"
