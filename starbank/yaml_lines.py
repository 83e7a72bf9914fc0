"""A text in YAML -> its value, and the line that each part of it begins on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from yaml.composer import ComposerError

from starbank.errors import ConstructionError

Keys = tuple[str | int, ...]

_DEEPEST = 50
# It reads all scalars as strings: `no` stays a language, `Yes` a feature value. Where PyYAML has libyaml, that reads.
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def read_yaml(text: str, file: Path, name: str, first_line: int) -> tuple[Any, dict[Keys, int]]:
    """Return the value of a text in YAML, all scalars being strings, and the line of each entry by its keys.

    The text begins on `first_line` of `file` and is called `name` in messages. Raises `ConstructionError` where it is
    no YAML, or has a key twice.
    """
    try:
        _require_plain(text)
        loader = LOADER(text)
        node = loader.get_single_node()
        lines = {(): first_line} | (_number(node, first_line, file) if node is not None else {})
        return loader.construct_document(node) if node is not None else None, lines
    except yaml.YAMLError as error:
        raise _no_yaml(error, text, file, name, first_line) from error


def _require_plain(text: str) -> None:
    """Refuse an alias, which can stand for more than memory holds, and what is nested deeper than anybody means."""
    depth = 0
    for event in yaml.parse(text, LOADER):
        if isinstance(event, yaml.AliasEvent):
            message = "an alias (`*…`) is not read: write out what it stands for"
            raise ComposerError(None, None, message, event.start_mark)
        if isinstance(event, yaml.NodeEvent) and depth == _DEEPEST:
            raise ComposerError(None, None, "it is nested too deeply", event.start_mark)
        if isinstance(event, yaml.DocumentEndEvent):
            return
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)


def _no_yaml(error: yaml.YAMLError, text: str, file: Path, name: str, first_line: int) -> ConstructionError:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
    message = f"{name} cannot be read as YAML: {problem}"
    lines = text.splitlines()
    if not mark:
        return ConstructionError(message, file=file, line=first_line)
    if mark.line >= len(lines):
        return ConstructionError(message, file=file, line=first_line + max(len(lines) - 1, 0))
    line, source = first_line + mark.line, lines[mark.line]
    return ConstructionError(message, file=file, line=line, source=source, column=mark.column + 1)


def _number(root: yaml.Node, first_line: int, file: Path) -> dict[Keys, int]:
    """Return the lines of all entries below a node."""
    lines: dict[Keys, int] = {}
    nodes: list[tuple[Keys, yaml.Node]] = [((), root)]
    while nodes:
        keys, node = nodes.pop()
        if isinstance(node, yaml.MappingNode):
            children = [(key.value, key.start_mark.line, value) for key, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            children = [(place, value.start_mark.line, value) for place, value in enumerate(node.value)]
        else:
            continue
        for key, line, child in children:
            path = (*keys, key if isinstance(key, str | int) else str(key))
            if path in lines:
                raise ConstructionError(f"`{key}` is set twice", file=file, line=first_line + line)
            lines[path] = first_line + line
            nodes.append((path, child))
    return lines
