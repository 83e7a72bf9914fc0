"""Dependency arcs as the patterns of Gulordava et al. (2018) see them: two ends and what hangs on them in between."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks import Treebank
from starbank.treebanks.arrays import filled, integers, mask, numbers, take, text, texts, truths

LEFT, RIGHT = "L", "R"


def find_arcs(treebank: Treebank, governor: pa.Array, dependent: pa.Array, feature: str) -> pa.Table:
    """Return one row for each arc from a word `governor` to a word `dependent` (nodes of the treebank).

    - `cue`, `target` (int64): the nodes of its left end and of its right one;
    - `length` (int64): how many words the target stands after the cue;
    - `projective`: whether the governor dominates all words in between;
    - `coordinated`: whether another word is coordinated with the cue, so that both together may have another value;
    - `direction`: `L` where the dependent is the left end, else `R`;
    - `pattern`: the UPOS of the cue, of those words in between that depend on one of the two, and of the target;
    - `cue_value`, `target_value`: what the two have of `feature`, null for nothing.
    """
    words = _Words(treebank)
    head, child = words.place(governor), words.place(dependent)
    left, right = np.minimum(head, child), np.maximum(head, child)
    arc, between = _between(left, right)
    depends = (words.head[between] == left[arc]) | (words.head[between] == right[arc])
    outside = ~words.dominated(between, head[arc])
    projective = np.bincount(arc[outside], minlength=len(left)) == 0
    values = take(treebank.feature(feature), words.row)
    return pa.table(
        {
            "cue": integers(words.node[left]),
            "target": integers(words.node[right]),
            "length": integers(right - left),
            "projective": truths(projective),
            "coordinated": truths(words.coordinated[left]),
            "direction": take(texts([RIGHT, LEFT]), (child < head).astype(np.int64)),
            "pattern": _patterns(words.upos, left, right, arc[depends], between[depends]),
            "cue_value": take(values, left),
            "target_value": take(values, right),
        }
    )


class _Words:
    """The words of a treebank in order, without multiword tokens and empty nodes, each named by its place.

    `row`: among the tokens; `node`; `head`: the place of the head, -1 for none; `coordinated`: whether a conjunct
    depends on it; `upos`.
    """

    def __init__(self, treebank: Treebank) -> None:
        tokens = treebank.tokens
        self.row = np.flatnonzero(mask(tokens["position"].combine_chunks().is_valid()))
        self.node = numbers(tokens["node"])[self.row]
        self.head = self._find(filled(tokens["head"], -1)[self.row])
        conj = mask(pc.starts_with(take(tokens["deprel"].combine_chunks(), self.row), "conj"))
        self.coordinated = np.isin(np.arange(len(self.row)), self.head[conj])
        self.upos = pc.fill_null(take(tokens["upos"].combine_chunks(), self.row), text("_"))

    def place(self, nodes: pa.Array) -> np.ndarray:
        """Return the places of some nodes, all of which are words."""
        return self._find(numbers(nodes))

    def _find(self, nodes: np.ndarray) -> np.ndarray:
        place = np.minimum(np.searchsorted(self.node, nodes), max(len(self.node) - 1, 0))
        return np.where(self.node[place] == nodes, place, -1)

    def dominated(self, words: np.ndarray, by: np.ndarray) -> np.ndarray:
        """Tell of each word whether another dominates it."""
        dominated = np.zeros(len(words), dtype=bool)
        climbing, at = np.arange(len(words)), self.head[words]
        # No path is longer than a sentence, unless it is a cycle.
        for _ in range(len(self.node)):
            dominated[climbing] |= at == by[climbing]
            higher = ~dominated[climbing] & (at >= 0) & (at != words[climbing])
            if not higher.any():
                break
            climbing, at = climbing[higher], self.head[at[higher]]
        return dominated


def _between(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the places strictly between each two, in order: the number of the pair, and the place."""
    count = np.maximum(right - left - 1, 0)
    arc = np.repeat(np.arange(len(left)), count)
    return arc, left[arc] + 1 + np.arange(len(arc)) - np.repeat(np.cumsum(count) - count, count)


def _patterns(
    upos: pa.StringArray, left: np.ndarray, right: np.ndarray, arc: np.ndarray, between: np.ndarray
) -> pa.StringArray:
    """Return the UPOS of the two ends of each arc around those of the words `between` that belong to it."""
    arcs = np.arange(len(left))
    owner = np.concatenate([arcs, arc, arcs])
    place = np.concatenate([left, between, right])
    order = np.lexsort((place, owner))
    borders = np.append(0, np.cumsum(np.bincount(owner, minlength=len(left)))).astype(np.int32)
    return pc.binary_join(pa.ListArray.from_arrays(integers(borders), take(upos, place[order])), text("_"))
