"""What the constructions made by commands give: a table of phenomena by language, and how their items were read.

Each construction of `queries/*/syntax` is made on the ingested treebanks of its language that lie in a folder; those
that run everywhere on all of them. What reading found stands in `benchmarks/phenomena.tsv`, by construction and
treebank: how many items were read, how many were wrong or doubtful, whether the treebank was held out while the
construction was written, and which reading it was, as `READING_NAMES` tells.

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
Items were read one by one; *wrong* are those whose starred sentence was fine, or bad for another reason, and *doubtful*
those that some speakers may say. `python benchmarks/phenomena.py FOLDER -o SUITES --page docs/phenomena.md` makes this
page.

{summary} [RuBLiMP](rublimp.md) has a table of its own.

| reading | items read | wrong | doubtful |
| --- | --- | --- | --- |
{readings}

Of what was read of a construction, *wrong* and *doubtful* are of the last reading alone.

| phenomenon | language | construction | matches | items | most rejects | read | of these last | wrong | doubtful |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
{rows}
"""
READING_NAMES = {
    "first": "those who wrote the requests, {held_out} of it on treebanks, or thirds of one, kept apart",
    "second": "others, eight items of each; what it showed was mended",
    "third": "others again, twelve items of each, drawn anew; what it showed was mended",
    "fourth": "others again, five or six items of each, drawn anew; what it showed was mended",
    "fifth": "others again, up to ten items of each, drawn anew; what it showed was mended",
    "sixth": "others again, some 25 items of each, drawn anew; what it showed was mended",
}


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
    figures = ["read", "wrong", "doubtful"]
    last = readings[readings["reading"] == list(READING_NAMES)[-1]].groupby(names)[figures].sum()
    table = table.join(readings.groupby(names)["read"].sum().rename("in_all"), on=names).join(last, on=names)
    columns = ["phenomenon", "spoken", "construction", "matches", "items", "rejects", "in_all", *figures]
    shown = table.sort_values(["phenomenon", "language", "construction"])[columns].convert_dtypes()
    counted = {"construction": "constructions", "phenomenon": "phenomena", "language": "languages"}
    kinds = (f"{table[column].nunique()} {name}" for column, name in counted.items())
    return PAGE.format(
        summary=f"{', '.join(kinds)}, {table['items'].sum()} items of {table['matches'].sum()} matches.",
        readings="\n".join(_lines(_of_readings(readings))),
        rows="\n".join(_lines(shown.astype(object).where(shown.notna(), ""))),
    )


def _of_readings(readings: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each reading: who read, how many items, of them wrong and doubtful."""
    held_out = readings.loc[readings["held_out"], "read"].sum()
    sums = readings.groupby("reading")[["read", "wrong", "doubtful"]].sum().loc[list(READING_NAMES)]
    share = (100 * sums["wrong"] / sums["read"]).map("{:.1f}%".format)
    sums["wrong"] = sums["wrong"].astype(str) + " (" + share + ")"
    names = [name.format(held_out=held_out) for name in READING_NAMES.values()]
    return sums.reset_index(drop=True).assign(reading=names)[["reading", "read", "wrong", "doubtful"]]


def _lines(table: pd.DataFrame) -> list[str]:
    return [f"| {' | '.join(map(str, row))} |" for row in table.itertuples(index=False)]


if __name__ == "__main__":
    main()
