"""Commands for people who write constructions: `new`, `check`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from starbank.commands.by_name import FETCH_OPTION, bring, bring_named
from starbank.commands.colour import wants_colour
from starbank.commands.declare import INGESTED_OPTION, TREEBANK, argument, command, say
from starbank.errors import TreebankError, UsageError


@command(
    "starbank new UD_Irish-IDT -o queries/gle/determiner-noun-number.grew",
    argument("treebank", metavar="TREEBANK", help=TREEBANK),
    argument("name", nargs="?", metavar="NAME",
             help="a proposal of the list (default: that of the file's name, or the best)"),
    argument("-o", "--output", type=Path, metavar="FILE",
             help="the construction file; without it, the proposals are listed"),
    argument("--phenomenon", choices=("agreement", "government", "case"), help="only proposals about this"),
    argument("--target", metavar="UPOS", help="only proposals whose target is of this kind"),
    argument("--vary", metavar="FEATURE", help="only proposals in which this feature varies"),
    FETCH_OPTION,
    INGESTED_OPTION,
    place=18,
)  # fmt: skip
def new(options: argparse.Namespace) -> None:
    """Propose constructions from what a treebank counts, and write the file of one."""
    from starbank.files import write_text
    from starbank.pipeline.proposals import choose, propose, to_construction, to_lines, weigh_guards
    from starbank.treebanks import open_treebank
    from starbank.treebanks.places import is_ud_name

    file = options.output
    if file and file.suffix != ".grew":
        raise UsageError("a construction file ends in .grew", file=file)
    if file and file.exists():
        raise UsageError("there is such a file already", file=file, hint="Give another name, or remove it first.")
    bring([options.treebank], options)
    treebank = open_treebank(options.treebank, options.ingested)
    proposals = propose(treebank)
    if not proposals:
        hint = "Counts find agreement and government only where words have features (FEATS) and enough of them."
        raise TreebankError(f"{treebank.name} shows no regularity to propose", hint=hint)
    name = options.name or (file.stem if file and file.stem in {proposal.name for proposal in proposals} else None)
    chosen = choose(proposals, name=name, phenomenon=options.phenomenon, upos=options.target, feature=options.vary)
    if not file:
        sys.stdout.writelines(f"{line}\n" for line in to_lines(chosen))
        say("`starbank new TREEBANK NAME -o FILE` writes one of them.")
        return
    write_text(to_construction(weigh_guards(chosen[0], treebank), treebank), file)
    say(f"{chosen[0].name} ({chosen[0].matches} matches) -> {file}")
    # The file names the treebank, which is to be given where it has been read from elsewhere.
    given = "" if is_ud_name(options.treebank) else f" --treebank {options.treebank}"
    say(f"Now try it out: starbank check {file}{given}")


@command(
    "starbank check queries/kat/transitive-erg-nom-subj.grew --treebank treebanks/sample/UD_Georgian-Sample",
    argument("queries", nargs="+", type=Path, metavar="FILE", help="construction files, templates, suites of others"),
    argument("--treebank", nargs="+", action="extend", default=[], metavar="TREEBANK", help=TREEBANK),
    argument("--lexicon", type=Path, metavar="FILE", help="a lexicon.parquet; by default one is made of the treebanks"),
    argument("--seed", type=int, default=0, metavar="N", help="which items are drawn under a `limit` (default: 0)"),
    argument("--colour", choices=("auto", "always", "never"), default="auto",
             help="by default where stdout is a terminal, as NO_COLOR and FORCE_COLOR have it"),
    FETCH_OPTION,
    INGESTED_OPTION,
    place=19,
)  # fmt: skip
def check(options: argparse.Namespace) -> None:
    """Try constructions, templates and suites of others out: what they give, what to look at first; writes nothing."""
    from starbank.pipeline.check import check, to_lines
    from starbank.queries import benchmarks
    from starbank.queries.imports import is_import, read_import
    from starbank.queries.templates import SUFFIX
    from starbank.sets.imported import tell
    from starbank.sets.paradigms import tell_paradigm
    from starbank.sets.templates import describe

    treebanks = bring_named(options.queries, options.treebank, options)
    for place, query in enumerate(options.queries):
        if query.suffix == SUFFIX:
            lines = str(describe(query, seed=options.seed)).splitlines()
        elif is_import(query):
            lines = tell(read_import(query))
        elif query.suffix == benchmarks.SUFFIX:
            lines = [line for paradigm in benchmarks.read_paradigms(query) for line in tell_paradigm(paradigm)]
        else:
            made = check(query, treebanks, lexicon=options.lexicon, seed=options.seed, ingested=options.ingested)
            lines = list(to_lines(made, wants_colour(options.colour)))
        sys.stdout.writelines(f"{line}\n" for line in ([""] if place else []))
        sys.stdout.writelines(f"{line}\n" for line in lines)
