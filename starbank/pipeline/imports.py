"""Files of others -> suites: tables of pairs, suites of SyntaxGym and BHS, and files `.import` that name tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starbank.errors import UsageError
from starbank.queries.benchmarks import SUFFIX, SUFFIXES, Paradigm, kind_of, read_paradigms, read_tables
from starbank.queries.imports import Import, is_import, read_import
from starbank.sets.imported import import_suite


@dataclass(frozen=True)
class Settings:
    """What is said of files: their language, what the columns of tables are, who made them, what is grammatical."""

    language: str | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    grammatical: tuple[str, ...] = ()


def import_files(
    paths: Sequence[Path], output: Path, settings: Settings, tell: Callable[[str], object] = lambda _: None
) -> None:
    """Make a suite of each file of SyntaxGym or BHS, and of each paradigm of tables, in a folder of its name.

    These lie in `output`; a single file of SyntaxGym or BHS makes `output` itself. Of a folder its tables are taken, or
    if there are none its JSON. `tell` is given a line for each suite. Raises `StarbankError` that says where a file is
    wrong, before any suite of it is written.
    """
    if len(paths) == 1 and is_import(paths[0]):
        suites: list[tuple[Import | Paradigm, Path]] = [(_read_suite(paths[0], output, settings), output)]
    else:
        suites = [(suite, output / suite.name) for suite in _read(paths, output, settings)]
    _require_distinct_names([suite for suite, _ in suites])
    for suite, folder in suites:
        tell(str(import_suite(suite, folder)))
        if not suite.grammatical:
            names = ", ".join(suite.conditions)
            tell(f"Nothing says which of {names} are grammatical: only predictions are evaluated; see --grammatical.")
    languages = ", ".join(sorted({suite.language for suite, _ in suites}))
    tell(f"{len(suites)} suite{'s' * (len(suites) != 1)} in {languages} -> {output}")


def _read(paths: Sequence[Path], output: Path, settings: Settings) -> Iterator[Import | Paradigm]:
    files = [file for path in paths for file in (_inside(path) if path.is_dir() else [path])]
    tables = [file for file in files if not is_import(file) and file.suffix != SUFFIX]
    for file in files:
        if file.suffix == SUFFIX:
            yield from read_paradigms(file)
        elif is_import(file):
            yield _read_suite(file, output / file.stem, settings)
    if tables:
        yield from read_tables(tables, settings.columns, language=settings.language, **settings.about)


def _inside(folder: Path) -> list[Path]:
    """Return the tables in a folder, or else its JSON, or else itself, which then is told to be none."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    tables = [file for file in files if kind_of(file) in SUFFIXES]
    return tables or [file for file in files if is_import(file)] or [folder]


def _read_suite(file: Path, output: Path, settings: Settings) -> Import:
    return read_import(
        file,
        name=output.resolve().name,
        language=settings.language,
        grammatical=settings.grammatical,
        license=settings.about.get("license"),
    )


def _require_distinct_names(suites: Sequence[Import | Paradigm]) -> None:
    seen: dict[str, Path] = {}
    for suite in suites:
        if suite.name in seen:
            hint = "Name a folder of its own for each with -o."
            raise UsageError(
                f"a second suite named {suite.name}: the other is {seen[suite.name]}", file=suite.path, hint=hint
            )
        seen[suite.name] = suite.path
