"""ISO 15919: the scripts of India in Latin letters, and back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise

# The blocks of the scripts in Unicode, and the letters that have a name of their own sense in some.
_BLOCKS: dict[str, tuple[int, dict[str, str]]] = {
    "devanagari": (0x0900, {}),
    "bengali": (0x0980, {"RRA": "ṛ"}),
    "gurmukhi": (0x0A00, {"RRA": "ṛ"}),
    "gujarati": (0x0A80, {}),
    "oriya": (0x0B00, {"RRA": "ṛ"}),
    "tamil": (0x0B80, {"SIGN VISARGA": "ḵ"}),
    "telugu": (0x0C00, {}),
    "kannada": (0x0C80, {"FA": "ḻ"}),
    "malayalam": (0x0D00, {}),
    "sinhala": (0x0D80, {}),
}
SCRIPTS = tuple(_BLOCKS)


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.rsplit(":", 1) for pair in re.split(r"\s{2,}|\n", text.strip()))


# By Unicode's names of the letters, which are the same in all scripts but Sinhala, with all `a` of consonants left out.
_CONSONANTS = _pairs("""
KA:k  KHA:kh  GA:g  GHA:gh  NGA:ṅ  CA:c  CHA:ch  JA:j  JHA:jh  NYA:ñ  TTA:ṭ  TTHA:ṭh  DDA:ḍ  DDHA:ḍh  NNA:ṇ
TA:t  THA:th  DA:d  DHA:dh  NA:n  NNNA:ṉ  PA:p  PHA:ph  BA:b  BHA:bh  MA:m  YA:y  RA:r  RRA:ṟ  LA:l  LLA:ḷ  LLLA:ḻ
VA:v  SHA:ś  SSA:ṣ  SA:s  HA:h  QA:q  KHHA:k͟h  GHHA:ġ  ZA:z  DDDHA:ṛ  RHA:ṛh  FA:f  YYA:ẏ  TSA:ĉ  DZA:ż  WA:w
RA WITH MIDDLE DIAGONAL:r  RA WITH LOWER DIAGONAL:v
ALPAPRAANA KAYANNA:k  MAHAAPRAANA KAYANNA:kh  ALPAPRAANA GAYANNA:g  MAHAAPRAANA GAYANNA:gh  KANTAJA NAASIKYAYA:ṅ
ALPAPRAANA CAYANNA:c  MAHAAPRAANA CAYANNA:ch  ALPAPRAANA JAYANNA:j  MAHAAPRAANA JAYANNA:jh  TAALUJA NAASIKYAYA:ñ
ALPAPRAANA TTAYANNA:ṭ  MAHAAPRAANA TTAYANNA:ṭh  ALPAPRAANA DDAYANNA:ḍ  MAHAAPRAANA DDAYANNA:ḍh  MUURDHAJA NAYANNA:ṇ
ALPAPRAANA TAYANNA:t  MAHAAPRAANA TAYANNA:th  ALPAPRAANA DAYANNA:d  MAHAAPRAANA DAYANNA:dh  DANTAJA NAYANNA:n
ALPAPRAANA PAYANNA:p  MAHAAPRAANA PAYANNA:ph  ALPAPRAANA BAYANNA:b  MAHAAPRAANA BAYANNA:bh  MAYANNA:m  YAYANNA:y
RAYANNA:r  DANTAJA LAYANNA:l  VAYANNA:v  TAALUJA SAYANNA:ś  MUURDHAJA SAYANNA:ṣ  DANTAJA SAYANNA:s  HAYANNA:h
MUURDHAJA LAYANNA:ḷ  FAYANNA:f  TAALUJA SANYOOGA NAAKSIKYAYA:jñ  SANYAKA GAYANNA:n̆g  SANYAKA JAYANNA:n̆j
SANYAKA DDAYANNA:n̆ḍ  SANYAKA DAYANNA:n̆d  AMBA BAYANNA:m̆b
""")
_VOWELS = _pairs("""
A:a  AA:ā  I:i  II:ī  U:u  UU:ū  VOCALIC R:r̥  VOCALIC RR:r̥̄  VOCALIC L:l̥  VOCALIC LL:l̥̄  AI:ai  AU:au
CANDRA E:ê  CANDRA A:ê  CANDRA O:ô  SHORT E:e  SHORT O:o  E:e  EE:ē  O:o  OO:ō
AYANNA:a  AAYANNA:ā  AEYANNA:æ  AEEYANNA:ǣ  IYANNA:i  IIYANNA:ī  UYANNA:u  UUYANNA:ū  IRUYANNA:r̥  IRUUYANNA:r̥̄
ILUYANNA:l̥  ILUUYANNA:l̥̄  EYANNA:e  EEYANNA:ē  AIYANNA:ai  OYANNA:o  OOYANNA:ō  AUYANNA:au
AELA-PILLA:ā  KETTI AEDA-PILLA:æ  DIGA AEDA-PILLA:ǣ  KETTI IS-PILLA:i  DIGA IS-PILLA:ī  KETTI PAA-PILLA:u
DIGA PAA-PILLA:ū  GAETTA-PILLA:r̥  DIGA GAETTA-PILLA:r̥̄  GAYANUKITTA:l̥  DIGA GAYANUKITTA:l̥̄  KOMBUVA:e
DIGA KOMBUVA:ē  KOMBU DEKA:ai  KOMBUVA HAA AELA-PILLA:o  KOMBUVA HAA DIGA AELA-PILLA:ō  KOMBUVA HAA GAYANUKITTA:au
""")
# What has no vowel: signs, and consonants that are written without it.
_SIGNS = _pairs("""
SIGN CANDRABINDU:m̐  SIGN ANUSVARA:ṁ  SIGN ANUSVARAYA:ṁ  SIGN BINDI:ṁ  TIPPI:m̆  SIGN VISARGA:ḥ  SIGN VISARGAYA:ḥ
SIGN AVAGRAHA:’  OM:ōm̐  KHANDA TA:t  DOT REPH:r  CHILLU M:m  CHILLU Y:y  CHILLU LLL:ḻ  CHILLU NN:ṇ  CHILLU N:n
CHILLU RR:r  CHILLU L:l  CHILLU LL:ḷ  CHILLU K:k
""")
_NO_VOWEL = ("SIGN VIRAMA", "SIGN AL-LAKUNA")
_INHERENT, _APART = "a", ":"
_JOINERS = re.compile("[\u200c\u200d]")
# The north writes one e and one o, both long.
_LONG = {"E": "ē", "O": "ō"}
# In Gurmukhi: the next consonant is double.
_ADDAK = "\u0a71"
_BLOCK = 0x80
_ANY = "(?s:.)"


class Abugida:
    """A script of India by ISO 15919:2001, whose consonants have an `a` unless another vowel, or none, is written.

    Colons part what would be read as one (अइ is a:i, ऐ is ai; क्ह is k:ha, ख is kha). Joiners (ZWJ, ZWNJ), which say
    how letters are drawn, are left out, and so is a nukta where no letter has one. Unicode gives the letters of these
    scripts the same names, so that one table serves all.
    """

    def __init__(self, script: str) -> None:
        first, own = _BLOCKS[script]
        self._names = _names(first)
        self._own = own | {vowel: long for vowel, long in _LONG.items() if f"LETTER {vowel * 2}" not in self._names}
        self._consonants = self._letters(_CONSONANTS, "LETTER ")
        self._vowels = self._letters(_VOWELS, "LETTER ", "VOWEL ")
        self._vowel_signs = self._letters(_VOWELS, "VOWEL SIGN ")
        self._signs = self._letters(_SIGNS, "", "LETTER ")
        self._no_vowel = next(letter for name, letter in self._names.items() if name in _NO_VOWEL)
        nukta = self._names.get("SIGN NUKTA", "")
        vowels = _either({self._no_vowel, *self._vowel_signs})
        self._syllable = re.compile(f"({_ADDAK})?({_either(self._consonants)})(?:{nukta})?({vowels})?|{_ANY}")
        tables = (self._consonants, self._vowels, self._signs)
        self._latin = re.compile(f"{_either({written for table in tables for written in table.values()})}|{_ANY}")

    def write(self, word: str) -> str:
        """Return a word in Latin letters, composed (NFC); what is of another script stays."""
        pieces = [*self._pieces(_JOINERS.sub("", unicodedata.normalize("NFC", word)))]
        parted = (piece + _APART * self._runs_on(piece, following) for piece, following in pairwise([*pieces, ""]))
        return unicodedata.normalize("NFC", "".join(parted))

    def read(self, word: str) -> str:
        """Return a word in the letters of the script, composed: what was written but for joiners, where it is known."""
        consonants, vowels, vowel_signs, signs = map(
            _first_written, (self._consonants, self._vowels, self._vowel_signs, self._signs)
        )
        read, waits = [], False
        pieces = ["", *self._latin.findall(unicodedata.normalize("NFC", word)), ""]
        for before, piece, following in zip(pieces, pieces[1:], pieces[2:], strict=False):
            if waits and piece in vowel_signs.keys() | {_INHERENT}:
                read.append(vowel_signs.get(piece, ""))
            else:
                read.append(self._no_vowel * waits)
                apart = piece == _APART and (self._runs_on(before, following) or waits)
                read.append(consonants.get(piece) or vowels.get(piece) or signs.get(piece) or piece * (not apart))
            waits = piece in consonants
        return unicodedata.normalize("NFC", "".join(read) + self._no_vowel * waits)

    def _letters(self, table: dict[str, str], *prefixes: str) -> dict[str, str]:
        """Return the letters of the script that a table has by name, after one of the prefixes, as they are written."""
        named = {name: self._own.get(name, written) for name, written in table.items()}
        return {
            letter: named[name.removeprefix(prefix)]
            for name, letter in self._names.items()
            for prefix in prefixes
            if name.startswith(prefix) and name.removeprefix(prefix) in named
        }

    def _pieces(self, word: str) -> Iterator[str]:
        """Yield the consonants, vowels and signs of a word in Latin letters."""
        bare = False
        for match in self._syllable.finditer(word):
            letter, (addak, consonant, vowel) = match.group(), match.groups()
            if consonant:
                written = self._consonants[consonant]
                yield from (written.removesuffix("h"),) if addak else ()
                yield written
                yield from () if vowel == self._no_vowel else (self._vowel_signs.get(vowel, _INHERENT),)
            else:
                yield from (_APART,) if bare and letter in self._vowels else ()
                known = (table[letter] for table in (self._vowels, self._vowel_signs, self._signs) if letter in table)
                yield next(known, letter)
            bare = vowel == self._no_vowel

    def _runs_on(self, piece: str, following: str) -> bool:
        """Tell whether a piece would be read as a longer one with what follows."""
        match = self._latin.match(piece + following)
        return bool(following) and match is not None and len(match.group()) > len(piece)


def _names(first: int) -> dict[str, str]:
    """Return the letters of a block of Unicode, composed, by their names without that of the script."""
    letters = (chr(first + place) for place in range(_BLOCK))
    return {
        unicodedata.name(letter).partition(" ")[2]: unicodedata.normalize("NFC", letter)
        for letter in letters
        if unicodedata.name(letter, "")
    }


def _either(pieces: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(pieces, key=len, reverse=True)))


def _first_written(letters: dict[str, str]) -> dict[str, str]:
    return {written: letter for letter, written in reversed(letters.items())}
