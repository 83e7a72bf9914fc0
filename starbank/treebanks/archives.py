"""Treebanks out of archives that somebody else packed: nothing but the wanted files, each where we say."""

from __future__ import annotations

import gzip
import lzma
import re
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from starbank.errors import DownloadError
from starbank.names import require_name

SUFFIXES = (".zip", ".tgz", ".tar.gz")

# CoNLL-U shrinks about tenfold. An archive that grows by more than this, beyond what is harmless, is a bomb.
MAXIMAL_RATIO = 100
HARMLESS = 64 * 2**20

_WANTED = re.compile(r".+\.conllu|(LICENSE|README)(\.txt|\.md)?", re.DOTALL)


@dataclass(frozen=True)
class Member:
    """A file, link or other thing in an archive, and how to open it."""

    path: str
    size: int
    regular: bool
    open: Callable[[], IO[bytes] | None]

    @property
    def treebank(self) -> str:
        """The name of the folder it lies in, without the tag or branch that GitHub adds: `UD_Hindi-PUD-r2.18`."""
        return re.sub(r"^(UD_\w+-\w+)-.*$", r"\1", PurePosixPath(self.path).parent.name)


def is_treebank_file(name: str) -> bool:
    """Whether a file of this name in a treebank's folder is data, licence or README.

    Raises `DownloadError` for one that would be, by its ending, and is called as no file should be.
    """
    return _WANTED.fullmatch(name) is not None and bool(require_name(name, "a file of a treebank", DownloadError))


def unpack(archive: Path, folders: Mapping[str, Path]) -> set[str]:
    """Copy the files of some treebanks out of a `.zip` or `.tar.gz`, in one pass.

    `folders` tells by UD name where each treebank goes. A treebank's files lie directly in a folder of its name, under
    any prefix. Returns the names of all treebanks that the archive holds. Raises `DownloadError` for a damaged
    archive, one with absolute paths or `..`, one whose wanted files are links or devices, and one that grows
    suspiciously.
    """
    names = set()
    total = 0
    limit = HARMLESS + MAXIMAL_RATIO * archive.stat().st_size
    with _opened(archive) as opened:
        for member in _members(opened):
            total += member.size
            if total > limit:
                raise DownloadError(f"unpacks to more than {MAXIMAL_RATIO} times its size: refused")
            _check_path(member)
            name = PurePosixPath(member.path).name
            if not is_treebank_file(name) or not member.treebank.startswith("UD_"):
                continue
            names.add(member.treebank)
            if member.treebank in folders:
                if not member.regular or (source := member.open()) is None:
                    raise DownloadError(f"holds {member.path!r}, which is a link or device and no file: refused")
                with source, open(folders[member.treebank] / name, "xb") as target:
                    shutil.copyfileobj(source, target)
    return names


def _check_path(member: Member) -> None:
    path = PurePosixPath(member.path.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or re.match(r"[A-Za-z]:", member.path):
        raise DownloadError(f"holds a path that leads out of it ({member.path!r}): refused")


@contextmanager
def _opened(archive: Path) -> Iterator[tarfile.TarFile | zipfile.ZipFile]:
    """Open an archive by what it is, not by its name; damage found anywhere becomes a `DownloadError`."""
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                yield zipped
        else:
            with tarfile.open(archive) as tarred:
                yield tarred
    except FileExistsError as error:
        raise DownloadError(f"holds {Path(error.filename).name} twice: refused") from error
    except (tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError) as error:
        raise DownloadError(f"is damaged or no archive ({error})") from error
    # An encrypted zip, or one that is compressed in a way that Python does not know.
    except (RuntimeError, NotImplementedError) as error:
        raise DownloadError(f"cannot be unpacked ({error})") from error


def _members(archive: tarfile.TarFile | zipfile.ZipFile) -> Iterator[Member]:
    if isinstance(archive, tarfile.TarFile):
        for entry in archive:
            if not entry.isdir():
                yield Member(entry.name, entry.size, entry.isreg(), partial(archive.extractfile, entry))
    else:
        for item in archive.infolist():
            if not item.is_dir():
                kind = stat.S_IFMT(item.external_attr >> 16)
                yield Member(item.filename, item.file_size, kind in (0, stat.S_IFREG), partial(archive.open, item))
