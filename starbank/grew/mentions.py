"""Which names a clause mentions and declares."""

from __future__ import annotations

from starbank.grew import syntax
from starbank.grew.syntax import Name


def declared(clause: syntax.Clause) -> list[Name]:
    """Return the nodes that `clause` declares: a node clause its node, an edge clause its ends if neither is `*`."""
    if isinstance(clause, syntax.NodeClause):
        return [clause.node]
    if isinstance(clause, syntax.EdgeClause) and clause.source is not None and clause.target is not None:
        return [clause.source, clause.target]
    return []


def mentioned(clause: syntax.Clause) -> list[Name]:
    """Return the node and edge names of `clause`, in the order of the text."""
    match clause:
        case syntax.NodeClause():
            return [clause.node]
        case syntax.EdgeClause():
            return [name for name in (clause.edge, clause.source, clause.target) if name is not None]
        case syntax.FeatureClause():
            return [clause.owner]
        case syntax.CompareClause():
            return [clause.left.owner, clause.right.owner]
        case syntax.NumberClause():
            return [clause.left.owner]
        case syntax.MeasureClause():
            sides = (clause.left, clause.right)
            return [node for side in sides if isinstance(side, syntax.Measure) for node in side.nodes]
        case syntax.RelationClause():
            return sorted([clause.left, clause.right], key=lambda name: (name.place.line, name.place.column))
