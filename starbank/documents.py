"""What people write as YAML: settings of constructions and whole files, every part of which knows its line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from starbank.errors import ConstructionError, nearest

if TYPE_CHECKING:
    from starbank.yaml_lines import Keys

Value = TypeVar("Value")
Default = TypeVar("Default")

SAVE_AS_UTF8 = "Save the file as UTF-8. If it is in Latin-1: iconv -f LATIN1 -t UTF-8 FILE > NEW"
GZIP = b"\x1f\x8b"
_FENCE = re.compile(r"\s*%\s*---\s*")
_COMMENT = re.compile(r"\s*% ?(.*)")


@dataclass(frozen=True)
class Document:
    """A file, or its block of settings: what it is called in messages, and the line that each entry begins on."""

    name: str
    file: Path
    lines: dict[Keys, int]


@dataclass(frozen=True)
class Entry:
    """A part of a document: its value as YAML gives it, all scalars being strings, and the keys that lead to it."""

    value: Any
    document: Document
    keys: Keys = ()

    def __contains__(self, key: str) -> bool:
        """Tell whether the entry is a mapping that has the key."""
        return isinstance(self.value, dict) and key in self.value

    def __getitem__(self, key: str | int) -> Entry:
        """Return the entry under a key of a mapping or a place of a list."""
        return Entry(self.value[key], self.document, (*self.keys, key))

    def get(self, key: str, read: Callable[[Entry], Value], default: Default) -> Value | Default:
        """Return what `read` makes of the entry under a key, or the default where there is none."""
        return read(self[key]) if key in self else default

    @property
    def file(self) -> Path:
        """The file that the entry stands in."""
        return self.document.file

    @property
    def line(self) -> int:
        """The line of the file, from 1."""
        return self.document.lines[self.keys]

    @property
    def name(self) -> str:
        """What to call the entry in a message: its keys, `slots.S.Number`."""
        return ".".join(key for key in self.keys if isinstance(key, str)) or self.document.name

    def fail(self, message: str, hint: str | None = None) -> NoReturn:
        """Raise `ConstructionError` that names the entry and its place."""
        name = f"`{self.name}`" if self.keys else self.name
        raise ConstructionError(f"{name} {message}", file=self.file, line=self.line, hint=hint)

    def require(self, keys: Collection[str], required: Iterable[str]) -> None:
        """Refuse what is no mapping, or has other keys than `keys`, or lacks one that is `required`."""
        if not isinstance(self.value, dict):
            self.fail("must be lines of `key: value`")
        for key in self.value:
            if key not in keys:
                message = f"unknown key `{key}`"
                raise ConstructionError(message, file=self.file, line=self[key].line, hint=nearest(key, keys))
        missing = [key for key in required if key not in self]
        if missing:
            self.fail("must have " + " and ".join(f"`{key}`" for key in missing))

    def text(self) -> str:
        """Return the value, a text that is not empty."""
        if not isinstance(self.value, str) or not self.value.strip():
            self.fail("must be a text", f"Write `{self.name}: …` on one line.")
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

    def share(self) -> float:
        """Return the value, a number from 0 to 1."""
        if not isinstance(self.value, str) or not re.fullmatch(r"0(\.[0-9]+)?|1(\.0+)?", self.value):
            self.fail("must be a number from 0 to 1", f"Write a line such as `{self.name}: 0.95`.")
        return float(self.value)

    def truth(self) -> bool:
        """Return the value, a yes or no."""
        words = {"yes": True, "true": True, "no": False, "false": False}
        if not isinstance(self.value, str) or self.value.lower() not in words:
            self.fail("must be yes or no")
        return words[self.value.lower()]

    def items(self, hint: str) -> list[tuple[str, Entry]]:
        """Return the keys of a mapping that is not empty, with their entries."""
        if not isinstance(self.value, dict) or not self.value:
            self.fail("must be lines of `name: value`", hint)
        return [(key, self[key]) for key in self.value]

    def entries(self, hint: str) -> list[Entry]:
        """Return the entries of a list that is not empty."""
        if not isinstance(self.value, list) or not self.value:
            self.fail("must be a list", hint)
        return [self[place] for place in range(len(self.value))]

    def texts(self, hint: str | None = None) -> tuple[str, ...]:
        """Return the value, a list of different texts."""
        value = self.value
        if not isinstance(value, list) or not value or not all(isinstance(part, str) and part for part in value):
            self.fail("must be a list of names", hint or f"Write `{self.name}: [first, second]`.")
        repeated = [part for part in value if value.count(part) > 1]
        if repeated:
            self.fail(f"names {repeated[0]} twice")
        return tuple(value)

    def language(self) -> str:
        """Return the value, an ISO 639-3 code: three letters, and not the bibliographic code of ISO 639-2."""
        try:
            return language_code(self.text())
        except ValueError as error:
            message, hint = error.args
            self.fail(message, hint)


def language_code(code: str) -> str:
    """Return an ISO 639-3 code as it is; raises `ValueError` with what is wrong and a hint where it is none."""
    from langcodes import Language, tag_is_valid  # slow to import
    from langcodes.data_dicts import LANGUAGE_ALPHA3

    valid = re.fullmatch(r"[A-Za-z]{2,3}", code) is not None and tag_is_valid(code)
    canonical = Language.get(code).to_alpha3() if valid else None
    # The library reads a bibliographic code (`geo`) as the language's two-letter one, and some languages, such as
    # `swc`, as their macrolanguage: only the first is wrong here.
    exact = valid and (code == canonical or Language.get(code, normalize=False).is_valid())
    if exact and re.fullmatch("[a-z]{3}", code):
        return code
    close = [canonical] if canonical else difflib.get_close_matches(code, LANGUAGE_ALPHA3.values(), n=1)
    guess = f"Did you mean `{close[0]}`? " if close else ""
    raise ValueError(f"is not an ISO 639-3 code: `{code}`", guess + "Such a code has three letters: `kat` is Georgian.")


def read_document(text: str, file: Path, name: str, first_line: int = 1) -> Entry:
    """Return the content of a text in YAML, which begins on a line of `file` and is called `name` in messages.

    Raises `ConstructionError` where it is no YAML, or has a key twice.
    """
    from starbank.yaml_lines import read_yaml  # which imports PyYAML

    value, lines = read_yaml(text, file, name, first_line)
    return Entry(value, Document(name, file, lines))


def read_settings(text: str, file: Path) -> Entry:
    """Return the settings of a construction file: YAML in `%` comments between two `% ---`."""
    block, first_line = _settings_block(text, file)
    settings = read_document("\n".join(block), file, "the settings", first_line)
    # What they lack is missed where they begin.
    document = replace(settings.document, lines=settings.document.lines | {(): first_line - 1})
    return Entry({} if settings.value is None else settings.value, document)


def _settings_block(text: str, file: Path) -> tuple[list[str], int]:
    """Return the lines between the two `% ---`, without their `%`, and the line number of the first of them."""
    lines = text.splitlines()
    fences = [number for number, line in enumerate(lines) if _FENCE.fullmatch(line)]
    if not fences:
        hint = "Begin the file with `% ---`, then lines such as `% target: SUBJ`, then `% ---`."
        raise ConstructionError("there are no settings", file=file, line=1, hint=hint)
    if len(fences) == 1:
        raise ConstructionError("the settings have no closing `% ---`", file=file, line=fences[0] + 1)
    block = []
    for number in range(fences[0] + 1, fences[1]):
        comment = _COMMENT.fullmatch(lines[number])
        if comment is None and lines[number].strip():
            hint = "Every line between the two `% ---` begins with `%`."
            raise ConstructionError(
                "a line of the settings is no comment", file=file, line=number + 1, source=lines[number], hint=hint
            )
        block.append(comment[1] if comment else "")
    return block, fences[0] + 2


def read_text(file: Path) -> str:
    """Return the text of a file that people wrote; raises `ConstructionError` where it is not there or not UTF-8."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        if error.object.startswith(GZIP):
            hint = f"Unpack it: gunzip -c {file.name} > NEW"
            raise ConstructionError("is compressed by gzip", file=file, hint=hint) from error
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConstructionError("the line is not UTF-8 text", file=file, line=line, hint=SAVE_AS_UTF8) from error
    except OSError as error:
        raise ConstructionError(f"cannot be read: {error.strerror}", file=file) from error
