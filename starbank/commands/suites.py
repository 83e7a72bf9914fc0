"""Commands about suites: `generate`."""

from __future__ import annotations

import argparse
from pathlib import Path

from starbank.commands.declare import ENGINE_OPTION, INGESTED_OPTION, TREEBANK, argument, command, output, say


@command(
    "starbank generate queries/kat/*.grew --treebank treebanks/sample/UD_Georgian-Sample -o suites/kat",
    argument("queries", nargs="+", type=Path, metavar="QUERY", help="construction files"),
    argument("--treebank", nargs="+", action="extend", default=[], metavar="TREEBANK",
             help=f"{TREEBANK} (default: those that each construction names)"),
    output("DIR", "where each suite gets a folder with items.parquet, pairs.parquet and rejected.parquet"),
    argument("--lexicon", type=Path, metavar="FILE", help="the lexicon (default: made from the treebanks)"),
    argument("--seed", type=int, default=0, metavar="N", help="where anything is drawn at random (default: 0)"),
    ENGINE_OPTION,
    INGESTED_OPTION,
)  # fmt: skip
def generate(options: argparse.Namespace) -> None:
    """Make the suites of constructions: items, pairs, and what was rejected and why."""
    from starbank.generate import generate

    for line in generate(
        options.queries,
        options.treebank,
        options.output,
        lexicon=options.lexicon,
        seed=options.seed,
        ingested=options.ingested,
        engine=options.engine,
    ):
        say(str(line))
