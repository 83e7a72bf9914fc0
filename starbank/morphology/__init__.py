"""Which form fills a cell of a paradigm, and what else a form may be."""

from starbank.morphology.cells import matching_cells, same_cell
from starbank.morphology.inflection import THRESHOLD
from starbank.morphology.lexicon import LEXICON, build_lexicon, read_lexicon
from starbank.morphology.lookup import SOURCES, Lexicon
from starbank.morphology.words import describe_words

__all__ = [
    "LEXICON",
    "SOURCES",
    "THRESHOLD",
    "Lexicon",
    "build_lexicon",
    "describe_words",
    "matching_cells",
    "read_lexicon",
    "same_cell",
]
