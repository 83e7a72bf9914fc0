"""Names of derived treebanks, `UD_Hindi-PUD+colorless+latin`, and the transforms that a configuration has for them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starbank.errors import ConfigError
from starbank.plugins import Plugin, load_plugin

PLUS = "+"


@dataclass(frozen=True)
class Step:
    """A transform as a configuration has it: the module that does the work, and its options."""

    generator: str
    options: Mapping[str, Any]
    transform: Plugin

    @property
    def arguments(self) -> list[str]:
        """The options of `starbank transform`."""
        options = [f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in self.options.items()]
        return [f"--generator={self.generator}", *(["--option", *options] if options else [])]


def find_steps(config: Mapping[str, Any], treebanks: Iterable[str]) -> dict[str, Step]:
    """Return the transforms that `config` or a name among `treebanks` has, by name.

    Raises `ConfigError` for a transform or an option that there is not.
    """
    entries: dict[str, Mapping[str, Any]] = {name: entry or {} for name, entry in config.items()}
    where = {name: f"transforms: {name}" for name in entries}
    for treebank in treebanks:
        for name in treebank.split(PLUS)[1:]:
            entries.setdefault(name, {})
            where.setdefault(name, treebank)
    return {name: _step(name, entry, where[name]) for name, entry in entries.items()}


def _step(name: str, entry: Mapping[str, Any], where: str) -> Step:
    generator = entry.get("generator", name)
    options = {key: value for key, value in entry.items() if key != "generator"}
    try:
        transform = load_plugin(generator, "transform")
        transform.check(options)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error.message}", file="config.yaml", hint=error.hint) from error
    return Step(generator, options, transform)


def on_the_way(treebank: str) -> list[str]:
    """Return the treebanks from which a derived one is made, the source first, and itself.

    >>> on_the_way("UD_Hindi-PUD+colorless+latin")
    ['UD_Hindi-PUD', 'UD_Hindi-PUD+colorless', 'UD_Hindi-PUD+colorless+latin']
    """
    parts = treebank.split(PLUS)
    return [PLUS.join(parts[: count + 1]) for count in range(len(parts))]


def words_of(treebank: str, steps: Mapping[str, Step]) -> str:
    """Return the treebank that has the words of this one, without transforms that only rearrange them.

    What those would count, the source has counted: they say nothing new of a word, and of chance too much.
    """
    source, *names = treebank.split(PLUS)
    return PLUS.join([source, *(name for name in names if steps[name].transform.own_forms)])
