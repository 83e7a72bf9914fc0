"""Words of changed graphs -> their forms, from the same sources as those of minimal sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import pyarrow as pa

from starbank.grew.sentence import Node
from starbank.morphology import Lexicon
from starbank.morphology.paradigm_tables import SOURCE, ParadigmTables
from starbank.queries.constructions import Construction
from starbank.sets.rewritten.graphs import Blank, Graph, feats_of, in_order
from starbank.sets.rewritten.units import torn_words
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import canonical, parse_features


@dataclass(frozen=True)
class Form:
    """The form of a word, the features of its cell, and where it comes from."""

    text: str
    feats: str
    source: str
    count: int
    confidence: float


def find_forms(construction: Construction, graphs: Sequence[Graph], lexicon: Lexicon) -> dict[Node, Form]:
    """Return the forms of the words that need one or were given one; a word is missing where no form is sure."""
    blanks = in_order(graphs)
    nearest = cache(partial(_cell, lexicon))
    cells = [nearest(blank.upos, blank.lemma, blank.feats_before or "", blank.feats) for blank in blanks]
    asked = _asked(enumerate(zip(blanks, cells, strict=True)))
    found = _of_lexicon(construction, asked, lexicon)
    # Another word need not be attested in the same use.
    others = [
        (row, (replace(blank, use=None), feats))
        for row, (blank, feats) in enumerate(zip(blanks, cells, strict=True))
        if row not in found and blank.use and not blank.form_before
    ]
    forms = {
        blanks[row].node: form for row, form in (found | _of_lexicon(construction, _asked(others), lexicon)).items()
    }
    order = construction.forms.index
    for row, text in _of_tables(construction, asked).items():
        other = forms.get(blanks[row].node)
        if other is None or order(SOURCE) < order(other.source):
            forms[blanks[row].node] = Form(text, cells[row], SOURCE, 0, 1.0)
    return forms | _written(graphs, lexicon)


def find_alone(graphs: Sequence[Graph], forms: Mapping[Node, Form], lexicon: Lexicon) -> dict[Node, str]:
    """Return how words that a multiword token loses are written by themselves, as far as the treebanks show it."""
    torn = [
        node
        for graph in graphs
        if graph.condition.rewriting is not None and graph.fault is None
        for node in torn_words(graph.window, forms)
        if node not in forms
    ]
    rows = [
        (row, *(node.features.get(name, "") for name in ("form", "lemma", "upos")), feats_of(node))
        for row, node in enumerate(torn)
    ]
    alone = lexicon.forms_alone(table_of(rows, row=int, form=str, lemma=str, upos=str, feats=str))
    return {torn[row]: form for row, form in zip(*(alone[name].to_pylist() for name in ("row", "form")), strict=True)}


def _asked(blanks: Iterable[tuple[int, tuple[Blank, str]]]) -> pa.Table:
    """Return the table of words and the cells that they are asked for in, as `Lexicon.forms` wants it."""
    rows = [
        (row, blank.lemma or "", blank.upos, feats, blank.use, blank.form_before or "", blank.feats_before or "")
        for row, (blank, feats) in blanks
    ]
    return table_of(rows, row=int, lemma=str, upos=str, feats=str, use=str, own_form=str, own_feats=str)


def _cell(lexicon: Lexicon, upos: str, lemma: str | None, feats_before: str, feats: str) -> str:
    """Return the cell that a word is asked for in, which one that the language does not have gives way to."""
    before, after = parse_features(feats_before), parse_features(feats)
    change = {name: after.get(name) for name in {**before, **after} if before.get(name) != after.get(name)}
    return canonical(lexicon.attested_cells.nearest(upos, lemma, before, change, {}))


def _of_lexicon(construction: Construction, asked: pa.Table, lexicon: Lexicon) -> dict[int, Form]:
    sources = tuple(source for source in construction.forms if source != SOURCE)
    if not sources or not asked.num_rows:
        return {}
    found = lexicon.forms(asked, sources=sources, relax=construction.relax, threshold=construction.confidence)
    names = ("row", "rank", "form", "feats", "source", "count", "confidence")
    return {
        row: Form(*form)
        for row, rank, *form in zip(*(found[name].to_pylist() for name in names), strict=True)
        if rank == 1
    }


def _of_tables(construction: Construction, asked: pa.Table) -> dict[int, str]:
    """Return the forms of the paradigms beside the construction."""
    if not construction.paradigms or SOURCE not in construction.forms:
        return {}
    found = ParadigmTables(construction.paradigms).forms(asked)
    return dict(zip(found["row"].to_pylist(), found["form"].to_pylist(), strict=True))


def _written(graphs: Sequence[Graph], lexicon: Lexicon) -> dict[Node, Form]:
    """Return the forms that commands have given, which the linguist answers for, with how often they are attested."""
    nodes = [node for graph in graphs for node in graph.written if "form" in node.features]
    if not nodes:
        return {}
    readings = lexicon.read(table_of([(node.features["form"],) for node in nodes], form=str)["form"])
    counts: dict[str, int] = {}
    for form, count in zip(readings["form"].to_pylist(), readings["count"].to_pylist(), strict=True):
        counts[form] = counts.get(form, 0) + count
    return {
        node: Form(node.features["form"], feats_of(node), SOURCE, counts.get(node.features["form"], 0), 1.0)
        for node in nodes
    }
