"""Models that learn a labelled task from its own rows alone, and what their layers have (Ravfogel et al. 2018)."""

from starbank.probing.learning.recipes import LEARNING
from starbank.probing.learning.train import train

__all__ = ["LEARNING", "train"]
