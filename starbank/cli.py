"""The command line: `starbank COMMAND …`, one command for each arrow of the flow and a few for people.

Exit status: 0 on success, 2 on bad usage or bad input, with the message on stderr.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import logging
import os
import platform
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from starbank import __version__
from starbank.commands.declare import find_commands, say
from starbank.errors import StarbankError


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="starbank",
        description="Turn Universal Dependencies treebanks into minimal-pair datasets and score language models.",
        epilog="`starbank COMMAND --help` explains a command, with an example.",
    )
    parser.add_argument("--version", action="version", version=f"starbank {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    groups: dict[str, Any] = {}
    for command in find_commands():
        group, _, verb = command.name.rpartition(" ")
        if group and group not in groups:
            groups[group] = commands.add_parser(group, help=f"see `starbank {group} --help`").add_subparsers(
                dest="verb", metavar="COMMAND", required=True
            )
        sub = groups.get(group, commands).add_parser(
            verb,
            help=command.run.__doc__,
            description=command.run.__doc__,
            epilog=f"example:\n  {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(run=command.run)
        for names, settings in command.arguments:
            sub.add_argument(*names, **settings)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; exit with status 2 and a message on stderr where it cannot."""
    # Looking for cycles among the objects of libraries takes half as long as importing them.
    gc.set_threshold(100_000, 50)
    atexit.register(gc.disable)
    # Of Arrow's allocators this one gives memory back least often to ask for it again; not all systems have it.
    if platform.libc_ver()[0] == "glibc":
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "jemalloc")
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}")
    options = build_parser().parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except StarbankError as error:
        say(f"starbank {options.command}: {error}")
        sys.exit(2)
    except BrokenPipeError:
        # The reader (`head`, `less`) has seen enough; nothing must be written to the closed pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
