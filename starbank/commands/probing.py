"""Commands about probes: `tasks`, `probe`."""

from __future__ import annotations

import argparse

from starbank.commands.declare import INGESTED_OPTION, TREEBANK, argument, command, output, say


@command(
    "starbank tasks treebanks/sample/UD_Hindi-Sample -o outputs/tasks",
    argument("treebanks", nargs="+", metavar="TREEBANK", help=TREEBANK),
    output("DIR", "gets a folder for each treebank: Parquet for each task and split, a card, tasks.json"),
    argument("--task", nargs="+", action="extend", default=[], dest="tasks", metavar="NAME",
             help="pos, depth, case, agreement (default: all four), or a module of your own in generators/"),
    argument("--definition", choices=["strict", "paper", "notebook"], default="strict",
             help="as Patil et al. (2021) write, the same without labels that nothing tells (default), or as their "
             "notebooks do"),
    INGESTED_OPTION,
)  # fmt: skip
def tasks(options: argparse.Namespace) -> None:
    """Label words and sentences for probes: parts of speech, depth of the tree, case, agreement."""
    from starbank.probing import TASKS, make_tasks

    settings = {"tasks": options.tasks or TASKS, "definition": options.definition, "ingested": options.ingested}
    for reference in options.treebanks:
        about = make_tasks(reference, options.output, **settings)
        say(f"{about['treebank']['name']} -> {options.output / about['treebank']['name']}")
        for name, task in about["tasks"].items():
            sizes = ", ".join(f"{split} {size['labels']}" for split, size in task["splits"].items())
            say(f"  {name:<10} {sizes or 'nothing to label'}")
            for note in task["notes"]:
                say(f"  {'':<10} {note}")
        if about["repeated"]:
            say(f"  sentences left out because another split has the same text: {about['repeated']}")
