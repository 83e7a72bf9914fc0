"""The settings of a construction file: YAML inside `%` comments, read with the line of each key and checked."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.compute as pc
import yaml
from langcodes import Language, tag_is_valid
from langcodes.data_dicts import LANGUAGE_ALPHA3

from starbank.errors import ConstructionError
from starbank.plain_yaml import PlainLoader
from starbank.treebanks.arrays import texts

_FENCE = re.compile(r"\s*%\s*---\s*")
_COMMENT = re.compile(r"\s*% ?(.*)")


@dataclass(frozen=True)
class Setting:
    """The value of one key as YAML gives it, all scalars being strings, and the line of the file where it stands."""

    key: str
    value: Any
    file: Path
    line: int

    def error(self, message: str, hint: str | None = None) -> NoReturn:
        """Raise `ConstructionError` that names the key and its place."""
        raise ConstructionError(f"`{self.key}` {message}", file=self.file, line=self.line, hint=hint)


def read_settings(
    text: str, path: Path, keys: Collection[str], required: Callable[[Mapping[str, Setting]], Iterable[str]]
) -> dict[str, Setting]:
    """Return the settings by key: all are among `keys`, and none is missing that is `required` beside the others."""
    lines, start = _settings_block(text, path)
    block = "\n".join(lines)
    try:
        tree = yaml.compose(block, PlainLoader)
        # All scalars stay strings: `no` a language and `Yes` a feature value.
        values = yaml.load(block, PlainLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
        line = start + min(mark.line, len(lines) - 1) if mark else start
        source = lines[line - start]
        column = mark.column + 1 if mark and mark.line < len(lines) else None
        message = f"the settings are not YAML: {problem}"
        raise ConstructionError(message, file=path, line=line, source=source, column=column) from error
    if tree is None:
        values, entries = {}, []
    elif isinstance(tree, yaml.MappingNode):
        entries = tree.value
    else:
        raise ConstructionError("the settings must be lines of `% key: value`", file=path, line=start)
    settings: dict[str, Setting] = {}
    for key_node, _ in entries:
        line, key = start + key_node.start_mark.line, key_node.value
        if key not in keys:
            raise ConstructionError(f"unknown key `{key}`", file=path, line=line, hint=nearest(key, keys))
        if key in settings:
            raise ConstructionError(f"`{key}` is set twice", file=path, line=line)
        settings[key] = Setting(key, values[key], path, line)
    missing = [key for key in required(settings) if key not in settings]
    if missing:
        message = "the settings lack " + " and ".join(f"`{key}`" for key in missing)
        raise ConstructionError(message, file=path, line=start - 1)
    return settings


def _settings_block(text: str, path: Path) -> tuple[list[str], int]:
    """Return the lines between the two `% ---`, without their `%`, and the line number of the first of them."""
    lines = text.splitlines()
    fences = [number for number, line in enumerate(lines) if _FENCE.fullmatch(line)]
    if not fences:
        hint = "Begin the file with `% ---`, then lines such as `% target: SUBJ`, then `% ---`."
        raise ConstructionError("there are no settings", file=path, line=1, hint=hint)
    if len(fences) == 1:
        raise ConstructionError("the settings have no closing `% ---`", file=path, line=fences[0] + 1)
    block = []
    for number in range(fences[0] + 1, fences[1]):
        comment = _COMMENT.fullmatch(lines[number])
        if comment is None and lines[number].strip():
            hint = "Every line between the two `% ---` begins with `%`."
            raise ConstructionError(
                "a line of the settings is no comment", file=path, line=number + 1, source=lines[number], hint=hint
            )
        block.append(comment[1] if comment else "")
    return block, fences[0] + 2


def nearest(name: str, valid: Iterable[str]) -> str:
    """Return a hint that names the valid name closest to `name`, if one is close, and all valid names."""
    names = list(valid)
    close = difflib.get_close_matches(name, names, n=1)
    guess = f"Did you mean `{close[0]}`? " if close else ""
    return guess + "The valid names are " + ", ".join(names) + "."


def string(setting: Setting) -> str:
    """Return the value, a text that is not empty."""
    if not isinstance(setting.value, str) or not setting.value.strip():
        setting.error("must be a text", f"Write `% {setting.key}: …` on one line.")
    return setting.value


def regexp(setting: Setting) -> str:
    """Return the value, a regular expression that RE2 can match (https://github.com/google/re2/wiki/Syntax)."""
    try:
        re.compile(string(setting))
        pc.match_substring_regex(texts([""]), setting.value)
    except re.error as error:
        setting.error(f"is no regular expression: {error}")
    except pa.ArrowInvalid as error:
        reason = str(error).removeprefix("Invalid regular expression: ")
        setting.error(f"is no regular expression of RE2: {reason}", "RE2 has no look-around and no back references.")
    return setting.value


def strings(setting: Setting) -> tuple[str, ...]:
    """Return the value, a list of different texts."""
    return distinct(setting, setting.value, f"Write `% {setting.key}: [one, another]`.")


def distinct(setting: Setting, value: Any, hint: str) -> tuple[str, ...]:
    """Return `value`, a list of different texts that is a part of the setting."""
    if not isinstance(value, list) or not value or not all(isinstance(part, str) and part for part in value):
        setting.error("must be a list of names", hint)
    twice = [part for part in value if value.count(part) > 1]
    if twice:
        setting.error(f"names {twice[0]} twice")
    return tuple(value)


def integer(setting: Setting, at_least: int) -> int:
    """Return the value, a whole number."""
    value = setting.value
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,18}", value) or int(value) < at_least:
        setting.error(f"must be a whole number from {at_least} up")
    return int(value)


def share(setting: Setting) -> float:
    """Return the value, a number from 0 to 1."""
    value = setting.value
    if not isinstance(value, str) or not re.fullmatch(r"0(\.[0-9]+)?|1(\.0+)?", value):
        setting.error("must be a number from 0 to 1", f"Write a line such as `% {setting.key}: 0.95`.")
    return float(value)


def truth(setting: Setting, value: Any) -> bool:
    """Return `value`, a yes or no that is the setting or a part of it."""
    words = {"yes": True, "true": True, "no": False, "false": False}
    if not isinstance(value, str) or value.lower() not in words:
        setting.error("must be yes or no")
    return words[value.lower()]


def mapping(setting: Setting, value: Any, hint: str) -> dict[str, Any]:
    """Return `value`, a mapping that is the setting or a part of it and not empty."""
    if not isinstance(value, dict) or not value:
        setting.error("must be lines of `name: value`", hint)
    return value


def language(setting: Setting) -> str:
    """Return the value, an ISO 639-3 code: three letters, and not the bibliographic code of ISO 639-2."""
    code = string(setting)
    known = re.fullmatch(r"[A-Za-z]{2,3}", code) is not None and tag_is_valid(code)
    canonical = Language.get(code).to_alpha3() if known else None
    # The library reads a bibliographic code (`geo`) as the language's two-letter one, and some languages, such as
    # `swc`, as their macrolanguage: only the first is wrong here.
    own = known and (code == canonical or Language.get(code, normalize=False).is_valid())
    if own and re.fullmatch("[a-z]{3}", code):
        return code
    close = [canonical] if canonical else difflib.get_close_matches(code, LANGUAGE_ALPHA3.values(), n=1)
    guess = f"Did you mean `{close[0]}`? " if close else ""
    setting.error(f"is not an ISO 639-3 code: `{code}`", guess + "Such a code has three letters: `kat` is Georgian.")
