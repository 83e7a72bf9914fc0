"""Commands about datasets: `publish`."""

from __future__ import annotations

import argparse
from pathlib import Path

from starbank.commands.declare import INGESTED, argument, command, output, say


@command(
    "starbank publish outputs/suites/kat --treebanks outputs/treebanks -o outputs/datasets/kat",
    argument("suites", nargs="+", type=Path, metavar="DIR", help="suites, or folders of suites"),
    output("DIR", "the dataset folder"),
    argument("--treebanks", type=Path, default=INGESTED, metavar="DIR", help="where the licences lie"),
    argument("--title", help="the dataset's title"),
)
def publish(options: argparse.Namespace) -> None:
    """Write a dataset folder that the Hugging Face Hub shows and `datasets` loads."""
    from starbank.hub import publish

    say(f"dataset -> {publish(options.suites, options.output, title=options.title, treebanks=options.treebanks)}")
