"""Pairs a second, from CoNLL-U to a file, beside the plain script that one would write for the day.

The script reads lines, counts forms in a dictionary, and puts the other number of a verb in place of the one that is
there; it knows no guards, and writes text put together of forms. Starbank ingests, builds its lexicon, learns to
inflect, and makes the suite of `subject-verb-number` without a limit, with all guards. Both are processes of their own,
and what counts is the processor's seconds.

    python benchmarks/pairs.py FILE [FILE …]
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
from match import ROOT
from scale import cost

QUERY = ROOT / "queries/universal/subject-verb-number.grew"
OTHER = {"Number=Sing": "Number=Plur", "Number=Plur": "Number=Sing"}


def main() -> None:
    if sys.argv[1:2] == ["--plain"]:
        plain([Path(file) for file in sys.argv[3:]], Path(sys.argv[2]))
        return
    for file in map(Path, sys.argv[1:] or sys.exit(__doc__)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            script, _ = cost([sys.executable, __file__, "--plain", str(folder / "pairs.jsonl"), str(file)])
            lines = len((folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines())
            seconds = sum(cost(["starbank", *map(str, command)])[0] for command in commands(file, folder))
            pairs = pq.read_metadata(folder / "suites" / QUERY.stem / "pairs.parquet").num_rows
        ratio = (pairs / seconds) / (lines / script) if lines else float("nan")
        print(
            f"{file.stem}: {lines} pairs in {script:.1f} CPU-s without guards, {pairs} in {seconds:.1f} CPU-s "
            f"with all: {ratio:.2f} times as many a second"
        )


def commands(file: Path, folder: Path) -> list[list[object]]:
    """Return what makes the suite of a file in a folder."""
    treebank, lexicon, query = folder / "treebank", folder / "lexicon.parquet", folder / QUERY.name
    limited = QUERY.read_text(encoding="utf-8").splitlines(keepends=True)
    query.write_text("".join(line for line in limited if not line.startswith("% limit:")), encoding="utf-8")
    return [
        ["ingest", file, "-o", treebank],
        ["lexicon", "build", treebank, "-o", lexicon],
        ["generate", query, "--treebank", treebank, "--lexicon", lexicon, "-o", folder / "suites"],
    ]


def plain(files: list[Path], output: Path) -> None:
    """Write pairs as anybody would: split lines, a dictionary of forms, the other number in place of the one there."""
    sentences: list[list[list[str]]] = [[]]
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line:
                sentences.append([])
            elif line[0].isdigit() and line.split("\t", 1)[0].isdigit():
                sentences[-1].append(line.split("\t"))
    forms: dict[tuple[str, str, str], Counter[str]] = {}
    for words in sentences:
        for word in words:
            forms.setdefault((word[2], word[3], word[5]), Counter())[word[1]] += 1
    with output.open("w", encoding="utf-8") as stream:
        for words in sentences:
            verbs = {word[6] for word in words if word[7] == "nsubj" and "Number=" in word[5]}
            for place, word in enumerate(words):
                for own, other in OTHER.items():
                    if word[0] in verbs and word[3] == "VERB" and own in word[5]:
                        starred = forms.get((word[2], word[3], word[5].replace(own, other)))
                        if starred and starred.most_common(1)[0][0] != word[1]:
                            good = [each[1] for each in words]
                            bad = [*good[:place], starred.most_common(1)[0][0], *good[place + 1 :]]
                            stream.write(json.dumps({"good": " ".join(good), "bad": " ".join(bad)}) + "\n")


if __name__ == "__main__":
    main()
