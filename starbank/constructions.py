"""A construction file: a Grew request whose comments say what to do with its matches.

The settings are YAML inside `%` comments, between two `% ---` lines, so that the file as a whole stays a request which
Grew and Grew-match accept. `docs/formats.md` and the files under `queries/` show what one looks like.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import yaml
from langcodes import Language, tag_is_valid
from langcodes.data_dicts import LANGUAGE_ALPHA3

from starbank.errors import ConstructionError
from starbank.grew import Request, parse_request

_KEYS = (
    *("title", "language", "phenomenon", "cite", "treebanks"),
    *("target", "vary", "avoid", "generator", "limit", "seed"),
)
_REQUIRED = ("language", "treebanks", "target", "vary")
_FENCE = re.compile(r"\s*%\s*---\s*")
_COMMENT = re.compile(r"\s*% ?(.*)")


@dataclass(frozen=True)
class Construction:
    """One construction file, read and checked.

    `vary` maps the one feature that varies to its values, of which each gives an item one condition. `request_text` is
    the whole file, `query_sha256` the sum of that text, `request` the request read from it. `avoid` is a regular
    expression for forms that no starred condition may have, such as those with a clitic; the empty one avoids none.
    `cite` is the paper behind the construction, as a bibliography has it.
    """

    name: str
    title: str
    language: str
    phenomenon: str
    treebanks: tuple[str, ...]
    target: str
    vary: dict[str, tuple[str, ...]]
    avoid: str
    generator: str
    limit: int | None
    seed: int | None
    request: Request
    request_text: str
    query_sha256: str
    path: Path
    cite: str = ""


@dataclass(frozen=True)
class _Setting:
    """The value of one key as YAML gives it, all scalars being strings, and the line of the file where it stands."""

    key: str
    value: Any
    file: Path
    line: int

    def error(self, message: str, hint: str | None = None) -> NoReturn:
        raise ConstructionError(f"`{self.key}` {message}", file=self.file, line=self.line, hint=hint)


def read_construction(path: Path) -> Construction:
    """Read and check the construction file at `path`; its name is the file's name without `.grew`.

    Raises `ConstructionError` where the settings are wrong and `RequestError` where the request is, both with file and
    line.
    """
    path = Path(path)
    text = _read_text(path)
    settings = _read_settings(text, path)
    request = parse_request(text, path)

    def get(key: str, read: Callable[[_Setting], Any], default: Any = None) -> Any:
        return read(settings[key]) if key in settings else default

    return Construction(
        name=path.stem,
        title=get("title", _string, path.stem.replace("-", " ")),
        language=_language(settings["language"]),
        phenomenon=get("phenomenon", _string, path.stem),
        treebanks=_strings(settings["treebanks"]),
        target=_target(settings["target"], request),
        vary=_vary(settings["vary"]),
        avoid=get("avoid", _regexp, ""),
        generator=get("generator", _string, "minimal_sets"),
        limit=get("limit", lambda setting: _integer(setting, at_least=1)),
        seed=get("seed", lambda setting: _integer(setting, at_least=0)),
        request=request,
        request_text=text,
        query_sha256=hashlib.sha256(text.encode()).hexdigest(),
        path=path,
        cite=get("cite", _string, ""),
    )


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConstructionError("is not UTF-8 text", file=path, hint="Save the file as UTF-8.") from error
    except OSError as error:
        raise ConstructionError(f"cannot be read: {error.strerror}", file=path) from error


def _read_settings(text: str, path: Path) -> dict[str, _Setting]:
    """Return the settings by key, all keys known and none missing."""
    lines, start = _settings_block(text, path)
    block = "\n".join(lines)
    try:
        tree = yaml.compose(block, yaml.BaseLoader)
        # BaseLoader keeps every scalar a string: `no` stays a language and `Yes` a feature value.
        values = yaml.load(block, yaml.BaseLoader)
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
    settings: dict[str, _Setting] = {}
    for key_node, _ in entries:
        line, key = start + key_node.start_mark.line, key_node.value
        if key not in _KEYS:
            raise ConstructionError(f"unknown key `{key}`", file=path, line=line, hint=nearest(key, _KEYS))
        if key in settings:
            raise ConstructionError(f"`{key}` is set twice", file=path, line=line)
        settings[key] = _Setting(key, values[key], path, line)
    missing = [key for key in _REQUIRED if key not in settings]
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


def _string(setting: _Setting) -> str:
    if not isinstance(setting.value, str) or not setting.value.strip():
        setting.error("must be a text", f"Write `% {setting.key}: …` on one line.")
    return setting.value


def _regexp(setting: _Setting) -> str:
    try:
        re.compile(_string(setting))
    except re.error as error:
        setting.error(f"is no regular expression: {error}")
    return setting.value


def _strings(setting: _Setting) -> tuple[str, ...]:
    return _distinct(setting, setting.value, f"Write `% {setting.key}: [one, another]`.")


def _distinct(setting: _Setting, value: Any, hint: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(part, str) and part for part in value):
        setting.error("must be a list of names", hint)
    twice = [part for part in value if value.count(part) > 1]
    if twice:
        setting.error(f"names {twice[0]} twice")
    return tuple(value)


def _integer(setting: _Setting, at_least: int) -> int:
    value = setting.value
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]+", value) or int(value) < at_least:
        setting.error(f"must be a whole number from {at_least} up")
    return int(value)


def _language(setting: _Setting) -> str:
    """Check that the value is an ISO 639-3 code: three letters, and not the bibliographic code of ISO 639-2."""
    code = _string(setting)
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


def _target(setting: _Setting, request: Request) -> str:
    name = _string(setting)
    if name in request.nodes:
        return name
    if any(name in block.nodes for block in request.conditions):
        setting.error(
            f"is `{name}`, which no match binds: only a `without` or `with` mentions it",
            "Mention it in the pattern. " + nearest(name, request.nodes),
        )
    setting.error(f"is `{name}`, which is no node of the pattern", nearest(name, request.nodes))


def _vary(setting: _Setting) -> dict[str, tuple[str, ...]]:
    hint = "Write `% vary: {Case: [Nom, Erg, Dat]}`."
    if not isinstance(setting.value, dict) or len(setting.value) != 1:
        setting.error("must name one feature and its values", hint)
    ((feature, values),) = setting.value.items()
    values = _distinct(setting, values, hint)
    if len(values) < 2:
        setting.error(f"gives {feature} only one value", hint)
    return {feature: values}
