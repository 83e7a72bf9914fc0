"""Conditions on whole sentences -> SQL."""

from __future__ import annotations

import numpy as np

from starbank.grew import syntax
from starbank.grew.graph import Graph
from starbank.grew.query import Parameters


def sentence_condition(clause: syntax.GlobalClause, sent: str, graph: Graph, parameters: Parameters) -> str:
    """Return the condition that the sentence `sent` (a SQL expression) satisfies `clause`."""
    if isinstance(clause, syntax.Structure):
        name = clause.name.text
        negated = name.startswith("is_not_")
        holding = getattr(graph.structure, name.removeprefix("is_").removeprefix("not_"))
        chosen = np.flatnonzero(~holding if negated else holding)
    else:
        chosen = graph.metadata.satisfying(clause)
    if len(chosen) == len(graph.rows.roots):
        return "TRUE"
    return parameters.membership(sent, chosen)
