"""What every file in the folder of queries says first, and how constructions and templates say it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starbank.documents import Entry
from starbank.errors import ConstructionError
from starbank.names import require_name


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What a suite is called and about; `language` is an ISO 639-3 code, and `cite` the paper behind it."""

    name: str
    title: str
    language: str | None
    phenomenon: str
    cite: str
    path: Path
    # Only a construction runs on treebanks.
    treebanks: tuple[str, ...] = ()

    @property
    def heading(self) -> dict[str, str | None]:
        """The heading as a suite's provenance has it."""
        return {key: getattr(self, key) for key in ("name", "title", "language", "phenomenon", "cite")}


def read_heading(settings: Entry, kind: str) -> dict[str, Any]:
    """Return the parts of a heading by name; the file, which is `kind` in messages, gives the name."""
    stem = settings.file.stem
    return {
        "name": require_name(stem, kind, ConstructionError, file=settings.file),
        "title": settings.get("title", Entry.text, stem.replace("-", " ")),
        "language": settings.get("language", Entry.language, None),
        "phenomenon": settings.get("phenomenon", Entry.text, stem),
        "cite": settings.get("cite", Entry.text, ""),
        "path": settings.file,
    }
