"""The words beside those that change, where they may head or build a noun phrase."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.arrays import integers, mask, numbers, take, texts, whole

# Adverbs, particles and others that change are passed over.
_PASSED_OVER = ("ADV", "PART")
_NOMINAL = ("ADJ", "ADP", "DET", "NOUN", "NUM", "PROPN")


def with_neighbours(bound: pa.Table, governing: pa.Table, tokens: pa.Table) -> pa.Table:
    """Return the words that change with the `length` of their sentences and the forms `before` and `after` them.

    `bound` has words by match (`row`, `token`), `governing` what governs in a match, which builds no noun phrase. The
    forms are null where nothing nominal stands there. `length` (int64) is counted in words.
    """
    placed = np.flatnonzero(mask(whole(tokens["position"]).is_valid()))
    sent, node = (numbers(tokens[name])[placed] for name in ("sent", "node"))
    row, token = numbers(bound["row"]), numbers(bound["token"])
    place = np.minimum(np.searchsorted(node, token), len(node) - 1)
    changing = _pairs(row, token)
    rulers = _pairs(numbers(governing["row"]), numbers(governing["token"]))
    words = placed[~mask(pc.match_substring(whole(tokens["id"]), "."))[placed]]
    lengths = np.bincount(numbers(tokens["sent"])[words], minlength=int(sent.max(initial=0)) + 1)
    columns = {"length": integers(lengths[sent[place]])}
    passed = mask(pc.is_in(whole(tokens["upos"]), texts(_PASSED_OVER)))[placed]
    for name, step in (("before", -1), ("after", 1)):
        beside = _beside(sent, passed, step)
        other = np.where(node[place] == token, beside[place], -1)
        while (skipped := (other >= 0) & np.isin(_pairs(row, node[other]), changing)).any():
            other = np.where(skipped, beside[other], other)
        ruling = np.isin(_pairs(row, node[other]), rulers)
        upos, feats = (take(whole(tokens[column]), placed[other]) for column in ("upos", "feats"))
        nominal = mask(pc.is_in(upos, texts(_NOMINAL))) | mask(pc.match_substring(feats, "Case="))
        columns[name] = take(whole(tokens["form"]), placed[other], null=(other < 0) | ~nominal | ruling)
    for name, column in columns.items():
        bound = bound.append_column(name, column)
    return bound


def _pairs(row: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Return numbers for pairs of a match and a node."""
    pairs: np.ndarray = row * (1 << 40) + node
    return pairs


def _beside(sent: np.ndarray, passed: np.ndarray, step: int) -> np.ndarray:
    """Return for each word the place of the next one that is not passed over, in steps of 1 or -1; -1 for none."""
    places = np.where(passed, -1, np.arange(len(sent)))[::-step]
    nearest = np.append(-1, _last(places)[:-1])[::-step]
    return np.where((nearest >= 0) & (sent[nearest] == sent), nearest, -1)


def _last(places: np.ndarray) -> np.ndarray:
    """Return for each place the last one up to it that is not -1, and -1 before the first."""
    known = np.maximum.accumulate(np.where(places >= 0, np.arange(len(places)), 0))
    last: np.ndarray = places[known]
    return last
