"""Sentences word by word, with lemmas and features as the Leipzig glossing rules abbreviate them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from starbank.checksums import check_seal

# Features that a gloss tells, in this order, and the abbreviations of their values that are not the value in capitals.
FEATURES = ("Person", "Gender", "Number", "Case", "Tense", "Aspect", "Mood", "VerbForm")
UNMARKED = {"Mood=Ind", "VerbForm=Fin", "Aspect=Perf"}
ABBREVIATIONS = {
    "Sing": "SG", "Plur": "PL", "Dual": "DU", "Masc": "M", "Fem": "F", "Neut": "N", "Com": "C",
    "Past": "PST", "Pres": "PRS", "Imp": "IPFV", "Perf": "PFV", "Part": "PTCP", "Conv": "CVB", "Vnoun": "NMLZ",
    "Prog": "PROG", "Hab": "HAB", "Cnd": "COND", "Sub": "SBJV",
}  # fmt: skip

_WORDS = """
    select form, lemma, upos, feats, misc from read_parquet($tokens)
    where sent = (
        select min(sent) from read_parquet($sentences) where sent_id = $sent_id and split is not distinct from $split
    )
    and position is not null and id not like '%.%'
    order by node
"""
_COMMENTS = """
    select comments from read_parquet($sentences) where sent_id = $sent_id and split is not distinct from $split
    order by sent limit 1
"""


def gloss(item: dict[str, Any], treebanks: Path | None) -> dict[str, Any] | None:
    """Return the words of an item's sentence with their glosses, and its translation where the treebank has one.

    `item` is a row of `items.parquet`, `treebanks` the folder of ingested treebanks. None where that lacks the item's.
    """
    if treebanks is None:
        return None
    tokens, sentences = (treebanks / item["treebank"] / f"{name}.parquet" for name in ("tokens", "sentences"))
    if not (tokens.is_file() and sentences.is_file()):
        return None
    for file in (tokens, sentences):
        check_seal(file)
    sentence = {"sentences": str(sentences), "sent_id": item["sent_id"], "split": item["split"]}
    connection = duckdb.cursor()
    words = connection.execute(_WORDS, {**sentence, "tokens": str(tokens)}).fetchall()
    if not words:
        return None
    row = connection.execute(_COMMENTS, sentence).fetchone()
    return {
        "words": [(word[0], _gloss(*word[1:])) for word in words],
        "translation": _translation(row[0] if row else []),
    }


def _gloss(lemma: str | None, upos: str | None, feats: str | None, misc: str | None) -> str:
    """Return the treebank's own gloss of a word, or its lemma with the values of its features."""
    for part in (misc or "").split("|"):
        if part.startswith("Gloss="):
            return part.removeprefix("Gloss=")
    if upos in ("PUNCT", "SYM"):
        return ""
    return "-".join(filter(None, [lemma or "?", short(feats)]))


def short(feats: str | None) -> str:
    """Return features as a gloss has them: `Case=Erg|Number=Sing` is `SG.ERG`."""
    # Those of a dataset may be anything.
    features = dict(part.partition("=")[::2] for part in (feats or "").split("|"))
    values = [features[name] for name in FEATURES if name in features and f"{name}={features[name]}" not in UNMARKED]
    return ".".join(ABBREVIATIONS.get(value, value.upper()) for value in values)


def _translation(comments: list[str]) -> str | None:
    english = (comment for comment in comments if comment.startswith(("# text_en =", "# text_en=")))
    return next((comment.partition("=")[2].strip() for comment in english), None)
