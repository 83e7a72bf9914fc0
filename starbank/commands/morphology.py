"""Commands about forms: `lexicon`."""

from __future__ import annotations

import argparse

from starbank.commands.declare import INGESTED_OPTION, TREEBANK, argument, command, output, say


@command(
    "starbank lexicon UD_Georgian-GLC UD_Georgian-GNC -o outputs/lexicons/kat.parquet",
    argument("treebanks", nargs="+", metavar="TREEBANK", help=TREEBANK),
    output("FILE", "the lexicon, as Parquet"),
    INGESTED_OPTION,
)
def lexicon(options: argparse.Namespace) -> None:
    """Collect the forms that treebanks attest."""
    from starbank.files import write_parquet
    from starbank.morphology import build_lexicon
    from starbank.treebanks import open_treebank

    treebanks = [open_treebank(reference, options.ingested) for reference in options.treebanks]
    table = build_lexicon(treebanks)
    write_parquet(table, options.output, "lexicon/1", {"treebanks": [treebank.info for treebank in treebanks]})
    say(f"{table.num_rows} forms -> {options.output}")
