"""Where treebanks of CoNLL-U lie on this machine: in the project, in a mirror of UD, among Starbank's samples."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from starbank.shipped import shipped

MIRROR = "UD_MIRROR"
# Where `starbank fetch` and the pipeline put what they get.
FETCHED = Path("treebanks")
# Our own, which tests and first steps need no network for.
SAMPLES = shipped("treebanks/sample")

_NAME = re.compile(r"UD_\w+-\w+")


def is_ud_name(reference: str | Path) -> bool:
    """Tell whether a reference is a name as Universal Dependencies gives them, `UD_Georgian-GLC`, and no path."""
    return _NAME.fullmatch(str(reference)) is not None


def places() -> list[Path]:
    """Return the folders that are laid out like a UD release, the first taking precedence."""
    mirror = os.environ.get(MIRROR)
    return [FETCHED, *([Path(mirror)] if mirror else []), SAMPLES]


def find_conllu(reference: str | Path) -> Path | None:
    """Return the file or folder that a path or a UD name stands for, None where there is none."""
    if Path(reference).exists():
        return Path(reference)
    folders = [place / reference for place in places()] if is_ud_name(reference) else []
    return next((folder for folder in folders if any(folder.glob("*.conllu"))), None)


def folders_here() -> Iterator[Path]:
    """Yield the folder of each treebank in `places`, in their order; of several of one name, the first."""
    seen: set[str] = set()
    for place in places():
        for folder in sorted(place.glob("UD_*")):
            if folder.name not in seen and any(folder.glob("*.conllu")):
                seen.add(folder.name)
                yield folder
