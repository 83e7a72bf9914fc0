"""What a UD treebank's README says to machines, and its licence, which its LICENSE says where there is no README.

The format is that of https://universaldependencies.org/contributing/repository_files.html.
"""

from __future__ import annotations

import re
from pathlib import Path

BEGIN = "=== Machine-readable metadata"
CREATIVE_COMMONS = re.compile(r"CC[ -]BY((?:[ -](?:NC|SA|ND))*)[ -]v?([1-4]\.[05])", re.IGNORECASE)
# How the texts of Creative Commons call themselves, and how others call them: by heading, address, or in short.
_PARTS = {"noncommercial": "NC", "sharealike": "SA", "noderivatives": "ND", "noderivs": "ND"}
_NAMED = re.compile(
    r"Attribution((?:-(?:NonCommercial|ShareAlike|NoDerivatives|NoDerivs))*) (?:License )?([1-4]\.[05])"
    r"|creativecommons\.org/licenses/by((?:-(?:nc|sa|nd))*)/([1-4]\.[05])"
    r"|\b(?:CC|Creative Commons)[ -]BY((?:[ -](?:NC|SA|ND))*)[ -]v?([1-4]\.[05])",
    re.IGNORECASE,
)
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


def licence_in(text: str) -> str | None:
    """Return the SPDX name of the one Creative Commons licence that the text of a LICENSE names; None for two, or none.

    >>> licence_in("Creative Commons Attribution-NonCommercial-\\nShareAlike 4.0 International")
    'CC-BY-NC-SA-4.0'
    """
    words = re.sub(r"-\s+", "-", " ".join(text.split()))
    names = set()
    for match in _NAMED.finditer(words):
        parts, version = (group for group in match.groups() if group is not None)
        short = (_PARTS.get(part, part.upper()) for part in re.split("[ -]", parts.lower()) if part)
        names.add("-".join(["CC-BY", *short, version]))
    return names.pop() if len(names) == 1 else None


def find_licence(folder: Path) -> Path | None:
    """Return the text of the licence in a treebank's folder, if it has one."""
    return next((folder / name for name in ("LICENSE.txt", "LICENSE", "LICENSE.md") if (folder / name).is_file()), None)
