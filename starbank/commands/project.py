"""The command `init`."""

from __future__ import annotations

import argparse
from pathlib import Path

from starbank.commands.by_name import settings
from starbank.commands.declare import argument, command, say


@command(
    "starbank init my-project --treebank UD_Irish-IDT",
    argument("folder", type=Path, metavar="DIR", help="the folder of the project"),
    argument("--language", metavar="LANGUAGE",
             help="the language to begin with, gle or Irish (default: that of the treebanks; without any, English)"),
    argument("--treebank", nargs="+", action="extend", default=[], dest="treebanks", metavar="NAME",
             help="UD names of its treebanks (default: those that Starbank's constructions of the language name, else "
             "the largest that is known; without a language, a small sample)"),
    place=0,
)  # fmt: skip
def init(options: argparse.Namespace) -> None:
    """Begin a project of one's own: its settings, a first construction, and a Snakefile that uses our workflow."""
    from starbank.pipeline.beginning import Beginning, begin
    from starbank.pipeline.beginning.choice import choose

    config = settings()
    language, treebanks = choose(options.language, options.treebanks, config)
    begun = begin(options.folder, Beginning(language, treebanks, config["release"]))
    say(f"{options.folder}: {len(begun.constructions)} of {language}, such as {begun.constructions[0]}")
    say(f"Next:\n  cd {options.folder}\n  {begun.check}\n  snakemake --cores 8")
