"""The registry: all guards in the order in which they count, and the judgement of a suite's matches by them."""

from __future__ import annotations

import duckdb

from starbank.guards import arcs, controllers, forms, government, modifiers, places, readings, rivals, signs
from starbank.guards.registry import Guard, verdicts
from starbank.languages import language_of
from starbank.morphology import Lexicon
from starbank.queries.constructions import Construction

GUARDS = (
    *places.GUARDS,
    *controllers.GUARDS,
    *government.GUARDS,
    *forms.GUARDS,
    *readings.GUARDS,
    *rivals.GUARDS,
    *modifiers.GUARDS,
    *forms.LATE_GUARDS,
)
ALL_GUARDS = (*GUARDS, *arcs.GUARDS, *arcs.LATE_GUARDS, *arcs.FORM_GUARDS, *signs.IN_SENTENCE, *signs.OF_FORM)

_VERDICTS = """
    create temp table verdicts as
    from ({verdicts}) qualify row_number() over (partition by row, name order by rank, detail) = 1
"""

# A match is given up where a guard speaks of all of it or of what is grammatical, where sets are to be complete, and
# where no starred condition is sound.
_PROBLEMS = """
    create temp table problems as
    with given_up as (
        select row from verdicts where name is null
        union
        select row from (select distinct row, name, starred from cells) as condition
            left join verdicts using (row, name)
        group by row
        having bool_or(reason is not null and ($complete or not starred)) or bool_and(reason is not null or not starred)
    )
    select row, reason, detail from verdicts semi join given_up using (row)
    qualify row_number() over (partition by row order by rank, detail) = 1
"""

_LEFT_OUT = """
    create temp table left_out as
    select row, name, reason, detail from verdicts anti join problems using (row)
"""


def judge(connection: duckdb.DuckDBPyConnection, construction: Construction, lexicon: Lexicon) -> None:
    """Make the tables `problems` and `left_out` of the tables of a suite: what guards say first, and why.

    `problems` has a row for each match that is rejected, `left_out` one for each condition (`name`) that an item does
    without. The connection has `words`, `controllers`, `governors`, `cells`, `filled` and `conditions`, which
    `starbank.sets` makes.
    """
    forms.compare_forms(connection, lexicon)
    readings.read_forms(connection, construction, lexicon)
    idle: set[Guard] = set()
    if construction.controller:
        respect = language_of(construction.language).plural_of_respect
        controllers.judge_controllers(connection, construction, lexicon, respect)
        rivals.find_rivals(connection, construction)
    else:
        controllers.leave_open(connection)
        idle.update(controllers.GUARDS, rivals.GUARDS)
    if construction.governor:
        government.judge_government(connection, construction, lexicon)
    else:
        idle.update(government.GUARDS)
    if not modifiers.compare_modifiers(connection):
        idle.update(modifiers.GUARDS)
    guards = [guard for guard in GUARDS if guard not in idle]
    connection.execute(_VERDICTS.format(verdicts=verdicts(guards)))
    connection.execute(_PROBLEMS, {"complete": construction.complete})
    connection.execute(_LEFT_OUT)
