"""The command `ls`: what the pipeline has made."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from starbank.commands.by_name import settings
from starbank.commands.declare import argument, command
from starbank.errors import SuiteError, UsageError


@command(
    "starbank ls outputs",
    argument("outputs", nargs="?", type=Path, default=Path("outputs"), metavar="DIR", help="default: %(default)s"),
    argument("--treebanks", action="store_true", help="in place of it, the treebanks that are here or can be fetched"),
    argument("--language", metavar="LANGUAGE", help="only those of a language: gle, or Irish"),
    place=22,
)
def ls(options: argparse.Namespace) -> None:
    """Show what has been made and where to look, or which treebanks there are."""
    if options.language and not options.treebanks:
        raise UsageError("--language is for --treebanks")
    lines = (
        treebanks(options.outputs / "treebanks", options.language) if options.treebanks else overview(options.outputs)
    )
    sys.stdout.writelines(f"{line}\n" for line in lines)


def treebanks(ingested: Path, language: str | None) -> Iterator[str]:
    """Yield a line for each treebank, of a language or of all: name, language, size as far as it is known, place.

    Raises `UsageError` where there is none of the language.
    """
    from starbank.treebanks.catalogue import close_language, read_catalogue

    config = settings()
    entries = read_catalogue(ingested, release=config["release"], sources=config["sources"])
    chosen = [entry for entry in entries if language is None or entry.is_of(language)]
    if not chosen:
        codes = sorted({entry.language for entry in entries if entry.language})
        close = close_language(language, entries) if language else None
        guess = f"Did you mean {close}? " if close else ""
        if codes:
            hint = f"{guess}Those that are known are of {', '.join(codes)}."
        else:
            hint = "Set UD_MIRROR, or connect to the network."
        raise UsageError(f"no treebank of {language or 'any language'} is known", hint=hint)
    width = max(len(entry.name) for entry in chosen)
    for entry in chosen:
        size = f"{entry.words:,} words" if entry.words else f"{entry.megabytes:.1f} MB" if entry.megabytes else ""
        yield f"{entry.name:{width}}  {entry.language or 'und'}  {size:>15}  {entry.place}"


def overview(outputs: Path) -> Iterator[str]:
    """Yield lines that say which suites, scores, probes and results lie under `outputs`, and where to look first.

    Raises `UsageError` where there is nothing, `SuiteError` where a suite is damaged.
    """
    if not outputs.is_dir():
        raise UsageError("nothing has been made here", file=outputs, hint="Run `snakemake --cores 8` first.")
    yield from _suites(outputs / "suites")
    yield from _scores(outputs / "scores")
    yield from _files("Probes", outputs / "probes", "*.html")
    yield from _files("Datasets", outputs / "datasets", "*/README.md")
    yield from _files("Tables and plots", outputs / "results", "*.[cs]*")
    yield from _files("Read this first", outputs / "results", "report.html")


def _suites(folder: Path) -> Iterator[str]:
    files = sorted(folder.glob("*/*/items.parquet"))
    if not files:
        return
    width = max(len(f"{file.parent.parent.name}/{file.parent.name}") for file in files)
    yield f"{'Suites':{width + 2}}  items  rejected"
    for file in files:
        items, rejected = (_rows(file.with_name(name)) for name in ("items.parquet", "rejected.parquet"))
        yield f"  {file.parent.parent.name + '/' + file.parent.name:{width}} {items:6} {rejected:9}"


def _rows(file: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return int(pq.read_metadata(file).num_rows)
    except (OSError, pa.ArrowException) as error:
        raise SuiteError(f"cannot be read as Parquet: {error}", file=file, hint="Generate the suite again.") from error


def _scores(folder: Path) -> Iterator[str]:
    from starbank.files import read_metadata
    from starbank.scoring.journal import describe

    files = sorted(folder.glob("*/*.parquet"))
    if files:
        yield "Scores"
        yield from (f"  {file}  {describe(read_metadata(file))}" for file in files)


def _files(title: str, folder: Path, pattern: str) -> Iterator[str]:
    files = sorted(folder.glob(pattern))
    if files:
        yield title
        yield from (f"  {file}" for file in files)
