"""What the treebanks of a language show of words beside one another, and of what commands make."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa

from starbank.guards import count_occurrences
from starbank.morphology.sandhi import learn_sandhi
from starbank.queries.constructions import Construction
from starbank.sets.rewritten.spelling import Spelling
from starbank.treebanks import Treebank

if TYPE_CHECKING:
    from starbank.grew import Engine
    from starbank.grew.grewpy_engine import GrewpyEngine


class Usage:
    """What treebanks show, found out when it is first asked for."""

    def __init__(self, treebanks: Callable[[], Iterable[tuple[Treebank, Engine | GrewpyEngine]]]) -> None:
        """Ask the `treebanks` of one language, or their parts, each with what searches it."""
        self._treebanks = treebanks
        self._occurrences: dict[str, pa.Table] = {}

    def occurrences(self, construction: Construction) -> pa.Table:
        """Return how often treebanks have what the conditions of a construction make (`count_occurrences`)."""
        if construction.name not in self._occurrences:
            self._occurrences[construction.name] = count_occurrences(construction, self._treebanks())
        return self._occurrences[construction.name]

    @cached_property
    def texts(self) -> pa.Table:
        """The `text` of all sentences, each with its `sent_id`."""
        return pa.concat_tables(treebank.sentences.select(["sent_id", "text"]) for treebank, _ in self._treebanks())

    @cached_property
    def spelling(self) -> Spelling:
        """How words are written beside one another."""
        return Spelling(learn_sandhi(treebank for treebank, _ in self._treebanks()))
