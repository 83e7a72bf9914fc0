"""`config.yaml`, checked against its JSON Schema with messages that name the valid keys."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

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


def check_config(config: Mapping[str, Any], schema: Mapping[str, Any], file: str = "config.yaml") -> None:
    """Check the merged configuration; raise `ConfigError` with the key, what is wrong and what would be right."""
    error = best_match(_Validator(schema, format_checker=_CHECKER).iter_errors(config))
    if error is not None:
        raise ConfigError(_message(error), file=file, hint=_hint(error))


def _message(error: ValidationError) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema["properties"]))
        return f"unknown key {', '.join(map(repr, unknown))}" + (f" in {place}" if place else "")
    if error.validator == "required":
        return error.message.replace("is a required property", "is missing")
    told = error.message
    if error.validator == "format":
        told = f"{error.instance!r} cannot {_FORMATS[error.validator_value][0]}"
    return f"{place}: {told}" if place else told


def _hint(error: ValidationError) -> str | None:
    if error.validator == "additionalProperties":
        valid = list(error.schema["properties"])
        unknown = sorted(set(error.instance) - set(valid))
        nearest = difflib.get_close_matches(unknown[0], valid, n=1)
        guess = f"Did you mean {nearest[0]!r}? " if nearest else ""
        return f"{guess}The valid keys are {', '.join(valid)}."
    if error.validator == "format":
        return RULE
    description = error.schema.get("description") if isinstance(error.schema, Mapping) else None
    return f"It says: {description}." if description else None
