"""The command `transform`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from starbank.commands.by_name import FETCH_OPTION, bring
from starbank.commands.declare import INGESTED_OPTION, TREEBANK, argument, command, output, say
from starbank.errors import UsageError


@command(
    "starbank transform colorless treebanks/sample/UD_Hindi-Sample -o outputs/treebanks/UD_Hindi-Sample+colorless",
    argument("name", metavar="NAME", help="colorless, latin, swapped, without_suffixes, suffixes_only, neutral_case, "
             "without_verbs, or a name of your own with --generator"),
    argument("treebank", metavar="TREEBANK", help=TREEBANK),
    output("DIR", "where tokens.parquet, sentences.parquet and treebank.json go"),
    argument("--generator", metavar="MODULE", help="what does the work, where it is not the module called NAME"),
    argument("--option", nargs="+", action="extend", default=[], dest="options", metavar="KEY=VALUE",
             help="options of the transform, values as in YAML: preset=vyakarana variants=4"),
    argument("--seed", type=int, default=0, help="for what is drawn at random (default: 0)"),
    argument("--conllu", type=Path, metavar="FILE", help="also write CoNLL-U: a .conllu file, or a folder of files"),
    FETCH_OPTION,
    INGESTED_OPTION,
    place=3,
)  # fmt: skip
def transform(options: argparse.Namespace) -> None:
    """Derive a treebank from another: colorless green sentences, Latin letters, exchanged splits, no endings."""
    from starbank.transforms import derive

    bring([options.treebank], options)
    treebank, notes = derive(
        options.name,
        options.treebank,
        options.output,
        generator=options.generator,
        options=read_options(options.options),
        seed=options.seed,
        conllu=options.conllu,
        ingested=options.ingested,
    )
    sentences, words = (sum(file[key] for file in treebank.info["files"]) for key in ("sentences", "words"))
    say(f"{treebank.name}: {sentences} sentences, {words} words -> {options.output}")
    for note in notes:
        say(f"  {note}")


def read_options(texts: list[str]) -> dict[str, Any]:
    """Return options written as `KEY=VALUE`, values as in YAML; raises `UsageError` where one is not."""
    import yaml

    options = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise UsageError(f"--option {text}: this is no KEY=VALUE", hint="Write --option preset=strict variants=4.")
        try:
            options[key] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise UsageError(f"--option {text}: the value cannot be read as YAML") from error
    return options
