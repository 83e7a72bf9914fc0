"""Texts of others in Markdown: shown as they are, in tables too, whatever signs they have."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import jinja2
import yaml

_SIGN = re.compile(r"([\\`*_\[\]<>|~&$])")
_INSIDE_WORD = re.compile(r"(?<=[^\W_])(?:\\_)+(?=[^\W_])")
# What would make a line a heading, a quotation or an entry of a list.
_FIRST = re.compile(r"[#+-]|[0-9]+(?=[.)])")


class Markdown(str):
    """Text that is Markdown already: it goes into a document as it stands."""


def escape(text: str) -> Markdown:
    """Return text that Markdown shows as it is, on one line."""
    return Markdown(_SIGN.sub(r"\\\1", re.sub(r"\s", " ", text)))


def escape_name(text: str) -> Markdown:
    """Return a name that Markdown shows as it is; `_` inside a word, which means nothing, stays: UD_Georgian-GLC."""
    return Markdown(_INSIDE_WORD.sub(lambda signs: signs[0].replace("\\", ""), escape(text)))


def is_right_to_left(text: str) -> bool:
    """Tell whether the first letter of a text belongs to a script that runs from right to left."""
    directions = map(unicodedata.bidirectional, text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


def isolate(text: str) -> str:
    """Return text from right to left so that nothing beside it moves: between the signs of an isolate."""
    return f"\u2068{text}\u2069" if is_right_to_left(text) else text


def escape_line(text: str) -> Markdown:
    """Return text that Markdown shows as it is where a line begins with it."""
    escaped = escape(text.lstrip())
    first = _FIRST.match(escaped)
    if not first:
        return escaped
    place = first.end() if first[0].isdigit() else 0
    return Markdown(f"{escaped[:place]}\\{escaped[place:]}")


def code(text: str) -> Markdown:
    """Return text as code within a line, or as text where code cannot have its signs."""
    shown = re.sub(r"\s", " ", text)
    return Markdown(f"`{shown}`") if shown.strip() and not set("`|") & set(shown) else escape(text)


def code_block(text: str) -> Markdown:
    """Return text as a block of code, whose fence is longer than any that the text has."""
    fence = "`" * max(4, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return Markdown(f"{fence}\n{text}\n{fence}")


def one_line(text: str) -> str:
    """Return text without line breaks, for documents without marks."""
    return " ".join(text.split())


def to_yaml(value: Mapping[str, Any]) -> str:
    """Return a mapping as YAML, in its order and with a line for each text."""
    text = json.dumps(value, ensure_ascii=False)
    # libyaml is many times faster, and writes some signs otherwise than PyYAML: line breaks, and such as JSON escapes.
    plain = text.isascii() and "\\" not in text
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper) if plain else yaml.SafeDumper
    return str(yaml.dump(value, Dumper=dumper, allow_unicode=True, sort_keys=False, width=1000))


def environment(package: str, show: Callable[[str], str] = escape) -> jinja2.Environment:
    """Return what renders Markdown from the templates of a package: `show` is done to all values but `Markdown`."""
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader(package, "."),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: value if isinstance(value, Markdown) else show(str(value)),
    )
    templates.filters |= {"line": escape_line, "name": escape_name, "code": code, "code_block": code_block}
    return templates
