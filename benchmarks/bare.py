"""What the files of languages are worth: what suites have where a language has none, beside what they have with it.

    python benchmarks/validity.py SHARED -o WHOLE
    python benchmarks/bare.py SHARED WHOLE -o FOLDER [--languages pol,por]

SHARED holds `treebanks/`, laid out like a UD release, WHOLE what `validity.py` has made of them. In FOLDER the same
universal suites are made, by languages whose files say nothing but their names, as that of a new language would.
Printed is how many starred sentences a treebank then has, and how many of these it has not with the file. Nonce
sentences are drawn anew, so that those of mined agreement are left out.
"""

from __future__ import annotations

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pandas as pd
import validity
from excerpts import row, universal_queries

from starbank.languages import language_files, language_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("whole", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--languages", type=lambda text: text.split(","), metavar="pol,por")
    parser.add_argument("--cores", type=int, default=2, metavar="N")
    options = parser.parse_args()
    whole, output = options.whole.resolve(), options.output.resolve()
    sources = validity.languages(options.shared.resolve() / "treebanks")
    chosen = {language: sources[language] for language in options.languages or sources}
    write_names(list(chosen), output / "languages")
    # A folder `languages` of the working directory goes before Starbank's.
    with ProcessPoolExecutor(options.cores, initializer=os.chdir, initargs=(output,)) as pool:
        make = partial(validity.make, output=output, queries=universal_queries())
        for failure in pool.map(make, chosen, chosen.values()):
            if failure:
                print(failure)
    table = pd.DataFrame(
        [
            row(source.name, output / language, whole / language)
            for language, folders in chosen.items()
            if any((output / language).glob("*/pairs.parquet"))
            for source in folders
        ]
    )
    table = table[["treebank", "starred", "not made of all"]].rename(columns={"not made of all": "not with the file"})
    print(pd.concat([table, table.sum(numeric_only=True).to_frame().T.assign(treebank="all")]).to_markdown(index=False))


def write_names(languages: list[str], folder: Path) -> None:
    """Write a file for each language that has its name alone, and one of no language that has all lists."""
    folder.mkdir(parents=True, exist_ok=True)
    shipped = [language_of(code) for code in language_files()]
    lists = {
        kind: {name: ["none"] for language in shipped for name in getattr(language, kind)}
        for kind in ("words", "forms")
    }
    (folder / "zxx.yaml").write_text(json.dumps({"name": "No language", **lists}), encoding="utf-8")
    for language in languages:
        name = language_of(language).name or language
        (folder / f"{language}.yaml").write_text(f"name: {name}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
