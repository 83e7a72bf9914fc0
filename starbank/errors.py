"""The exceptions that Starbank raises on purpose.

Everything a user can cause is a `StarbankError`; the command line prints its message on stderr and exits with status 2.
A message says what is wrong, where, and what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class StarbankError(Exception):
    """A mistake in the input or the surroundings, told so that a linguist can mend it.

    `message` says what is wrong; `file`, `line` (from 1) and `column` (from 1) say where; `source` is the
    text of that line, shown with a caret under the column; `hint` says what to do.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.source = source
        self.hint = hint

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        parts = [f"{place}: {self.message}" if place else self.message]
        if self.source is not None:
            parts.append(f"    {self.source}")
            if self.column is not None:
                # Tabs stay tabs, so that the caret lands under its character in any terminal.
                indent = "".join("\t" if char == "\t" else " " for char in self.source[: self.column - 1])
                parts.append(f"    {indent}^")
        if self.hint:
            parts.append(self.hint)
        return "\n".join(parts)


class UsageError(StarbankError):
    """The command was called in a way that cannot work."""


class ConfigError(StarbankError):
    """`config.yaml` says something that Starbank does not understand."""


class ConlluError(StarbankError):
    """A CoNLL-U file breaks the format."""


class TreebankError(StarbankError):
    """A treebank is missing or is not what its name says."""


class DownloadError(StarbankError):
    """Something could not be downloaded, verified or unpacked."""


class RequestError(StarbankError):
    """A Grew request cannot be read or makes no sense."""


class ConstructionError(StarbankError):
    """The settings of a construction file are wrong."""


class PluginError(StarbankError):
    """A module of `generators/` does not keep the contract of its kind."""


class SuiteError(StarbankError):
    """A suite is missing, malformed or empty where it must not be."""


class DamagedError(StarbankError, ValueError):
    """A file's bytes are others than those that were written; a `ValueError` as it is for Arrow what cannot be read."""


class ModelError(StarbankError):
    """A language model cannot be loaded or run."""


class HubError(StarbankError):
    """The Hugging Face Hub cannot be reached, or will not do what was asked."""


def nearest(name: str, valid: Iterable[str]) -> str:
    """Return a hint that names the valid name closest to `name`, if one is close, and all valid names."""
    names = list(valid)
    close = difflib.get_close_matches(name, names, n=1)
    guess = f"Did you mean `{close[0]}`? " if close else ""
    return guess + "The valid names are " + ", ".join(names) + "."
