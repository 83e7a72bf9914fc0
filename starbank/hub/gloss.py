"""Sentences word by word, with lemmas and features as the Leipzig glossing rules abbreviate them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb

from starbank.checksums import check_seal
from starbank.treebanks.arrays import table_of

# Features that a gloss tells, in this order, and the abbreviations of their values that are not the value in capitals.
FEATURES = ("Person", "Gender", "Number", "Case", "Tense", "Aspect", "Mood", "VerbForm")
UNMARKED = {"Mood=Ind", "VerbForm=Fin"}
ABBREVIATIONS = {
    "Sing": "SG", "Plur": "PL", "Dual": "DU", "Masc": "M", "Fem": "F", "Neut": "N", "Com": "C",
    "Past": "PST", "Pres": "PRS", "Imp": "IPFV", "Perf": "PFV", "Part": "PTCP", "Conv": "CVB", "Vnoun": "NMLZ",
    "Prog": "PROG", "Hab": "HAB", "Cnd": "COND", "Sub": "SBJV",
}  # fmt: skip

Item = dict[str, Any]
Gloss = dict[str, Any]

_FOUND = """
    select place, min(sent) as sent, arg_min(comments, sent) as comments
    from items join read_parquet($sentences) as sentences
        on items.sent_id = sentences.sent_id and items.split is not distinct from sentences.split
    group by place
"""
_WORDS = """
    select place, form, lemma, upos, feats, misc from found join read_parquet($tokens) using (sent)
    where position is not null and id not like '%.%'
    order by place, node
"""


def gloss(items: Sequence[Item | None], treebanks: Path | None) -> list[Gloss | None]:
    """Return of each item the words of its sentence with their glosses, and its translation where the treebank has one.

    Items are rows of `items.parquet`, `treebanks` is the folder of ingested treebanks. None for no item, and where that
    folder lacks the item's.
    """
    glosses: list[Gloss | None] = [None] * len(items)
    places = defaultdict(list)
    for place, item in enumerate(items):
        if item and treebanks:
            places[treebanks / item["treebank"]].append(place)
    for folder, of_treebank in places.items():
        rows = [(place, item["sent_id"], item["split"]) for place in of_treebank if (item := items[place])]
        for place, found in _read(folder, rows):
            glosses[place] = found
    return glosses


def _read(folder: Path, items: Sequence[tuple[int, str, str | None]]) -> Iterator[tuple[int, Gloss]]:
    """Yield the glosses of sentences, by place, as far as the treebank in the folder has them."""
    tokens, sentences = (folder / f"{name}.parquet" for name in ("tokens", "sentences"))
    if not (tokens.is_file() and sentences.is_file()):
        return
    for file in (tokens, sentences):
        check_seal(file)
    connection = duckdb.cursor()
    connection.register("items", table_of(items, place=int, sent_id=str, split=str))
    sources = connection.sql(_FOUND, params={"sentences": str(sentences)}).to_arrow_table()
    connection.register("found", sources)
    comments = dict(zip(sources["place"].to_pylist(), sources["comments"].to_pylist(), strict=True))
    words = connection.execute(_WORDS, {"tokens": str(tokens)}).fetchall()
    for place, of_sentence in groupby(words, itemgetter(0)):
        glosses = [(form, _gloss(*others)) for _, form, *others in of_sentence]
        yield place, {"words": glosses, "translation": _translation(comments[place])}


def _gloss(lemma: str | None, upos: str | None, feats: str | None, misc: str | None) -> str:
    """Return the treebank's own gloss of a word, or its lemma with the values of its features."""
    for part in (misc or "").split("|"):
        if part.startswith("Gloss="):
            return part.removeprefix("Gloss=")
    if upos in ("PUNCT", "SYM"):
        return ""
    return "-".join(filter(None, [lemma or "?", short(feats)]))


def short(feats: str | None, varied: Collection[str] = ()) -> str:
    """Return features as a gloss has them: `Case=Erg|Number=Sing` is `SG.ERG`; those that vary are never left out."""
    features = features_of(feats)
    shown = [name for name in FEATURES if f"{name}={features.get(name)}" not in UNMARKED or name in varied]
    values = [features[name] for name in dict.fromkeys([*shown, *sorted(varied)]) if name in features]
    return ".".join(ABBREVIATIONS.get(value, value.upper()) for value in values)


def features_of(feats: str | None) -> dict[str, str]:
    """Return features by name; those of a dataset may be anything."""
    return {name: value for name, _, value in (part.partition("=") for part in (feats or "").split("|")) if value}


def varied_features(conditions: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the features whose values differ among the conditions of an item."""
    features = [features_of(condition["feats"]) for condition in conditions]
    names = sorted({name for each in features for name in each})
    return [name for name in names if len({each.get(name) for each in features}) > 1]


def _translation(comments: list[str]) -> str | None:
    english = (comment for comment in comments if comment.startswith(("# text_en =", "# text_en=")))
    return next((comment.partition("=")[2].strip() for comment in english), None)
