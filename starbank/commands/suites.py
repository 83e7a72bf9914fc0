"""Commands about suites: `generate`, `import`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from starbank.commands.by_name import FETCH_OPTION, bring_named
from starbank.commands.declare import (
    ENGINE_OPTION,
    INGESTED_OPTION,
    PAIR_OPTIONS,
    TREEBANK,
    argument,
    command,
    output,
    pair_columns,
    say,
)


def share(text: str) -> tuple[int, int]:
    """Return which of how many, written as `2/4`."""
    if (
        not re.fullmatch(r"[1-9][0-9]{0,5}/[1-9][0-9]{0,5}", text)
        or (pair := [*map(int, text.split("/"))])[0] > pair[1]
    ):
        raise argparse.ArgumentTypeError(f"{text!r} is no share such as 2/4")
    return pair[0], pair[1]


@command(
    "starbank generate queries/kat/*.grew --treebank treebanks/sample/UD_Georgian-Sample -o suites/kat",
    argument("queries", nargs="+", type=Path, metavar="QUERY", help="construction files"),
    argument("--treebank", nargs="+", action="extend", default=[], metavar="TREEBANK",
             help=f"{TREEBANK}; these take the place of those that config.yaml or else each construction names"),
    output("DIR", "where each suite gets a folder with items.parquet, pairs.parquet and rejected.parquet"),
    argument("--lexicon", nargs="+", action="extend", type=Path, default=[], metavar="FILE",
             help="the lexicon, or one for each language (default: made from the treebanks)"),
    argument("--words", nargs="+", action="extend", default=[], metavar="TREEBANK",
             help="treebanks that tell what their language has, such as what commands must not make (default: all that "
                  "are given or named)"),
    argument("--seed", type=int, default=0, metavar="N", help="where anything is drawn at random (default: 0)"),
    argument("--part", action="store_true",
             help="make only what the treebanks of each language give, in a folder for each, for `starbank merge`"),
    argument("--share", type=share, default=(1, 1), metavar="K/N",
             help="with --part: make the Kth of N shares of what large treebanks give"),
    ENGINE_OPTION,
    FETCH_OPTION,
    INGESTED_OPTION,
    place=6,
)  # fmt: skip
def generate(options: argparse.Namespace) -> None:
    """Make the suites of constructions: items, pairs, and what was rejected and why."""
    from starbank.pipeline.generate import generate, generate_parts

    treebanks = bring_named(options.queries, options.treebank, options)
    settings = {
        "words": options.words,
        "lexicons": options.lexicon,
        "seed": options.seed,
        "ingested": options.ingested,
        "engine": options.engine,
    }
    if options.part:
        generate_parts(options.queries, treebanks, options.output, **settings, share=options.share)
    else:
        generate(options.queries, treebanks, options.output, **settings, tell=lambda made: say(str(made)))


@command(
    "starbank merge queries/universal/*.grew --part parts/Polish parts/Czech -o suites/universal",
    argument("queries", nargs="+", type=Path, metavar="QUERY", help="construction files"),
    argument("--part", nargs="+", action="extend", type=Path, required=True, metavar="DIR",
             help="what `starbank generate --part` wrote, one folder for each language"),
    output("DIR", "where each suite gets a folder with items.parquet, pairs.parquet and rejected.parquet"),
    place=6,
)  # fmt: skip
def merge(options: argparse.Namespace) -> None:
    """Put suites together of their parts: the same as `generate` makes of all treebanks at once."""
    from starbank.pipeline.generate import merge_parts

    merge_parts(options.queries, options.part, options.output, tell=lambda made: say(str(made)))


@command(
    "starbank import blimp/data --language eng --license CC-BY-4.0 -o suites/blimp",
    argument("files", nargs="+", type=Path, metavar="FILE",
             help="tables of pairs (.csv, .tsv, .jsonl, .parquet), folders of them; suites of SyntaxGym, pairs as BHS"),
    output("DIR", "where each suite gets a folder; for one file of SyntaxGym or BHS the suite's own, which names it"),
    *PAIR_OPTIONS,
    argument("--license", metavar="NAME", help="the licence of the file (default: that of its `meta`)"),
    argument("--cite", metavar="TEXT", help="of tables: the paper behind them"),
    argument("--covariates", nargs="+", action="extend", default=[], metavar="COLUMN",
             help="of tables: whole numbers that are told of each pair"),
    place=7,
)  # fmt: skip
def import_(options: argparse.Namespace) -> None:
    """Make suites of somebody else's pairs or test suites, to score and publish them like any other."""
    from starbank.pipeline.imports import Settings, import_files

    about = {"license": options.license, "cite": options.cite, "benchmark": options.benchmark}
    columns = pair_columns(options)
    if options.covariates:
        columns["covariates"] = tuple(options.covariates)
    settings = Settings(options.language, columns, about, tuple(options.grammatical))
    import_files(options.files, options.output, settings, tell=say)


@command(
    "starbank export outputs/suites/universal/distant-agreement-number --treebank UD_English-EWT -o generated",
    argument("suite", type=Path, metavar="SUITE", help="the folder of a suite that `mined_agreement` made"),
    argument("--treebank", nargs="+", action="extend", default=[], metavar="TREEBANK",
             help=f"{TREEBANK}; items of others are left out (default: all that the items are from)"),
    argument("-o", "--output", type=Path, required=True, metavar="PREFIX",
             help="what the names of the files begin with"),
    INGESTED_OPTION,
    place=8,
)  # fmt: skip
def export(options: argparse.Namespace) -> None:
    """Write PREFIX.text, .gold, .eval and .tab for the evaluation of Gulordava et al. (2018)."""
    import pyarrow.compute as pc

    from starbank.files import require_free, write_text
    from starbank.sets.mining.files import to_files
    from starbank.suites.files import read_items
    from starbank.treebanks import open_treebank
    from starbank.treebanks.arrays import texts

    items = read_items([options.suite])
    names = options.treebank or sorted(set(items["treebank"].to_pylist()))
    treebanks = [open_treebank(name, options.ingested) for name in names]
    chosen = items.filter(pc.is_in(items["treebank"], texts([treebank.name for treebank in treebanks])))
    files = {Path(f"{options.output}{ending}"): text for ending, text in to_files(chosen, treebanks).items()}
    require_free(files)
    for path, text in files.items():
        write_text(text, path)
    say(f"{chosen.num_rows} items -> {options.output}.text, .gold, .eval, .tab")
