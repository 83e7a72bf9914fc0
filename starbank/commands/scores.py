"""Commands about models and what they score: `score`, `evaluations`, `measures`, `results`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from starbank.commands.declare import MODEL_OPTIONS, NAME_OPTION, argument, command, model_settings, output, say


@command(
    "starbank score outputs/suites/kat --model FacebookAI/xlm-roberta-base -o outputs/scores/kat/xlmr.parquet",
    argument("suites", nargs="+", type=Path, metavar="DIR", help="suites, or folders of suites"),
    argument("--model", required=True, metavar="NAME_OR_FOLDER",
             help="unigram, ngram, characters, a name on the Hugging Face Hub, or a local folder"),
    output("FILE", "the scores, as Parquet; what it holds already stays, and is not computed again"),
    NAME_OPTION,
    argument("--overwrite", action="store_true",
             help="leave in FILE only what is asked for now, also where it holds scores of another model"),
    argument("--text", nargs="+", action="extend", type=Path, default=[], metavar="FILE",
             help="what a baseline learns from: plain text, or ingested treebanks"),
    argument("--level", nargs="+", action="extend", default=[], metavar="LEVEL",
             help="sentence, sentence-original, word, word-together (default: all that the kind of model has)"),
    *MODEL_OPTIONS,
    place=10,
)  # fmt: skip
def score(options: argparse.Namespace) -> None:
    """Score every sentence of some suites with a language model."""
    from starbank.scoring import score

    table = score(
        options.suites,
        options.model,
        options.output,
        text=options.text,
        levels=options.level,
        name=options.name,
        overwrite=options.overwrite,
        **model_settings(options),
    )
    say(f"{table.num_rows} scores -> {options.output}")


@command(
    "starbank evaluations mlm-HPLT-S2-ERG-word-level.csv --suites S2-ERG --language kat -o outputs/scores/published",
    argument("files", nargs="+", type=Path, metavar="FILE",
             help="tables of Grew-TSE, named mlm-MODEL-SUITE-word-level.csv, or ntp and sentence-level"),
    argument("--suites", nargs="+", action="extend", required=True, metavar="NAME",
             help="the suites, as the names of the files have them"),
    argument("--language", required=True, metavar="CODE", help="ISO 639-3"),
    output("DIR", "where a file of scores for each goes, the dataset's name being that of the folder"),
    place=11,
)  # fmt: skip
def evaluations(options: argparse.Namespace) -> None:
    """Make scores of evaluations that others have published, for `starbank results`."""
    from starbank.scoring.evaluations import import_evaluations

    written = import_evaluations(options.files, options.suites, options.output, language=options.language)
    say(f"{len(written)} files of scores -> {options.output}")


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
