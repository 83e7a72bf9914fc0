"""Commands about treebanks: `fetch`, `ingest`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from starbank.commands.declare import argument, command, output, say


@command(
    "starbank fetch UD_Georgian-GLC --release 2.18 --source github:UniversalDependencies -o treebanks",
    argument("names", nargs="+", metavar="NAME", help="UD names, such as UD_Georgian-GLC, or languages of UniMorph"),
    argument("--unimorph", action="store_true", help="the names are those of languages (ISO 639-3), of UniMorph"),
    argument("--release", metavar="VERSION", help="UD release, such as 2.18; UniMorph has none"),
    argument(
        "--source",
        nargs="*",
        action="extend",
        default=[],
        metavar="SOURCE",
        help="folders laid out like a UD release, archives of one or their URLs, or github:UniversalDependencies, tried"
        " in order after the folder that the environment variable UD_MIRROR names; with --unimorph, folders or URLs"
        " that have languages as hin/hin, after that of UNIMORPH_MIRROR (default: github:unimorph)",
    ),
    output("DIR", "the folder of treebanks, or of languages"),
    argument("--optional", action="store_true", help="with --unimorph: a language that it does not have is no error"),
    argument("--lock", action="store_true", help="write the checksums of what was fetched to the lock file"),
    argument("--lock-file", type=Path, default=Path("treebanks.lock"), metavar="FILE", help="default: %(default)s"),
    place=1,
)  # fmt: skip
def fetch(options: argparse.Namespace) -> None:
    """Download treebanks or UniMorph, or copy them from a mirror, and check them against the lock file."""
    from starbank.errors import UsageError
    from starbank.treebanks.fetch import fetch
    from starbank.treebanks.places import MIRROR, SAMPLES
    from starbank.treebanks.unimorph import GITHUB, fetch_unimorph

    mirror = os.environ.get("UNIMORPH_MIRROR" if options.unimorph else MIRROR)
    samples = [str(SAMPLES)] if any((SAMPLES / name).is_dir() for name in options.names) else []
    sources = [*([mirror] if mirror else []), *samples, *options.source]
    where = {"output": options.output, "lock": options.lock_file, "write_lock": options.lock}
    if options.unimorph:
        sources += [] if options.source else [GITHUB]
        fetch_unimorph(options.names, sources=sources, optional=options.optional, **where)
    elif options.release is None:
        raise UsageError("--release is missing", hint="Treebanks are those of a UD release, such as --release 2.18.")
    else:
        fetch(options.names, release=options.release, sources=sources, **where)


@command(
    "starbank ingest treebanks/sample/UD_Georgian-Sample -o outputs/treebanks/UD_Georgian-Sample",
    argument("inputs", nargs="+", type=Path, metavar="FILE_OR_FOLDER", help="CoNLL-U files, or folders of them"),
    output("DIR", "where tokens.parquet, sentences.parquet and treebank.json go"),
    argument("--name", help="the treebank's name (default: that of the folder or file)"),
    argument("--skip-bad", action="store_true", help="leave out sentences that break the format, and report them"),
    place=2,
)
def ingest(options: argparse.Namespace) -> None:
    """Read a treebank from CoNLL-U into tables."""
    from starbank.treebanks import ingest

    treebank = ingest(options.inputs, options.output, name=options.name, skip_bad=options.skip_bad)
    sentences, words = (sum(file[unit] for file in treebank.info["files"]) for unit in ("sentences", "words"))
    say(f"{treebank.name}: {sentences} sentences, {words} words -> {options.output}")
