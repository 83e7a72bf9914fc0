"""Copies of one model, each in a process and on a GPU of its own, that share the work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pyarrow as pa

from starbank.errors import ModelError

if TYPE_CHECKING:
    from starbank.scoring.chunks import Chunk
    from starbank.scoring.scorers import Scorer

# What this process scores with, where it is a worker.
_scorers: list[Scorer] = []


def in_workers(scorer: Scorer, chunks: Sequence[Chunk], count: int) -> Iterator[pa.Table]:
    """Yield the results of the chunks in their order; each is computed by whichever of `count` processes is free.

    A process takes the first GPU that no other has taken (`gpus.choose_gpu`), or, where there is none, its part of the
    cores. Raises what a model raises, and `ModelError` where a process was killed.
    """
    # CUDA cannot be used in a process that was forked.
    pool = ProcessPoolExecutor(count, get_context("spawn"), initializer=_begin, initargs=(scorer, count))
    try:
        yield from pool.map(_results, chunks)
    except BrokenProcessPool as error:
        message = f"a process that scored with {scorer.name} was killed, maybe for want of memory"
        raise ModelError(message, hint="What was done is kept: run the same command again.") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(scorer: Scorer, count: int) -> None:
    from starbank.scoring.loading import torch

    if not torch.cuda.is_available():
        torch.set_num_threads(max(1, torch.get_num_threads() // count))
    _scorers.append(scorer)


def _results(chunk: Chunk) -> pa.Table:
    return chunk.results(chunk.ask(_scorers[0])())
