"""A treebank of the size that is wanted: a small one, repeated."""

from __future__ import annotations

import argparse
from pathlib import Path

from starbank.transforms import copy_sentences
from starbank.treebanks import Treebank, read_conllu

ROOT = Path(__file__).resolve().parent.parent


def from_command_line(description: str | None, real: str) -> tuple[Treebank, Treebank, int]:
    """Return the treebank that the command line names, the same repeated, and the words of that.

    By default it is `real`, where it lies beside the repository, or else the bundled sample; 300,000 words.
    """
    beside = ROOT.parent / "shared" / "treebanks" / real
    folder = beside if beside.is_dir() else ROOT / "treebanks" / "sample" / "UD_English-Sample"
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=folder)
    parser.add_argument("--words", type=int, default=300_000)
    options = parser.parse_args()
    treebank = read_conllu([options.folder])
    words = sum(file["words"] for file in treebank.info["files"])
    copies = -(-options.words // words)
    return treebank, copy_sentences(treebank, [f"-{number}" for number in range(copies)]), words * copies
