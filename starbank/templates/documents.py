"""A YAML file whose every part knows its line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import yaml

from starbank.errors import ConstructionError
from starbank.plain_yaml import PlainLoader
from starbank.settings import nearest

Keys = tuple[str | int, ...]


@dataclass(frozen=True)
class Part:
    """A part of a YAML file: its value, all scalars being strings, and the line that it begins on."""

    value: Any
    keys: Keys
    file: Path
    lines: dict[Keys, int]

    def __contains__(self, key: str) -> bool:
        """Tell whether the part is a mapping that has the key."""
        return isinstance(self.value, dict) and key in self.value

    def __getitem__(self, key: str | int) -> Part:
        """Return the part under a key of a mapping or a place of a list."""
        return Part(self.value[key], (*self.keys, key), self.file, self.lines)

    @property
    def line(self) -> int:
        """The line of the file, from 1."""
        return self.lines[self.keys]

    @property
    def name(self) -> str:
        """What to call the part in a message."""
        return ".".join(str(key) for key in self.keys if isinstance(key, str)) or "the template"

    def fail(self, message: str, hint: str | None = None) -> NoReturn:
        """Raise `ConstructionError` that names the part and its place."""
        raise ConstructionError(f"`{self.name}` {message}", file=self.file, line=self.line, hint=hint)

    def text(self) -> str:
        """Return the value, a text that is not empty."""
        if not isinstance(self.value, str) or not self.value.strip():
            self.fail("must be a text")
        return self.value

    def integer(self, at_least: int) -> int:
        """Return the value, a whole number."""
        if (
            not isinstance(self.value, str)
            or not re.fullmatch(r"[0-9]{1,18}", self.value)
            or int(self.value) < at_least
        ):
            self.fail(f"must be a whole number from {at_least} up")
        return int(self.value)

    def items(self, hint: str) -> list[tuple[str, Part]]:
        """Return the keys of a mapping with their parts."""
        if not isinstance(self.value, dict) or not self.value:
            self.fail("must be lines of `name: value`", hint)
        return [(key, self[key]) for key in self.value]

    def parts(self, hint: str) -> list[Part]:
        """Return the parts of a list."""
        if not isinstance(self.value, list) or not self.value:
            self.fail("must be a list", hint)
        return [self[place] for place in range(len(self.value))]

    def require(self, keys: Iterable[str], required: Iterable[str]) -> None:
        """Refuse a mapping that has other keys than `keys` or lacks one that is `required`."""
        for key, part in self.items("Write lines such as `language: eus`."):
            if key not in keys:
                message = f"unknown key `{key}`"
                raise ConstructionError(message, file=self.file, line=part.line, hint=nearest(key, keys))
        missing = [key for key in required if key not in self]
        if missing:
            self.fail("lacks " + " and ".join(f"`{key}`" for key in missing))


def read_document(text: str, path: Path) -> Part:
    """Return the content of a YAML file. Raises `ConstructionError` where it is no YAML, or has a key twice."""
    try:
        node = yaml.compose(text, PlainLoader)
        value = yaml.load(text, PlainLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "cannot be read"
        line = mark.line + 1 if mark else 1
        source = text.splitlines()[mark.line] if mark and mark.line < len(text.splitlines()) else None
        column = mark.column + 1 if mark else None
        raise ConstructionError(
            f"is not YAML: {problem}", file=path, line=line, source=source, column=column
        ) from error
    lines: dict[Keys, int] = {(): 1}
    if node is not None:
        _number(node, (), lines, path)
    return Part(value, (), path, lines)


def _number(node: yaml.Node, keys: Keys, lines: dict[Keys, int], path: Path) -> None:
    """Note the lines of all parts below a node."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*keys, key.value)
            if here in lines:
                message = f"`{key.value}` is set twice"
                raise ConstructionError(message, file=path, line=key.start_mark.line + 1)
            lines[here] = key.start_mark.line + 1
            _number(value, here, lines, path)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            lines[*keys, place] = value.start_mark.line + 1
            _number(value, (*keys, place), lines, path)
