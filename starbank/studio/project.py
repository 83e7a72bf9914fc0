"""The constructions of a project: read where Starbank or the project has them, written into the project alone."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from starbank.documents import read_text
from starbank.errors import ConstructionError, UsageError, nearest
from starbank.files import write_text
from starbank.names import RULE, is_path, require_name
from starbank.queries.constructions import table_names
from starbank.queries.templates import SUFFIX as TEMPLATE
from starbank.queries.templates import parse_template
from starbank.shipped import shipped

QUERIES = "queries"
GREW = ".grew"
SUFFIXES = (GREW, TEMPLATE)


@dataclass(frozen=True)
class Opened:
    """A file of queries: its folder, name and suffix, its text, and, where it is the project's own, its sum."""

    folder: str
    name: str
    suffix: str
    text: str
    known: str


def list_files(project: Path) -> dict[str, Path]:
    """Return the construction files and templates by `language/name.grew`: the project's before Starbank's own."""
    files: dict[str, Path] = {}
    for home in (project / QUERIES, shipped(QUERIES)):
        for suffix in SUFFIXES:
            for file in sorted(home.glob(f"*/**/*{suffix}")):
                # A link may lead out of the folder.
                if file.resolve().is_relative_to(home.resolve()):
                    files.setdefault(file.relative_to(home).as_posix(), file)
    return dict(sorted(files.items()))


def find_file(project: Path, name: str) -> Path:
    """Return one of these files; no other path is taken. Raises `UsageError` where there is none of the name."""
    files = list_files(project)
    if name not in files:
        raise UsageError(f"there is no file {name!r}", hint=nearest(name, list(files)[:20]))
    return files[name]


def open_file(project: Path, name: str) -> Opened:
    """Read one of these files."""
    file = find_file(project, name)
    text = read_text(file)
    own = file.is_relative_to(project)
    return Opened(Path(name).parent.as_posix(), file.stem, file.suffix, text, _sum(text) if own else "")


def place_of(project: Path, folder: str, name: str, suffix: str = GREW) -> Path:
    """Return where the construction or template of a name stands, or would stand, in a folder of the project's queries.

    Raises `ConstructionError` for what is no name.
    """
    if suffix not in SUFFIXES:
        raise ConstructionError(f"{suffix!r} is no suffix of such a file")
    if not is_path(folder):
        raise ConstructionError(f"{folder!r} cannot be the name of a folder of queries", hint=RULE)
    require_name(name, "a construction", ConstructionError)
    file = project / QUERIES / folder / f"{name}{suffix}"
    if not file.parent.resolve().is_relative_to(project):
        raise ConstructionError("this folder leads out of the project", file=file)
    return file


def reading_place(project: Path, folder: str, name: str, suffix: str = GREW) -> Path:
    """Return the place from which a file finds those that it names: Starbank's own, if it is from there."""
    file = place_of(project, folder, name, suffix)
    theirs = shipped(QUERIES) / folder / file.name
    # A template has its words from the nearest lexicon, whatever it is called.
    is_theirs = theirs.parent.is_dir() and not _has_lexicon(project, file) if suffix == TEMPLATE else theirs.is_file()
    return theirs if is_theirs and not file.exists() else file


def _has_lexicon(project: Path, file: Path) -> bool:
    folders = (folder for folder in file.parents if folder.is_relative_to(project / QUERIES))
    return any((folder / "lexicon").is_dir() for folder in folders)


def save_file(project: Path, folder: str, name: str, suffix: str, text: str, known: str) -> Opened:
    """Write a construction or template into the project, and those files that it names and that only Starbank has.

    A file of the name stays as it is unless its text is that which was `known`: raises `UsageError`.
    """
    file = place_of(project, folder, name, suffix)
    if file.is_symlink() or (file.exists() and _sum(read_text(file)) not in (known, _sum(text))):
        hint = "Give another name, or open that file first."
        raise UsageError("there is such a file already, with other content", file=file.relative_to(project), hint=hint)
    for theirs in _named_files(text, folder, reading_place(project, folder, name, suffix)):
        ours = project / QUERIES / theirs.relative_to(shipped(QUERIES))
        if not ours.exists():
            write_text(read_text(theirs), ours)
    write_text(text, file)
    return Opened(folder, name, suffix, text, _sum(text))


def _named_files(text: str, folder: str, place: Path) -> list[Path]:
    """Return the files that Starbank has and that a text names which stands at `place`, in a folder of queries."""
    if place.suffix == TEMPLATE:
        files = sorted(parse_template(text, place).lexicon.folder.iterdir())
    else:
        files = [shipped(QUERIES) / folder / table for table in table_names(text, place)]
    return [file for file in files if file.is_file() and file.is_relative_to(shipped(QUERIES))]


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
