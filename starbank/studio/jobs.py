"""Work that takes long: done in threads, beside the loop that answers, and stopped when nobody waits for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from queue import SimpleQueue
from typing import TypeVar

from starlette.requests import Request

from starbank.progress import Listener

Result = TypeVar("Result")

# How often it is asked whether somebody still waits, in seconds.
_ASKED = 0.05
# How often it is told how far work has come.
_TOLD = 0.3
_POOL = ThreadPoolExecutor(8, thread_name_prefix="studio")


class Stopped(Exception):
    """Nobody waits for the answer any more."""


class Job:
    """A piece of work that can be stopped; `on_stop` is what ends the step that it is at."""

    def __init__(self) -> None:
        """Begin."""
        self._mutex = threading.Lock()
        self._stopped = False
        self._on_stop: Callable[[], object] | None = None

    def stop(self) -> None:
        """Stop it, from another thread."""
        with self._mutex:
            self._stopped = True
            busy = self._on_stop is not None
        if busy:
            threading.Thread(target=self._insist, daemon=True).start()

    def _insist(self) -> None:
        """End the step that it is at, again and again: between two steps that is lost."""
        while True:
            with self._mutex:
                if self._on_stop is None:
                    return
                self._on_stop()
            time.sleep(_ASKED)

    def check(self) -> None:
        """Raise `Stopped` where it was stopped."""
        if self._stopped:
            raise Stopped

    @contextmanager
    def turn(self, lock: threading.Lock | threading.Semaphore, on_stop: Callable[[], object]) -> Iterator[None]:
        """Wait for what only one job may use at a time; raises `Stopped` where it is stopped before or meanwhile."""
        while not lock.acquire(timeout=_ASKED):
            self.check()
        try:
            with self._mutex:
                self.check()
                self._on_stop = on_stop
            try:
                yield
            except Exception:
                self.check()  # What the stop made of it is no error.
                raise
            finally:
                with self._mutex:
                    self._on_stop = None
        finally:
            lock.release()


def steps_of(work: Callable[[Listener], object], job: Job) -> Iterator[tuple[int, int | None]]:
    """Yield how far work has come that tells so, a few times a second; then raise what it has raised."""
    told: SimpleQueue[tuple[int, int | None] | None] = SimpleQueue()

    def listen(done: int, total: int | None) -> None:
        job.check()
        told.put((done, total))

    working = _POOL.submit(work, listen)
    working.add_done_callback(lambda _: told.put(None))
    while (step := told.get()) is not None:
        time.sleep(_TOLD)
        while not told.empty() and (later := told.get()) is not None:
            step = later
        yield step
        if working.done():
            break
    working.result()


async def do(request: Request, work: Callable[[Job], Result]) -> Result:
    """Return what `work` gives, done in a thread; it is stopped when the browser no longer waits."""
    job = Job()
    future = asyncio.get_running_loop().run_in_executor(_POOL, work, job)
    # What becomes of work that was stopped is nobody's concern.
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    try:
        while not (await asyncio.wait([future], timeout=_ASKED))[0]:
            if await request.is_disconnected():
                raise Stopped
        return future.result()
    finally:
        job.stop()


async def stream(work: Callable[[Job], Iterator[Result]]) -> AsyncIterator[Result]:
    """Yield what `work` yields, each step in a thread; it is stopped when the browser no longer waits."""
    job, loop = Job(), asyncio.get_running_loop()
    steps = work(job)
    try:
        while step := await loop.run_in_executor(_POOL, lambda: list(islice(steps, 1))):
            yield step[0]
    finally:
        job.stop()
