"""What a UD treebank's README says to machines, and its licence.

The format is that of https://universaldependencies.org/contributing/repository_files.html.
"""

from __future__ import annotations

import re
from pathlib import Path

BEGIN = "=== Machine-readable metadata"
CREATIVE_COMMONS = re.compile(r"CC[ -]BY((?:[ -](?:NC|SA|ND))*)[ -]v?([1-4]\.[05])", re.IGNORECASE)
GNU = re.compile(r"(?:GNU )?(L?GPL)[ -]*v?([23])(?:\.0)?(?: or later)?", re.IGNORECASE)
OTHERS = {"CC0": "CC0-1.0", "CC0 1.0": "CC0-1.0", "LGPLLR": "LGPLLR", "LGPL-LR": "LGPLLR", "Apache 2.0": "Apache-2.0"}


def find_readme(folder: Path) -> Path | None:
    """Return the README of a treebank's folder, if it has one."""
    return next((folder / name for name in ("README.md", "README.txt", "README") if (folder / name).is_file()), None)


def read_metadata(readme: Path | None) -> dict[str, str]:
    """Return the machine-readable metadata of a README as {key: value}; empty where there is none."""
    if readme is None:
        return {}
    lines = readme.read_text(encoding="utf-8", errors="replace").splitlines()
    begin = next((index for index, line in enumerate(lines) if line.startswith(BEGIN)), len(lines))
    metadata = {}
    for line in lines[begin + 1 :]:
        if line.startswith("==="):
            break
        key, colon, value = line.partition(":")
        if colon:
            metadata[key.strip()] = value.strip()
    return metadata


def licence_of(stated: str | None) -> str | None:
    """Return the SPDX name of a licence as UD states it (`CC BY-SA 4.0` is `CC-BY-SA-4.0`), else the statement."""
    if not stated:
        return None
    if match := CREATIVE_COMMONS.fullmatch(stated):
        return f"CC-BY{match[1].upper().replace(' ', '-')}-{match[2]}"
    if match := GNU.fullmatch(stated):
        return f"{match[1].upper()}-{match[2]}.0-{'or-later' if 'later' in stated.lower() else 'only'}"
    return OTHERS.get(stated, stated)
