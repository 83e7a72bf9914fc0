"""`config.yaml`, checked against its JSON Schema with messages that name the valid keys."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, FormatChecker, validators
from jsonschema.exceptions import ValidationError, best_match

from starbank.errors import ConfigError
from starbank.names import RULE, is_name, is_path, is_transform_name, is_treebank_name

_FORMATS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "name": ("be a name", is_name),
    "path": ("be a path of names", is_path),
    "transform": ("be the name of a transform: small letters, digits and `_`", is_transform_name),
    "treebank": ("be the name of a treebank, such as UD_Georgian-GLC", is_treebank_name),
}
_CHECKER = FormatChecker(formats=())
for _format, (_, _is) in _FORMATS.items():
    _CHECKER.checks(_format)(_is)


def _pattern(_: Any, pattern: str, value: object, __: Mapping[str, Any]) -> Iterator[ValidationError]:
    """Match the whole of a text: what JSON Schema means by `$` would let a newline pass after it."""
    if isinstance(value, str) and not re.fullmatch(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


_Validator = validators.extend(Draft202012Validator, {"pattern": _pattern})


def check_config(config: Mapping[str, Any], schema: Mapping[str, Any], files: Iterable[str | Path] = ()) -> None:
    """Check the configuration that was merged from `files`, and maybe more.

    Raises `ConfigError` with the key, what is wrong and what would be right, and the line in the file that says so.
    """
    error = best_match(_Validator(schema, format_checker=_CHECKER).iter_errors(config))
    if error is not None:
        file, line = _place(error, files)
        raise ConfigError(_message(error), file=file, line=line, hint=_hint(error))


def _place(error: ValidationError, files: Iterable[str | Path]) -> tuple[str | Path, int | None]:
    """Return the file that says what is wrong, and its line; none where the command line says it."""
    unknown = _unknown(error)[:1]
    keys, value = [*error.absolute_path, *unknown], error.instance[unknown[0]] if unknown else error.instance
    for file in files:
        with suppress(OSError, ValueError, LookupError, TypeError, yaml.YAMLError):
            text = Path(file).read_text(encoding="utf-8")
            if reduce(getitem, keys, yaml.safe_load(text)) == value:
                return file, _line(keys, text)
    return "config.yaml", None


def _line(keys: Sequence[str | int], text: str) -> int | None:
    """Return the line that names the last of the keys, or the last that stands there and not behind an anchor."""
    line, node = None, yaml.compose(text, yaml.SafeLoader)
    for key in keys:
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        named = {name.value: (name, child) for name, child in pairs} or {key: (node.value[key],) * 2}
        if key not in named:
            break
        name, node = named[key]
        line = name.start_mark.line + 1
    return line


def _unknown(error: ValidationError) -> list[str]:
    """Return the keys that the schema does not have, where that is the mistake."""
    if error.validator != "additionalProperties":
        return []
    return sorted(set(error.instance) - set(error.schema["properties"]))


def _message(error: ValidationError) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
    if unknown := _unknown(error):
        return f"unknown key {', '.join(map(repr, unknown))}" + (f" in {place}" if place else "")
    message = str(error.message)
    if error.validator == "required":
        return message.replace("is a required property", "is missing")
    if error.validator == "format":
        message = f"{error.instance!r} cannot {_FORMATS[error.validator_value][0]}"
    return f"{place}: {message}" if place else message


def _hint(error: ValidationError) -> str | None:
    if unknown := _unknown(error):
        valid = list(error.schema["properties"])
        nearest = difflib.get_close_matches(unknown[0], valid, n=1)
        guess = f"Did you mean {nearest[0]!r}? " if nearest else ""
        return f"{guess}The valid keys are {', '.join(valid)}."
    if error.validator == "format":
        return RULE
    description = error.schema.get("description") if isinstance(error.schema, Mapping) else None
    return f"It says: {description}." if description else None
