"""Texts -> what a model gives them, in chunks that a killed run need not compute again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
import pyarrow as pa

from starbank.progress import progress
from starbank.scoring.conditions import Text
from starbank.scoring.journal import RESULTS, Journal
from starbank.scoring.regions import TokenScores, by_region
from starbank.scoring.scorers import METRICS, Scorer
from starbank.scoring.workers import in_workers

# The keys of a text's scores by level.
Keys = Mapping[str, str]


@dataclass(frozen=True)
class Chunk:
    """Some texts that are scored together, and the keys of what is asked about each."""

    texts: Sequence[Text]
    keys: Sequence[Keys]

    def ask(self, scorer: Scorer) -> Callable[[], dict[str, TokenScores]]:
        """Return what gives the scores by level when it is called."""
        levels = [level for level in scorer.levels if any(level in by_level for by_level in self.keys)]
        return scorer.ask(self.texts, levels)

    def results(self, by_level: Mapping[str, TokenScores]) -> pa.Table:
        """Return the scores as a table of `RESULTS`."""
        tables = []
        for level, scores in by_level.items():
            key = pa.array([keys.get(level) for keys in self.keys], pa.string())
            results = pa.table([key, *by_region(self.texts, scores, level)], schema=RESULTS)
            tables.append(results.filter(key.is_valid()))
        return pa.concat_tables(tables)


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
    gpus: int = 1,
) -> list[pa.Table]:
    """Return tables of `RESULTS` that have all `keys` of `texts`: `earlier`, what the journal has, and what is computed
    now and added to it. `item` (int64) tells which texts belong together. So many `gpus` share the chunks.

    The chunks depend on what `earlier` lacks alone and a batch never crosses a chunk, so a chunk has the same bytes
    whether it is computed now or was before the run was killed.
    """
    missing = _missing(texts, keys, item, set(earlier["key"].to_pylist()))
    computed = [journal.read()]
    scored = set(computed[0]["key"].to_pylist())
    work = np.cumsum([scorer.work(texts[number]) for number in missing])
    borders = np.flatnonzero(np.diff(work // chunk_work)) + 1
    chunks = []
    for numbers in np.split(np.array(missing, np.int64), borders):
        unscored = [number for number in numbers if not scored.issuperset(keys[number].values())]
        if unscored:
            chunks.append(Chunk([texts[number] for number in unscored], [keys[number] for number in unscored]))
    with progress(sum(len(chunk.texts) for chunk in chunks), scorer.name, "text") as bar:
        results = _in_turn(scorer, chunks) if min(gpus, len(chunks)) < 2 else in_workers(scorer, chunks, gpus)
        for chunk, table in zip(chunks, results, strict=True):
            journal.append(table)
            computed.append(table)
            bar.update(len(chunk.texts))
    return [earlier, *computed]


def _in_turn(scorer: Scorer, chunks: Sequence[Chunk]) -> Iterator[pa.Table]:
    """Yield the results of the chunks. While the network is at one, another thread prepares the next."""
    with ThreadPoolExecutor(1) as helper:
        # The first is prepared here: the model is loaded by the thread that runs it.
        asked = chunks[0].ask(scorer) if chunks else None
        for chunk, following in zip_longest(chunks, chunks[1:]):
            ahead = helper.submit(following.ask, scorer) if following else None
            assert asked is not None
            yield chunk.results(asked())
            asked = ahead.result() if ahead else None


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
