"""Which treebanks there are: in the project, on this machine, and in the release that is fetched from."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from starbank.errors import DownloadError
from starbank.treebanks.fetch import GITHUB, SCRATCH
from starbank.treebanks.places import FETCHED, MIRROR, SAMPLES, folders_here
from starbank.treebanks.sources import open_source
from starbank.treebanks.store import DESCRIPTION, describe, no_damage
from starbank.treebanks.treebank import language_of

logger = logging.getLogger("starbank")

SAMPLE = "sample"
_PLACES = {FETCHED: str(FETCHED), SAMPLES: SAMPLE}


@dataclass(frozen=True)
class Entry:
    """A treebank: its language (ISO 639-3, None if unknown), where it is, and its size as far as that is known."""

    name: str
    language: str | None
    place: str
    sentences: int | None = None
    words: int | None = None
    megabytes: float | None = None

    @property
    def language_name(self) -> str:
        """The name of its language, as names of treebanks have it."""
        return self.name.removeprefix("UD_").partition("-")[0].replace("_", " ")

    def is_of(self, language: str) -> bool:
        """Tell whether it is of a language, which is given by its code or as names of treebanks have it (`Irish`)."""
        return language == self.language or language.replace("_", " ").casefold() == self.language_name.casefold()


def close_language(language: str, entries: Sequence[Entry]) -> str | None:
    """Return the code of the language of `entries` that was most likely meant: its name is close, or `ga` is `gle`."""
    from langcodes import standardize_tag  # slow to import
    from langcodes.tag_parser import LanguageTagError

    names = {name: entry.language for entry in entries for name in (entry.language_name, entry.language) if name}
    if close := difflib.get_close_matches(language, names, n=1, cutoff=0.7):
        return names[close[0]]
    tags = {}
    for code in filter(None, {entry.language for entry in entries}):
        with suppress(LanguageTagError):
            tags[standardize_tag(code)] = code
    return tags.get(language.casefold())


def read_catalogue(ingested: Path, *, release: str, sources: Sequence[str], github: str = GITHUB) -> list[Entry]:
    """Return all treebanks that are ingested, lie on this machine, or can be fetched, each once, by name.

    A source that does not answer is told of.
    """
    return _each_once([*_ingested(ingested), *_here(), *_elsewhere(release, sources, github)])


def entries_here(ingested: Path) -> list[Entry]:
    """Return all treebanks that are ingested or lie on this machine, each once, by name."""
    return _each_once([*_ingested(ingested), *_here()])


def _each_once(found: Sequence[Entry]) -> list[Entry]:
    entries: dict[str, Entry] = {}
    for entry in found:
        entries.setdefault(entry.name, entry)
    return [entries[name] for name in sorted(entries)]


def _ingested(home: Path) -> Iterator[Entry]:
    for file in sorted(home.glob(f"*/{DESCRIPTION}")):
        with no_damage(file.parent):
            info = describe(file.parent)
            sentences, words = (sum(part[unit] for part in info["files"]) for unit in ("sentences", "words"))
        yield Entry(info["name"], info["language"], str(home), sentences, words)


def _here() -> Iterator[Entry]:
    for folder in folders_here():
        yield _entry(folder, _PLACES.get(folder.parent, MIRROR))


def _entry(folder: Path, place: str) -> Entry:
    files = sorted(folder.glob("*.conllu"))
    size = sum(file.stat().st_size for file in files) / 1e6
    return Entry(folder.name, language_of(files[0].name), place, megabytes=size)


def _elsewhere(release: str, sources: Sequence[str], github: str) -> Iterator[Entry]:
    for text in sources:
        source = open_source(text, release=release, cache=FETCHED / SCRATCH, github=github, retries=1)
        try:
            for name, language in source.index().items():
                yield Entry(name, language, source.label)
        except DownloadError as error:
            logger.warning("what %s has cannot be listed: %s", source.label, error.message)
