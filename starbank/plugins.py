"""Plug-ins: modules of a folder `generators/` with a function named like the module, which a decorator registers.

    @generator                      makes the suite of a construction's matches in one treebank:
    def name(construction, matches, treebank, lexicon, *, …) -> Suite

    @generator(several=True)        makes those of several constructions of one language in one go, as many as there are
    def name(constructions, matches, treebank, lexicon, *, …) -> list[Suite]

    @generator(usage=True)          is told what the treebanks of the language show (`starbank.sets.rewritten.Usage`)
    def name(construction, matches, treebank, lexicon, *, usage, …) -> Suite

    @transform                      makes a treebank of another; `own_forms=True` where its words are spelt otherwise,
    def name(treebank, *, seed, …) -> Derived                             so that a lexicon of the source is of no use

    @task                           makes a labelled task for probes of a treebank
    def name(corpus, *, definition) -> Task

Other parameters are options, by name and with defaults that show their types. A folder `generators/` of the working
directory goes before Starbank's own.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, overload

from starbank.code import generator_files
from starbank.errors import ConfigError, PluginError, nearest

Kind = Literal["generator", "transform", "task"]
Function = TypeVar("Function", bound=Callable[..., Any])

_KINDS: Mapping[str, str] = {
    "generator": "makes suites of constructions",
    "transform": "is a transform of treebanks",
    "task": "makes a task of a treebank",
}
# What a function of each kind must take: so many places, and these names.
_PARAMETERS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "generator": (4, ()),
    "transform": (1, ("seed",)),
    "task": (1, ("definition",)),
}
_REGISTERED: dict[Callable[..., Any], tuple[Kind, Mapping[str, bool]]] = {}


@dataclass(frozen=True)
class Plugin:
    """A registered function, the file that it stands in, its options with their defaults, `own_forms`, `several`."""

    kind: Kind
    name: str
    function: Callable[..., Any]
    file: Path
    options: Mapping[str, Any]
    own_forms: bool = False
    several: bool = False
    usage: bool = False

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise `ConfigError` where one of `options` is none of the plug-in's, or not of the type of its default."""
        for name, value in options.items():
            if name not in self.options:
                hint = nearest(name, self.options) if self.options else "It has none."
                raise ConfigError(f"the {self.kind} `{self.name}` has no option `{name}`", hint=hint)
            default = self.options[name]
            message = f"the option `{name}` of the {self.kind} `{self.name}` cannot be {value!r}"
            if default is None and not _is_of(value, _annotation(self.function, name)):
                raise ConfigError(
                    message, hint=f"It is {inspect.signature(self.function).parameters[name].annotation}."
                )
            if default is not None and type(value) is not _plain_type(default):
                raise ConfigError(message, hint=f"By default it is {_plain_type(default)(default)!r}.")

    def require_result(self, value: Any, kind: type) -> Any:
        """Return what the function returned; raises `PluginError` where that is not of the `kind` that it owes."""
        if not isinstance(value, kind):
            message = f"the {self.kind} `{self.name}` returns {type(value).__name__}, not {kind.__name__}"
            raise PluginError(message, file=self.file)
        return value


@overload
def generator(function: Function) -> Function: ...
@overload
def generator(*, several: bool = ..., usage: bool = ...) -> Callable[[Function], Function]: ...
def generator(function: Any = None, *, several: bool = False, usage: bool = False) -> Any:
    """Register a function that makes suites."""
    return _register("generator", function, several=several, usage=usage)


@overload
def transform(function: Function) -> Function: ...
@overload
def transform(*, own_forms: bool) -> Callable[[Function], Function]: ...
def transform(function: Any = None, *, own_forms: bool = False) -> Any:
    """Register a function that makes treebanks of treebanks."""
    return _register("transform", function, own_forms=own_forms)


def task(function: Function) -> Function:
    """Register a function that makes labelled tasks."""
    registered: Function = _register("task", function)
    return registered


def _register(kind: Kind, function: Any, **traits: bool) -> Any:
    """Register a function with its traits, or return what registers it."""
    if function is None:
        return partial(_register, kind, **traits)
    _REGISTERED[function] = (kind, traits)
    return function


def load_plugin(name: str, kind: Kind) -> Plugin:
    """Return the plug-in of a name and kind.

    Raises `ConfigError` that names those which exist where there is none, `PluginError` where it breaks its contract.
    """
    files = generator_files()
    if name not in files:
        valid = sorted(plugin.name for plugin in _readable(files) if plugin.kind == kind)
        raise ConfigError(f"there is no {kind} `{name}`", hint=nearest(name, valid))
    plugin = _read(files[name])
    if plugin.kind != kind:
        raise ConfigError(f"`{name}` is no {kind}: it {_KINDS[plugin.kind]}")
    return plugin


def _readable(files: Mapping[str, Path]) -> Iterator[Plugin]:
    for file in files.values():
        try:
            yield _read(file)
        except PluginError:
            continue


def _read(file: Path) -> Plugin:
    function = getattr(_module(file), file.stem, None)
    if function not in _REGISTERED:
        hint = "Put @generator, @transform or @task of starbank.plugins before it."
        raise PluginError(f"no function `{file.stem}` is registered here", file=file, hint=hint)
    kind, traits = _REGISTERED[function]
    parameters = inspect.signature(function).parameters
    places, names = _PARAMETERS[kind]
    names = (*names, *(["usage"] if traits.get("usage") else []))
    if len(parameters) < places or any(name not in parameters for name in names):
        needs = ", ".join([f"{places} parameters", *(f"`{name}`" for name in names)])
        raise PluginError(f"the {kind} `{file.stem}` must take {needs}", file=file)
    options = {name: parameter.default for name, parameter in list(parameters.items())[places:] if name not in names}
    for name, default in options.items():
        if default is inspect.Parameter.empty:
            raise PluginError(f"the option `{name}` of the {kind} `{file.stem}` has no default", file=file)
    return Plugin(kind, file.stem, function, file, options, **traits)


def _module(file: Path) -> ModuleType:
    # A private name, another for each file, so that no module of anybody's is in its way.
    name = f"_starbank_{hashlib.sha256(str(file.absolute()).encode()).hexdigest()[:8]}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise PluginError("cannot be read as Python", file=file)
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their own module up while it is being loaded.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise PluginError(f"cannot be loaded: {type(error).__name__}: {error}", file=file, line=line) from error
    return module


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
        return isinstance(value, dict) and all(_is_of(item, parts[1]) for item in value.values())
    return isinstance(value, list | tuple) and all(_is_of(item, parts[0]) for item in value)


def _plain_type(default: Any) -> type:
    """Return the type that YAML gives to values like this."""
    return list if isinstance(default, tuple) else type(default)
