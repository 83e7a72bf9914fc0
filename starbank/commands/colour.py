"""Whether to print in colour."""

from __future__ import annotations

import os
import sys


def wants_colour(choice: str) -> bool:
    """Tell whether stdout gets colours: `always`, `never`, or `auto`.

    `auto` heeds NO_COLOR (https://no-color.org) and FORCE_COLOR, then asks whether stdout is a terminal.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()
