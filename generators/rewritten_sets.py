"""Sets whose conditions are made by Grew commands: words and phrases replaced, taken out, added or moved.

The text stays character for character as it was but for what changes. A starred sentence whose kind the treebanks of
the language show, or whose change they do not show to be obligatory, is rejected with the sentence that speaks for it.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.guards import judge_rewritten
from starbank.morphology import Lexicon
from starbank.plugins import generator
from starbank.queries.constructions import Construction
from starbank.sets import find_words, make_covariates, make_suites
from starbank.sets.rewritten import Usage, cut_rewritten, make_rewritten
from starbank.suites import ITEMS, REJECTED, Suite
from starbank.treebanks import Treebank

# The treebank may be one of those whose usage counts, a part of one, or another.
_TEXTS = """
    create temp view texts as
    select *, true as here from own_texts union all by name select *, false as here from all_texts
"""


@generator(usage=True)
def rewritten_sets(
    construction: Construction, matches: pa.Table, treebank: Treebank, lexicon: Lexicon, usage: Usage
) -> Suite:
    """Make one item of each match that has a sound starred condition, and reject the others.

    `usage` tells what the treebanks of the language have of the request, of what each condition makes of it, and of
    words beside one another. The suite has exactly one row per match, as that of `minimal_sets`.
    """
    if not matches.num_rows:
        return Suite(pa.Table.from_batches([], ITEMS), pa.Table.from_batches([], REJECTED))
    connection = duckdb.cursor()
    find_words(connection, [construction], [matches], treebank)
    connection.register("own_texts", treebank.sentences.select(["sent_id", "text"]))
    connection.register("all_texts", usage.texts)
    connection.execute(_TEXTS)
    rewritten = make_rewritten(connection, construction, matches, treebank, lexicon, usage.spelling)
    occurrences = usage.occurrences(construction)
    judge_rewritten(connection, construction, lexicon, occurrences, rewritten.changed)
    cut_rewritten(connection, rewritten)
    make_covariates(connection, [construction], lexicon)
    (suite,) = make_suites(connection, [construction], [matches], treebank)
    return suite
