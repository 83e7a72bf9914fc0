"""Which schemes there are, for which scripts, and which is for a treebank."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starbank.errors import ConfigError, nearest
from starbank.transforms.romanisation import libraries
from starbank.transforms.romanisation.alphabet import alphabets
from starbank.transforms.romanisation.indic import SCRIPTS, Abugida
from starbank.transforms.romanisation.libraries import Letters

_ISO_INDIC = "iso15919"
_KANA, _HAN = ("hiragana", "katakana"), "cjk"
_EASTERN = {_HAN: ("pinyin", "hepburn")} | dict.fromkeys(_KANA, ("hepburn",))
# What is not one script's: the scripts are those of whoever asks.
_ANY = ("icu", "uroman", "indictrans")
SCHEMES = (*alphabets(), _ISO_INDIC, *libraries.INDIC_SCHEMES, "pinyin", "hepburn", *_ANY)


@dataclass(frozen=True)
class Scheme:
    """A way to write words of a script in Latin letters; `read` goes back, None where nothing does.

    `read` gives what was written as far as the scheme tells: composed (NFC), and not where words of Latin letters stand
    in the same text.
    """

    name: str
    script: str
    write: Letters
    read: Letters | None = None


def find_schemes(scheme: str, forms: Iterable[str], language: str | None) -> list[Scheme]:
    """Return what writes words in Latin letters, that of most letters of the `forms` first.

    A scheme that is named is for the script of most letters; `auto` is that which has most letters of a script, for
    each script that has one. Raises `ConfigError` for a scheme that there is not, that is for other scripts, or whose
    library is not installed.
    """
    letters = _letters(forms)
    if scheme == "auto":
        return _of_each_script(letters, language)
    if scheme not in SCHEMES:
        raise ConfigError(f"latin: there is no scheme `{scheme}`", hint=nearest(scheme, ("auto", *SCHEMES)))
    script = _most(letters)
    if scheme not in _ANY and scheme not in _schemes_of(script):
        others = ", ".join((*_schemes_of(script), *_ANY))
        raise ConfigError(f"latin: the scheme `{scheme}` is not for the script {script}", hint=f"These are: {others}.")
    return [_scheme(scheme, script, language)]


def script_of(forms: Iterable[str]) -> str:
    """Return the script of most letters, in small letters, as Unicode names it: `devanagari`."""
    return _most(_letters(forms))


def _most(letters: Mapping[str, Counter[str]]) -> str:
    return max(letters, key=lambda script: letters[script].total(), default="")


def _of_each_script(letters: Mapping[str, Counter[str]], language: str | None) -> list[Scheme]:
    """Return the scheme of each script that has one, that of most letters first."""
    scripts = sorted(letters, key=lambda script: -letters[script].total())
    defaults = {script: _default(script, letters) for script in scripts}
    if not scripts or not defaults[scripts[0]]:
        known = ", ".join(sorted({*SCRIPTS, *(table.script for table in alphabets().values()), *_EASTERN}))
        hint = f"There are schemes for {known}; `uroman` and `icu` write others."
        raise ConfigError(f"latin: there is no scheme for the script {(scripts or ['of no letters'])[0]}", hint=hint)
    return [_scheme(scheme, script, language) for script, scheme in defaults.items() if scheme]


def _default(script: str, letters: Mapping[str, Counter[str]]) -> str | None:
    """Return the scheme that has most of the letters that words have of a script."""
    if script == _HAN and any(kana in letters for kana in _KANA):
        return "hepburn"
    schemes = _schemes_of(script)
    tables = [scheme for scheme in schemes if scheme in alphabets()]
    return max(tables or schemes[:1], key=lambda scheme: _known(scheme, letters[script]), default=None)


def _known(scheme: str, letters: Counter[str]) -> int:
    """Return how many of the letters a table knows."""
    if scheme not in alphabets():
        return 0
    known = "".join(alphabets()[scheme].letters)
    return sum(count for letter, count in letters.items() if unicodedata.normalize("NFD", letter.lower())[0] in known)


def _schemes_of(script: str) -> tuple[str, ...]:
    """Return the schemes that are for one script, the usual one first."""
    tables = tuple(name for name, table in alphabets().items() if table.script == script)
    return tables + (_ISO_INDIC, *libraries.INDIC_SCHEMES) * (script in SCRIPTS) + _EASTERN.get(script, ())


def _scheme(name: str, script: str, language: str | None) -> Scheme:
    """Return a scheme as it writes a script, and a language where that matters."""
    if name in alphabets() or name == _ISO_INDIC:
        table = alphabets()[name] if name in alphabets() else Abugida(script)
        return Scheme(name, script, table.write, table.read)
    if name in libraries.INDIC_SCHEMES:
        return Scheme(name, script, *libraries.indic(name, script))
    if name == "icu":
        return Scheme(name, script, *libraries.icu(script))
    if name in ("pinyin", "hepburn"):
        return Scheme(name, script, libraries.pinyin() if name == "pinyin" else libraries.hepburn())
    return Scheme(name, script, libraries.uroman(language) if name == "uroman" else libraries.learned(language))


def _letters(forms: Iterable[str]) -> dict[str, Counter[str]]:
    """Return how often each letter is in words, by script."""
    found: dict[str, Counter[str]] = {}
    for letter, count in Counter(letter for form in forms for letter in form).items():
        if unicodedata.category(letter).startswith("L"):
            script = unicodedata.name(letter, "").split(" ")[0].lower()
            found.setdefault(script, Counter())[letter] = count
    return found
