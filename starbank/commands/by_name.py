"""Treebanks that commands take by name: what is not here is fetched, if one wants that."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from starbank.commands.declare import argument, say

CONFIG = Path("config.yaml")

FETCH_OPTION = argument(
    "--fetch", action="store_true",
    help="download treebanks that are not here, from the sources of config.yaml (default: asked on a terminal)",
)  # fmt: skip


def settings() -> dict[str, Any]:
    """Return what config.yaml says here, and otherwise Starbank's own; raises `ConfigError` where it is wrong."""
    import yaml

    from starbank.config import check_config
    from starbank.documents import read_text
    from starbank.shipped import shipped

    files = [shipped("config.yaml"), *([CONFIG] if CONFIG.is_file() else [])]
    config: dict[str, Any] = {}
    for file in files:
        config |= yaml.safe_load(read_text(file)) or {}
    check_config(config, yaml.safe_load(read_text(shipped("rules/config.schema.yaml"))), files)
    return config


def bring(references: Iterable[str | Path], options: argparse.Namespace) -> None:
    """Fetch treebanks that are named and not here, where `--fetch` or an answer on the terminal says so."""
    from starbank.treebanks.places import FETCHED, find_conllu, is_ud_name
    from starbank.treebanks.store import find_ingested

    missing = [
        str(name)
        for name in dict.fromkeys(references)
        if is_ud_name(name) and not find_ingested(name, options.ingested) and not find_conllu(name)
    ]
    if not missing or not (options.fetch or _is_wanted(missing)):
        return
    from starbank.treebanks.fetch import fetch

    config = settings()
    lock = Path("treebanks.lock")
    fetch(missing, release=config["release"], sources=config["sources"], output=FETCHED, lock=lock)
    say(f"{', '.join(missing)} -> {FETCHED}")


def bring_named(queries: Iterable[Path], given: Iterable[str], options: argparse.Namespace) -> list[str]:
    """Do so for treebanks that are given, or else for those that construction files name, and return which are to be
    used in place of these: those that are given, or that config.yaml has for the one language of the constructions.
    """
    from starbank.queries import read_queries
    from starbank.queries.constructions import Construction

    used, named = list(given), list[str]()
    if not used:
        read = [query for path in queries for query in read_queries(path)]
        searching = [query for query in read if isinstance(query, Construction)]
        languages = {query.language for query in searching}
        used = settings()["treebanks"].get(languages.pop(), []) if CONFIG.is_file() and len(languages) == 1 else []
        named = [name for query in searching for name in query.treebanks]
    bring(used or named, options)
    return used


def _is_wanted(names: list[str]) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"{', '.join(names)}: not here. Download? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
