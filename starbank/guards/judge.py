"""The registry: all guards in the order in which they count, and the judgement of a suite's matches by them."""

from __future__ import annotations

import duckdb

from starbank.guards import arcs, controllers, forms, places, readings, signs
from starbank.guards.registry import find_problems
from starbank.languages import language_of
from starbank.morphology import Lexicon
from starbank.queries.constructions import Construction

GUARDS = (*places.GUARDS, *controllers.GUARDS, *forms.GUARDS, *readings.GUARDS, *forms.LATE_GUARDS)
ALL_GUARDS = (*GUARDS, *arcs.GUARDS, *arcs.LATE_GUARDS, *arcs.FORM_GUARDS, *signs.IN_SENTENCE, *signs.OF_FORM)


def judge(connection: duckdb.DuckDBPyConnection, construction: Construction, lexicon: Lexicon) -> None:
    """Make the table `problems` of the tables of a suite: the first guard that rejects a match, and what it says.

    The connection has `words`, `controllers`, `cells`, `filled` and `conditions`, as `starbank.sets` makes them.
    """
    forms.compare_forms(connection, lexicon)
    readings.read_forms(connection, construction, lexicon)
    respect = language_of(construction.language).plural_of_respect
    controllers.judge_controllers(connection, construction, lexicon, respect)
    connection.register("problems", find_problems(connection, GUARDS))
