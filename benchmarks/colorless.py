"""Colorless green treebanks: how fast they are made, how much changes, and how often a form is wrong beside another.

python benchmarks/colorless.py [--treebanks FOLDER] [--only NAME …] [--preset strict] [--seed 0]
python benchmarks/colorless.py --speed [--words 300000]
python benchmarks/colorless.py --read [--only NAME …] [--offset 0.5] [--seed 0]

The first makes a colorless version of each treebank of a folder and prints, in per cent, how many words of a part of
speech are others and how many sentences did not change at all; with the rules of `sandhi.py`, also how many places have
a form that is wrong beside its neighbour, in the treebank itself (own) and in its colorless version. The second repeats
a treebank to so many words and derives it once for each preset. The third prints sentences to be read, each below its
source: of the N sentences of 5 to 18 words those at (i + offset) * N / 40, those of `LAST` by default. What was
wrong in the last that were read (`LAST`, --offset 0.83 --seed 3128) stands in `colorless.tsv`, by their numbers.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.compute as pc
from copies import ROOT
from sandhi import RULES, Rule, count

from starbank.transforms import copy_sentences, derive
from starbank.transforms.presets import PRESETS
from starbank.treebanks import open_stored, read_conllu, write_treebank
from starbank.treebanks.arrays import numbers, whole

SHARED = ROOT.parent / "shared" / "treebanks"
# Treebanks whose sentences are read to mend what is wrong, and those that nobody had read: four at a time, before
# something was mended after reading the four before.
READ = (
    *("UD_English-EWT", "UD_Hindi-PUD", "UD_Polish-PDB", "UD_Hungarian-Szeged", "UD_Greek-GDT", "UD_Icelandic-PUD"),
    *("UD_Irish-IDT", "UD_Lithuanian-ALKSNIS", "UD_Armenian-ArmTDP", "UD_Ukrainian-IU"),
)
HELD_OUT = (
    *("UD_Czech-PUD", "UD_Romanian-RRT", "UD_Finnish-PUD", "UD_Turkish-PUD"),
    *("UD_Portuguese-Bosque", "UD_Slovenian-SSJ", "UD_Estonian-EDT", "UD_Dutch-Alpino"),
    *("UD_Spanish-PUD", "UD_Italian-PUD", "UD_Bulgarian-BTB", "UD_Russian-PUD"),
)
LAST = (
    *("UD_Greek-GDT", "UD_Estonian-EDT", "UD_Urdu-UDTB", "UD_Hungarian-Szeged", "UD_English-EWT"),
    *("UD_Lithuanian-ALKSNIS", "UD_Ukrainian-IU", "UD_Spanish-PUD", "UD_Tamil-TTB", "UD_Romanian-RRT"),
)
SENTENCES = 40
CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM")

_SHARES = f"""
    with words as (from read_parquet($file)),
    sentences as (select bool_or(changed) as changed from words group by split, sent_id)
    select count(*) filter (upos <> 'NUM') as words, avg(changed::int) filter (upos <> 'NUM') as "all",
        {", ".join(f"avg(changed::int) filter (upos = '{upos}') as {upos}" for upos in CONTENT)},
        (select avg((not changed)::int) from sentences) as unchanged
    from words
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebanks", type=Path, default=SHARED if SHARED.is_dir() else ROOT / "treebanks" / "sample")
    parser.add_argument("--only", nargs="*", metavar="NAME")
    parser.add_argument("--preset", default="strict", choices=PRESETS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--words", type=int, default=300_000)
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--offset", type=float, default=0.5)
    options = parser.parse_args()
    if options.read:
        for name in options.only or LAST:
            print_sentences(options.treebanks / name, options.preset, options.seed, options.offset)
        return
    if options.speed:
        measure_speed(options.treebanks / (options.only or ["UD_English-EWT"])[0], options.words)
        return
    names = options.only or sorted(folder.name for folder in options.treebanks.glob("UD_*"))
    header = [*("words", "all"), *CONTENT, "unchanged"]
    print(f"{'treebank':<22}" + "".join(f"{name:>10}" for name in header) + "   places: own wrong, colorless wrong")
    for name in names:
        shares, places = measure(options.treebanks / name, options.preset, options.seed)
        figures = "".join("         -" if share is None else f"{100 * share:>10.1f}" for share in shares[1:])
        print(f"{name:<22}{shares[0]:>10}{figures}   {', '.join(places)}", flush=True)


def measure(treebank: Path, preset: str, seed: int) -> tuple[tuple[float | None, ...], list[str]]:
    """Return the figures of a treebank's colorless version: the columns of `_SHARES`, and what rules tell of places."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / treebank.name, Path(folder) / "made"
        write_treebank(read_conllu([treebank]), source)
        options = {"preset": preset, "donors": "all"}
        colorless, _ = derive("colorless", source, made, options=options, seed=seed)
        file = {"file": str(made / "substitutions.parquet")}
        with duckdb.connect() as connection:
            (shares,) = connection.execute(_SHARES, file).fetchall()
        stored = open_stored(source)
        counts = [(code, count(stored, rules), count(colorless, rules)) for code, rules in _rules(treebank.name)]
    places = [f"{code}: {_share(own)} of {own[0]}, {_share(new)} of {new[0]}" for code, own, new in counts]
    return shares, places


def print_sentences(treebank: Path, preset: str, seed: int, offset: float) -> None:
    """Print sentences of a treebank, each with its colorless version below."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / treebank.name, Path(folder) / "made"
        write_treebank(read_conllu([treebank]), source)
        colorless, _ = derive("colorless", source, made, options={"preset": preset}, seed=seed)
        texts = [whole(each.sentences["text"]) for each in (open_stored(source), colorless)]
        words = pc.match_substring_regex(whole(colorless.tokens["id"]), "^[0-9]+$")
        sizes = np.bincount(numbers(colorless.tokens["sent"].filter(words)))
    short = np.flatnonzero((sizes >= 5) & (sizes <= 18))
    print(f"{treebank.name}: {len(short)} sentences of 5 to 18 words")
    for number in range(SENTENCES):
        sentence = int(short[int((number + offset) * len(short) / SENTENCES)])
        print(f"{number + 1}. {texts[0][sentence]}\n   {texts[1][sentence]}")


def _rules(treebank: str) -> Iterator[tuple[str, tuple[Rule, ...]]]:
    for code, (name, rules) in RULES.items():
        if name == treebank:
            yield code, rules


def _share(counted: tuple[int, int]) -> str:
    told, wrong = counted
    return f"{wrong / max(told, 1):.2%}"


def measure_speed(treebank: Path, words: int) -> None:
    """Print how long each preset takes for a treebank repeated to so many words."""
    small = read_conllu([treebank])
    size = sum(file["words"] for file in small.info["files"])
    copies = -(-words // size)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        write_treebank(copy_sentences(small, [f"-{number}" for number in range(copies)]), source)
        for preset in PRESETS:
            begun, spent = time.perf_counter(), time.process_time()
            derive("colorless", source, Path(folder) / preset, options={"preset": preset})
            print(
                f"{preset:<10} {size * copies:,} words: {time.perf_counter() - begun:.1f} s, "
                f"{time.process_time() - spent:.1f} s of processor"
            )


if __name__ == "__main__":
    main()
