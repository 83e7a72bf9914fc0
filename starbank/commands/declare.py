"""How a command of the command line is declared: a function, its arguments, and an example for its help."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

INGESTED = Path("outputs/treebanks")

Argument = tuple[tuple[str, ...], dict[str, Any]]
Run = Callable[[argparse.Namespace], None]


@dataclass(frozen=True)
class Command:
    """A command: its words (`lexicon build`), what runs it, an example and arguments for its help, its place there."""

    name: str
    run: Run
    example: str
    arguments: tuple[Argument, ...]
    place: int


_COMMANDS: dict[str, Command] = {}


def argument(*names: str, **settings: Any) -> Argument:
    """Describe an argument as `argparse` takes it."""
    return names, settings


def command(example: str, *arguments: Argument, place: int) -> Callable[[Run], Run]:
    """Make a function a command, with an example for its help, and its place there: first the arrows of the flow.

    The function's name is the command's; an underscore makes a command of a command:
    `lexicon_report` is `starbank lexicon report`. One at the end only keeps it apart from a word of Python.
    """

    def register(function: Run) -> Run:
        name = function.__name__.strip("_").replace("_", " ")
        _COMMANDS[name] = Command(name, function, example, arguments, place)
        return function

    return register


def find_commands() -> list[Command]:
    """Return all commands that the modules beside this one declare, in the order of the help."""
    package = Path(__file__).parent
    for module in pkgutil.iter_modules([str(package)]):
        importlib.import_module(f"starbank.commands.{module.name}")
    return sorted(_COMMANDS.values(), key=lambda command: command.place)


def output(metavar: str, what: str) -> Argument:
    """Describe the option that says where the product goes."""
    return argument("-o", "--output", type=Path, required=True, metavar=metavar, help=what)


TREEBANK = "a UD name (UD_Irish-IDT), a .conllu file, a folder of them, or an ingested folder"
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
    argument("--adapter", metavar="NAME_OR_FOLDER", help="an adapter (LoRA) on top: a name on the Hub, or a folder"),
    argument("--dtype", choices=["auto", "float32", "bfloat16", "float16"], default="auto",
             help="how the network calculates (default: on a GPU as the model was published, else float32)"),
    argument("--quantize", choices=["8bit", "4bit"], help="weights in fewer bits, by the library bitsandbytes"),
    argument("--remote-code", action="store_true", help="run code that the model's repository brings: read it first"),
    argument("--batch-tokens", type=int, metavar="N", help="tokens in one batch"),
)  # fmt: skip


# What is said of tables of pairs, and of the suites of others, wherever they are read.
PAIR_OPTIONS = (
    argument("--language", metavar="CODE", help="ISO 639-3 (default: that of the file's `meta`, or of its folder)"),
    argument("--benchmark", metavar="NAME", help="of tables: what they are called (default: as known, or as the file)"),
    argument("--good", metavar="COLUMN", help="of tables: the grammatical sentences (default: as in known benchmarks)"),
    argument("--bad", metavar="COLUMN", help="of tables: the others"),
    argument("--prefix", metavar="COLUMN", help="of tables: what both begin with, if that is a column of its own"),
    argument("--id", metavar="COLUMN", help="of tables: the names of pairs (default: their numbers)"),
    argument("--suite", metavar="COLUMN", help="of tables: the paradigms, each a suite (default: each file is one)"),
    argument("--phenomenon", metavar="COLUMN", help="of tables: what a paradigm is about"),
    argument("--grammatical", nargs="+", action="extend", default=[], metavar="CONDITION",
             help="of SyntaxGym: the grammatical conditions, others being starred (default: `grammatical` in `meta`)"),
)  # fmt: skip


def pair_columns(options: argparse.Namespace) -> dict[str, Any]:
    """Return which columns `PAIR_OPTIONS` name."""
    names = ("good", "bad", "prefix", "id", "suite", "phenomenon")
    return {name: getattr(options, name) for name in names if getattr(options, name)}


def model_settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return what `MODEL_OPTIONS` say, for functions that run a model."""
    names = ("revision", "kind", "adapter", "device", "dtype", "quantize", "remote_code")
    batch = {"batch_tokens": options.batch_tokens} if options.batch_tokens else {}
    return {name: getattr(options, name) for name in names} | batch


def say(message: str) -> None:
    """Tell the user what was done, on stderr, so that stdout stays data; what stands there comes before it."""
    sys.stdout.flush()
    print(message, file=sys.stderr)
