"""What the constructions made by commands give: a table of phenomena by language, and how their items were read.

Each construction of `queries/*/syntax` is made on the ingested treebanks of its language that lie in a folder; those
that run everywhere on all of them. What reading found stands in `benchmarks/phenomena.tsv`, by construction and
treebank: how many items were read, how many were wrong or doubtful, whether the treebank was held out while the
construction was written, and whether who read had written it (`first`) or not (`second`).

    python benchmarks/phenomena.py FOLDER -o SUITES --page docs/phenomena.md
"""

from __future__ import annotations

import argparse
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from match import ROOT

from starbank.hub.suites import language_name
from starbank.queries.constructions import Construction, read_construction
from starbank.treebanks import open_stored

READINGS = Path(__file__).with_suffix(".tsv")
PAGE = """\
# A library of phenomena

Constructions whose starred sentences are made [by commands](perturb.md), in `queries/<language>/syntax/`, with what
they give on treebanks that were at hand: dev and test splits, and small treebanks whole. Other releases give more.
*Read* are items that were read one by one, *wrong* those whose starred sentence was fine, or bad for another reason,
and *doubtful* those that some speakers may say. What follows a plus is of treebanks, or thirds of one, that nobody had
looked at while the construction was written. `python benchmarks/phenomena.py FOLDER -o SUITES --page
docs/phenomena.md` makes this page.

{summary} [RuBLiMP](rublimp.md) has a table of its own.

| phenomenon | language | construction | matches | items | most rejects | read | wrong | doubtful |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
{rows}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="ingested treebanks")
    parser.add_argument("-o", "--output", type=Path, required=True, help="where the suites go")
    parser.add_argument("--page", type=Path, help="write the table as a page")
    options = parser.parse_args()
    treebanks = defaultdict(list)
    for folder in sorted(options.folder.iterdir()):
        treebanks[open_stored(folder).language].append(folder)
    rows = []
    for folder in sorted((ROOT / "queries").glob("*/syntax")):
        queries = sorted(folder.glob("*.grew"))
        of_language = folder.parent.name != "universal"
        for language in [folder.parent.name] if of_language else sorted(filter(None, treebanks)):
            suites = options.output / folder.parent.name / language
            make(queries, treebanks[language], suites)
            rows += [row for query in queries for row in counts(read_construction(query), suites, language)]
    table = pd.DataFrame(rows)
    print(f"{len(table)} suites, {table['items'].sum()} items of {table['matches'].sum()} matches")
    if options.page:
        options.page.write_text(to_page(table, pd.read_csv(READINGS, sep="\t")), encoding="utf-8")


def make(queries: list[Path], treebanks: list[Path], suites: Path) -> None:
    """Make the suites of constructions on the treebanks of a language."""
    command = ["starbank", "generate", *queries, "--treebank", *treebanks, "-o", suites]
    subprocess.run(list(map(str, command)), check=False, stdout=subprocess.DEVNULL)


def counts(construction: Construction, suites: Path, language: str) -> Iterator[dict[str, object]]:
    """Yield what a construction gave in a language, if it found anything."""
    folder = suites / construction.name
    if not (folder / "items.parquet").exists():
        return
    items, rejected = (pd.read_parquet(folder / f"{name}.parquet") for name in ("items", "rejected"))
    if len(items) + len(rejected) == 0:
        return
    reasons = Counter(rejected["reason"]).most_common(2)
    yield {
        "phenomenon": construction.phenomenon,
        "language": language,
        "spoken": language_name(str(pd.concat([items, rejected])["treebank"].iloc[0])),
        "construction": construction.name,
        "matches": len(items) + len(rejected),
        "items": len(items),
        "rejects": "; ".join(f"{reason} {number}" for reason, number in reasons),
    }


def to_page(table: pd.DataFrame, readings: pd.DataFrame) -> str:
    """Return the page with the table, and with what was read of each construction."""
    names = ["construction", "language"]
    first, second = (readings[readings["reading"] == reading] for reading in ("first", "second"))
    read = first.groupby([*names, "held_out"], as_index=False)[["read", "wrong", "doubtful"]].sum()
    lines = []
    for row in table.sort_values(["phenomenon", "language", "construction"]).itertuples():
        of_row = read[(read["construction"] == row.construction) & (read["language"] == row.language)]
        numbers = " | ".join(_sum(of_row, column) for column in ("read", "wrong", "doubtful"))
        cells = (row.phenomenon, row.spoken, row.construction, row.matches, row.items, row.rejects, numbers)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    totals = first.groupby("held_out")[["read", "wrong", "doubtful"]].sum()
    of_all = "; ".join(
        f"{'held out' if held else 'others'}: {row['read']} read, {row['wrong']} wrong, {row['doubtful']} doubtful"
        for held, row in totals.iterrows()
    )
    columns = {"construction": "constructions", "phenomenon": "phenomena", "language": "languages"}
    kinds = (f"{table[column].nunique()} {name}" for column, name in columns.items())
    numbers = f"{table['items'].sum()} items of {table['matches'].sum()} matches"
    others = ", ".join(f"{second[column].sum()} {column}" for column in ("read", "wrong", "doubtful"))
    again = f"A second reader, of eight items each, before what this showed was mended: {others}."
    summary = f"{', '.join(kinds)}, {numbers}. {of_all[:1].upper()}{of_all[1:]}. {again}"
    return PAGE.format(summary=summary, rows="\n".join(lines))


def _sum(readings: pd.DataFrame, column: str) -> str:
    """Return a number of what was read, that of held-out treebanks after a plus."""
    seen, held_out = (int(readings.loc[readings["held_out"] == value, column].sum()) for value in (False, True))
    return f"{seen} + {held_out}" if (readings["held_out"]).any() else str(seen) if len(readings) else ""


if __name__ == "__main__":
    main()
