"""UniMorph's paradigms, fetched like treebanks: by language, from several places, checked, put down whole."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from starbank.errors import ConfigError, UsageError
from starbank.treebanks.download import NotFound, download
from starbank.treebanks.fetch import Collection, fetch_all
from starbank.treebanks.sources import Failure, Folder, Source, one_by_one, public

RAW = "https://raw.githubusercontent.com"
GITHUB = "github:unimorph"

_PAPERS = ("README.md", "README.txt", "LICENSE", "LICENSE.md", "LICENSE.txt")

_WAYS_OUT = """\
Three ways out:
  - set the environment variable UNIMORPH_MIRROR to a folder that has UniMorph's languages (hin, or hin/hin);
  - download the language by other means, and name its folder with --source;
  - connect to the network and run the same again."""


def is_data(language: str, file: str) -> bool:
    """Tell whether a file of this name holds paradigms of a language (`hin`): large ones have `fin.1` and `fin.2`."""
    return re.fullmatch(rf"{re.escape(language)}(\.\d+)?", file) is not None


def fetch_unimorph(
    languages: Sequence[str],
    *,
    sources: Sequence[str],
    output: Path,
    lock: Path,
    write_lock: bool = False,
    optional: bool = False,
    github: str = RAW,
    retries: int = 3,
) -> list[Path]:
    """Get UniMorph's paradigms of languages (ISO 639-3), and return their folders `output/<language>` in order.

    A folder holds the paradigms, licence and README as far as there are any, and `source.json`. A source is a folder or
    URL that has the languages as `hin/hin`, a folder that has them as `hin`, or `github:unimorph`, the public
    repositories. All else is as for `starbank.treebanks.fetch.fetch`; the lock file has `unimorph` as the release.
    Where it is `optional`, a language that no source has is told in a line, and its folder has `source.json` alone.
    """
    for language in languages:
        if not re.fullmatch("[a-z]{3}", language):
            raise UsageError(f"{language!r} is not the code of a language", hint="Codes are those of ISO 639-3: kat.")
    opened = [_open(text, github, retries) for text in sources]
    hint = "Is this its code? https://unimorph.github.io lists all languages."
    collection = Collection("UniMorph", "unimorph", _WAYS_OUT, hint, is_data)
    return fetch_all(collection, languages, opened, output=output, lock=lock, write_lock=write_lock, optional=optional)


def _open(text: str, github: str, retries: int) -> Source:
    url = urlsplit(text)
    if url.scheme == "github" and re.fullmatch(r"[\w.-]+", url.path):
        return _Website(text, f"{github}/{url.path}/{{language}}/master/", retries)
    if url.scheme in ("http", "https"):
        return _Website(public(text), text.rstrip("/") + "/{language}/", retries)
    if url.scheme not in ("", "file"):
        hint = "It can be a folder or URL that has languages as hin/hin, or github:unimorph."
        raise ConfigError(f"{text!r} is no source of UniMorph", hint=hint)
    return _Folder(text, Path(url2pathname(url.path) if url.scheme else text).expanduser())


@dataclass
class _Folder(Folder):
    """A folder that has languages as `hin/hin` with `hin/README.md`, or as `hin` with `hin.README.md`."""

    def _copy(self, language: str, folder: Path) -> None:
        nested = self.path / language
        within, prefix = (nested, "") if nested.is_dir() else (self.path, f"{language}.")
        files = [file for file in sorted(within.glob("*")) if file.is_file() and is_data(language, file.name)]
        if not files:
            raise NotFound(f"has no {language}")
        papers = [within / f"{prefix}{name}" for name in _PAPERS]
        for file in [*files, *(paper for paper in papers if paper.is_file())]:
            shutil.copyfile(file, folder / file.name.removeprefix(prefix))


@dataclass
class _Website(Source):
    """Folders on a web server, one for each language, at the URL that `folder` makes of it."""

    folder: str
    retries: int

    def bring(self, folders: Mapping[str, Path]) -> dict[str, Failure]:
        """Download the language's one file, or else its numbered ones, and what papers there are."""
        return one_by_one(folders, self._bring)

    def _bring(self, language: str, folder: Path) -> None:
        if not self._get(language, language, folder):
            next(number for number in count(1) if not self._get(language, f"{language}.{number}", folder))
        if not any(folder.iterdir()):
            raise NotFound(f"has no {language}")
        for name in _PAPERS:
            self._get(language, name, folder)

    def _get(self, language: str, file: str, folder: Path) -> bool:
        try:
            download(self.folder.replace("{language}", language) + file, folder / file, retries=self.retries)
        except NotFound:
            return False
        return True

    def record(self, name: str) -> str:
        """Say the URL of the language's folder."""
        return public(self.folder.replace("{language}", name))
