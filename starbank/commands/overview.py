"""The command `ls`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from starbank.commands.declare import argument, command


@command(
    "starbank ls outputs",
    argument("outputs", nargs="?", type=Path, default=Path("outputs"), metavar="DIR", help="default: %(default)s"),
)
def ls(options: argparse.Namespace) -> None:
    """Show what has been made and where to look."""
    from starbank.ls import overview

    sys.stdout.writelines(f"{line}\n" for line in overview(options.outputs))
