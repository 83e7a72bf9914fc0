"""Learned inflection beside plain suffix-rule voting, on forms held out with their lemmas.

    python benchmarks/inflection.py FOLDER [LANGUAGE …] [--deals N] [--plot FILE.svg]
    python benchmarks/inflection.py FOLDER --treebanks NAME …

FOLDER holds treebanks as a UD release lays them out. Where UNIMORPH_MIRROR names a folder with UniMorph's languages,
these teach, too. The lemmas are dealt into five parts, `--deals` times (1): where there are few, one deal is luck.

Voting: the rule (letters to drop and to add at the end of the lemma) that most training lemmas with the longest common
ending obey in that cell, at least two of them; it is sure where nine in ten agree. Printed are the shares of right
forms among those that are sure, and how many those are; and how many of ours are right if as many of them are taken,
the surest first, as voting is sure of.

With `--treebanks`, what is asked for is every form of adjectives, nouns and verbs, wherever it stands: how many are
right, how many are sure (from 0.94 upwards, as for constructions that run everywhere), and how many of these are right.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from starbank.morphology import THRESHOLD, build_lexicon
from starbank.morphology.diagrams import reliability_svg
from starbank.morphology.evaluation import HELD_OUT, hold_out, interval, tally
from starbank.morphology.inflection import learn
from starbank.morphology.paradigms import FOLDS, Paradigms, fold_of
from starbank.morphology.unimorph import read_unimorph
from starbank.treebanks import Treebank, ingest, open_treebank

# Which cells of which treebanks: UPOS, and a feature that the cell must have.
TASKS = {
    "kat": (("UD_Georgian-GLC", "UD_Georgian-GNC"), "NOUN", "Case="),
    "eus": (("UD_Basque-BDT",), "NOUN", "Case="),
    "ces": (("UD_Czech-PUD",), "NOUN", ""),
    "fin": (("UD_Finnish-PUD",), "NOUN", ""),
    "tur": (("UD_Turkish-PUD",), "NOUN", ""),
    "hin": (("UD_Hindi-PUD",), "VERB", "Aspect="),
}
# What counts for sure where constructions run everywhere.
SURE = 0.94
HEAD = (
    "language   cells  learned (95% interval)          one feature differs  lemma alone    voting        "
    "ours, as many  to learn"
)


def vote(lexicon: pa.Table, asked: list[dict], upos: str, deal: int) -> list[tuple[float, bool]]:
    """Return for each form that is asked for how many agree on the rule that is taken, and whether it is right."""
    connection = duckdb.cursor()
    connection.register("lexicon", lexicon)
    connection.register("lemmas", pa.table({"lemma": sorted({row["lemma"] for row in asked})}))
    folds = dict(connection.sql(f"select lemma, {fold_of('lemma', deal)} from lemmas").fetchall())
    query = f"""
        select regexp_replace(lemma, '[#=]', '', 'g') as name, feats, form, {fold_of("name", deal)} as fold
        from lexicon where upos = $upos and "use" is null and source = 'treebank'
    """
    known = connection.sql(query, params={"upos": upos}).fetchall()
    results = []
    votes: list[dict] = [defaultdict(Counter) for _ in range(FOLDS)]
    for lemma, feats, form, fold in known:
        kept = next(
            (at for at, pair in enumerate(zip(lemma, form, strict=False)) if len(set(pair)) > 1),
            min(len(lemma), len(form)),
        )
        for size in range(min(6, len(lemma)) + 1):
            for other in set(range(FOLDS)) - {fold}:
                votes[other][feats, lemma[len(lemma) - size :]][lemma[kept:], form[kept:]] += 1
    for row in asked:
        lemma, feats = row["lemma"], row["feats"]
        found = (
            votes[folds[lemma]].get((feats, lemma[len(lemma) - size :])) for size in range(min(6, len(lemma)), -1, -1)
        )
        best = next((counts for counts in found if counts and sum(counts.values()) >= 2), None)
        if best is None:
            results.append((0.0, False))
            continue
        (drop, add), count = max(best.items(), key=lambda item: (item[1], item[0]))
        form = lemma[: len(lemma) - len(drop)] + add
        fits = lemma.endswith(drop) and form.lower() in row["attested"]
        results.append((count / sum(best.values()), fits))
    return results


def shares(results: list[tuple[float, bool]], threshold: float) -> tuple[float, int]:
    """Return the share of right ones among those from a threshold upwards, and the number of these."""
    sure = [right for confidence, right in results if confidence >= threshold]
    return sum(sure) / max(len(sure), 1), len(sure)


def collect(folder: Path, names: Sequence[str]) -> pa.Table:
    with tempfile.TemporaryDirectory() as scratch:
        treebanks: list[Treebank] = []
        for name in names:
            ingest([folder / name], Path(scratch) / name)
            treebanks.append(open_treebank(Path(scratch) / name))
        return build_lexicon(treebanks)


def read(folder: Path, language: str) -> pa.Table:
    names, *_ = TASKS[language]
    lexicon = collect(folder, names)
    path = Path(os.environ.get("UNIMORPH_MIRROR", os.devnull)) / language
    return pa.concat_tables([lexicon, read_unimorph([path], language, lexicon)]) if path.exists() else lexicon


def measure(lexicon: pa.Table, language: str, deals: int) -> list[dict]:
    """Print the line of one language; return what was asked for."""
    _, upos, feature = TASKS[language]
    begin = time.process_time()
    learn(Paradigms(lexicon))
    seconds = time.process_time() - begin
    asked: list[dict] = []
    alone: list[dict] = []
    voted: list[tuple[float, bool]] = []
    for deal in range(deals):
        for given, rows in ((True, asked), (False, alone)):
            found = hold_out(lexicon, given=given, deal=deal).to_pylist()
            rows += [row for row in found if row["upos"] == upos and feature in row["feats"]]
        voted += vote(lexicon, asked[len(voted) :], upos, deal)
    told = [(row["confidence"], row["right"]) for row in asked]
    near = [(row["confidence"], row["right"]) for row in asked if row["differing"] == 1]
    right, sure = shares(told, THRESHOLD)
    low, high = interval(right, max(sure / deals, 1))
    groups = [(near, THRESHOLD), ([(row["confidence"], row["right"]) for row in alone], THRESHOLD), (voted, 0.9)]
    parts = []
    for results, threshold in groups:
        share, cells = shares(results, threshold)
        parts.append(f"{share:6.1%} of {cells / max(len(results), 1):4.0%}")
    many = sorted(told, reverse=True)[: shares(voted, 0.9)[1]]
    print(
        f"{language:<9}  {len(asked) // deals:>5}  {right:6.1%} of {sure / len(told):4.0%} ({low:.1%}–{high:.1%})  "
        f"{parts[0]:<19}  {parts[1]}  {parts[2]}  {sum(right for _, right in many) / max(len(many), 1):13.1%}"
        f"  {seconds:6.1f} s",
        flush=True,
    )
    return asked


def measure_treebank(folder: Path, name: str) -> None:
    """Print a line of one treebank for each part of speech."""
    lexicon = collect(folder, (name,))
    # Attributes and adverbials are asked for as forms that stand free.
    free = pa.nulls(lexicon.num_rows, pa.string())
    held_out = hold_out(lexicon.set_column(lexicon.column_names.index("use"), "use", free))
    for row in tally(held_out, SURE, "upos").to_pylist():
        if row["by"] in ("ADJ", "NOUN", "VERB"):
            print(
                f"{name:<22}{row['by']:<6}{row['cells']:>6}{row['all_right']:>9.1%}{row['sure']:>9.1%}"
                f"{row['right']:>9.1%}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("languages", nargs="*", default=list(TASKS))
    parser.add_argument("--deals", type=int, default=1, metavar="N")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg")
    parser.add_argument("--treebanks", nargs="+", metavar="NAME")
    options = parser.parse_args()
    if options.treebanks:
        print(f"{'treebank':<28}{'forms':>6}{'right':>9}{'sure':>9}{'of these':>9}")
        for name in options.treebanks:
            measure_treebank(options.folder, name)
        return
    print(f"sure: from {THRESHOLD}, voting from 0.9\n{HEAD}")
    asked = {
        language: pa.Table.from_pylist(
            measure(read(options.folder, language), language, options.deals), schema=HELD_OUT
        )
        for language in options.languages
    }
    if options.plot:
        options.plot.write_text(reliability_svg(asked, THRESHOLD), encoding="utf-8")


if __name__ == "__main__":
    main()
