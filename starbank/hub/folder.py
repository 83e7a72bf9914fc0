"""The files of a dataset folder, which may be anybody's: plain ones, and nothing that leads elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

from starbank.errors import SuiteError

GIT = ".git"


def plain_files(folder: Path) -> dict[str, Path]:
    """Return all files of a folder by their path in it, sorted, but for what Git keeps there.

    Raises `SuiteError` where there is a link, or something else that is neither file nor folder: to read it would be
    to read what lies elsewhere on this machine.
    """
    plain: dict[str, Path] = {}
    for place, folders, files in os.walk(folder):
        if Path(place) == folder and GIT in folders:
            folders.remove(GIT)
        for name in (*folders, *files):
            path = Path(place) / name
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                hint = "A dataset has plain files only: copy what it leads to into its place (`cp -rL` does)."
                raise SuiteError("is a link, or no file", file=path, hint=hint)
        plain |= {(path := Path(place) / name).relative_to(folder).as_posix(): path for name in files}
    return dict(sorted(plain.items()))
