"""Parsers of the grammars that lie in packages, compiled once for each user."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from lark import Lark

from starbank.caches import cache_folder


def open_parser(package: str, name: str, **options: Any) -> Lark:
    """Return the parser of the grammar `name` in a package, which Lark makes with these options.

    Compiling a grammar takes longer than reading what it describes. So Lark keeps the outcome in the user's folder for
    such things, with a sum of grammar, options and versions, without which it compiles it again.
    """
    grammar = files(package).joinpath(name).read_text(encoding="utf-8")
    folder = cache_folder()
    cache = str(folder / f"{package}.{name}") if folder else False
    return Lark(grammar, parser="lalr", lexer="contextual", cache=cache, **options)
