"""Commands about models and what they score: `score`, `results`."""

from __future__ import annotations

import argparse
from pathlib import Path

from starbank.commands.declare import argument, command, output, say


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
