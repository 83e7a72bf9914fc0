"""Generators, loaded by name: modules of a folder `generators/` with one function named like its module.

A function whose first parameter is `construction` turns the matches of a construction in one treebank into a suite:
`generator(construction, matches, treebank, lexicon, *, …) -> Suite`, with an item or a rejected row, or several, for
each match. Its other parameters are its options, which a construction sets under `options`.

One whose first parameter is `treebank` is a transform: `transform(treebank, *, seed, …) -> Derived`. Its other
parameters are its options, by name and with defaults that show their types. A module that sets `OWN_FORMS` to true says
that its words are spelt otherwise than its source's, so that a lexicon of the source is of no use.

One whose first parameter is `corpus` makes a labelled task for probes: `task(corpus, *, definition) -> Task`.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

import pyarrow as pa

from starbank.code import generator_files
from starbank.constructions import Construction, nearest
from starbank.errors import ConfigError, ConstructionError
from starbank.morphology import Lexicon
from starbank.suites import Suite
from starbank.treebanks import Treebank

if TYPE_CHECKING:
    from starbank.probing import Task
    from starbank.transforms import Derived

Generate = Callable[[Construction, pa.Table, Treebank, Lexicon], Suite]

# What a generator's first parameter is called, and with it what the generator is.
_SUITES, _TREEBANKS, _TASKS = "construction", "treebank", "corpus"
_KINDS = {
    _SUITES: "makes suites of constructions",
    _TREEBANKS: "is a transform of treebanks",
    _TASKS: "makes a task of a treebank",
}
_CALLED = {_SUITES: "generator", _TREEBANKS: "transform", _TASKS: "task"}


@dataclass(frozen=True)
class Generator:
    """The function of a generator that makes suites, and the file that it stands in."""

    function: Generate
    file: Path


@dataclass(frozen=True)
class Transform:
    """The function of a transform, the file that it stands in, its options with their defaults, and `own_forms`."""

    function: Callable[..., Derived]
    file: Path
    options: Mapping[str, Any]
    own_forms: bool

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise `ConfigError` where one of `options` is none of the transform's, or not of the type of its default."""
        for name, value in options.items():
            if name not in self.options:
                hint = nearest(name, self.options) if self.options else "It has none."
                raise ConfigError(f"the transform `{self.file.stem}` has no option `{name}`", hint=hint)
            default = self.options[name]
            message = f"the option `{name}` of the transform `{self.file.stem}` cannot be {value!r}"
            if default is None and not _is_of(value, _annotation(self.function, name)):
                raise ConfigError(
                    message, hint=f"It is {inspect.signature(self.function).parameters[name].annotation}."
                )
            if default is not None and type(value) is not _plain_type(default):
                raise ConfigError(message, hint=f"By default it is {_plain_type(default)(default)!r}.")


def load_generator(construction: Construction) -> Generator:
    """Load the generator that `construction` names, from the working directory's folder or from Starbank's own.

    Raises `ConstructionError` that names those which exist where there is none of that name.
    """
    file, module = _load(construction.generator, _SUITES, ConstructionError, construction.path)
    function = getattr(module, file.stem)
    given = _read_options(construction, _options(function, after=4)) if construction.options else {}
    return Generator(partial(function, **given), file)


def load_transform(name: str) -> Transform:
    """Load the transform of that name as `load_generator` does generators; raises `ConfigError`."""
    file, module = _load(name, _TREEBANKS, ConfigError)
    function = getattr(module, file.stem)
    options = {option: default for option, default in _options(function, after=1).items() if option != "seed"}
    return Transform(function, file, options, getattr(module, "OWN_FORMS", False))


def load_task(name: str) -> tuple[Callable[..., Task], Path]:
    """Load the function of the task of that name, and tell the file that it stands in; raises `ConfigError`."""
    file, module = _load(name, _TASKS, ConfigError)
    return getattr(module, file.stem), file


def _options(function: Callable[..., Any], after: int) -> dict[str, Any]:
    """Return the parameters of a function after the first ones, with their defaults."""
    parameters = list(inspect.signature(function).parameters.values())[after:]
    return {parameter.name: parameter.default for parameter in parameters}


def _read_options(construction: Construction, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a construction sets, each as the type of its default; raises `ConstructionError`."""

    def read(name: str, text: Any) -> Any:
        generator = construction.generator
        if name not in defaults:
            hint = nearest(name, defaults) if defaults else "It has none."
            message = f"the generator `{generator}` has no option `{name}`"
            raise ConstructionError(message, file=construction.path, hint=hint)
        try:
            return type(defaults[name])(text)
        except (TypeError, ValueError) as error:
            message = f"the option `{name}` of the generator `{generator}` cannot be {text!r}"
            hint = f"By default it is {defaults[name]!r}."
            raise ConstructionError(message, file=construction.path, hint=hint) from error

    return {name: read(name, text) for name, text in construction.options.items()}


def _load(
    name: str, kind: str, error: type[ConfigError | ConstructionError], place: Path | None = None
) -> tuple[Path, Any]:
    """Return the file and the module of the generator of a name, whose first parameter is called `kind`."""
    files = generator_files()
    what = _CALLED[kind]
    if name not in files:
        hint = nearest(name, [stem for stem in sorted(files) if _is(files[stem], kind)])
        raise error(f"there is no {what} `{name}`", file=place, hint=hint)
    file = files[name]
    spec = importlib.util.spec_from_file_location(f"generators.{name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if not callable(function):
        raise error(f"the {what} has no function `{name}`", file=file)
    found = next(iter(inspect.signature(function).parameters), "")
    if found != kind:
        told = _KINDS.get(found, f"begins with the parameter `{found}`")
        raise error(f"`{name}` is no {what}: it {told}", file=place or file)
    return file, module


def _is(file: Path, kind: str) -> bool:
    """Tell, without running it, whether the generator in a file begins with the parameter `kind`."""
    return re.search(rf"^def {file.stem}\(\s*{kind}\b", file.read_text(encoding="utf-8"), re.MULTILINE) is not None


def _annotation(function: Callable[..., Any], name: str) -> Any:
    """Return the type that a function gives its parameter, `Any` where it gives none, or one known to it alone."""
    try:
        kind = inspect.signature(function, eval_str=True).parameters[name].annotation
    except NameError:
        return Any
    return Any if kind is inspect.Parameter.empty else kind


def _is_of(value: Any, kind: Any) -> bool:
    """Tell whether a value of YAML or JSON is of a type such as `list[str] | None` or `Mapping[str, list[str]]`."""
    if kind is Any:
        return True
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(_is_of(value, part) for part in parts)
    if origin is None:
        return type(value) is kind
    if issubclass(origin, Mapping):
        return isinstance(value, dict) and all(_is_of(one, parts[1]) for one in value.values())
    return isinstance(value, list | tuple) and all(_is_of(one, parts[0]) for one in value)


def _plain_type(default: Any) -> type:
    """Return the type that YAML gives to values like this."""
    return list if isinstance(default, tuple) else type(default)
