"""What Starbank ships beside its code: the workflow, queries, generators, facts about languages, sample treebanks."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent
# A wheel has them inside the package, a checkout beside it.
_HOME = PACKAGE / "workflow" if (PACKAGE / "workflow").is_dir() else PACKAGE.parent


def shipped(name: str) -> Path:
    """Return where a shipped file or folder lies, such as `Snakefile` or `generators`.

    >>> shipped("generators/minimal_sets.py").is_file()
    True
    """
    return _HOME / name
