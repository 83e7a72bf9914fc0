"""Where treebanks come from: folders, archives, here or behind a URL, and the public UD repositories."""

from __future__ import annotations

import hashlib
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from starbank.errors import ConfigError, DownloadError
from starbank.treebanks.archives import SUFFIXES, is_treebank_file, unpack
from starbank.treebanks.download import NotFound, Unreachable, download, exclusive
from starbank.treebanks.index import read_index
from starbank.treebanks.treebank import language_of

# What products say of a treebank that came from a folder.
FROM_FOLDER = "local mirror"


@dataclass(frozen=True)
class Failure:
    """Why a source did not give a treebank; `absent` where it answers that it has none of that name."""

    reason: str
    absent: bool = False


@dataclass
class Source(ABC):
    """A place that has treebanks. `label` names it in messages and in products."""

    label: str

    # Whether treebanks may change there within a release: a folder that somebody works in.
    live = False

    @abstractmethod
    def bring(self, folders: Mapping[str, Path]) -> dict[str, Failure]:
        """Put each treebank's files into its folder, which is empty and in a scratch folder of its own.

        Returns what failed, by treebank.
        """

    def record(self, name: str) -> str:
        """Tell where the treebank came from, without folders of this machine or passwords."""
        return self.label

    def names(self) -> list[str]:
        """List the treebanks it has, as far as it tells."""
        return []

    def index(self) -> dict[str, str | None]:
        """Return the treebanks it has with the codes of their languages (ISO 639-3), as far as it tells.

        Raises `DownloadError` where it cannot be asked.
        """
        return dict.fromkeys(self.names())

    def forget(self) -> None:  # noqa: B027  Most keep nothing.
        """Delete what is kept of it, because that proved wrong."""


def open_source(text: str, *, release: str, cache: Path, github: str, retries: int) -> Source:
    """Return the source that `text` describes: a folder, an archive, the URL of one, or `github:OWNER`.

    Downloaded archives are kept in the folder `cache`. Raises `ConfigError` for any other text.
    """
    url = urlsplit(text)
    if url.scheme == "github" and re.fullmatch(r"[\w.-]+", url.path):
        return GitHub(text, f"{github}/{url.path}", release, cache, retries)
    if url.scheme in ("http", "https") and url.path.endswith(SUFFIXES):
        name = unquote(url.path).rpartition("/")[2]
        folder = cache / f"{hashlib.sha256(text.encode()).hexdigest()[:8]}-{name}"
        return WebArchive(public(text), folder / name, text, retries)
    if url.scheme not in ("", "file"):
        hint = "It can be a folder laid out like a UD release, a .zip or .tgz of one or its URL, or github:OWNER."
        raise ConfigError(f"{text!r} is no source of treebanks", hint=hint)
    path = Path(url2pathname(url.path) if url.scheme else text).expanduser()
    return Archive(text, path) if path.name.endswith(SUFFIXES) else Folder(text, path)


@dataclass
class Folder(Source):
    """A folder laid out like a UD release: `UD_Georgian-GLC/*.conllu`."""

    path: Path
    live = True

    def bring(self, folders: Mapping[str, Path]) -> dict[str, Failure]:
        """Copy."""
        if not self.path.is_dir():
            return dict.fromkeys(folders, Failure("there is no such folder"))
        return one_by_one(folders, self._copy)

    def _copy(self, name: str, folder: Path) -> None:
        files = [file for file in sorted(self.path.glob(f"{name}/*")) if is_treebank_file(file.name)]
        if not files:
            raise NotFound(f"has no {name}")
        for file in files:
            shutil.copyfile(file, folder / file.name)

    def record(self, name: str) -> str:
        """Say no more than that it was a folder."""
        return FROM_FOLDER

    def names(self) -> list[str]:
        """List the folders."""
        return [path.name for path in self.path.glob("UD_*")]

    def index(self) -> dict[str, str | None]:
        """Read the languages off the files' names."""
        files = {path.parent.name: path.name for path in sorted(self.path.glob("UD_*/*.conllu"))}
        return {name: language_of(file) for name, file in files.items()}


@dataclass
class Archive(Source):
    """A `.zip` or `.tar.gz` of a UD release or of one repository, and the names of the treebanks in it, once read."""

    path: Path
    contents: set[str] = field(default_factory=set, init=False)

    def bring(self, folders: Mapping[str, Path]) -> dict[str, Failure]:
        """Unpack all in one pass, since finding anything in a `.tar.gz` means reading it through."""
        if not self.path.is_file():
            return dict.fromkeys(folders, Failure("there is no such file"))
        try:
            self.contents = unpack(self.path, folders)
        except DownloadError as error:
            return dict.fromkeys(folders, Failure(error.message))
        return {name: Failure(f"has no {name}", absent=True) for name in folders if name not in self.contents}

    def record(self, name: str) -> str:
        """Say the name of the archive, not its folder."""
        return self.path.name

    def names(self) -> list[str]:
        """List the treebanks that were seen in it."""
        return sorted(self.contents)


@dataclass
class WebArchive(Archive):
    """An archive behind a URL: downloaded once, and kept for the next treebank."""

    url: str
    retries: int

    def bring(self, folders: Mapping[str, Path]) -> dict[str, Failure]:
        """Download where that was not done, and unpack."""
        folder = self.path.parent
        with exclusive(folder.with_name(f"{folder.name}.lock")):
            # A killed download leaves a temporary file.
            for leftover in set(folder.glob("*")) - {self.path}:
                leftover.unlink()
            try:
                download(self.url, self.path, retries=self.retries)
            except DownloadError as error:
                return dict.fromkeys(folders, Failure(error.message))
        failures = super().bring(folders)
        if any(not failure.absent for failure in failures.values()):
            self.forget()
        return failures

    def record(self, name: str) -> str:
        """Say the URL."""
        return self.label

    def index(self) -> dict[str, str | None]:
        """Return the treebanks it has with the codes of their languages (ISO 639-3), as far as it tells.

        Raises `DownloadError` where it cannot be asked.
        """
        return dict.fromkeys(self.names())

    def forget(self) -> None:
        """Download afresh next time."""
        self.path.unlink(missing_ok=True)


@dataclass
class GitHub(Source):
    """The public UD repositories, one archive per treebank, at the tag of the release."""

    owner: str
    release: str
    cache: Path
    retries: int

    def bring(self, folders: Mapping[str, Path]) -> dict[str, Failure]:
        """Download and unpack each repository."""
        return one_by_one(folders, self._bring)

    def _bring(self, name: str, folder: Path) -> None:
        archive = folder.parent / f"{name}.tar.gz"
        try:
            download(self.record(name), archive, retries=self.retries)
        except NotFound as error:
            raise NotFound(f"has no {name} with the tag r{self.release}") from error
        unpack(archive, {name: folder})

    def record(self, name: str) -> str:
        """Say the URL of the archive."""
        return f"{self.owner}/{name}/archive/refs/tags/r{self.release}.tar.gz"

    def names(self) -> list[str]:
        """List the treebanks of the release, none where that is not to be had."""
        try:
            return list(self.index())
        except DownloadError:
            return []

    def index(self) -> dict[str, str | None]:
        """Read the list of UD's releases."""
        return read_index(self.owner, self.release, self.cache, self.retries)


def one_by_one(folders: Mapping[str, Path], bring: Callable[[str, Path], None]) -> dict[str, Failure]:
    """Bring one treebank after another; where there is no connection, give up on all that are left."""
    failures: dict[str, Failure] = {}
    for position, (name, folder) in enumerate(folders.items()):
        try:
            bring(name, folder)
        except Unreachable as error:
            return failures | dict.fromkeys(list(folders)[position:], Failure(error.message))
        except DownloadError as error:
            failures[name] = Failure(error.message, absent=isinstance(error, NotFound))
    return failures


def public(url: str) -> str:
    """Return a URL without user, password, query and fragment."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
