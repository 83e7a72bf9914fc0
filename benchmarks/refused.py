"""What guards refuse, and how much of it is wrong: a good pair thrown away is a defect, too.

    python benchmarks/refused.py SHARED -o FOLDER [--languages pol,por] [--read N]

SHARED holds `treebanks/`, laid out like a UD release. Universal suites are made in FOLDER, without their limits, as if
no guard judged but those that need no grammar (`TECHNICAL`); what the others say of each starred condition is noted.
Printed is for each guard, and for guards that often speak together, how many starred sentences they alone keep from
being made, and of those that readers have judged (`refused.tsv`) how many are wrong, with the 95% interval (Wilson
1927). A guard that refuses little but what is fine does harm.

`--read` writes so many sentences for each guard to FOLDER/read.tsv, of treebanks that `validity.py` does not hold out,
drawn with a fixed seed, to be read and given a verdict. `refused.tsv` has 1688, some of treebanks that are held out,
which readers who did not know what had been refused, or why, called acceptable as they stand or not.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pandas as pd
import validity

from starbank import guards, sets
from starbank.guards.registry import Guard, verdicts
from starbank.suites import Suite

VERDICTS = Path(__file__).with_suffix(".tsv")
TECHNICAL = (
    "target value not varied",
    "sentence text rebuilt",
    "target in a multiword token",
    "target not in the text",
    "target glued to another word",
    "target is no plain word",
    "no form",
    "identical form",
)
MATCH = ["treebank", "construction", "sent_id", "target_id"]
STAR = [*MATCH, "condition"]
# What the text has is no condition of the match, whichever guard says so.
UNVARIED = "the sentence has another value"
# Guards that refuse fewer sentences are not shown.
FEW = 100

_TARGETS = """
    select row, about.construction, sent_id, id::varchar as target_id
    from words join about on about.number = words.construction where first
"""


class Notes:
    """What guards say of the matches that are judged: a row for each match, condition (`name`) and guard (`reason`)."""

    def __init__(self) -> None:
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._rows: list[pd.DataFrame] = []
        self.said: list[pd.DataFrame] = []

    def begin(self, original: Callable[..., None], connection: duckdb.DuckDBPyConnection, *arguments: Any) -> None:
        """Judge with a connection, which is asked what each guard says."""
        self._connection = connection
        original(connection, *arguments)

    def verdicts(self, judging: Iterable[Guard], first: int = 0) -> str:
        """Note what guards say, and return the query for what those say that count."""
        judging = list(judging)
        assert self._connection
        query = verdicts(judging, first)
        self._rows.append(self._connection.execute(f"select distinct row, name, reason from ({query})").df())
        technical = ", ".join(f"'{name}'" for name in TECHNICAL)
        return f"from ({query}) where reason in ({technical}) or detail = '{UNVARIED}'"

    def end(
        self, original: Callable[..., list[Suite]], connection: duckdb.DuckDBPyConnection, *arguments: Any
    ) -> list[Suite]:
        """Make suites, and keep what has been noted of their matches."""
        suites = original(connection, *arguments)
        targets = connection.execute(_TARGETS).df().assign(treebank=arguments[-1].name)
        self.said.append(pd.concat(self._rows).merge(targets, on="row").drop(columns="row"))
        self._rows.clear()
        return suites


def make(language: str, sources: list[Path], output: Path) -> pd.DataFrame:
    """Return the starred conditions of a language, and for each the guards that speak against it (`guards`)."""
    notes = Notes()
    # Mined agreement judges its arcs by guards of its own.
    queries = [
        query for query in sorted((validity.QUERIES / "universal").glob("*.grew")) if "mined" not in query.read_text()
    ]
    with (
        patch.object(guards, "judge_words", partial(notes.begin, guards.judge_words)),
        patch.object(guards, "judge", partial(notes.begin, guards.judge)),
        patch.object(sets, "make_suites", partial(notes.end, sets.make_suites)),
        patch.object(import_module("starbank.guards.judge"), "verdicts", notes.verdicts),
    ):
        if failure := validity.make(language, sources, output, queries):
            print(failure)
    stars = validity.starred(output, [language])
    if stars.empty:
        return stars
    stars = stars.astype({"target_id": str}).drop_duplicates(STAR)
    both = stars[STAR].merge(pd.concat(notes.said), on=MATCH)
    both = both[both["name"].isna() | (both["name"] == both["condition"])]
    reasons = both.groupby(STAR)["reason"].agg(lambda names: " + ".join(sorted(set(names))))
    return stars.merge(reasons.rename("guards").reset_index(), on=STAR, how="left").fillna({"guards": ""})


def print_refusals(stars: pd.DataFrame, read: pd.DataFrame) -> None:
    """Print how many starred sentences guards refuse alone, or the same ones together, and how many are wrong."""
    print("| guards | refused | read and wrong |\n| --- | --- | --- |")
    for names, count in stars["guards"].value_counts().items():
        if names and count >= FEW:
            judged = read[read["guards"] == names]["verdict"]
            print(f"| {names} | {count} | {validity.share(int(judged.isin(validity.WRONG).sum()), len(judged))} |")


def write_sample(stars: pd.DataFrame, count: int, file: Path) -> None:
    """Write so many sentences for each guard, or for the same ones together, to be read."""
    stars = stars[(stars["guards"] != "") & ~stars["treebank"].isin(validity.HELD_OUT)]
    mixed = stars.sample(frac=1, random_state=0).drop_duplicates("sentence")
    frequent = mixed.groupby("guards").filter(lambda rows: len(rows) >= FEW)
    sample = frequent.groupby("guards").head(count)
    sample.assign(verdict="").to_csv(file, sep="\t", index=False)
    print(f"\n{len(sample)} starred sentences to read: {file}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--languages", type=lambda text: text.split(","), metavar="pol,por")
    parser.add_argument("--read", type=int, metavar="N")
    parser.add_argument("--cores", type=int, default=2, metavar="N")
    options = parser.parse_args()
    sources = validity.languages(options.shared / "treebanks")
    names = options.languages or list(sources)
    with ProcessPoolExecutor(options.cores, max_tasks_per_child=1) as pool:
        tables = pool.map(partial(make, output=options.output), names, [sources[name] for name in names])
        stars = pd.concat(tables, ignore_index=True)
    print_refusals(stars, pd.read_csv(VERDICTS, sep="\t", dtype=str, keep_default_na=False))
    if options.read:
        write_sample(stars, options.read, options.output / "read.tsv")


if __name__ == "__main__":
    main()
