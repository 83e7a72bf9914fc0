"""Ingest, side by side with the `conllu` library: words per second from CoNLL-U files.

Ours reads, checks and aligns the files and writes `tokens.parquet` and `sentences.parquet`; `conllu.parse_incr` parses
them and does nothing else. Measured on the files as they are, one treebank per folder, and on the largest of these
treebanks repeated to half a million words, the size of the larger UD treebanks. Processor time is that of all threads:
it tells more than the clock where the machine is busy with other things. Opening the large treebank again checks the
sums of its tables, whose cost stands beside it.

    python benchmarks/ingest.py [FILES] [--repeat N]
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import conllu

from starbank.treebanks import ingest, open_treebank
from starbank.treebanks.store import check_tables

ROOT = Path(__file__).resolve().parent.parent
LARGE = 500_000


def default_files() -> list[Path]:
    """Return the real treebanks beside the repository, or else the bundled sample."""
    for folder in (ROOT.parent / "shared" / "treebanks", ROOT / "treebanks" / "sample"):
        if files := sorted(folder.glob("*/*.conllu")):
            return files
    raise SystemExit("no CoNLL-U files: name some")


def by_folder(files: list[Path]) -> dict[Path, list[Path]]:
    """Return the files of each treebank."""
    folders: dict[Path, list[Path]] = {}
    for file in files:
        folders.setdefault(file.parent, []).append(file)
    return folders


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
    words = 0
    with tempfile.TemporaryDirectory() as output:
        for folder, members in by_folder(files).items():
            treebank = ingest(members, Path(output) / folder.name)
            words += sum(file["words"] for file in treebank.info["files"])
    return words


def enlarge(files: list[Path], folder: Path) -> list[Path]:
    """Write the largest treebank among `files`, repeated to half a million words, to a file in `folder`."""
    members = max(by_folder(files).values(), key=lambda several: sum(file.stat().st_size for file in several))
    content = b"".join(file.read_bytes() for file in members)
    path = folder / members[0].name
    path.write_bytes(content * (LARGE // parse_all(members) + 1))
    return [path]


def seconds(actions: list[Callable[[], int]], repeat: int) -> list[tuple[float, float]]:
    """Return the median wall-clock and processor time of `repeat` runs of each action, which take turns."""
    times: list[list[tuple[float, float]]] = [[] for _ in actions]
    for _ in range(repeat):
        for action, own in zip(actions, times, strict=True):
            wall, processor = time.perf_counter(), time.process_time()
            action()
            own.append((time.perf_counter() - wall, time.process_time() - processor))
    return [(median(wall for wall, _ in own), median(processor for _, processor in own)) for own in times]


def compare(title: str, files: list[Path], repeat: int) -> None:
    """Print the words per second of both readers for `files`."""
    words = parse_all(files)
    if ingest_all(files) != words:
        raise SystemExit("the two readers disagree about the number of words")
    results = seconds([lambda: parse_all(files), lambda: ingest_all(files)], repeat)
    print(f"{title}: {words:,} words, median of {repeat}")
    print(f"  {'reader':24}{'words/s':>12}{'ratio':>8}{'processor seconds':>20}{'ratio':>8}")
    for reader, (wall, processor) in zip(("conllu, parse only", "starbank, to Parquet"), results, strict=True):
        ratios = results[0][0] / wall, results[0][1] / processor
        print(f"  {reader:24}{words / wall:12,.0f}{ratios[0]:8.1f}{processor:20.2f}{ratios[1]:8.1f}")
    print()


def weigh_sums(files: list[Path], repeat: int) -> None:
    """Print which share of opening an ingested treebank it takes to check that its tables are as they were written."""
    with tempfile.TemporaryDirectory() as output:
        folder = Path(output) / "UD_Large"
        ingest(files, folder)
        opened, checked = seconds(
            [lambda: len(open_treebank(folder).tokens), lambda: check_tables(folder) or 0], repeat
        )
    print(f"opening it: {opened[1]:.3f} processor seconds, of which checking sums {checked[1] / opened[1]:.1%}")


def main() -> None:
    """Print a table for each input."""
    parser = argparse.ArgumentParser(description="Words per second of ingest and of the conllu library.")
    parser.add_argument("files", nargs="*", type=Path, help="CoNLL-U files (default: real treebanks, or the sample)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each (default: 3)")
    arguments = parser.parse_args()
    logging.disable()
    files = arguments.files or default_files()
    compare(f"{len(by_folder(files))} treebanks as they are", files, arguments.repeat)
    with tempfile.TemporaryDirectory() as folder:
        large = enlarge(files, Path(folder))
        compare("one large treebank", large, arguments.repeat)
        weigh_sums(large, arguments.repeat)


if __name__ == "__main__":
    main()
