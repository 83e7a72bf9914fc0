"""Commands about models and what they score: `score`, `evaluations`, `measures`, `results`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from starbank.commands.declare import (
    MODEL_OPTIONS,
    NAME_OPTION,
    PAIR_OPTIONS,
    argument,
    command,
    model_settings,
    output,
    pair_columns,
    say,
)
from starbank.errors import UsageError


@command(
    "starbank score outputs/suites/kat --model FacebookAI/xlm-roberta-base -o outputs/scores/kat/xlmr.parquet",
    argument("inputs", nargs="+", type=Path, metavar="DIR_OR_FILE",
             help="suites, or folders of suites; or any text, for log-probabilities of its words and tokens: files of "
             "text, tables (CSV) with --column, - for standard input"),
    argument("--model", required=True, metavar="NAME_OR_FOLDER",
             help="unigram, ngram, characters, a name on the Hugging Face Hub, or a local folder"),
    output("FILE", "the scores, as Parquet; what it holds of suites stays, and is not computed again. Those of any "
           "text as Parquet, or, where it ends in .tsv, with tabs"),
    NAME_OPTION,
    argument("--overwrite", action="store_true",
             help="leave in FILE only what is asked for now, also where it holds scores of another model"),
    argument("--text", nargs="+", action="extend", type=Path, default=[], metavar="FILE",
             help="what a baseline learns from: plain text, or ingested treebanks"),
    argument("--level", nargs="+", action="extend", default=[], metavar="LEVEL",
             help="sentence, sentence-original, word, word-together (default: all that the kind of model has; "
             "of any text: sentence)"),
    argument("--gpus", type=int, default=1, metavar="N",
             help="so many GPUs share the work, with a copy of the model each (default: %(default)s)"),
    argument("--no-beginning", action="store_true", help="of causal models: without a beginning token before a text"),
    argument("--passage", choices=["line", "paragraph", "document"], default="line",
             help="of a text file: what is scored as one text, each word after all before it (default: %(default)s)"),
    argument("--column", metavar="COLUMN", help="of a table: its texts"),
    argument("--by", metavar="COLUMN",
             help="of a table: rows that have the same here are one text, in their order (default: a row is one)"),
    argument("--context", default="", metavar="TEXT", help="of any text: what stands before each, and is not scored"),
    argument("--context-column", metavar="COLUMN", help="of a table: the contexts"),
    argument("--unit", nargs="+", action="extend", default=[], metavar="UNIT",
             help="of any text: word, token (default: both)"),
    argument("--strings", action="store_true", help="of any text: also write the words and tokens themselves"),
    *MODEL_OPTIONS,
    place=10,
)  # fmt: skip
def score(options: argparse.Namespace) -> None:
    """Score every sentence of some suites, or any text, with a language model."""
    folders = [path.is_dir() for path in options.inputs]
    if any(folders) and not all(folders):
        file = options.inputs[folders.index(False)]
        raise UsageError("suites and texts are scored one after the other, not together", file=file)
    (_score_suites if all(folders) else _score_texts)(options)


def _score_suites(options: argparse.Namespace) -> None:
    from starbank.scoring import score

    for name in ("column", "by", "context", "context_column", "unit", "strings"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} is for texts, not for suites", file=options.inputs[0])
    table = score(
        options.inputs,
        options.model,
        options.output,
        text=options.text,
        levels=options.level,
        beginning=not options.no_beginning,
        gpus=options.gpus,
        name=options.name,
        overwrite=options.overwrite,
        **model_settings(options),
    )
    say(f"{table.num_rows} scores -> {options.output}")


def _score_texts(options: argparse.Namespace) -> None:
    from starbank.scoring.passages import Columns, read_passages
    from starbank.scoring.surprisals import UNITS, score_passages

    if options.column is None and (options.by or options.context_column):
        raise UsageError("--by and --context-column are for tables", hint="Name the column of the texts: --column.")
    columns = None if options.column is None else Columns(options.column, options.by, options.context_column)
    passages = read_passages(options.inputs, passage=options.passage, columns=columns, context=options.context)
    table = score_passages(
        passages,
        options.model,
        options.output,
        text=options.text,
        levels=options.level,
        units=options.unit or UNITS,
        strings=options.strings,
        beginning=not options.no_beginning,
        gpus=options.gpus,
        name=options.name,
        overwrite=options.overwrite,
        **model_settings(options),
    )
    say(f"{table.num_rows} rows about {len(passages)} text{'s' * (len(passages) != 1)} -> {options.output}")


@command(
    "starbank evaluations samples_blimp_*.jsonl --language eng -o outputs/scores/blimp",
    argument("files", nargs="+", type=Path, metavar="FILE",
             help="samples of lm-evaluation-harness, tables of pairs or regions with scores, suites that SyntaxGym "
             "scored, tables of Grew-TSE; or folders of them"),
    output("DIR", "where a file of scores for each model goes, the dataset's name being that of the folder"),
    argument("--model", metavar="NAME", help="the model (default: as the file tells)"),
    argument("--kind", choices=["causal", "masked", "encoder-decoder"], default="causal",
              help="what it is (default: %(default)s)"),
    argument("--level", choices=["sentence", "word"], default="sentence",
             help="what scores are of (default: %(default)s)"),
    argument("--unit", choices=["nats", "bits", "loss", "surprisal", "probability"],
             help="of tables: nats or bits of log-probabilities, loss (nats) or surprisal (bits), "
             "which are above 0, or probability"),
    argument("--good-score", metavar="COLUMN", help="of tables: what the model gives the grammatical sentences"),
    argument("--bad-score", metavar="COLUMN", help="of tables: what it gives the others"),
    argument("--score", metavar="COLUMN", help="of tables of regions: what it gives a region (default: surprisal)"),
    *PAIR_OPTIONS,
    argument("--suites", nargs="+", action="extend", default=[], metavar="NAME",
             help="of Grew-TSE: the suites, as the names of the files have them"),
    place=11,
)  # fmt: skip
def evaluations(options: argparse.Namespace) -> None:
    """Make scores of evaluations that others have published, for `starbank results`."""
    from starbank.pipeline.evaluations import Published, import_evaluations

    names = ("model", "kind", "level", "unit", "good_score", "bad_score", "score", "language")
    published = Published(
        **{name: getattr(options, name) for name in names},
        columns=pair_columns(options),
        about={"benchmark": options.benchmark},
        grammatical=tuple(options.grammatical),
        suites=tuple(options.suites),
    )
    written = import_evaluations(options.files, options.output, published)
    say(f"{len(written)} file{'s' * (len(written) != 1)} of scores -> {options.output}")


@command(
    "starbank measures outputs/scores/kat/*.parquet -o outputs/measures.parquet",
    argument("scores", nargs="+", type=Path, metavar="SCORES", help="files that `starbank score` wrote"),
    output("FILE", "surprisals, means per token, character and byte, SLOR, ranks and margins, as Parquet"),
    place=12,
)
def measures(options: argparse.Namespace) -> None:
    """Derive from scores what else is said of a condition, without running a model."""
    from starbank.analysis.measures import measures

    say(f"{measures(options.scores, options.output).num_rows} conditions -> {options.output}")


@command(
    "starbank results outputs/scores/kat/*.parquet --suites outputs/suites/kat -o outputs/results",
    argument("scores", nargs="+", type=Path, metavar="SCORES", help="files that `starbank score` wrote"),
    argument("--suites", nargs="+", action="extend", type=Path, default=[], metavar="DIR",
             help="the suites, for titles, examples, covariates and what was rejected"),
    argument("--treebanks", type=Path, metavar="DIR", help="where the ingested treebanks lie, for trees of the items"),
    argument("--items", type=int, default=50, metavar="N",
             help="of each suite, how many items the page shows one by one (default: %(default)s)"),
    output("DIR", "where tables, plots and report.html go"),
    place=14,
)  # fmt: skip
def results(options: argparse.Namespace) -> None:
    """Turn scores into accuracies, plots, and a page to read."""
    # As Snakemake does for its jobs: on matrices as small as these, threads wait for one another.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from starbank.analysis import results
    from starbank.pipeline.pictures import Pictures

    draw = Pictures(options.treebanks) if options.treebanks else None
    folder = results(options.scores, options.output, suites=options.suites, items=options.items, draw=draw)
    say(f"report -> {folder / 'report.html'}")
