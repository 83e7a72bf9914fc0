"""The command line: `starbank COMMAND …`, one command for each arrow of the flow and a few for people.

Exit status: 0 on success, 2 on bad usage or bad input, with the message on stderr.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from starbank import __version__
from starbank.errors import StarbankError, UsageError

INGESTED = Path("outputs/treebanks")

Argument = tuple[tuple[str, ...], dict[str, Any]]
_COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], None], str, tuple[Argument, ...]]] = {}


def argument(*names: str, **settings: Any) -> Argument:
    """Describe an argument as `argparse` takes it."""
    return names, settings


def command(example: str, *arguments: Argument) -> Callable[[Callable[[argparse.Namespace], None]], Any]:
    """Make a function a command of its name, with an example for its help."""

    def register(function: Callable[[argparse.Namespace], None]) -> Callable[[argparse.Namespace], None]:
        _COMMANDS[function.__name__] = (function, example, arguments)
        return function

    return register


def output(metavar: str, what: str) -> Argument:
    """Describe the option that says where the product goes."""
    return argument("-o", "--output", type=Path, required=True, metavar=metavar, help=what)


TREEBANK = "a .conllu file, a folder of them, an ingested folder, or the UD name of an ingested treebank"
INGESTED_OPTION = argument(
    "--ingested", type=Path, default=INGESTED, metavar="DIR", help="where ingested treebanks lie (default: %(default)s)"
)


@command(
    "starbank fetch UD_Georgian-GLC --release 2.18 --source github:UniversalDependencies -o treebanks",
    argument("names", nargs="+", metavar="TREEBANK", help="UD names, such as UD_Georgian-GLC"),
    argument("--release", required=True, metavar="VERSION", help="UD release, such as 2.18"),
    argument(
        "--source",
        nargs="*",
        action="extend",
        default=[],
        metavar="SOURCE",
        help="folders, URLs or archives laid out like a UD release, or github:UniversalDependencies, tried in order"
        " after the folder that the environment variable UD_MIRROR names",
    ),
    output("DIR", "the folder of treebanks"),
    argument("--lock", action="store_true", help="write the checksums of what was fetched to the lock file"),
    argument("--lock-file", type=Path, default=Path("treebanks.lock"), metavar="FILE", help="default: %(default)s"),
)
def fetch(options: argparse.Namespace) -> None:
    """Download treebanks, or copy them from a mirror, and check them against the lock file."""
    from starbank.treebanks.fetch import fetch

    mirror = os.environ.get("UD_MIRROR")
    fetch(
        options.names,
        release=options.release,
        sources=[*([mirror] if mirror else []), *options.source],
        output=options.output,
        lock=options.lock_file,
        write_lock=options.lock,
    )


@command(
    "starbank ingest treebanks/sample/UD_Georgian-Sample -o outputs/treebanks/UD_Georgian-Sample",
    argument("inputs", nargs="+", type=Path, metavar="FILE_OR_FOLDER", help="CoNLL-U files, or folders of them"),
    output("DIR", "where tokens.parquet, sentences.parquet and treebank.json go"),
    argument("--name", help="the treebank's name (default: that of the folder or file)"),
    argument("--skip-bad", action="store_true", help="leave out sentences that break the format, and report them"),
)
def ingest(options: argparse.Namespace) -> None:
    """Read a treebank from CoNLL-U into tables."""
    from starbank.treebanks import ingest

    treebank = ingest(options.inputs, options.output, name=options.name, skip_bad=options.skip_bad)
    words = sum(file["words"] for file in treebank.info["files"])
    say(f"{treebank.name}: {treebank.sentences.num_rows} sentences, {words} words -> {options.output}")


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


@command(
    "starbank match queries/kat/transitive-erg-nom-subj.grew treebanks/sample/UD_Georgian-Sample --count",
    argument("query", metavar="QUERY", help="a file with a Grew request, the request itself, or - for standard input"),
    argument("treebanks", nargs="+", metavar="TREEBANK", help=TREEBANK),
    argument("--jsonl", action="store_true", help="print each match as a line of JSON"),
    argument("--count", action="store_true", help="print the number of matches only"),
    INGESTED_OPTION,
)
def match(options: argparse.Namespace) -> None:
    """Search treebanks with a Grew request; each match is a line with the words it binds."""
    from starbank.grew import Engine, parse_request, to_jsonl
    from starbank.grew.text import to_text
    from starbank.treebanks import open_treebank

    if options.jsonl and options.count:
        raise UsageError("--jsonl and --count exclude each other")
    text, file = read_query(options.query)
    request = parse_request(text, file)
    total = 0
    for reference in options.treebanks:
        treebank = open_treebank(reference, options.ingested)
        engine = Engine(treebank)
        if options.count:
            total += engine.count(request)
        else:
            lines = (to_jsonl if options.jsonl else to_text)(engine.match(request), treebank)
            sys.stdout.writelines(f"{line}\n" for line in lines)
    if options.count:
        print(total)


def read_query(query: str) -> tuple[str, Path | None]:
    """Return the text of a request and the file it stands in, if any."""
    if query == "-":
        return sys.stdin.read(), None
    if "{" in query:
        return query, None
    path = Path(query)
    if not path.is_file():
        raise UsageError(
            "there is no such file", file=query, hint="QUERY is a file with a Grew request, or the request."
        )
    return path.read_text(encoding="utf-8"), path


@command(
    "starbank generate queries/kat/*.grew --treebank treebanks/sample/UD_Georgian-Sample -o suites/kat",
    argument("queries", nargs="+", type=Path, metavar="QUERY", help="construction files"),
    argument("--treebank", nargs="+", action="extend", default=[], metavar="TREEBANK",
             help=f"{TREEBANK} (default: those that each construction names)"),
    output("DIR", "where each suite gets a folder with items.parquet, pairs.parquet and rejected.parquet"),
    argument("--lexicon", type=Path, metavar="FILE", help="the lexicon (default: made from the treebanks)"),
    argument("--seed", type=int, default=0, metavar="N", help="where anything is drawn at random (default: 0)"),
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
    ):
        say(str(line))


@command(
    "starbank score outputs/suites/kat --model FacebookAI/xlm-roberta-base -o outputs/scores/kat/xlmr.parquet",
    argument("suites", nargs="+", type=Path, metavar="DIR", help="suites, or folders of suites"),
    argument("--model", required=True, metavar="NAME_OR_FOLDER",
             help="unigram, ngram, a name on the Hugging Face Hub, or a local folder"),
    output("FILE", "the scores, as Parquet; what it holds already is not computed again"),
    argument("--text", nargs="+", action="extend", type=Path, default=[], metavar="FILE",
             help="what a baseline learns from: plain text, or ingested treebanks"),
    argument("--revision", help="branch, tag or commit of a model on the Hub"),
    argument("--kind", choices=["causal", "masked"], help="how the model reads (default: as its configuration says)"),
    argument("--device", help="cpu, cuda, cuda:1, … (default: a GPU where there is one)"),
    argument("--batch-tokens", type=int, metavar="N", help="tokens in one batch"),
)  # fmt: skip
def score(options: argparse.Namespace) -> None:
    """Score every sentence of some suites with a language model."""
    from starbank.scoring import score

    settings = {"batch_tokens": options.batch_tokens} if options.batch_tokens else {}
    table = score(
        options.suites,
        options.model,
        options.output,
        text=options.text,
        device=options.device,
        revision=options.revision,
        kind=options.kind,
        **settings,
    )
    say(f"{table.num_rows} scores -> {options.output}")


@command(
    "starbank results outputs/scores/kat/*.parquet --suites outputs/suites/kat -o outputs/results",
    argument("scores", nargs="+", type=Path, metavar="SCORES", help="files that `starbank score` wrote"),
    argument("--suites", nargs="+", action="extend", type=Path, default=[], metavar="DIR",
             help="the suites, for titles, examples and what was rejected"),
    output("DIR", "where tables, plots and report.html go"),
)  # fmt: skip
def results(options: argparse.Namespace) -> None:
    """Turn scores into accuracies, plots, and a page to read."""
    from starbank.analysis import results

    say(f"report -> {results(options.scores, options.output, suites=options.suites) / 'report.html'}")


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


@command(
    "starbank ls outputs",
    argument("outputs", nargs="?", type=Path, default=Path("outputs"), metavar="DIR", help="default: %(default)s"),
)
def ls(options: argparse.Namespace) -> None:
    """Show what has been made and where to look."""
    from starbank.ls import overview

    sys.stdout.writelines(f"{line}\n" for line in overview(options.outputs))


def say(message: str) -> None:
    """Tell the user what was done, on stderr, so that stdout stays data."""
    print(message, file=sys.stderr)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="starbank",
        description="Turn Universal Dependencies treebanks into minimal-pair datasets and score language models.",
        epilog="`starbank COMMAND --help` explains a command, with an example.",
    )
    parser.add_argument("--version", action="version", version=f"starbank {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (function, example, arguments) in _COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=function.__doc__,
            description=function.__doc__,
            epilog=f"example:\n  {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(run=function)
        for names, settings in arguments:
            sub.add_argument(*names, **settings)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; exit with status 2 and a message on stderr where it cannot."""
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
