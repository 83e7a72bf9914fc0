"""Ingest, side by side with the `conllu` library: words per second from a CoNLL-U file.

Ours reads, checks and aligns the files and writes `tokens.parquet` and `sentences.parquet`; `conllu.parse_incr` parses
them and nothing else.

    python benchmarks/ingest.py [FILES] [--repeat N]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import conllu

from starbank.treebanks import ingest

ROOT = Path(__file__).resolve().parent.parent


def default_files() -> list[Path]:
    """Return the real treebanks beside the repository, or else the bundled sample."""
    for folder in (ROOT.parent / "shared" / "treebanks", ROOT / "treebanks" / "sample"):
        if files := sorted(folder.glob("*/*.conllu")):
            return files
    raise SystemExit("no CoNLL-U files: name some")


def parse_all(files: list[Path]) -> int:
    """Parse the files with `conllu` and return the number of their words."""
    words = 0
    for file in files:
        with open(file, encoding="utf-8") as stream:
            for sentence in conllu.parse_incr(stream):
                words += sum(isinstance(token["id"], int) for token in sentence)
    return words


def ingest_all(files: list[Path]) -> int:
    """Ingest the files, one treebank per folder, and return the number of their words."""
    folders: dict[Path, list[Path]] = {}
    for file in files:
        folders.setdefault(file.parent, []).append(file)
    words = 0
    with tempfile.TemporaryDirectory() as output:
        for folder, members in folders.items():
            treebank = ingest(members, Path(output) / folder.name)
            words += sum(file["words"] for file in treebank.info["files"])
    return words


def seconds(action: Callable[[], int], repeat: int) -> list[float]:
    """Return how long each of `repeat` runs took, sorted."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return sorted(times)


def main() -> None:
    """Print a table of words per second."""
    parser = argparse.ArgumentParser(description="Words per second of ingest and of the conllu library.")
    parser.add_argument("files", nargs="*", type=Path, help="CoNLL-U files (default: real treebanks, or the sample)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each, of which the median counts")
    arguments = parser.parse_args()
    files = arguments.files or default_files()
    words = parse_all(files)
    if ingest_all(files) != words:
        raise SystemExit("the two readers disagree about the number of words")
    rates = {}
    for name, action in (("conllu, parse only", parse_all), ("starbank, to Parquet", ingest_all)):
        times = seconds(lambda action=action: action(files), arguments.repeat)
        rates[name] = words / times[len(times) // 2]
    slow = rates["conllu, parse only"]
    print(f"{len(files)} files, {words:,} words, median of {arguments.repeat}")
    print(f"{'reader':24}{'words/s':>12}{'ratio':>8}")
    for name, rate in rates.items():
        print(f"{name:24}{rate:12,.0f}{rate / slow:8.1f}")


if __name__ == "__main__":
    main()
