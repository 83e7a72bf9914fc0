"""A checked request: what `parse_request` returns and the compiler reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from starbank.grew.syntax import Clause, EdgeClause, FeatureTest, GlobalClause, Source

# Tests of a node in disjunctive form: some alternative holds, and all tests of that alternative.
Alternatives = tuple[tuple[FeatureTest, ...], ...]


@dataclass(frozen=True)
class CheckedBlock:
    """A block whose names are known to be bound and whose node clauses are merged, one entry per node.

    `nodes` and `edges` are the names that the block itself declares, in the order of their first mention.
    """

    kind: Literal["pattern", "with", "without"]
    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    tests: tuple[tuple[str, Alternatives], ...]
    edge_clauses: tuple[EdgeClause, ...]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Request:
    """A Grew request, parsed and checked, independent of any treebank.

    `conditions` are its `with` and `without` blocks; `warnings` tells what was accepted but is likely a mistake.
    """

    source: Source
    pattern: CheckedBlock
    conditions: tuple[CheckedBlock, ...]
    globals: tuple[GlobalClause, ...]
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The request as it was written."""
        return self.source.text

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the pattern's nodes, in the order of their first mention."""
        return self.pattern.nodes

    @property
    def edges(self) -> tuple[str, ...]:
        """Names of the pattern's edges that a match reports; one that looks like `__x__` is hidden."""
        return tuple(edge for edge in self.pattern.edges if not is_hidden(edge))


def is_injective(node: str) -> bool:
    """Tell whether `node` must differ from other nodes: a name that ends in `$` need not."""
    return not node.endswith("$")


def is_hidden(edge: str) -> bool:
    """Tell whether Grew keeps this edge name out of its results."""
    return re.fullmatch("__.*__", edge) is not None
