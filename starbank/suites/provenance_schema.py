"""The JSON Schema of what a table says of its making."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError, best_match

from starbank import names

_FORMATS = FormatChecker(formats=())
_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_TEXTS = {"type": "array", "items": _TEXT}
_TRUTH = {"type": "boolean"}
_COUNT = {"type": "integer", "minimum": 0, "maximum": 2**63 - 1}
_NAME = {"type": "string", "format": "name"}
_SUM = {"type": "string", "format": "SHA-256 sum"}
_FILES = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "sha256"],
        "properties": {"name": {"type": "string", "format": "file name"}, "sha256": _SUM},
    },
}
_CONSTRUCTION = {
    "type": "object",
    "properties": {
        "name": _NAME,
        "query_sha256": _SUM,
        "language": {"type": ["string", "null"], "format": "name"},
        **dict.fromkeys(("title", "phenomenon", "query", "benchmark"), _TEXT),
        **dict.fromkeys(("cite", "comment", "metric"), _TEXT_OR_NULL),
        **dict.fromkeys(("predictions", "grammatical"), _TEXTS),
        **dict.fromkeys(("control", "template", "imported"), _TRUTH),
    },
}
_TREEBANK = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": _NAME,
        "kind": {"enum": ["lexicon", "imported"]},
        # It becomes a part of the address that a treebank is fetched from.
        "release": {"type": ["string", "null"], "format": "name"},
        **dict.fromkeys(("license", "source"), _TEXT_OR_NULL),
        "license_text": _TEXT,
        "files": _FILES,
        "derived": {"$ref": "#/$defs/derived"},
    },
}
_DERIVED = {
    "type": ["object", "null"],
    "required": ["from", "transform", "generator", "options", "seed", "files"],
    "properties": {
        **dict.fromkeys(("from", "transform", "generator"), _NAME),
        "options": {"type": "object"},
        "seed": _COUNT,
        "files": _FILES,
        "steps": {"$ref": "#/$defs/derived"},
    },
}
_LEXICON = {
    "type": "object",
    "properties": {"sha256": _SUM, "treebanks": {"type": "array", "items": _TREEBANK}},
}
_PROVENANCE = {
    "$defs": {"derived": _DERIVED},
    "type": "object",
    "properties": {
        "schema": _TEXT,
        "starbank": _TEXT,
        "construction": _CONSTRUCTION,
        "treebanks": {"type": "array", "items": _TREEBANK},
        "inputs": {
            "type": "object",
            "properties": {
                "lexicons": {"type": "array", "items": _LEXICON},
                "usage": {"type": "array", "items": _TREEBANK},
                "tables": {"type": "array", "items": _SUM},
            },
        },
        **dict.fromkeys(("seed", "matches", "items", "space"), _COUNT),
        "unserved": {"type": "object", "additionalProperties": _TEXT},
        "searched": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1}},
        "glosses": {
            "type": "object",
            "additionalProperties": {
                "type": "array",
                "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": _TEXT},
            },
        },
    },
}


def _if_text(fits: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or fits(value)


_FORMATS.checks("name")(_if_text(names.is_name))
_FORMATS.checks("file name")(_if_text(lambda text: text.isprintable() and "/" not in text))
_FORMATS.checks("SHA-256 sum")(_if_text(lambda text: re.fullmatch("[0-9a-f]{64}", text) is not None))


def find_mistake(provenance: Any) -> ValidationError | None:
    """Return what is wrong in what a table says of its making, None where nothing is."""
    mistakes = Draft202012Validator(_PROVENANCE, format_checker=_FORMATS).iter_errors(provenance)
    mistake: ValidationError | None = best_match(mistakes)
    return mistake
