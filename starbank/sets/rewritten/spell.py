"""Changed graphs -> their texts, or why there is none."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from starbank.grew.sentence import Node, RewriteError
from starbank.sets.rewritten.graphs import Fault, Graph
from starbank.sets.rewritten.text import Original, write
from starbank.sets.rewritten.units import Spelling, Unit, find_units


def spell(
    graphs: Sequence[tuple[Graph, Original]], forms: Mapping[Node, str], free: Container[str], spelling: Spelling
) -> None:
    """Give each graph its `pieces`, words and what stands between them in turns, or the `fault` for which it has none.

    `forms` has the form of each word that needs another one, `free` those that stand by themselves.
    """
    waiting: list[tuple[Graph, Original, list[Unit]]] = []
    for graph, original in graphs:
        if graph.condition.rewriting is None:
            graph.pieces = original.pieces
            continue
        try:
            waiting.append((graph, original, _units(graph, original, forms, free)))
        except RewriteError as error:
            graph.fault = graph.fault or Fault("text", error.message)
    mended = spelling.mend([(units, original) for _, original, units in waiting])
    for (graph, original, _), units in zip(waiting, mended, strict=True):
        if isinstance(units, RewriteError):
            graph.fault = Fault("text", units.message)
            continue
        try:
            graph.pieces = write(units, original)
        except RewriteError as error:
            graph.fault = Fault("text", error.message)


def _units(graph: Graph, original: Original, forms: Mapping[Node, str], free: Container[str]) -> list[Unit]:
    """Return the words of a graph; notes the fault for which commands or forms are missing, and raises it."""
    for blank in graph.blanks:
        if graph.fault is None and blank.node not in forms:
            graph.fault = Fault("form", f"{blank.lemma} ({blank.upos}): {blank.feats}")
    if graph.fault is not None:
        raise RewriteError(graph.fault.detail)
    before = graph.before.by_id
    own = {
        node: _cased(forms[node], before.get(node.source or ""), original)
        for node in graph.sentence.order
        if node in forms
    }
    return find_units(graph.sentence, graph.before, own, original, free, graph.written)


def _cased(form: str, before: Node | None, original: Original) -> str:
    """Return a form with a capital where the word in whose place it stands had one that is not its lemma's.

    It may stand inside, after what a mutation puts before it: Irish *nDáil*, *Dáil*.
    """
    written, lemma = ("", "") if before is None else (before.features.get(name, "") for name in ("form", "lemma"))
    has_capital = any(map(str.isupper, written)) and not any(map(str.isupper, lemma))
    if not has_capital or (written.isupper() and len(written) > 1) or any(map(str.isupper, form)):
        return form
    return original.capital(form)
