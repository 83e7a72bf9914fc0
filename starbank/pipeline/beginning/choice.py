"""Which language and which treebanks a project begins with."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from starbank.documents import language_code
from starbank.errors import UsageError
from starbank.shipped import shipped
from starbank.treebanks.catalogue import SAMPLE, Entry, close_language, read_catalogue
from starbank.treebanks.places import is_ud_name
from starbank.treebanks.store import INGESTED

# What there is to try where nothing is named.
_FIRST = ("eng", ("UD_English-Sample",))

Choice = tuple[str, Sequence[str]]


def choose(language: str | None, treebanks: Sequence[str], config: Mapping[str, Any]) -> Choice:
    """Return the ISO 639-3 code of a language and the treebanks to use for it, none where its constructions name some.

    `language` may be a name, as treebanks have it; what is on this machine is asked before the `sources` of `config`.
    Raises `UsageError` for a language or a treebank that is not known.
    """
    if not language and not treebanks:
        return _FIRST
    if treebanks:
        found = [_named(name, config) for name in treebanks]
        code = next((entry.language for entry in found if entry and entry.language), None)
        return _code(language) if language else code or _untold(treebanks[0]), treebanks
    if ships(str(language)):
        return str(language), ()
    entries, known = _of_language(str(language), config)
    if not entries:
        close = close_language(str(language), known)
        guess = f"Did you mean {close}? " if close else ""
        hint = f"{guess}`starbank ls --treebanks` lists those that are known; name one that is not with --treebank."
        raise UsageError(f"no treebank of {language} is known", hint=hint)
    code = str(entries[0].language)
    largest = max(entries, key=lambda entry: (entry.megabytes or 0, entry.words or 0))
    return code, () if ships(code) else (largest.name,)


def ships(language: str) -> bool:
    """Tell whether Starbank has constructions of a language."""
    return any(shipped(f"queries/{language}").glob("*.grew"))


def _named(name: str, config: Mapping[str, Any]) -> Entry | None:
    """Return the treebank of a name, None where the release cannot be asked for it."""
    if not is_ud_name(name):
        hint = "Names are written as Universal Dependencies writes them: UD_Georgian-GLC."
        raise UsageError(f"{name!r} is not the name of a treebank", hint=hint)
    names: list[str] = []
    for entries in _listings(config):
        if entry := next((each for each in entries if each.name == name), None):
            return entry
        names = [entry.name for entry in entries]
    if close := difflib.get_close_matches(name, names, n=1):
        raise UsageError(f"no treebank {name} is known", hint=f"Did you mean {close[0]}?")
    return None


def _of_language(language: str, config: Mapping[str, Any]) -> tuple[list[Entry], list[Entry]]:
    """Return the treebanks of a language, and those that were looked at: on this machine, or, if need be, all."""
    entries: list[Entry] = []
    for entries in _listings(config):
        if found := [each for each in entries if each.is_of(language) and each.place != SAMPLE]:
            return found, entries
    return [], entries


def _listings(config: Mapping[str, Any]) -> Iterator[list[Entry]]:
    """Yield the treebanks on this machine, and then, where they are not enough, those of the sources, too."""
    for sources in ((), config["sources"]):
        yield read_catalogue(INGESTED, release=config["release"], sources=sources)


def _code(language: str) -> str:
    try:
        return language_code(language)
    except ValueError as error:
        message, hint = error.args
        raise UsageError(f"--language {message}", hint=hint) from error


def _untold(treebank: str) -> str:
    raise UsageError(f"nothing tells the language of {treebank}", hint="Say it: --language gle is Irish.")
