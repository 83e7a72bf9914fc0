"""How a command of the command line is declared: a function, its arguments, and an example for its help."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

INGESTED = Path("outputs/treebanks")

Argument = tuple[tuple[str, ...], dict[str, Any]]
Run = Callable[[argparse.Namespace], None]
COMMANDS: dict[str, tuple[Run, str, tuple[Argument, ...]]] = {}


def argument(*names: str, **settings: Any) -> Argument:
    """Describe an argument as `argparse` takes it."""
    return names, settings


def command(example: str, *arguments: Argument) -> Callable[[Run], Run]:
    """Make a function a command, with an example for its help.

    The function's name is the command's; an underscore makes a command of a command:
    `lexicon_report` is `starbank lexicon report`. One at the end only keeps it apart from a word of Python.
    """

    def register(function: Run) -> Run:
        COMMANDS[function.__name__.strip("_").replace("_", " ")] = (function, example, arguments)
        return function

    return register


def output(metavar: str, what: str) -> Argument:
    """Describe the option that says where the product goes."""
    return argument("-o", "--output", type=Path, required=True, metavar=metavar, help=what)


TREEBANK = "a .conllu file, a folder of them, an ingested folder, or the UD name of an ingested treebank"
INGESTED_OPTION = argument(
    "--ingested", type=Path, default=INGESTED, metavar="DIR", help="where ingested treebanks lie (default: %(default)s)"
)
ENGINE_OPTION = argument(
    "--engine", choices=("starbank", "grewpy"), default="starbank",
    help="what searches: our own engine (default), or Grew, where grewpy and its backend are installed",
)  # fmt: skip

NAME_OPTION = argument(
    "--name", help="what results call the model (default: the repository, or the folder's last part)"
)

MODEL_OPTIONS = (
    argument("--revision", help="branch, tag or commit of a model on the Hub"),
    argument("--kind", choices=["causal", "masked", "encoder-decoder"],
             help="how the model reads (default: as its configuration says)"),
    argument("--device", help="cpu, cuda, cuda:1, …; auto spreads a large model (default: a GPU where there is one)"),
    argument("--dtype", choices=["float32", "bfloat16", "float16"], default="float32",
             help="how the network calculates (default: %(default)s)"),
    argument("--remote-code", action="store_true", help="run code that the model's repository brings: read it first"),
    argument("--batch-tokens", type=int, metavar="N", help="tokens in one batch"),
)  # fmt: skip


def model_settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return what `MODEL_OPTIONS` say, for functions that run a model."""
    names = ("revision", "kind", "device", "dtype", "remote_code")
    batch = {"batch_tokens": options.batch_tokens} if options.batch_tokens else {}
    return {name: getattr(options, name) for name in names} | batch


def say(message: str) -> None:
    """Tell the user what was done, on stderr, so that stdout stays data."""
    print(message, file=sys.stderr)
