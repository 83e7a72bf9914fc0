"""Which word of a request decides what another one has."""

from __future__ import annotations

from collections import Counter

from starbank.grew import Engine, Request, parse_request
from starbank.grew.clusters import rows_of
from starbank.pipeline.proposals.agreement import HOLDS, KAPPA, LEAST
from starbank.pipeline.proposals.proposal import exceeds_chance


def find_controller(engine: Engine, request: Request, target: str, feature: str) -> str | None:
    """Return the node with which `target` agrees in a feature, as a rule and beyond chance; None where there is none.

    Chance is what words of the treebank have that carry the feature: a request may ask for plurals alone.
    """
    everywhere = Counter(_values(engine, parse_request(f"pattern {{ X [{feature}] }}"), "X", feature=feature))
    agreeing = {}
    for node in request.nodes:
        pairs = _values(engine, request, target, node, feature=feature) if node != target else {}
        total = sum(pairs.values())
        if total < LEAST:
            continue
        holds = sum(count for values, count in pairs.items() if len(set(values)) == 1) / total
        chance = sum(count * everywhere[values[1:]] for values, count in pairs.items()) / (total * everywhere.total())
        if holds >= HOLDS and exceeds_chance(holds, chance, KAPPA):
            agreeing[node] = holds
    return max(agreeing, key=lambda node: agreeing[node], default=None)


def _values(engine: Engine, request: Request, *nodes: str, feature: str) -> dict[tuple[str, ...], int]:
    """Return how often nodes have which values of a feature, where all have one."""
    rows = rows_of(engine.cluster(request, [f"{node}.{feature}" for node in nodes]))
    return {tuple(map(str, values)): count for values, count in rows if all(values)}
