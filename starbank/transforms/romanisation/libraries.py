"""Schemes that libraries know; most of these are installed by choice."""

from __future__ import annotations

import importlib
import unicodedata
from collections.abc import Callable
from types import ModuleType
from typing import Any

from starbank.errors import ConfigError

Letters = Callable[[str], str]

# The schemes of indic-transliteration that write Latin letters, but for ISO 15919.
INDIC_SCHEMES = ("iast", "itrans", "optitrans", "hk", "slp1", "velthuis", "wx", "kolkata_v2", "titus")
# Scripts whose letters that library mixes up or lacks: it takes the stops of Tamil for aspirated and voiced ones, and
# the Bengali b for v. Their letters stand in Unicode as those of Devanagari do, but for a few others.
_BESIDE = {"bengali": 0x0980, "gujarati": 0x0A80, "tamil": 0x0B80}
_OTHERS = {"bengali": {0x09CE: "त्", 0x09F0: "र", 0x09F1: "व"}, "tamil": {0x0B83: "ḵ"}}
_DEVANAGARI, _LETTERS = 0x0900, 0x70


def indic(scheme: str, script: str) -> tuple[Letters, Letters]:
    """Return what writes a script of India by a scheme of indic-transliteration, and what reads it."""
    from indic_transliteration.sanscript import transliterate

    first = _BESIDE.get(script, _DEVANAGARI)
    there: dict[int, int | str] = {first + place: _DEVANAGARI + place for place in range(_LETTERS)}
    back = {_DEVANAGARI + place: first + place for place in range(_LETTERS)}
    there |= _OTHERS.get(script, {})
    known = "devanagari" if script in _BESIDE else script

    def write(word: str) -> str:
        letters = word.translate(there) if script in _BESIDE else word
        return str(transliterate(unicodedata.normalize("NFC", letters), known, scheme))

    def read(word: str) -> str:
        letters = str(transliterate(word, scheme, known))
        return unicodedata.normalize("NFC", letters.translate(back) if script in _BESIDE else letters)

    return write, read


def icu(script: str) -> tuple[Letters, Letters | None]:
    """Return what ICU writes a script with (CLDR's transforms), and what it reads it with.

    Raises `ConfigError` where PyICU is not installed, or ICU knows nothing of the script.
    """
    library: Any = require("icu", "icu")
    name = {"cjk": "Han"}.get(script, script.title())
    try:
        there = library.Transliterator.createInstance(f"{name}-Latin")
    except library.ICUError as error:
        raise ConfigError(f"latin: ICU has nothing that writes {name} in Latin letters") from error
    try:
        back = there.createInverse()
    except library.ICUError:
        return there.transliterate, None
    return there.transliterate, back.transliterate


def uroman(language: str | None) -> Letters:
    """Return what uroman (Hermjakob, May & Knight 2018) writes any script with, as people of a language may type it."""
    library: Any = require("uroman", "uroman").Uroman()
    return lambda word: str(library.romanize_string(word, lcode=language))


def pinyin() -> Letters:
    """Return what writes Chinese characters in pinyin with tones: words as one, by the readings of pypinyin."""
    library: Any = require("pypinyin", "pinyin")

    def write(word: str) -> str:
        first: str
        others: list[str]
        first, *others = library.lazy_pinyin(word, style=library.Style.TONE, v_to_u=True) or [""]
        # ISO 7098: an apostrophe before a syllable that begins with a vowel.
        begun = (unicodedata.normalize("NFD", syllable)[:1] for syllable in others)
        apart = ("'" * (letter in ("a", "e", "o")) for letter in begun)
        return first + "".join(mark + syllable for mark, syllable in zip(apart, others, strict=True))

    return write


def hepburn() -> Letters:
    """Return what writes Japanese in Hepburn's letters, by the readings of UniDic, a word for itself."""
    library: Any = require("cutlet", "hepburn").Cutlet(use_foreign_spelling=False)
    return lambda word: str(library.romaji(word, capitalize=False)).replace(" ", "")


def learned(language: str | None) -> Letters:
    """Return what `indictrans` writes words of India with, as people type them.

    Raises `ConfigError` where it is not installed, or does not know the language.
    """
    module = require("indictrans.utils.Transliterator", "indictrans")
    try:
        write: Letters = module.Transliterator(language, "eng").convert
    except (KeyError, NotImplementedError, OSError, ValueError) as error:
        raise ConfigError(f"latin: indictrans does not know the language {language}") from error
    return write


def require(module: str, extra: str) -> ModuleType:
    """Return a library that an extra of Starbank installs, which is the name of the scheme too."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        hint = f"pip install 'starbank[{extra}]' adds it; docs/dependencies.md says what that is. Or choose another."
        library = module.partition(".")[0]
        raise ConfigError(f"latin: the scheme `{extra}` needs the library {library}", hint=hint) from error
