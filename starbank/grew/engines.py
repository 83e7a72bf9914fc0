"""Engines by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starbank.grew.engine import Engine
from starbank.treebanks import Treebank

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine


def open_engine(name: str, treebank: Treebank) -> Engine | GrewpyEngine:
    """Load a treebank into the engine `starbank`, our own, or `grewpy`, Grew itself where it is installed."""
    if name == "grewpy":
        from starbank.grew.grewpy_engine import GrewpyEngine

        return GrewpyEngine(treebank)
    return Engine(treebank)
