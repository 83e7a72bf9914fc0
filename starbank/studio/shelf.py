"""The treebanks at hand: which there are, and those that are open, each with what was learned of it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import duckdb
from langcodes import standardize_tag
from langcodes.tag_parser import LanguageTagError

from starbank.errors import TreebankError, UsageError, nearest
from starbank.grew import Engine
from starbank.pipeline.sources import Lexicons, Source, open_source
from starbank.studio.jobs import Job
from starbank.studio.vocabulary import Vocabulary
from starbank.treebanks import Treebank
from starbank.treebanks.catalogue import Entry, entries_here

# So many stay in memory, the latest.
OPEN = 4
# Of so many the forms are learned at once: that cannot be stopped midway, and must not take all threads.
_LEARNED_AT_ONCE = threading.Semaphore(2)


class OpenTreebank:
    """A treebank in memory, for one job at a time."""

    def __init__(self, source: Source, memory: str | None = None) -> None:
        """Take the treebank, which is read when a job first has it; a search may take so much `memory`."""
        self.source = source
        self._memory = memory
        self.name = source.name
        self.lexicons = Lexicons([])
        self._lock, self._learning = threading.Lock(), threading.Lock()

    @property
    def language(self) -> str:
        """Its language as HTML wants it (`ka`), so that browsers choose fonts that have its letters."""
        try:
            return standardize_tag(self.source.language or "und")
        except LanguageTagError:
            return "und"

    @property
    def treebank(self) -> Treebank:
        """Its tables."""
        return self.source.treebank

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What can be asked for."""
        with self._lock:
            return Vocabulary(next(self._engine.parts()).graph)

    @cached_property
    def _engine(self) -> Engine:
        engine = self.source.engine
        assert isinstance(engine, Engine)
        if self._memory:
            engine.limit_memory(self._memory)
        return engine

    def learn(self, job: Job, language: str | None = None) -> None:
        """Make the lexicon of the treebank, in its own or another `language`, and learn its inflection, once.

        Searches go on meanwhile.
        """
        with self.turn(job):
            pass  # It is read.
        with job.turn(self._learning, lambda: None), job.turn(_LEARNED_AT_ONCE, lambda: None):
            _ = self.lexicons.get(language or self.source.language or "und", [self.source]).predictor.inflection

    @contextmanager
    def turn(self, job: Job) -> Iterator[Engine]:
        """Give a job what searches the treebank; a search that nobody waits for is interrupted."""
        try:
            with job.turn(self._lock, self._interrupt):
                yield self._engine
        except duckdb.OutOfMemoryException as error:
            hint = "Ask for less at once: name more of what the nodes are, or count by fewer keys."
            raise UsageError("this takes more memory than there is", hint=hint) from error

    def _interrupt(self) -> None:
        # While the treebank is still read there is nothing to stop.
        if "engine" in vars(self.source):
            self._engine.interrupt()


class Shelf:
    """All treebanks at hand, by name: those that are ingested, and those of `starbank.treebanks.places`."""

    def __init__(self, ingested: Path, memory: str | None = None) -> None:
        """Look for ingested treebanks in the folder `ingested`; a search may take so much `memory`."""
        self.ingested = ingested
        self._memory = memory
        self._mutex = threading.Lock()
        self._open: OrderedDict[str, OpenTreebank] = OrderedDict()

    def entries(self) -> list[Entry]:
        """Return all of them, by name."""
        return entries_here(self.ingested)

    def open(self, name: str) -> OpenTreebank:
        """Return a treebank by its name; no path is taken. Raises `TreebankError` where there is none."""
        with self._mutex:
            if name not in self._open:
                names = [entry.name for entry in self.entries()]
                if name not in names:
                    raise TreebankError(f"no treebank {name!r} is at hand", hint=nearest(name, names))
                self._open[name] = OpenTreebank(open_source(name, self.ingested), self._memory)
            self._open.move_to_end(name)
            while len(self._open) > OPEN:
                self._open.popitem(last=False)
            return self._open[name]
