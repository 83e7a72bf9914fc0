"""The pairs that the universal constructions find, by language.

    python benchmarks/universal.py FOLDER [-o SUITES]

FOLDER holds treebanks as a UD release lays them out. Printed is a table in Markdown: a row per construction, a column
per language, and in it the items that became of the matches, at most 500 of a language and condition as the files say.
Constructions that are mined from the treebanks themselves are no minimal sets and are left out. With `-o` the suites
are kept, to be read.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections import Counter
from pathlib import Path

from starbank.errors import StarbankError
from starbank.files import read_parquet
from starbank.pipeline.generate import generate
from starbank.queries.constructions import read_construction
from starbank.treebanks import ingest

QUERIES = Path(__file__).parents[1] / "queries" / "universal"


def minimal_sets() -> list[Path]:
    """Return the universal constructions of which minimal sets are made."""
    return [file for file in sorted(QUERIES.glob("*.grew")) if read_construction(file).generator == "minimal_sets"]


def ingest_all(folder: Path, scratch: Path) -> list[Path]:
    """Read all treebanks of a folder that can be read."""
    made = []
    for source in sorted(path for path in folder.iterdir() if path.is_dir()):
        try:
            ingest([source], scratch / source.name)
        except StarbankError as error:
            print(f"left out: {error}")
            continue
        made.append(scratch / source.name)
    return made


def languages(suite: Path) -> Counter[str]:
    """Return how many items of a suite are of each language."""
    return Counter(read_parquet(suite / "items.parquet", columns=["language"])["language"].to_pylist())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, metavar="SUITES")
    options = parser.parse_args()
    logging.getLogger("starbank").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as scratch:
        output = options.output or Path(scratch) / "suites"
        made = generate(minimal_sets(), ingest_all(options.folder, Path(scratch) / "treebanks"), output)
        counts = {one.construction: languages(output / one.construction) for one in made}
    found = sorted({language for counted in counts.values() for language in counted})
    print(f"| construction | matches | items | {' | '.join(found)} |")
    print("| --- " * (len(found) + 3) + "|")
    for one in made:
        counted = counts[one.construction]
        shown = " | ".join(str(counted[language] or "") for language in found)
        print(f"| {one.construction} | {one.matches} | {counted.total()} | {shown} |")
    total = sum(counts.values(), Counter())
    print(f"| all | | {total.total()} | {' | '.join(str(total[language]) for language in found)} |")


if __name__ == "__main__":
    main()
