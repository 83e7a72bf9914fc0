"""`config.yaml`, checked against its JSON Schema with messages that name the valid keys."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from starbank.errors import ConfigError


def check_config(config: Mapping[str, Any], schema: Mapping[str, Any], file: str = "config.yaml") -> None:
    """Check the merged configuration; raise `ConfigError` with the key, what is wrong and what would be right."""
    error = best_match(Draft202012Validator(schema).iter_errors(config))
    if error is not None:
        raise ConfigError(_message(error), file=file, hint=_hint(error))


def _message(error: ValidationError) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema["properties"]))
        return f"unknown key {', '.join(map(repr, unknown))}" + (f" in {place}" if place else "")
    if error.validator == "required":
        return error.message.replace("is a required property", "is missing")
    return f"{place}: {error.message}" if place else error.message


def _hint(error: ValidationError) -> str | None:
    if error.validator == "additionalProperties":
        valid = list(error.schema["properties"])
        unknown = sorted(set(error.instance) - set(valid))
        nearest = difflib.get_close_matches(unknown[0], valid, n=1)
        guess = f"Did you mean {nearest[0]!r}? " if nearest else ""
        return f"{guess}The valid keys are {', '.join(valid)}."
    description = error.schema.get("description") if isinstance(error.schema, Mapping) else None
    return f"It says: {description}." if description else None
