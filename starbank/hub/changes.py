"""What a push would change: the files of a folder beside those of a repository."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from starbank.errors import SuiteError
from starbank.files import sha256
from starbank.hub.folder import plain_files
from starbank.hub.publish import CARD, PARTS

if TYPE_CHECKING:
    from huggingface_hub.hf_api import RepoFile


@dataclass(frozen=True)
class Changes:
    """Paths with their sizes in bytes: what is new, what has other content, what is no longer there; all sorted."""

    added: Mapping[str, int]
    changed: Mapping[str, int]
    deleted: Mapping[str, int]
    unchanged: int

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.deleted)

    @property
    def lines(self) -> list[str]:
        """One line for each file that would change."""
        return [
            f"{sign:8} {_bytes(size):>9}  {path}" for sign, files in self._kinds.items() for path, size in files.items()
        ]

    @property
    def _kinds(self) -> dict[str, Mapping[str, int]]:
        return {"added": self.added, "changed": self.changed, "deleted": self.deleted}

    def __str__(self) -> str:
        """Return the numbers of files in words."""
        counts = {**{kind: len(files) for kind, files in self._kinds.items()}, "unchanged": self.unchanged}
        return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "no files"


def local_files(folder: Path) -> dict[str, Path]:
    """Return the files of a dataset folder by their path in it, sorted; hidden ones are left out.

    Raises `SuiteError` where the folder has no card: it is none that `starbank publish` finished; and where it has a
    link, which could send what lies elsewhere on this machine.
    """
    if not (folder / CARD).is_file():
        hint = "Name a folder that `starbank publish` wrote; if it was interrupted, run it again."
        raise SuiteError("is no whole dataset: it has no README.md", file=folder, hint=hint)
    files = plain_files(folder).items()
    return {name: path for name, path in files if not any(part.startswith(".") for part in name.split("/"))}


def compare(local: Mapping[str, Path], remote: Iterable[RepoFile]) -> Changes:
    """Return what has to change in a repository for it to hold the `local` files.

    Files in the repository that no version of Starbank could have put there stay.
    """
    entries = {file.path: file for file in remote}
    added = {path: file.stat().st_size for path, file in local.items() if path not in entries}
    both = {path: file for path, file in local.items() if path in entries}
    changed = {path: file.stat().st_size for path, file in both.items() if not _same(file, entries[path])}
    stale = [path for path in sorted(entries) if path not in local and path.split("/")[0] in PARTS]
    deleted = {path: entries[path].size for path in stale}
    return Changes(added, changed, deleted, len(both) - len(changed))


def _same(file: Path, entry: RepoFile) -> bool:
    """Compare sizes, then the sum that the repository has of the file: that of Git, or SHA-256 for large files."""
    if file.stat().st_size != entry.size:
        return False
    if entry.lfs is not None:
        return sha256(file) == entry.lfs.sha256
    from huggingface_hub.utils.sha import git_hash

    return git_hash(file.read_bytes()) == entry.blob_id


def _bytes(size: float) -> str:
    units = iter(("B", "kB", "MB", "GB"))
    unit = next(units)
    while size >= 999.95 and unit != "GB":
        size, unit = size / 1000, next(units)
    return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
