"""From matches to minimal sets: the words that change, the forms that fill their cells, and what may make them hard.

Each step reads and makes tables of one DuckDB connection, named here in the order in which they come to be:

- `words`: a row for each match (`row`) and node that changes (`node`), with what is known of the word and its sentence;
- `controllers`: a row for each match whose target agrees with a word, with that word;
- `cells`: a row for each match, node and condition: the features that the word has there;
- `unjudged`: a row for each match that a limit makes superfluous;
- `filled`: the same with the form that fills the cell, from the text or the lexicon, and what is written for it;
- `conditions`: a row for each match and condition, as text cut into regions;

What speaks against them say the guards (`starbank/guards`), in `problems`: a row for each match that gives no item.
"""

from starbank.sets.cells import make_cells
from starbank.sets.conditions import make_conditions
from starbank.sets.covariates import CONCORD, COVARIATES, make_covariates
from starbank.sets.draws import draw_matches, unfilled
from starbank.sets.suites import make_suites
from starbank.sets.words import find_words

__all__ = [
    "CONCORD",
    "COVARIATES",
    "draw_matches",
    "find_words",
    "make_cells",
    "make_conditions",
    "make_covariates",
    "make_suites",
    "unfilled",
]
