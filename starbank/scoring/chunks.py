"""Texts -> what a model gives them, in chunks that a killed run need not compute again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from starbank.progress import progress
from starbank.scoring.conditions import Text
from starbank.scoring.journal import RESULTS, Journal
from starbank.scoring.regions import by_region
from starbank.scoring.scorers import METRICS, Scorer

# The keys of a text's scores by level.
Keys = Mapping[str, str]


def make_key(scorer: Scorer, level: str, text: Text) -> str:
    """Return the name of what a model gives a text at a level: a hash of all that it depends on."""
    content = (METRICS, scorer.kind, scorer.fingerprint, level, text.ends, text.target, text.text)
    return hashlib.blake2b(repr(content).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def compute(
    scorer: Scorer,
    texts: Sequence[Text],
    keys: Sequence[Keys],
    item: np.ndarray,
    earlier: pa.Table,
    journal: Journal,
    chunk_work: int,
) -> list[pa.Table]:
    """Return tables of `RESULTS` that have all `keys` of `texts`: `earlier`, what the journal has, and what is computed
    now and added to it. `item` (int64) tells which texts belong together.

    The chunks depend on what `earlier` lacks alone and a batch never crosses a chunk, so a chunk has the same bytes
    whether it is computed now or was before the run was killed.
    """
    missing = _missing(texts, keys, item, set(earlier["key"].to_pylist()))
    computed = [journal.read()]
    scored = set(computed[0]["key"].to_pylist())
    work = np.cumsum([scorer.work(texts[number]) for number in missing])
    borders = np.flatnonzero(np.diff(work // chunk_work)) + 1
    with progress(len(missing), scorer.name, "text") as bar:
        for chunk in np.split(np.array(missing, np.int64), borders):
            unscored = [number for number in chunk if not scored.issuperset(keys[number].values())]
            if unscored:
                computed.append(_score_chunk(scorer, [texts[n] for n in unscored], [keys[n] for n in unscored]))
                journal.append(computed[-1])
            bar.update(len(chunk))
    return [earlier, *computed]


def _missing(texts: Sequence[Text], keys: Sequence[Keys], item: np.ndarray, scored: set[str]) -> list[int]:
    """Return the numbers of distinct texts not all of whose keys are `scored`: the longest items first, the texts of
    one together, so that batches have little padding and an item's conditions can share computation."""
    missing = {
        tuple(by_level.values()): number
        for number, by_level in enumerate(keys)
        if not scored.issuperset(by_level.values())
    }
    longest = np.zeros(item.max(initial=-1) + 1, np.int64)
    np.maximum.at(longest, item, [len(text.text) for text in texts])
    return sorted(missing.values(), key=lambda number: (-longest[item[number]], number))


def _score_chunk(scorer: Scorer, texts: Sequence[Text], keys: Sequence[Keys]) -> pa.Table:
    tables = []
    levels = [level for level in scorer.levels if any(level in by_level for by_level in keys)]
    for level, scores in scorer.token_scores(texts, levels).items():
        key = pa.array([by_level.get(level) for by_level in keys], pa.string())
        results = pa.table([key, *by_region(texts, scores, level)], schema=RESULTS)
        tables.append(results.filter(key.is_valid()))
    return pa.concat_tables(tables)
