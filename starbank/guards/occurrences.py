"""Where treebanks have what a starred condition makes, and how often they have what it was before.

A rule says what it makes of its own request (`starbank.grew.changed`): what the treebanks have of that is held against
what they have of the request, word by word. Words are told apart by their lemmas: all of them (`exact`), those that are
the same before and after (`key`), which are of a closed class or which the construction calls `obligatory`, and those
that the rule has put there (`made`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.commands import DeleteFeature, SetFeature
from starbank.morphology.casing import small
from starbank.queries.changes import Rewriting
from starbank.queries.constructions import Construction
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import answer, filled, integers, numbers, repeated, take, text, texts, truths, whole

if TYPE_CHECKING:
    from starbank.grew import Engine
    from starbank.grew.grewpy_engine import GrewpyEngine

OCCURRENCES = pa.schema(
    {
        **{"name": pa.string(), "starred": pa.bool_(), "exact": pa.string(), "key": pa.string(), "made": pa.string()},
        **{"count": pa.int64(), "sent_id": pa.string(), "text": pa.string()},
    }
)
# The parts of speech that UD calls closed: their words are few, and each has a grammar of its own.
CLOSED = ("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ")
_BETWEEN = "\x1f"
_SUM = """
    select name, starred, exact, key, made, sum(count)::bigint as count, min(sent_id) as sent_id,
        arg_min(text, (sent_id, text)) as text
    from counted group by all order by all
"""


@dataclass(frozen=True)
class Words:
    """What nodes are bound to, match by match: lemmas, parts of speech and forms by node, null where there is none."""

    lemmas: Mapping[str, pa.StringArray]
    upos: Mapping[str, pa.StringArray]
    forms: Mapping[str, pa.StringArray]
    matches: int


class Keys:
    """By which words what a rule makes is sought, and held against what was there before."""

    def __init__(self, construction: Construction, rewriting: Rewriting) -> None:
        self.nodes = rewriting.request.nodes
        self._language = construction.language
        self._made = dict(_made(rewriting))
        before = construction.obligatory or construction.request.nodes
        self._kept = [node for node in before if node in self.nodes and node not in self._made]
        self._strict = bool(construction.obligatory)

    def exact(self, words: Words) -> pa.StringArray:
        """Return what tells matches apart by the lemmas of all their words."""
        return _joined([words.lemmas[node] for node in self.nodes] + self._of_made(words), words)

    def general(self, words: Words) -> pa.StringArray:
        """Return what tells them apart by words that are the same before and after, of a closed class or obligatory."""
        kept, closed = [words.lemmas[node] for node in self._kept], texts(CLOSED)
        if not self._strict:
            is_closed = (pc.is_in(words.upos[node], closed) for node in self._kept)
            kept = [pc.if_else(each, lemmas, text("")) for each, lemmas in zip(is_closed, kept, strict=True)]
        return _joined(kept, words)

    def made(self, words: Words) -> pa.StringArray:
        """Return what tells them apart by the words that the rule has put there."""
        return _joined(self._of_made(words), words)

    def _of_made(self, words: Words) -> list[pa.StringArray]:
        return [
            small(words.forms[node], self._language) if feature == "form" else words.lemmas[node]
            for node, feature in self._made.items()
        ]


def _made(rewriting: Rewriting) -> Iterator[tuple[str, str]]:
    """Yield the nodes to which a rule gives another form or lemma, with which of both it is that it gives."""
    for wanted in ("lemma", "upos", "form"):
        for command in rewriting.rule.commands:
            if isinstance(command, SetFeature | DeleteFeature):
                owner, feature = command.attribute.owner.text, command.attribute.feature.text
                if feature == wanted and owner in rewriting.request.nodes:
                    yield owner, "form" if feature == "form" else "lemma"


def _joined(columns: Sequence[pa.StringArray], words: Words) -> pa.StringArray:
    """Return columns as one, match by match, empty where there are none."""
    if not columns:
        return repeated("", words.matches)
    return pc.binary_join_element_wise(*columns, text(_BETWEEN), null_handling="replace", null_replacement="")


def count_occurrences(
    construction: Construction, treebanks: Iterable[tuple[Treebank, Engine | GrewpyEngine]]
) -> pa.Table:
    """Return how often treebanks have what each starred condition makes (`starred`), and what it was before.

    Columns as in `OCCURRENCES`; `sent_id` and `text` are of the first sentence that has these keys.
    """
    # Each treebank's are added up before the next one is searched, so that no more than one's matches are held.
    parts = [_sum(list(_of_treebank(construction, treebank, engine))) for treebank, engine in treebanks]
    return _sum(parts)


def _sum(parts: Sequence[pa.Table]) -> pa.Table:
    """Return the counts of tables of occurrences together."""
    connection = duckdb.cursor()
    connection.register("counted", pa.concat_tables([OCCURRENCES.empty_table(), *parts]))
    return answer(connection, _SUM).cast(OCCURRENCES)


def _of_treebank(construction: Construction, treebank: Treebank, engine: Engine | GrewpyEngine) -> Iterator[pa.Table]:
    matches = engine.match(construction.request)
    before = _words(treebank, matches, construction.request.nodes)
    for condition in construction.conditions:
        if condition.starred and condition.rewriting:
            keys, nothing = Keys(construction, condition.rewriting), repeated("", matches.num_rows)
            yield _counted(treebank, matches, condition.name, False, nothing, keys.general(before), nothing)
            found = engine.match(condition.rewriting.request)
            after = _words(treebank, found, keys.nodes)
            columns = (keys.exact(after), keys.general(after), keys.made(after))
            yield _counted(treebank, found, condition.name, True, *columns)


def _words(treebank: Treebank, matches: pa.Table, nodes: Sequence[str]) -> Words:
    """Return the words that the nodes of matches are bound to."""
    numbered = numbers(treebank.tokens["node"])
    columns: dict[str, dict[str, pa.StringArray]] = {"lemma": {}, "upos": {}, "form": {}}
    for node in nodes:
        bound = filled(matches[node], -1)
        place = np.searchsorted(numbered, bound).clip(max=len(numbered) - 1)
        for name, words in columns.items():
            words[node] = whole(take(treebank.tokens[name], place, numbered[place] != bound))
    return Words(columns["lemma"], columns["upos"], columns["form"], matches.num_rows)


def _counted(
    treebank: Treebank,
    matches: pa.Table,
    name: str,
    starred: bool,
    exact: pa.StringArray,
    key: pa.StringArray,
    made: pa.StringArray,
) -> pa.Table:
    rows = matches.num_rows
    order = np.searchsorted(numbers(treebank.sentences["sent"]), numbers(matches["sent"]))
    sentences = treebank.sentences.take(integers(order))
    return pa.table(
        {
            "name": repeated(name, rows),
            "starred": truths(np.full(rows, starred)),
            **{"exact": exact, "key": key, "made": made},
            "count": integers(np.ones(rows, dtype=np.int64)),
            **{"sent_id": sentences["sent_id"], "text": sentences["text"]},
        }
    ).cast(OCCURRENCES)
