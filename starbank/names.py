"""What may become a path, a wildcard or an argument: the one rule for every name that a file gives to something."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from starbank.errors import StarbankError

# Letters and digits of any script with their marks, as in names of files that people write; `.`, `-`, `+` inside only.
_INSIDE = frozenset("_.+-")
_TRANSFORM = re.compile(r"[a-z][a-z0-9_]*")
_TREEBANK = re.compile(rf"UD_[^+]+(\+{_TRANSFORM.pattern})*")
# Most file systems hold no longer one.
_LONGEST = 255

RULE = "A name has letters, digits, `_`, and inside `.`, `-` and `+`: nothing that a shell or a folder would read."


def is_name(name: object) -> bool:
    """Tell whether something is a text that may be a file's name, a wildcard and an argument, whoever wrote it."""
    if not isinstance(name, str) or not name or len(name.encode("utf-8", "surrogatepass")) > _LONGEST:
        return False
    return name[0] not in "+-." and all(char in _INSIDE or unicodedata.category(char)[0] in "LMN" for char in name)


def is_treebank_name(name: object) -> bool:
    """Tell whether something is the name of a treebank, `UD_Georgian-GLC` or, derived, `UD_Hindi-HDTB+colorless`."""
    return isinstance(name, str) and is_name(name) and _TREEBANK.fullmatch(name) is not None


def is_transform_name(name: object) -> bool:
    """Tell whether something is the name of a transform, what follows the `+` of a derived treebank."""
    return is_name(name) and _TRANSFORM.fullmatch(str(name)) is not None


def is_path(path: object) -> bool:
    """Tell whether something is names with `/` between: a file below a folder, `my-org/my-model`, a branch."""
    return isinstance(path, str) and all(map(is_name, path.split("/")))


def as_name(text: str) -> str:
    """Return the name that stands for a path or any other text: `/data/my models/gpt` is `data--my-models--gpt`.

    It is empty where no character may be in a name.
    """
    joined = text.strip("/").replace("/", "--")
    chars = (char if char in _INSIDE or unicodedata.category(char)[0] in "LMN" else "-" for char in joined)
    return "".join(chars).lstrip("+-.")


def require_name(
    name: object, kind: str, error: type[StarbankError], *, file: Path | None = None, line: int | None = None
) -> str:
    """Return the name of what `kind` says; raise `error`, with its place in a file, where it cannot be one."""
    if not is_name(name):
        raise error(f"{name!r} cannot be the name of {kind}", file=file, line=line, hint=RULE)
    return str(name)
