"""The parts of a suite -> the suite."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from starbank.errors import ConstructionError, nearest
from starbank.pipeline.orders import Order
from starbank.pipeline.parts import Part, joined_provenance
from starbank.pipeline.slips import reasons, slips
from starbank.queries.constructions import Construction
from starbank.suites import Suite, merge
from starbank.treebanks.features import parse_features, sort_names

logger = logging.getLogger("starbank")


def require_feature(order: Order) -> None:
    """Refuse to vary a feature that no word has, which is a slip of the pen more often than not."""
    construction = order.construction
    if not construction.treebanks:
        return  # What runs everywhere need not find something everywhere.
    features: set[str] = set()
    for piece in chain.from_iterable(source.pieces(range(source.size)) for source in order.sources):
        feats = filter(None, piece.treebank.tokens["feats"].unique().to_pylist())
        features.update(name for text in feats for name in parse_features(text))
        if features.issuperset(construction.features):
            return
    for feature in construction.features:
        if feature not in features:
            message = f"`{feature}` is to vary, which no word of the treebanks has"
            raise ConstructionError(message, file=construction.path, hint=nearest(feature, sort_names(features)))


def assemble(construction: Construction, parts: Sequence[Part]) -> tuple[Suite, dict[str, Any]]:
    """Put a suite together of its parts; return it with its provenance, and warn of what may be slips of the pen."""
    absences = list(chain.from_iterable(part.absences for part in parts))
    misspelt = slips(absences) if absences else []
    for slip in misspelt:
        logger.warning("%s: %s", construction.path, slip)
    suites, joined = [part.suite for part in parts], joined_provenance([part.provenance for part in parts])
    suite = merge(suites, construction.limit, joined["seed"], construction.balance)
    items, rejected = suite.items.num_rows, suite.rejected.num_rows
    if absences and not items:
        for reason in reasons(construction, absences, rejected):
            if reason not in misspelt:
                logger.warning("%s: the suite is empty: %s", construction.path, reason)
    notes = {name: _united(getattr(part, name) for part in parts) for name in ("unmatched", "unserved", "searched")}
    # What one share does not have another may.
    matched = {name for table in (suite.items, suite.rejected) for name in table["treebank"].unique().to_pylist()}
    notes["unmatched"] = {name: note for name, note in notes["unmatched"].items() if name not in matched}
    about = {"matches": items + rejected, "items": items} | {name: note for name, note in notes.items() if note}
    return suite, joined | about


def _united(notes: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {treebank: note for several in notes for treebank, note in several.items()}
