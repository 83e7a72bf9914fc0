"""How words mind what stands beside them, learned from a treebank: `a dog`, `an hour`; zu dem, zum."""

from starbank.morphology.sandhi.learn import learn_sandhi
from starbank.morphology.sandhi.model import Sandhi
from starbank.morphology.sandhi.pairs import UNINFLECTED
from starbank.morphology.sandhi.surface import READ, Surface, surface_words

__all__ = ["READ", "UNINFLECTED", "Sandhi", "Surface", "learn_sandhi", "surface_words"]
