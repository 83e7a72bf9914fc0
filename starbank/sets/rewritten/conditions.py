"""Changed graphs and their forms -> the tables of conditions, cut into regions."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

import duckdb
import pyarrow as pa

from starbank.errors import ConlluError
from starbank.grew.rewriting import text_of
from starbank.grew.sentence import Node, RewriteError, write_sentence
from starbank.guards.occurrences import Keys, Words
from starbank.morphology import Lexicon
from starbank.queries.changes import BOUND
from starbank.queries.constructions import SOURCES, Construction
from starbank.sets.rewritten.forms import Form, find_alone, find_forms
from starbank.sets.rewritten.graphs import Graph, feats_of, make_graphs
from starbank.sets.rewritten.regions import cut_regions
from starbank.sets.rewritten.spelling import Spelling, spell
from starbank.treebanks import Treebank, treebank_of
from starbank.treebanks.arrays import answer, table_of, texts

# So many sentences are held as graphs at a time.
_SENTENCES = 8000

_CELLS = {"row": int, "construction": int, "node": str, "name": str, "starred": bool, "feats": str, "kept": bool}
_CONDITIONS = {
    **{"row": int, "name": str, "starred": bool, "place": int, "prefix": str, "target": str, "suffix": str},
    **{"feats": str, "form": str, "source": str, "count": int, "confidence": float},
}
_CHANGES = {
    **{"row": int, "name": str, "form": str, "upos": str, "lemma": str, "feats": str},
    **{"lemma_before": str, "feats_before": str},
}
_AGAINST = """
    create temp table against as
    select starred.row, starred.name, arg_min(good.name, good.place) as against
    from (select distinct row, name from cells where starred) as starred
        join (select distinct row, name, place from cells where not starred) as good using (row)
    group by all
"""


_SOUND = """
    select row, name from conditions anti join left_out using (row, name)
    where row not in (select row from problems) order by row, place
"""
_CUT = """
    select conditions.* replace (
        regions.prefix as prefix, regions.target as target, regions.suffix as suffix, trim(regions.target) as form,
        if(trim(regions.target) = conditions.form, count, 0) as count
    )
    from conditions join regions using (row, name)
"""


class _Rows:
    """The rows of the tables in the making, the graphs that `unless` asks about, and the texts of conditions."""

    def __init__(self) -> None:
        self.cells: list[tuple[Any, ...]] = []
        self.conditions: list[tuple[Any, ...]] = []
        self.faults: list[tuple[Any, ...]] = []
        self.changes: list[tuple[Any, ...]] = []
        self.surroundings: list[tuple[Any, ...]] = []
        self.graphs: list[str] = []
        self.texts: dict[tuple[int, str], Sequence[str]] = {}

    def tables(self) -> dict[str, pa.Table]:
        return {
            "cells": table_of(self.cells, **_CELLS, place=int),
            "conditions": table_of(self.conditions, **_CONDITIONS),
            "faults": table_of(self.faults, row=int, name=str, kind=str, detail=str),
            "changes": table_of(self.changes, **_CHANGES),
            "surroundings": table_of(self.surroundings, row=int, name=str, exact=str, key=str, made=str),
        }


@dataclass(frozen=True)
class Rewritten:
    """What commands made of matches, beside its tables.

    `changed` has the graphs that `unless` asks about, as sentences whose `sent_id` is their row and the name of their
    condition; `texts` the words of each condition and what stands between them, in turns, by the same.
    """

    changed: Treebank | None
    texts: Mapping[tuple[int, str], Sequence[str]]


def make_rewritten(
    connection: duckdb.DuckDBPyConnection,
    construction: Construction,
    matches: pa.Table,
    treebank: Treebank,
    lexicon: Lexicon,
    spelling: Spelling,
) -> Rewritten:
    """Make the tables of a construction whose conditions are made by commands; `conditions` is not cut into regions."""
    rows = _Rows()
    sentences = make_graphs(construction, matches, treebank, answer(connection, "from described"))
    with _uncollected():
        while batch := list(islice(sentences, _SENTENCES)):
            graphs = [graph for of_sentence in batch for graph in of_sentence]
            forms = find_forms(construction, graphs, lexicon)
            alone = find_alone(graphs, forms, lexicon)
            spell(graphs, {node: form.text for node, form in forms.items()}, alone, spelling)
            for _, of_match in groupby(graphs, key=lambda graph: graph.row):
                _add(rows, construction, list(of_match), forms)
            rows.surroundings += _surroundings(construction, graphs, forms)
    for name, table in rows.tables().items():
        connection.register(name, table)
    connection.execute(_AGAINST)
    return Rewritten(_changed("".join(rows.graphs), construction.language), rows.texts)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no cycles among objects: graphs have none, and to look through so many takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _changed(graphs: str, language: str | None) -> Treebank | None:
    """Return the treebank of changed graphs; none where not one can be read, as with two heads."""
    try:
        return treebank_of(graphs, "changed", language) if graphs else None
    except ConlluError:
        return None


def cut_rewritten(connection: duckdb.DuckDBPyConnection, rewritten: Rewritten) -> None:
    """Cut the sound conditions of each item into regions, which the table `conditions` has from then on."""
    sound = connection.execute(_SOUND).fetchall()
    regions = []
    for row, group in groupby(sound, key=lambda pair: pair[0]):
        names = [name for _, name in group]
        for name, parts in zip(names, cut_regions([rewritten.texts[row, name] for name in names]), strict=True):
            regions.append((row, name, *parts))
    connection.register("regions", table_of(regions, row=int, name=str, prefix=str, target=str, suffix=str))
    connection.register("conditions", answer(connection, _CUT))


def _add(rows: _Rows, construction: Construction, graphs: Sequence[Graph], forms: Mapping[Node, Form]) -> None:
    """Add the rows of one match."""
    # The grammatical conditions come first.
    for place, graph in enumerate(sorted(graphs, key=lambda graph: bool(graph.condition.starred))):
        name, starred = graph.condition.name, bool(graph.condition.starred)
        for target in construction.targets:
            feats = feats_of(graph.nodes[target]) if target in graph.nodes else ""
            rows.cells.append((graph.row, 0, target, name, starred, feats, graph.condition.rewriting is None, place))
        if graph.fault is not None:
            rows.faults.append((graph.row, name, graph.fault.kind, graph.fault.detail))
            continue
        rows.texts[graph.row, name] = graph.pieces
        rows.conditions.append(_condition(construction, graph, place, forms))
        if starred:
            rows.changes += _changes(graph, forms)
            if graph.condition.rewriting and graph.condition.rewriting.unless:
                rows.graphs.append(_conllu(graph, forms))


def _surroundings(
    construction: Construction, graphs: Sequence[Graph], forms: Mapping[Node, Form]
) -> Iterator[tuple[int, str, str, str, str]]:
    """Yield the words by which changed graphs are sought in the treebanks, those of a condition after another's."""
    for condition in construction.conditions:
        sought = [graph for graph in graphs if graph.condition is condition and graph.fault is None]
        if condition.rewriting is None or not condition.starred or not sought:
            continue
        keys = Keys(construction, condition.rewriting)
        nodes = {name: [graph.nodes[name] for graph in sought] for name in keys.nodes}
        lemmas, upos = (
            {name: texts([node.features.get(feature) for node in column]) for name, column in nodes.items()}
            for feature in ("lemma", "upos")
        )
        written = {
            name: texts([forms[node].text if node in forms else node.features.get("form") for node in column])
            for name, column in nodes.items()
        }
        words = Words(lemmas, upos, written, len(sought))
        columns = (keys.exact(words), keys.general(words), keys.made(words))
        for graph, *row in zip(sought, *(column.to_pylist() for column in columns), strict=True):
            yield graph.row, condition.name, *row


def _conllu(graph: Graph, forms: Mapping[Node, Form]) -> str:
    """Return a changed graph as CoNLL-U, in which words of the match have their names; empty where it is none."""
    for node in graph.sentence.order:
        if BOUND in node.features:
            node.change().pop(BOUND)
    for name, node in graph.nodes.items():
        node.change()[BOUND] = name
    for blank in graph.blanks:
        blank.node.change()["form"] = forms[blank.node].text
    try:
        rows = write_sentence(graph.sentence)
    except RewriteError:
        return ""
    lines = [f"# sent_id = {graph.row} {graph.condition.name}", f"# text = {text_of(rows)}"]
    return "\n".join([*lines, *("\t".join(row) for row in rows)]) + "\n\n"


def _changes(graph: Graph, forms: Mapping[Node, Form]) -> Iterator[tuple[Any, ...]]:
    """Yield the words that stand where others stood, with lemma and features of these."""
    before = graph.before.by_id
    for node in [*(blank.node for blank in graph.blanks), *graph.written]:
        if node in forms and node.source in before:
            old = before[node.source]
            upos, lemma = node.features.get("upos", ""), node.features.get("lemma", "")
            word = (forms[node].text, upos, lemma, forms[node].feats)
            yield (graph.row, graph.condition.name, *word, old.features.get("lemma", ""), feats_of(old))


def _condition(construction: Construction, graph: Graph, place: int, forms: Mapping[Node, Form]) -> tuple[Any, ...]:
    new = [forms[node] for node in graph.changed if node in forms]
    source = max((form.source for form in new), key=SOURCES.index, default="treebank")
    count, confidence = (
        min((form.count for form in new), default=0),
        min((form.confidence for form in new), default=1.0),
    )
    feats = [feats_of(graph.nodes[target]) for target in construction.targets if target in graph.nodes]
    starred = bool(graph.condition.starred)
    # Which word it is that the count is of, its region tells later.
    form = " ".join(each.text for each in new)
    about = (graph.row, graph.condition.name, starred, place, "", "".join(graph.pieces), "")
    return (*about, " ".join(filter(None, feats)), form, source, count, confidence)
