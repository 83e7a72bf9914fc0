"""Minimal sets: the same sentence with some of its words in each of several cells of their paradigms.

What a word has in the text is grammatical; where a condition changes its features stands the form that the lexicon has
for its lemma in that cell, all other features equal. What would not surely make a minimal set is rejected, with the
reason.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from starbank.guards import judge, judge_ambiguity, judge_words
from starbank.morphology import Lexicon
from starbank.plugins import generator
from starbank.queries.constructions import Construction
from starbank.sets import (
    draw_matches,
    find_words,
    make_cells,
    make_conditions,
    make_covariates,
    make_suites,
    unfilled,
)
from starbank.suites import ITEMS, REJECTED, Suite
from starbank.treebanks import Treebank


@generator(several=True)
def minimal_sets(
    constructions: Sequence[Construction], matches: Sequence[pa.Table], treebank: Treebank, lexicon: Lexicon
) -> list[Suite]:
    """Make one item of each match that has a sound starred condition, and reject the others.

    `matches` are those of each construction's request in `treebank`, with its named covariates (`COVARIATES`);
    `lexicon` holds the paradigms of the language that all `constructions` are of. Each suite has exactly one row per
    match: an item with its sound conditions, the grammatical ones first, and what was left out, or the reason why there
    is none. It does not depend on what other constructions there are. Where a construction has a limit, no more of its
    matches are judged than that takes, and the others are rejected as beyond it.
    """
    if not any(table.num_rows for table in matches):
        return [Suite(pa.Table.from_batches([], ITEMS), pa.Table.from_batches([], REJECTED)) for _ in constructions]
    suites: dict[int, Suite] = {}
    numbers, turn = list(range(len(constructions))), 0
    while numbers:
        connection = duckdb.cursor()
        several, tables = [constructions[number] for number in numbers], [matches[number] for number in numbers]
        find_words(connection, several, tables, treebank)
        make_cells(connection, several, lexicon)
        judge_words(connection, several, lexicon)
        draw_matches(connection, several, treebank, turn)
        judge_ambiguity(connection, several, lexicon)
        make_conditions(connection, several, lexicon)
        judge(connection, several, lexicon)
        make_covariates(connection, several, lexicon)
        made = make_suites(connection, several, tables, treebank)
        suites |= zip(numbers, made, strict=True)
        numbers, turn = [numbers[place] for place in sorted(unfilled(connection, made))], turn + 1
    return [suites[number] for number in range(len(constructions))]
