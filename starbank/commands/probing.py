"""Commands about labelled tasks: `tasks`, `train`, `probe`."""

from __future__ import annotations

import argparse
from pathlib import Path

from starbank.commands.by_name import FETCH_OPTION, bring
from starbank.commands.declare import (
    INGESTED_OPTION,
    MODEL_OPTIONS,
    NAME_OPTION,
    TREEBANK,
    argument,
    command,
    model_settings,
    output,
    say,
)
from starbank.commands.transform import read_options


@command(
    "starbank tasks treebanks/sample/UD_Hindi-Sample -o outputs/tasks",
    argument("treebanks", nargs="+", metavar="TREEBANK", help=TREEBANK),
    output("DIR", "gets a folder for each treebank: Parquet for each task and split, a card, tasks.json"),
    argument("--task", nargs="+", action="extend", default=[], dest="tasks", metavar="NAME",
             help="pos, depth, case, agreement (default: these), argument_number, suffix_recovery, diagnostics, or a "
             "module of your own in generators/"),
    argument("--definition", choices=["strict", "paper", "notebook"], default="strict",
             help="as Patil et al. (2021) write, the same without labels that nothing tells (default), or as their "
             "notebooks do"),
    FETCH_OPTION,
    INGESTED_OPTION,
    place=9,
)  # fmt: skip
def tasks(options: argparse.Namespace) -> None:
    """Label words and sentences: parts of speech, depth of the tree, case, agreement, arguments, suffixes."""
    from starbank.probing import TASKS, make_tasks

    settings = {"tasks": options.tasks or TASKS, "definition": options.definition, "ingested": options.ingested}
    bring(options.treebanks, options)
    for reference in options.treebanks:
        about = make_tasks(reference, options.output, **settings)
        say(f"{about['treebank']['name']} -> {options.output / about['treebank']['name']}")
        for name, task in about["tasks"].items():
            sizes = ", ".join(f"{split} {size['labels']}" for split, size in task["splits"].items())
            say(f"  {name:<10} {sizes or 'nothing to label'}")
            for note in task["notes"]:
                say(f"  {'':<10} {note}")
        if about["repeated"]:
            say(f"  sentences left out because their text is there already: {about['repeated']}")


@command(
    "starbank train outputs/tasks/UD_Basque-BDT --task argument_number -o outputs/trained/basque",
    argument("tasks", type=Path, metavar="TASKS", help="a folder that `starbank tasks` wrote"),
    argument("--task", required=True, metavar="NAME", help="which of its tasks is to be learnt"),
    output("DIR", "the model: weights, vocabulary, config.json, curve, and its answers on test"),
    argument("--recipe", default="ravfogel", metavar="NAME",
             help="ravfogel (default), ravfogel-forward or ravfogel-words, as Ravfogel et al. (2018), or transformer"),
    argument("--option", nargs="+", action="extend", default=[], dest="options", metavar="KEY=VALUE",
             help="other values of the recipe: epochs=5 dropout=0.5"),
    argument("--seed", type=int, default=0, help="for weights and the order of rows (default: 0)"),
    argument("--fold", type=int, choices=range(10), default=0, metavar="N",
             help="0 to 9: where sentences are dealt to splits, which tenth is for test (default: 0)"),
    argument("--device", help="cpu, cuda, cuda:1, … (default: a GPU where there is one)"),
    place=12,
)  # fmt: skip
def train(options: argparse.Namespace) -> None:
    """Let a model learn a labelled task from its rows alone: an LSTM, or a small Transformer."""
    from starbank.probing.learning import train

    about = train(
        options.tasks,
        options.task,
        options.output,
        recipe=options.recipe,
        options=read_options(options.options),
        seed=options.seed,
        fold=options.fold,
        device=options.device,
    )
    rows = ", ".join(f"{split} {count}" for split, count in about["rows"].items())
    say(f"{about['task']} of {about['treebank']}: {rows}{' (sentences were dealt to splits)' * about['dealt']}")
    for question, figures in about["figures"].items():
        recall = "" if figures["recall"] is None else f", recall {figures['recall']:.3f}"
        say(f"  {question:<15} accuracy {figures['accuracy']:.3f}{recall}, majority {figures['majority']:.3f}")
    say(f"epoch {about['best']} of {about['epochs']}, {about['parameters']} parameters -> {options.output}")


@command(
    "starbank probe outputs/tasks/UD_Hindi-PUD --model google/muril-base-cased -o outputs/probes/muril.parquet",
    argument("tasks", nargs="+", type=Path, metavar="TASKS",
             help="folders that `starbank tasks` wrote, or folders of such"),
    argument("--model", required=True, metavar="NAME_OR_FOLDER",
             help="a name on the Hugging Face Hub, or a local folder, such as one that `starbank train` wrote"),
    output("FILE", "the figures, as Parquet; their page (HTML) and the curves (SVG) go beside it"),
    argument("--task", nargs="+", action="extend", default=[], dest="names", metavar="NAME",
             help="only these (default: all)"),
    argument("--recipe", choices=["starbank", "mlp", "vyakarana"], default="starbank",
             help="how probes are trained: linear ones our way (default), MLPs, or as Patil et al. (2021) did"),
    argument("--seeds", nargs="+", type=int, default=[], metavar="N", help="in place of the recipe's three"),
    argument("--cache", type=Path, metavar="DIR",
             help="keep what the layers have, for other runs (default: only until the run is over)"),
    NAME_OPTION,
    *MODEL_OPTIONS,
    place=13,
)  # fmt: skip
def probe(options: argparse.Namespace) -> None:
    """Train probes on every layer of a frozen model: what does it know of the labels of tasks?"""
    from starbank.probing import probe

    table = probe(
        options.tasks,
        options.model,
        options.output,
        tasks=options.names,
        recipe=options.recipe,
        seeds=options.seeds,
        cache=options.cache,
        name=options.name,
        **model_settings(options),
    )
    best = table.filter(table["chosen"]).group_by(["task", "treebank", "layer"], use_threads=False)
    for row in best.aggregate([("test_f1", "mean"), ("control_f1", "mean"), ("majority_f1", "min")]).to_pylist():
        figures = (
            f"F1 {row['test_f1_mean']:.3f}, control {row['control_f1_mean']:.3f}, majority {row['majority_f1_min']:.3f}"
        )
        say(f"{row['task']:<10} {row['treebank']}: {figures} (layer {row['layer']})")
    say(f"{table.num_rows} probes -> {options.output}, {options.output.with_suffix('.html').name}")
