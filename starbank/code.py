"""The code that a product was made by, as a sum that changes with it."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import starbank
from starbank.files import sha256
from starbank.languages import language_files

_PACKAGE = Path(starbank.__file__).parent
_GENERATORS = _PACKAGE.parent / "generators"
_LANGUAGES = _PACKAGE / "languages.py"


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


@cache
def _tree(file: Path, changed: int) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _needs(file: Path) -> tuple[Path, ...]:
    """Return the files that the code in one needs at once."""
    needs: list[Path] = []
    if file.suffix == ".py":
        tree = _tree(file.resolve(), file.stat().st_mtime_ns)
        needs += [path for module in _imports(tree) for path in _files(module)]
        needs += [path for name in _plugins(tree) if (path := generator_files().get(name))]
        needs += language_files().values() if file.resolve() == _LANGUAGES.resolve() else ()
    if file.resolve().is_relative_to(_PACKAGE.resolve()):
        needs += [path for path in file.parent.iterdir() if path.is_file() and path.suffix not in (".py", ".pyc")]
    elif not file.resolve().is_relative_to(_GENERATORS.resolve()):
        needs += [path for path in file.parent.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return tuple(needs)


def _imports(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that code imports, also inside functions, but not those that it imports for types only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        yield from _imports(node)


def _plugins(tree: ast.AST) -> Iterator[str]:
    """Yield the names of the plug-ins that code loads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "load_plugin":
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def _files(module: str) -> list[Path]:
    """Return the files of a module of Starbank and of the packages around it, none where it is no such module."""
    root, *names = module.split(".")
    if root != "starbank":
        return []
    folders = [_PACKAGE.joinpath(*names[:count]) for count in range(len(names) + 1)]
    candidates = [*(folder / "__init__.py" for folder in folders), folders[-1].with_suffix(".py")]
    return [file for file in candidates if file.is_file()]
