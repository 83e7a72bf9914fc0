"""Work that nobody waits for any more stops, and leaves the treebank to others."""

import asyncio
import threading
import time
from contextlib import suppress

import duckdb
import pytest

pytest.importorskip("starlette")

from starbank.grew import Engine, parse_request
from starbank.studio.jobs import Job, Stopped, do, steps_of, stream
from starbank.studio.shelf import Shelf

# Some 10 ** 20 matches.
ENDLESS = parse_request("pattern { A []; B []; C []; D []; E []; F []; G []; H [] }")
SHORT = parse_request("pattern { V [upos=VERB] }")


class Browser:
    """A browser that goes away after some seconds."""

    def __init__(self, patience: float) -> None:
        self.end = time.monotonic() + patience

    async def is_disconnected(self) -> bool:
        return time.monotonic() > self.end


@pytest.fixture
def opened(tmp_path, monkeypatch):
    monkeypatch.delenv("UD_MIRROR", raising=False)
    return Shelf(tmp_path).open("UD_English-Sample")


def count(opened, request, job):
    with opened.turn(job) as engine:
        return engine.count(request)


def stopped(opened, job):
    with pytest.raises(Stopped):
        count(opened, ENDLESS, job)


def test_a_search_ends_when_its_browser_goes_away(opened):
    with pytest.raises(Stopped):
        asyncio.run(do(Browser(0.5), lambda job: count(opened, ENDLESS, job)))
    assert count(opened, SHORT, Job()) > 0


def test_who_waits_for_a_treebank_may_go_away_too(opened):
    busy, waiting = Job(), Job()
    first = threading.Thread(target=stopped, args=(opened, busy))
    first.start()
    time.sleep(0.5)
    threading.Timer(0.2, waiting.stop).start()
    with pytest.raises(Stopped):
        count(opened, SHORT, waiting)
    busy.stop()
    first.join(10)
    assert not first.is_alive()


def test_a_treebank_is_whole_after_searches_that_were_stopped_at_any_time(opened):
    requests = [parse_request("pattern { X [upos] }"), parse_request("pattern { X -[nsubj]-> Y; Y ->> Z; Z [lemma] }")]
    counts = [Engine(opened.treebank).count(request) for request in requests]
    for place in range(40):
        engine = Engine(opened.treebank)
        stop = threading.Timer(0.001 * place, engine.interrupt)
        stop.start()
        for request in requests * 2:
            with suppress(duckdb.InterruptException):
                engine.count(request)
        stop.join()
        assert [engine.count(request) for request in requests] == counts


def test_matches_are_counted_as_they_are_found(opened):
    with opened.turn(Job()) as engine:
        totals = list(engine.counting(SHORT))
        assert totals == sorted(totals)
        assert totals[-1] == engine.count(SHORT)


def test_pieces_come_one_by_one():
    async def first_of():
        async for piece in stream(lambda job: iter(range(10**9))):
            return piece

    assert asyncio.run(first_of()) == 0


def test_work_tells_how_far_it_has_come_and_ends_when_it_is_stopped():
    job, went_on = Job(), threading.Event()

    def work(listen):
        listen(1, 3)
        went_on.wait(5)
        listen(2, 3)

    steps = steps_of(work, job)
    assert next(steps) == (1, 3)
    job.stop()
    went_on.set()
    with pytest.raises(Stopped):
        list(steps)
