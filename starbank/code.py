"""The code that a product was made by, as a sum that changes with it."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

from starbank.files import sha256
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
    if file.resolve().is_relative_to(_GENERATORS.resolve()):
        return ()
    if file.is_relative_to(PACKAGE):
        return _tables(file.parent, file.parent.stat().st_mtime_ns)
    return tuple(path for path in file.parent.rglob("*") if path.is_file() and path.suffix != ".pyc")


@cache
def _tables(folder: Path, changed: int) -> tuple[Path, ...]:
    return tuple(path for path in folder.iterdir() if path.is_file() and path.suffix not in (".py", ".pyc"))


@cache
def _mentions(file: Path, changed: int) -> tuple[frozenset[Path], frozenset[str]]:
    """Return the files of Starbank that code imports, but not for types only, and the plug-ins that it loads."""
    modules: set[str] = set()
    plugins: set[str] = set()
    text = file.read_text(encoding="utf-8")
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
    return frozenset(file for module in modules for file in _files(module)), frozenset(plugins)


@cache
def _files(module: str) -> list[Path]:
    """Return the files of a module of Starbank and of the packages around it, none where it is no such module."""
    root, *names = module.split(".")
    if root != "starbank":
        return []
    folders = [PACKAGE.joinpath(*names[:count]) for count in range(len(names) + 1)]
    candidates = [*(folder / "__init__.py" for folder in folders), folders[-1].with_suffix(".py")]
    return [file for file in candidates if file.is_file()]
