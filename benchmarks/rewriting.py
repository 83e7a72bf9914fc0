"""A construction whose conditions are Grew commands, beside one whose conditions are features, on the same matches.

Both find the determiners of nouns in an ingested treebank and make sets of them: one moves them behind their noun, the
other gives the noun its other number. Both are processes of their own, and what counts is the processor's seconds.

    python benchmarks/rewriting.py FOLDER [FOLDER …]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq
from scale import cost

SETTINGS = {
    "features": "vary: {Number: [Sing, Plur]}",
    "commands": "conditions: {behind its noun: [move_node D :> N]}",
}
QUERY = """\
% ---
% phenomenon: any
% treebanks: all
% target: N
% {settings}
% ---
pattern {{ N [upos=NOUN, Number=Sing|Plur]; N -[det]-> D; D << N }}
"""


def main() -> None:
    for folder in map(Path, sys.argv[1:] or sys.exit(__doc__)):
        words = pq.read_metadata(folder / "tokens.parquet").num_rows
        with tempfile.TemporaryDirectory() as name:
            lexicon = Path(name) / "lexicon.parquet"
            cost(["starbank", "lexicon", "build", str(folder), "-o", str(lexicon)])
            seconds = {kind: make(kind, folder, lexicon, Path(name)) for kind in SETTINGS}
            rows = [
                pq.read_metadata(Path(name) / "suites" / kind / f"{table}.parquet").num_rows
                for kind in SETTINGS
                for table in ("items", "rejected")
            ]
        features, commands = seconds.values()
        print(
            f"{folder.name}: {words} words; features {features:.1f} CPU-s ({rows[0]} items, {rows[1]} rejected), "
            f"commands {commands:.1f} CPU-s ({rows[2]} items, {rows[3]} rejected): {commands / features:.2f} times"
        )


def make(kind: str, treebank: Path, lexicon: Path, folder: Path) -> float:
    """Return what it costs to make one of the suites."""
    query = folder / f"{kind}.grew"
    query.write_text(QUERY.format(settings=SETTINGS[kind]), encoding="utf-8")
    options = ["--treebank", treebank, "--lexicon", lexicon, "-o", folder / "suites"]
    return cost(["starbank", "generate", *map(str, [query, *options])])[0]


if __name__ == "__main__":
    main()
