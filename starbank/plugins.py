"""Generators, loaded by name: modules of a folder `generators/` with one function named like its module.

A generator turns the matches of a construction in one treebank into a suite:
`generator(construction, matches, treebank, lexicon) -> Suite`, with one item or one rejected row for each match.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

import starbank
from starbank.constructions import Construction, nearest
from starbank.errors import ConstructionError
from starbank.morphology import Lexicon
from starbank.suites import Suite
from starbank.treebanks import Treebank

Generate = Callable[[Construction, pa.Table, Treebank, Lexicon], Suite]


@dataclass(frozen=True)
class Generator:
    """A generator's function and the file that it stands in."""

    function: Generate
    file: Path


def load_generator(construction: Construction) -> Generator:
    """Load the generator that `construction` names, from the working directory's folder or from Starbank's own.

    Raises `ConstructionError` that names those which exist where there is none of that name.
    """
    files = {file.stem: file for folder in reversed(_folders()) for file in sorted(folder.glob("[!_]*.py"))}
    name = construction.generator
    if name not in files:
        message = f"there is no generator `{name}`"
        raise ConstructionError(message, file=construction.path, hint=nearest(name, sorted(files)))
    file = files[name]
    spec = importlib.util.spec_from_file_location(f"generators.{name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if not callable(function):
        raise ConstructionError(f"the generator has no function `{name}`", file=file)
    return Generator(function, file)


def _folders() -> list[Path]:
    """Return the folders of generators, the first taking precedence."""
    return [Path("generators"), Path(starbank.__file__).parent.parent / "generators"]
