"""Where treebanks have what a starred condition makes, and how often they have what it was before.

A rule says what it makes of its own request (`starbank.grew.changed`): what the treebanks have of that is held against
what they have of the request, word by word. Words are told apart by their lemmas: all of them (`exact`), or those that
are the same before and after (`key`), which are of a closed class or which the construction calls `obligatory`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pyarrow as pa

from starbank.grew.commands import DeleteFeature, SetFeature
from starbank.grew.request import Request
from starbank.queries.changes import Rewriting
from starbank.queries.constructions import Construction
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import filled, integers, numbers, texts

if TYPE_CHECKING:
    from starbank.grew import Engine
    from starbank.grew.grewpy_engine import GrewpyEngine

OCCURRENCES = pa.schema(
    {
        **{"name": pa.string(), "starred": pa.bool_(), "exact": pa.string(), "key": pa.string()},
        **{"count": pa.int64(), "sent_id": pa.string(), "text": pa.string()},
    }
)
# The parts of speech that UD calls closed: their words are few, and each has a grammar of its own.
CLOSED = ("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ")
_BETWEEN = "\x1f"
_WORD_FEATURES = frozenset({"lemma", "form", "upos"})

Word = tuple[str | None, str | None]

_SUM = """
    select name, starred, exact, key, sum(count)::bigint as count, arg_min(sent_id, sent_id) as sent_id,
        arg_min(text, sent_id) as text
    from counted group by all order by all
"""


def key_nodes(construction: Construction, rewriting: Rewriting) -> list[str]:
    """Return the nodes that are the same words before and after, by which both are held against each other."""
    changed = {
        command.attribute.owner.text
        for command in rewriting.rule.commands
        if isinstance(command, SetFeature | DeleteFeature) and command.attribute.feature.text in _WORD_FEATURES
    }
    before = construction.obligatory or construction.request.nodes
    return [node for node in before if node in rewriting.request.nodes and node not in changed]


def exact_key(words: Iterable[Word]) -> str:
    """Return what tells words apart by their lemmas; each is lemma and UPOS."""
    return _BETWEEN.join(lemma or "" for lemma, _ in words)


def general_key(construction: Construction, words: Iterable[Word]) -> str:
    """Return what tells words apart by their lemmas where these are of a closed class, or `obligatory` names them."""
    exact = bool(construction.obligatory)
    return _BETWEEN.join((lemma or "") if exact or upos in CLOSED else "" for lemma, upos in words)


def count_occurrences(
    construction: Construction, treebanks: Iterable[tuple[Treebank, Engine | GrewpyEngine]]
) -> pa.Table:
    """Return how often treebanks have what each starred condition makes (`starred`), and what it was before.

    Columns as in `OCCURRENCES`; `text` is that of the first sentence, by `sent_id`, with this `exact` and `key`.
    """
    parts = [part for treebank, engine in treebanks for part in _of_treebank(construction, treebank, engine)]
    connection = duckdb.cursor()
    connection.register("counted", pa.concat_tables(parts) if parts else OCCURRENCES.empty_table())
    return connection.sql(_SUM).to_arrow_table().cast(OCCURRENCES)


def _of_treebank(construction: Construction, treebank: Treebank, engine: Engine | GrewpyEngine) -> Iterator[pa.Table]:
    before = engine.match(construction.request)
    for condition in construction.conditions:
        if condition.starred and condition.rewriting:
            nodes = key_nodes(construction, condition.rewriting)
            request = condition.rewriting.request
            yield _counted(construction, treebank, condition.name, before, nodes, None)
            yield _counted(construction, treebank, condition.name, engine.match(request), nodes, request)


def _counted(
    construction: Construction,
    treebank: Treebank,
    name: str,
    matches: pa.Table,
    nodes: Sequence[str],
    changed: Request | None,
) -> pa.Table:
    """Count matches by the words of `nodes`, and where they are of a `changed` request, of all its nodes."""
    rows, words = matches.num_rows, _Words(treebank)
    exact = words.keys(matches, changed.nodes if changed else ()) if changed else [""] * rows
    general = words.keys(matches, nodes, () if construction.obligatory else CLOSED)
    order = np.searchsorted(numbers(treebank.sentences["sent"]), numbers(matches["sent"]))
    sentences = treebank.sentences.take(integers(order))
    return pa.table(
        {
            "name": texts([name] * rows),
            "starred": pa.array(np.full(rows, changed is not None)),
            "exact": texts(exact),
            "key": texts(general),
            "count": integers(np.ones(rows, dtype=np.int64)),
            "sent_id": sentences["sent_id"],
            "text": sentences["text"],
        }
    ).cast(OCCURRENCES)


class _Words:
    """The lemmas and parts of speech of a treebank's words."""

    def __init__(self, treebank: Treebank) -> None:
        self._tokens = treebank.tokens
        self._nodes = numbers(treebank.tokens["node"])

    def keys(self, matches: pa.Table, nodes: Sequence[str], closed: Sequence[str] = ()) -> list[str]:
        """Return the lemmas of bound words as one text for each match, or only those of some parts of speech."""
        columns = []
        for node in nodes:
            bound = filled(matches[node], -1)
            place = np.searchsorted(self._nodes, bound).clip(max=len(self._nodes) - 1)
            inside = self._nodes[place] == bound
            lemmas, upos = (self._tokens[name].take(integers(place)).to_pylist() for name in ("lemma", "upos"))
            columns.append(
                [
                    (lemma or "") if there and (not closed or kind in closed) else ""
                    for lemma, kind, there in zip(lemmas, upos, inside, strict=True)
                ]
            )
        return [_BETWEEN.join(row) for row in zip(*columns, strict=True)] if columns else [""] * matches.num_rows
