"""The commands of the command line, a module for each room of the house."""

from starbank.commands import (
    constructions,
    datasets,
    match,
    morphology,
    overview,
    probing,
    scores,
    suites,
    transform,
    treebanks,
)
from starbank.commands.declare import COMMANDS

__all__ = [
    "COMMANDS",
    "constructions",
    "datasets",
    "match",
    "morphology",
    "overview",
    "probing",
    "scores",
    "suites",
    "transform",
    "treebanks",
]
