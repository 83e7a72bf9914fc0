"""Parsers of the grammars that lie in packages, compiled once for each user."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from typing import Any

from lark import Lark


def open_parser(package: str, name: str, **options: Any) -> Lark:
    """Return the parser of the grammar `name` in a package, which Lark makes with these options.

    Compiling a grammar takes longer than reading what it describes. So Lark keeps the outcome in the user's folder for
    such things, with a sum of grammar, options and versions, without which it compiles it again.
    """
    grammar = files(package).joinpath(name).read_text(encoding="utf-8")
    folder = _cache_folder()
    cache = str(folder / f"{package}.{name}") if folder else False
    return Lark(grammar, parser="lalr", lexer="contextual", cache=cache, **options)


def _cache_folder() -> Path | None:
    """Return the folder that the XDG Base Directory Specification names; None where the user has none."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "starbank"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder
