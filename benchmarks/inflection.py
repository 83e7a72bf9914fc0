"""Learned inflection beside plain suffix-rule voting, on forms held out with their lemmas.

    python benchmarks/inflection.py FOLDER [LANGUAGE …]

FOLDER holds treebanks as a UD release lays them out. Where UNIMORPH_MIRROR names a folder with UniMorph's languages,
these teach, too. Voting: the rule (letters to drop and to add at the end of the lemma) that most training lemmas with
the longest common ending obey in that cell, at least two of them; it is sure where nine in ten agree.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import duckdb
import pyarrow as pa

from starbank.morphology import THRESHOLD, build_lexicon
from starbank.morphology.evaluation import hold_out
from starbank.morphology.inflection import learn
from starbank.morphology.paradigms import FOLDS
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


def vote(lexicon: pa.Table, asked: list[dict], upos: str) -> list[tuple[float, bool]]:
    """Return for each form that is asked for how many agree on the rule that is taken, and whether it is right."""
    connection = duckdb.cursor()
    connection.register("lexicon", lexicon)
    connection.register("lemmas", pa.table({"lemma": sorted({row["lemma"] for row in asked})}))
    folds = dict(connection.sql(f"select lemma, md5_number_lower(lemma) % {FOLDS} from lemmas").fetchall())
    query = """
        select regexp_replace(lemma, '[#=]', '', 'g') as name, feats, form, md5_number_lower(name) % $folds as fold
        from lexicon where upos = $upos and "use" is null and source = 'treebank'
    """
    known = connection.sql(query, params={"upos": upos, "folds": FOLDS}).fetchall()
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


def shares(results: list[tuple[float, bool]], threshold: float) -> str:
    sure = [right for confidence, right in results if confidence >= threshold]
    return f"{sum(sure) / max(len(sure), 1):6.1%} of {len(sure) / max(len(results), 1):4.0%}"


def main() -> None:
    folder, languages = Path(sys.argv[1]), sys.argv[2:] or list(TASKS)
    print(f"language   cells  learned (sure: {THRESHOLD})  one feature differs  lemma alone  voting  seconds to learn")
    for language in languages:
        names, upos, feature = TASKS[language]
        with tempfile.TemporaryDirectory() as scratch:
            treebanks: list[Treebank] = []
            for name in names:
                ingest([folder / name], Path(scratch) / name)
                treebanks.append(open_treebank(Path(scratch) / name))
            lexicon = build_lexicon(treebanks)
        path = Path(os.environ.get("UNIMORPH_MIRROR", os.devnull)) / language
        if path.exists():
            lexicon = pa.concat_tables([lexicon, read_unimorph([path], language, lexicon)])
        begin = time.process_time()
        learn(lexicon)
        seconds = time.process_time() - begin
        columns = []
        for given in (True, False):
            rows = hold_out(lexicon, given=given).to_pylist()
            columns.append([row for row in rows if row["upos"] == upos and feature in row["feats"]])
        asked, alone = columns
        told = [(row["confidence"], row["right"]) for row in asked]
        near = [(row["confidence"], row["right"]) for row in asked if row["differing"] == 1]
        only = [(row["confidence"], row["right"]) for row in alone]
        parts = [shares(results, THRESHOLD) for results in (told, near, only)]
        parts.append(shares(vote(lexicon, asked, upos), 0.9))
        print(
            f"{language:<9}  {len(asked):>5}  " + "   ".join(f"{part:<17}" for part in parts),
            f"{seconds:5.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
