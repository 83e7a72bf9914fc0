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
    # Long genitives and datives stand before `და`, what ends in ც says `too`, in ისას `while`, plurals in თა want short
    # adjectives, nouns and adjectives before nouns lack the ს of the dative, and optatives are called indicative.
    "kat": {
        **dict.fromkeys(("NOUN", "PROPN"), ("სა", "ითა", "ც", "ვე", "ისას", "ს")),
        "ADJ": ("სა", "ითა", "ც", "ვე", "ი", "მა", "ს", "ით", "ად"),
        "VERB": ("ოს", "დეს", "ო"),
    },
    # Treebanks may not tell gerunds from infinitives.
    "ita": {"VERB": ("ndo",)},
    "spa": {"VERB": ("ndo",)},
    # Before another noun, those in -ம் mostly lose it.
    "tam": {
        **dict.fromkeys(("VERB", "ADJ", "ADV", "NUM"), ("க்", "ச்", "த்", "ப்")),
        **dict.fromkeys(("NOUN", "PROPN"), ("க்", "ச்", "த்", "ப்", "ம்")),
    },
}

# Endings that lemmas must both have or both not have. Of two adjectives in -ी only one may have a masculine in -ा;
# Georgian ones in a vowel are the same in all cases, so that FEATS may be wrong of them; a stop that the lemma has is
# not that of the next word doubled.
_LEMMAS: dict[str, dict[str, str]] = {
    "hin": {"ADJ": "ा|आ"},
    "mar": {"ADJ": "ा"},
    "kat": {"ADJ": "ი"},
    "tam": dict.fromkeys(("NOUN", "PROPN"), "க்|ச்|த்|ப்"),
}


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
    parts += [
        f"if(words.upos = '{upos}' and regexp_matches(lemma, '({ending})$'), 'lemma', '')"
        for upos, ending in _LEMMAS.get(language, {}).items()
    ]
    return f"concat_ws(' ', {', '.join(parts)})" if parts else "''"
