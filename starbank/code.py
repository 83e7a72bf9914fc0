"""The code that a product was made by, as a sum that changes with it."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

import starbank
from starbank.files import sha256
from starbank.languages import language_files

_PACKAGE = Path(starbank.__file__).parent
_GENERATORS = _PACKAGE.parent / "generators"
_LANGUAGES = _PACKAGE / "languages.py"
# What code imports is read off its text, for parsing it takes longer than many a job; a remark that looks like an
# import counts as one, which makes a sum change too often, never too seldom.
_FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:(?:[ \t].*)?\n)+", re.MULTILINE)
_FROM = re.compile(r"\bfrom\s+(starbank[\w.]*)\s+import\s*(\([^)]*\)|(?:\\\n|[^\n])*)")
_IMPORT = re.compile(r"\bimport\s((?:\\\n|[^\n])*)")
_MODULE, _NAME = re.compile(r"\bstarbank[\w.]*"), re.compile(r"\w+")
_PLUGIN, _QUOTED = re.compile(r"\bload_plugin\(([^)]*)\)"), re.compile(r"[\"'](\w+)[\"']")


def generator_folders() -> list[Path]:
    """Return the folders that plug-ins are loaded from, the first taking precedence."""
    return [Path("generators"), _GENERATORS]


def generator_files() -> dict[str, Path]:
    """Return the files of all plug-ins by name, those of the working directory's folder before Starbank's."""
    return {file.stem: file for folder in reversed(generator_folders()) for file in sorted(folder.glob("[!_]*.py"))}


def code_sum(module: str, *plugins: Path) -> str:
    """Return a sum of the code behind a module or a package (`starbank.pipeline.generate`), and behind plug-ins.

    It is that of their files and of all modules of Starbank that these import, however far, with the tables and
    grammars beside them. A plug-in may load others by name, and one of a folder of one's own use all that is in it.
    """
    return hashlib.sha256("".join(sorted(map(_sum, code_files(module, *plugins)))).encode()).hexdigest()


def code_files(module: str, *plugins: Path) -> set[Path]:
    """Return the files that `code_sum` sums up."""
    files: set[Path] = set()
    waiting = [*_files(module), *_PACKAGE.joinpath(*module.split(".")[1:]).glob("*.py"), *plugins]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            waiting += _needs(file)
    return files


def _sum(file: Path) -> str:
    return _sum_of(file, file.stat().st_mtime_ns)


@cache
def _sum_of(file: Path, changed: int) -> str:
    return sha256(file)


def _needs(file: Path) -> set[Path]:
    """Return the files that the code in one needs at once."""
    if file.suffix != ".py":
        return set()
    imported, plugins = _mentions(file, file.stat().st_mtime_ns)
    needs = {*imported, *_beside(file)}
    needs.update(path for name in plugins if (path := generator_files().get(name)))
    needs.update(language_files().values() if file == _LANGUAGES else ())
    return needs


def _beside(file: Path) -> tuple[Path, ...]:
    """Return what lies beside code and may belong to it: a package's tables, all that is in a folder of one's own."""
    if file.is_relative_to(_PACKAGE):
        return _tables(file.parent, file.parent.stat().st_mtime_ns)
    if file.resolve().is_relative_to(_GENERATORS.resolve()):
        return ()
    return tuple(path for path in file.parent.rglob("*") if path.is_file() and path.suffix != ".pyc")


@cache
def _tables(folder: Path, changed: int) -> tuple[Path, ...]:
    return tuple(path for path in folder.iterdir() if path.is_file() and path.suffix not in (".py", ".pyc"))


@cache
def _mentions(file: Path, changed: int) -> tuple[frozenset[Path], frozenset[str]]:
    """Return the files of Starbank that code imports, but not for types only, and the plug-ins that it loads."""
    text = _FOR_TYPES.sub("", file.read_text(encoding="utf-8"))
    modules = {name for names in _IMPORT.findall(text) for name in _MODULE.findall(names)}
    for module, names in _FROM.findall(text):
        modules.update([module, *(f"{module}.{name}" for name in _NAME.findall(names))])
    plugins = frozenset(name for arguments in _PLUGIN.findall(text) for name in _QUOTED.findall(arguments))
    return frozenset(file for module in modules for file in _files(module)), plugins


@cache
def _files(module: str) -> list[Path]:
    """Return the files of a module of Starbank and of the packages around it, none where it is no such module."""
    root, *names = module.split(".")
    if root != "starbank":
        return []
    folders = [_PACKAGE.joinpath(*names[:count]) for count in range(len(names) + 1)]
    candidates = [*(folder / "__init__.py" for folder in folders), folders[-1].with_suffix(".py")]
    return [file for file in candidates if file.is_file()]
