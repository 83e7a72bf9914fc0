"""Commands about datasets: `publish`, `push`, `verify`, `review`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from starbank.commands.declare import INGESTED, argument, command, output, say

if TYPE_CHECKING:
    import pyarrow as pa


@command(
    "starbank publish outputs/suites/kat --treebanks outputs/treebanks -o outputs/datasets/kat",
    argument("suites", nargs="+", type=Path, metavar="DIR", help="suites, or folders of suites"),
    output("DIR", "the dataset folder"),
    argument("--treebanks", type=Path, default=INGESTED, metavar="DIR", help="where the licences lie"),
    argument("--title", help="the dataset's title"),
    argument("--reviews", type=Path, metavar="DIR", help="where `starbank review import` wrote <suite>.reviews.json"),
    argument("--scores", nargs="+", action="extend", type=Path, default=[], metavar="FILE",
             help="scores of models, for the card"),
    place=15,
)  # fmt: skip
def publish(options: argparse.Namespace) -> None:
    """Write a dataset folder that the Hugging Face Hub shows and `datasets` loads."""
    from starbank.hub import publish

    folder = publish(
        options.suites,
        options.output,
        title=options.title,
        treebanks=options.treebanks,
        reviews=options.reviews,
        accuracy=_accuracy(options.scores),
    )
    say(f"dataset -> {folder}")


def _accuracy(scores: list[Path]) -> pa.Table | None:
    if not scores:
        return None
    from starbank.analysis import judgements, tables

    return tables.accuracy(judgements.open_scores(scores))


@command(
    "starbank push outputs/datasets/kat --repo my-org/georgian-case-alignment --tag v1.0.0",
    argument("dataset", type=Path, metavar="DATASET", help="a dataset folder"),
    argument("--repo", required=True, metavar="ORG/NAME", help="the repository on the Hub; made if it is not there"),
    argument("--private", action="store_true", help="make it a private one"),
    argument("--tag", metavar="VERSION", help="name this version, such as v1.2.0"),
    argument("--revision", metavar="BRANCH", help="push to a branch (default: main); made if it is not there"),
    argument("--create-pr", action="store_true", help="propose the changes as a pull request"),
    argument("--overwrite", action="store_true", help="replace and delete also what others have put there"),
    argument("--dry-run", action="store_true", help="only tell what would change"),
    place=16,
)
def push(options: argparse.Namespace) -> None:
    """Put a dataset folder on the Hugging Face Hub, as one commit of what has changed."""
    from starbank.hub import push

    pushed = push(
        options.dataset,
        options.repo,
        private=options.private,
        tag=options.tag,
        revision=options.revision,
        create_pr=options.create_pr,
        overwrite=options.overwrite,
        dry_run=options.dry_run,
    )
    for line in pushed.changes.lines:
        print(line)
    say(f"{options.dataset}: {pushed}")


@command(
    "starbank verify my-org/georgian-case-alignment --source github:UniversalDependencies",
    argument("dataset", metavar="FOLDER_OR_REPO", help="a dataset folder, or a repository on the Hub"),
    argument("--revision", metavar="REVISION", help="tag, branch or commit of a repository"),
    argument("--treebanks", type=Path, default=INGESTED, metavar="DIR", help="where ingested treebanks lie"),
    argument("--source", nargs="*", action="extend", default=[], metavar="SOURCE",
             help="where to fetch those from that are not there, see `starbank fetch`"),
    argument("--lexicon", nargs="+", action="extend", type=Path, default=[], metavar="FILE",
             help="lexicons that cannot be made again from treebanks"),
    place=17,
)  # fmt: skip
def verify(options: argparse.Namespace) -> None:
    """Make a dataset again from what it says of its making; exit status 1 tells that something differs."""
    from starbank.pipeline.verify import verify

    mirror = os.environ.get("UD_MIRROR")
    verdict = verify(
        options.dataset,
        treebanks=options.treebanks,
        sources=[*([mirror] if mirror else []), *options.source],
        lexicons=options.lexicon,
        revision=options.revision,
    )
    print(verdict)
    if not verdict:
        sys.exit(1)


@command(
    "starbank review export outputs/suites/kat/transitive-erg-nom-subj --n 50 -o review.html",
    argument("suite", type=Path, metavar="SUITE", help="the folder of a suite"),
    output("FILE", "the page, one HTML file"),
    argument("--n", type=int, default=50, metavar="N",
             help="items, each with all its sentences (default: %(default)s)"),
    argument("--seed", type=int, default=0, metavar="N", help="which items, in which order (default: 0)"),
    argument("--instructions", type=Path, metavar="FILE",
             help="what the page begins with, in the language of the suite: a text, paragraphs parted by empty lines"),
    place=21,
)  # fmt: skip
def review_export(options: argparse.Namespace) -> None:
    """Write a page on which native speakers judge the sentences of a suite."""
    from starbank.documents import read_text
    from starbank.hub.review_page import export_review, paragraphs

    instructions = paragraphs(read_text(options.instructions)) if options.instructions else []
    sentences = export_review(options.suite, options.output, n=options.n, seed=options.seed, instructions=instructions)
    say(f"{sentences} sentences -> {options.output}")


@command(
    "starbank review import anna.json beso.json --suite outputs/suites/kat/x -o queries/kat/x.reviews.json",
    argument("files", nargs="+", type=Path, metavar="FILE", help="what the page saved"),
    argument("--suite", type=Path, required=True, metavar="DIR", help="the folder of the suite"),
    output("FILE", "all judgements of the suite; those that it holds stay"),
    argument("--keep-all", action="store_true", help="keep also what speakers say who missed the obvious"),
    place=21,
)
def review_import(options: argparse.Namespace) -> None:
    """Gather what speakers say of a suite, for `starbank publish --reviews`."""
    from starbank.hub.agreement import measure_agreement
    from starbank.hub.review_page import read_answers
    from starbank.hub.reviews import read_reviews, write_reviews

    judgements = read_reviews(options.output) if options.output.exists() else []
    for answers in read_answers(options.files, options.suite):
        careful = answers.careful or options.keep_all
        judgements += answers.judgements if careful else []
        right = f"{answers.catches - answers.slips} of {answers.catches} known sentences right"
        lost = f", {answers.unknown} no longer in the suite" if answers.unknown else ""
        say(f"{answers.reviewer}: {len(answers.judgements)} judgements, {right}{lost}{'' if careful else ': left out'}")
    write_reviews(judgements, options.output)
    say(str(measure_agreement(judgements)))
    say(f"reviews -> {options.output}")
