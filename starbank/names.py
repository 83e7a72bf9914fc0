"""What may become a path, a wildcard or an argument: the one rule for every name that a file gives to something."""

from __future__ import annotations

import re
import unicodedata

# Letters and digits of any script with their marks, as in names of files that people write; `.`, `-`, `+` inside only.
_INSIDE = frozenset("_.+-")
_TREEBANK = re.compile(r"UD_[^+]+(\+[a-z][a-z0-9_]*)*")
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
