"""The code that a product was made by, as a sum that changes with it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import starbank
from starbank.files import sha256

_PACKAGE = Path(starbank.__file__).parent
_GENERATORS = _PACKAGE.parent / "generators"
# Also inside functions, but not what is imported for types only.
_IMPORTED = re.compile(r"^ *(?:from|import) starbank\.(\w+)", re.MULTILINE)
_FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?: .*\n|\n)+", re.MULTILINE)
_QUOTED = re.compile(r"""["'](\w+)["']""")


def generator_folders() -> list[Path]:
    """Return the folders that generators are loaded from, the first taking precedence."""
    return [Path("generators"), _GENERATORS]


def generator_files() -> dict[str, Path]:
    """Return the files of all generators by name, those of the working directory's folder before Starbank's."""
    return {file.stem: file for folder in reversed(generator_folders()) for file in sorted(folder.glob("[!_]*.py"))}


def code_sum(*entries: str | Path) -> str:
    """Return a sum of the code behind some modules and rooms of Starbank (`generate`, `treebanks`) and some generators.

    It is that of their files and of all that these import from Starbank, whole rooms with their tables and grammars. A
    generator may also load others by name, and one of a folder of one's own use all that lies in this.
    """
    files: set[Path] = set()
    rooms: set[str] = set()
    waiting = list(entries)
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, str):
            if entry not in rooms:
                rooms.add(entry)
                waiting += _imports(entry)
        elif entry not in files:
            files.add(entry)
            waiting += _needs(entry)
    sums = [*(one for room in rooms for one in _sums(room)), *map(sha256, files)]
    return hashlib.sha256("".join(sorted(sums)).encode()).hexdigest()


def _files(room: str) -> list[Path]:
    """Return the files of a room of Starbank, or the one of a module."""
    folder = _PACKAGE / room
    return sorted(folder.glob("*.*")) if folder.is_dir() else [folder.with_suffix(".py")]


@cache
def _imports(room: str) -> list[str]:
    return sorted({name for file in _files(room) if file.suffix == ".py" for name in _imported(file)})


@cache
def _sums(room: str) -> list[str]:
    return [sha256(file) for file in _files(room)]


def _imported(file: Path) -> list[str]:
    return _IMPORTED.findall(_FOR_TYPES.sub("", file.read_text(encoding="utf-8")))


def _needs(file: Path) -> Iterator[str | Path]:
    """Yield the rooms, the generators and the files beside it that a generator may use."""
    if file.suffix == ".py":
        yield from _imported(file)
        named = _QUOTED.findall(file.read_text(encoding="utf-8"))
        yield from (generator for name, generator in generator_files().items() if name in named)
    if not file.resolve().is_relative_to(_GENERATORS.resolve()):
        yield from (path for path in file.parent.rglob("*") if path.is_file() and path.suffix != ".pyc")
