"""Depth of the syntax tree: a task that asks for the length of the longest path from its root (Patil et al. 2021)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from starbank.plugins import task
from starbank.probing.tasks import STRICT, Task, query, words_with
from starbank.treebanks import Treebank, parts_of
from starbank.treebanks.arrays import filled, numbers, texts, truths

# The published task has the classes 0 to 14; deeper trees add their own.
_DEEPEST = 14
_TOP, _NOWHERE = -1, -2


@task
def depth(corpus: Treebank, *, definition: str = STRICT) -> Task:
    """Label each sentence with the edges on the longest path from its root to a leaf: 0 for a single word.

    Punctuation counts. A sentence that is no tree is left out. Paper and notebook agree.
    """
    # The deepest tree, and how many sentences are none.
    counts = Counter(deepest=_DEEPEST)
    parts = parts_of(corpus, words_with("head", "lemma"))
    return Task((_label(part, counts) for part in parts), names=_names(counts), notes=_notes(counts))


def _names(counts: Counter[str]) -> Iterator[str]:
    yield from map(str, range(counts["deepest"] + 1))


def _notes(counts: Counter[str]) -> Iterator[str]:
    if counts["no trees"]:
        yield f"sentences that are no trees, and have no depth: {counts['no trees']}"


def _label(part: Treebank, counts: Counter[str]) -> pa.Table:
    """Return the sentences of a part that are trees, with their depths."""
    words = query(part, "select sent, node, head, root from words join sentences using (sent) order by node")
    rows = query(
        part,
        """
        select any_value(split) as split, any_value(sent_id) as sent_id, list(form order by node) as tokens,
            list(lemma order by node) as lemmas
        from words group by sent order by sent
        """,
    )
    sent, node, root = (numbers(words[name]) for name in ("sent", "node", "root"))
    depths = _depths(node, filled(words["head"], _NOWHERE), root)
    first = np.flatnonzero(np.diff(sent, prepend=-1))
    deepest = np.maximum.reduceat(depths, first) if len(first) else depths
    tree = np.minimum.reduceat(depths, first) >= 0 if len(first) else depths >= 0
    counts["deepest"] = max(counts["deepest"], int(deepest.max(initial=0)))
    counts["no trees"] += int(np.count_nonzero(~tree))
    return rows.append_column("label", texts([str(value) for value in deepest.tolist()])).filter(truths(tree))


def _depths(node: np.ndarray, head: np.ndarray, root: np.ndarray) -> np.ndarray:
    """Return how many edges lead to each word from the word below the root, -1 where none does."""
    place = np.minimum(np.searchsorted(node, head), max(len(node) - 1, 0))
    parent = np.where(head == root, _TOP, np.where(node[place] == head, place, _NOWHERE))
    depths, at = np.zeros(len(node), np.int64), parent.copy()
    # All words climb at once; who has not arrived after as many steps as there are words in its sentence goes round.
    for _ in range(int(np.unique(root, return_counts=True)[1].max(initial=0))):
        climbing = at >= 0
        if not climbing.any():
            break
        depths += climbing
        at[climbing] = parent[at[climbing]]
    return np.where(at == _TOP, depths, -1)
