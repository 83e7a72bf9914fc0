"""Words in Latin letters, by schemes that are named."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable

from starbank.errors import ConfigError, nearest

Romanise = Callable[[str], str]

_GEORGIAN = "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ"
# The national system of Georgia (2002), https://www.nplg.gov.ge, and ISO 9984:1996.
_GEORGIAN_SCHEMES = {
    "national": "a b g d e v z t i k' l m n o p' zh r s t' u p k gh q' sh ch ts dz ts' ch' kh j h",
    "iso9984": "a b g d e v z t̕ i k l m n o p ž r s t u p̕ k̕ ḡ q š č̕ c̕ j c č x ǰ h",
}
# The schemes of indic-transliteration that write Latin letters.
_INDIC_SCHEMES = ("iso", "iast", "itrans", "optitrans", "hk", "slp1", "velthuis", "wx", "kolkata_v2", "titus")
_INDIC = (
    *("devanagari", "bengali", "gurmukhi", "gujarati", "oriya", "telugu", "kannada", "malayalam", "sinhala", "tamil"),
)
LEARNED = "indictrans"
SCHEMES = (*_INDIC_SCHEMES, LEARNED, *_GEORGIAN_SCHEMES)
_DEFAULT = dict.fromkeys(_INDIC, "iso") | {"georgian": "national"}

# Scripts whose letters the library mixes up or lacks: it takes the stops of Tamil for aspirated and voiced
# ones, and the Bengali b for v. Their letters stand in Unicode as those of Devanagari do, but for a few others.
_BESIDE = {"bengali": 0x0980, "gujarati": 0x0A80, "tamil": 0x0B80}
_OTHERS = {"bengali": {0x09CE: "त्", 0x09F0: "र", 0x09F1: "व"}, "tamil": {0x0B83: "ḵ"}}
_DEVANAGARI, _LETTERS = 0x0900, 0x70


def script_of(forms: Iterable[str]) -> str:
    """Return the script of most letters, in small letters, as Unicode names it: `devanagari`."""
    counts = Counter(
        unicodedata.name(letter, "").split(" ")[0].lower()
        for form in forms
        for letter in form
        if unicodedata.category(letter).startswith("L")
    )
    return counts.most_common(1)[0][0] if counts else ""


def find_scheme(scheme: str, script: str, language: str | None) -> tuple[str, Romanise]:
    """Return the name of a scheme for a script, and what writes a word by it; `auto` is the script's default.

    Raises `ConfigError` for a scheme that there is not, that is for other scripts, or whose library is not installed.
    """
    if scheme == "auto":
        if script not in _DEFAULT:
            hint = f"There are schemes for Georgian and for {', '.join(sorted(_INDIC))}."
            raise ConfigError(f"latin: there is no scheme for the script {script or 'of no letters'}", hint=hint)
        scheme = _DEFAULT[script]
    if scheme not in SCHEMES:
        raise ConfigError(f"latin: there is no scheme `{scheme}`", hint=nearest(scheme, ("auto", *SCHEMES)))
    georgian = scheme in _GEORGIAN_SCHEMES
    if georgian != (script == "georgian") or (not georgian and script not in _INDIC):
        advice = f"Its scheme is {_DEFAULT[script]}." if script in _DEFAULT else None
        raise ConfigError(f"latin: the scheme `{scheme}` is not for the script {script}", hint=advice)
    if georgian:
        table = str.maketrans(dict(zip(_GEORGIAN, _GEORGIAN_SCHEMES[scheme].split(), strict=True)))
        return scheme, lambda word: word.translate(table)
    return scheme, _learned(language) if scheme == LEARNED else _indic(scheme, script)


def _indic(scheme: str, script: str) -> Romanise:
    from indic_transliteration.sanscript import transliterate

    if script in _BESIDE:
        first = _BESIDE[script]
        table: dict[int, int | str] = {first + place: _DEVANAGARI + place for place in range(_LETTERS)}
        table |= _OTHERS.get(script, {})
        return lambda word: transliterate(unicodedata.normalize("NFC", word.translate(table)), "devanagari", scheme)
    return lambda word: transliterate(word, script, scheme)


def _learned(language: str | None) -> Romanise:
    try:
        from indictrans.utils.Transliterator import Transliterator
    except ImportError as error:
        hint = "pip install 'starbank[indictrans]' adds it: 300 MB, under the AGPL 3.0. Or choose another scheme."
        raise ConfigError("latin: the scheme `indictrans` needs the library indictrans", hint=hint) from error
    romanise: Romanise = Transliterator(language, "eng").convert
    return romanise
