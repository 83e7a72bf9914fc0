"""Constructions whose conditions are Grew commands, beside one whose conditions are features, on the same matches.

All find singular nouns behind their determiner. One gives the noun its other number by features, the others replace its
cell, delete the determiner, insert another one, or move it. Each is a process of its own, and what counts is the
processor's seconds. Files are repeated, with `sent_id`s made distinct, to so many words.

    python benchmarks/rewriting.py FILE [FILE …] [--words N]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import pyarrow.parquet as pq
from scale import BASE, cost, write_copies

SETTINGS = {
    "features": "vary: {Number: [Sing, Plur]}",
    "replace": "conditions: {plural: [N.Number = Plur]}",
    "delete": "conditions: {without determiner: [del_node D]}",
    "insert": 'conditions: {twice: [add_node X :> D, X.lemma = D.lemma, X.upos = DET, "add_edge N -[det]-> X"]}',
    "move": "conditions: {behind its noun: [move_node D :> N]}",
}
QUERY = """\
% ---
% phenomenon: any
% treebanks: all
% target: N
% {settings}
% ---
pattern {{ N [upos=NOUN, Number=Sing]; N -[det]-> D; D << N }}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Time of sets by commands and of sets by features.")
    parser.add_argument("files", nargs="+", type=Path, help="CoNLL-U files of one treebank")
    parser.add_argument("--words", type=int, default=BASE, help="how many words they are repeated to")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = write_copies(arguments.files, folder / arguments.files[0].name, arguments.words)
        treebank, lexicon = folder / "treebank", folder / "lexicon.parquet"
        cost(["starbank", "ingest", str(folder / arguments.files[0].name), "-o", str(treebank)])
        cost(["starbank", "lexicon", "build", str(treebank), "-o", str(lexicon)])
        print(f"{words:,} words")
        print(f"{'kind':<10}{'CPU-s':>8}{'ratio':>8}{'MB':>8}{'items':>8}{'rejected':>10}")
        first = None
        for kind in SETTINGS:
            seconds, size = make(kind, treebank, lexicon, folder)
            items, rejected = (
                pq.read_metadata(folder / "suites" / kind / f"{table}.parquet").num_rows
                for table in ("items", "rejected")
            )
            first = first or seconds
            print(f"{kind:<10}{seconds:8.1f}{seconds / first:8.2f}{size:8.0f}{items:8}{rejected:10}", flush=True)


def make(kind: str, treebank: Path, lexicon: Path, folder: Path) -> tuple[float, float]:
    """Return what it costs to make one of the suites: seconds of the processor, megabytes at most."""
    query = folder / f"{kind}.grew"
    query.write_text(QUERY.format(settings=SETTINGS[kind]), encoding="utf-8")
    options = ["--treebank", treebank, "--lexicon", lexicon, "-o", folder / "suites"]
    return cost(["starbank", "generate", *map(str, [query, *options])])


if __name__ == "__main__":
    main()
