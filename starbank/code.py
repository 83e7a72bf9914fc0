"""The code that a product was made by, as a sum that changes with it."""

from __future__ import annotations

import ast
import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path

from starbank.caches import cache_folder
from starbank.errors import StarbankError
from starbank.files import sha256, write_text
from starbank.languages import language_files
from starbank.shipped import PACKAGE, shipped

_GENERATORS = shipped("generators")
_LANGUAGES = PACKAGE / "languages.py"


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
    waiting = [*_files(module), *PACKAGE.joinpath(*module.split(".")[1:]).glob("*.py"), *plugins]
    known = len(_known())
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            waiting += _needs(file)
    if len(_known()) > known and (cached := _cached()):
        with suppress(StarbankError):
            write_text(json.dumps(_known()), cached)
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
    if _is_shipped(file.parent.absolute()):
        return ()
    if file.is_relative_to(PACKAGE):
        return _tables(file.parent, file.parent.stat().st_mtime_ns)
    return tuple(path for path in file.parent.rglob("*") if path.is_file() and path.suffix != ".pyc")


@cache
def _is_shipped(folder: Path) -> bool:
    """Tell whether a folder has plug-ins of Starbank's own."""
    return folder.resolve().is_relative_to(_GENERATORS.resolve())


@cache
def _tables(folder: Path, changed: int) -> tuple[Path, ...]:
    return tuple(path for path in folder.iterdir() if path.is_file() and path.suffix not in (".py", ".pyc"))


@cache
def _mentions(file: Path, changed: int) -> tuple[frozenset[Path], frozenset[str]]:
    """Return the files of Starbank that code imports, but not for types only, and the plug-ins that it loads."""
    content = _sum_of(file, changed)
    if content not in _known():
        _known()[content] = _read_mentions(file.read_text(encoding="utf-8"))
    modules, plugins = _known()[content]
    return frozenset(file for module in modules for file in _files(module)), frozenset(plugins)


@cache
def _known() -> dict[str, list[list[str]]]:
    """Return what code mentions by its sum, as far as it has been read before, here or by another process."""
    with suppress(OSError, ValueError):
        if cached := _cached():
            known: dict[str, list[list[str]]] = json.loads(cached.read_text(encoding="utf-8"))
            return known
    return {}


def _cached() -> Path | None:
    """Return the file that keeps what is known for other processes, which read code as this one does."""
    folder = cache_folder()
    return folder / f"mentions.{sha256(Path(__file__))[:16]}.json" if folder else None


def _read_mentions(text: str) -> list[list[str]]:
    """Return the modules that code imports, but not for types only, and the names of the plug-ins that it loads."""
    modules: set[str] = set()
    plugins: set[str] = set()
    # Imports are statements; among expressions, of which there are many, there is nothing else to look for.
    kinds = (ast.AST,) if "load_plugin" in text else (ast.stmt, ast.excepthandler, ast.match_case)
    waiting: list[ast.AST] = [ast.parse(text)]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case ast.Import():
                modules.update(alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                modules.update([module, *(f"{module}.{alias.name}" for alias in node.names)])
            case ast.Call(func=ast.Name(id="load_plugin")):
                values = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
                plugins.update(value for value in values if isinstance(value, str))
        waiting += (child for child in ast.iter_child_nodes(node) if isinstance(child, kinds))
    return [sorted(module for module in modules if module.split(".")[0] == PACKAGE.name), sorted(plugins)]


@cache
def _files(module: str) -> list[Path]:
    """Return the files of a module of Starbank and of the packages around it, none where it is no such module."""
    root, *names = module.split(".")
    if root != "starbank":
        return []
    folders = [PACKAGE.joinpath(*names[:count]) for count in range(len(names) + 1)]
    candidates = [*(folder / "__init__.py" for folder in folders), folders[-1].with_suffix(".py")]
    return [file for file in candidates if file.is_file()]
