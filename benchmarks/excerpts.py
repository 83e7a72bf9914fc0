"""Whether less text makes other suites: what an excerpt of a treebank gives beside what all of it gives.

    python benchmarks/validity.py SHARED -o WHOLE
    python benchmarks/excerpts.py SHARED WHOLE -o FOLDER [--words N] [--languages pol,por]

SHARED holds `treebanks/`, laid out like a UD release, WHOLE what `validity.py` has made of them. From each treebank of
twice as many words an excerpt is taken, sentences in their order from a third of it on, and its universal suites are
made in FOLDER, by nothing but the excerpt. Printed is how many starred sentences it gives, how many of these the whole
treebank does not give, and of forms that are predicted in a cell how many the whole has otherwise: what more text
knows better. Nonce sentences are drawn anew in every treebank, so that those of mined agreement are left out.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pandas as pd
import validity

from starbank.files import read_parquet

START = 1 / 3
NONCE = "distant-agreement-number"
CELL = ["construction", "sentence_good", "prefix", "condition_bad"]
COLUMNS = [*CELL, "treebank", "sentence_bad", "form_bad", "form_bad_source"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("whole", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--words", type=int, default=10_000, metavar="N")
    parser.add_argument("--languages", type=lambda text: text.split(","), metavar="pol,por")
    parser.add_argument("--cores", type=int, default=2, metavar="N")
    options = parser.parse_args()
    sources = validity.languages(options.shared / "treebanks")
    excerpts = {
        source.name: (language, excerpt)
        for language in options.languages or sources
        for source in sources[language]
        if (excerpt := write_excerpt(source, options.output / "excerpts" / source.name, options.words))
    }
    with ProcessPoolExecutor(options.cores) as pool:
        for failure in pool.map(partial(make, output=options.output), excerpts, excerpts.values()):
            if failure:
                print(failure)
    table = pd.DataFrame(
        [
            row(name, options.output / name / language, options.whole / language)
            for name, (language, _) in excerpts.items()
        ]
    )
    print(pd.concat([table, table.sum(numeric_only=True).to_frame().T.assign(treebank="all")]).to_markdown(index=False))


def write_excerpt(source: Path, folder: Path, words: int) -> Path | None:
    """Write the excerpt of a treebank to a folder, and return that; None where the treebank is too small."""
    files = sorted(source.glob("*.conllu"))
    sentences = [sentence for file in files for sentence in file.read_text(encoding="utf-8").strip().split("\n\n")]
    sizes = [sum(line.split("\t", 1)[0].isdigit() for line in sentence.splitlines()) for sentence in sentences]
    if sum(sizes) < 2 * words:
        return None
    first = last = int(len(sentences) * START)
    while last < len(sentences) and sum(sizes[first:last]) < words:
        last += 1
    folder.mkdir(parents=True, exist_ok=True)
    (folder / files[0].name).write_text("\n\n".join(sentences[first:last]) + "\n\n", encoding="utf-8")
    return folder


def make(name: str, excerpt: tuple[str, Path], output: Path) -> str | None:
    """Make the suites of an excerpt in a folder of its own."""
    language, folder = excerpt
    return validity.make(language, [folder], output / name, universal_queries())


def universal_queries() -> list[Path]:
    """Return the universal constructions but for mined agreement."""
    return [query for query in sorted((validity.QUERIES / "universal").glob("*.grew")) if query.stem != NONCE]


def row(treebank: str, excerpt: Path, whole: Path) -> dict[str, object]:
    """Return what a treebank's excerpt gives beside what all of it gives."""
    part, all_pairs = pairs_of(excerpt, treebank), pairs_of(whole, treebank)
    both = part.merge(all_pairs, on=CELL, suffixes=("", "_whole"))
    predicted = both[both["form_bad_source"] == "predicted"]
    return {
        "treebank": treebank,
        "starred": len(part),
        "not made of all": int((~part["sentence_bad"].isin(set(all_pairs["sentence_bad"]))).sum()),
        "predicted": len(predicted),
        "another form": int((predicted["form_bad"] != predicted["form_bad_whole"]).sum()),
    }


def pairs_of(folder: Path, treebank: str) -> pd.DataFrame:
    """Return the pairs of all suites in a folder that are of a treebank."""
    files = [file for file in sorted(folder.glob("*/pairs.parquet")) if file.parent.name != NONCE]
    pairs = pd.concat([read_parquet(file, columns=COLUMNS).to_pandas() for file in files])
    return pairs[pairs["treebank"] == treebank]


if __name__ == "__main__":
    main()
