"""The registry: all guards in the order in which they count, and the judgement of a suite's matches by them."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from starbank.guards import (
    adverbials,
    ambiguity,
    arcs,
    attested,
    bare_cases,
    cells,
    changes,
    clauses,
    company,
    concord,
    controllers,
    exchanges,
    forms,
    governed,
    government,
    hapaxes,
    modifiers,
    neighbours,
    objects,
    owners,
    places,
    readings,
    rivals,
    signs,
    sounds,
    subjects,
    syncretism,
)
from starbank.guards.registry import verdicts
from starbank.morphology import Lexicon
from starbank.queries.constructions import Construction
from starbank.suites.select import BEYOND
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import answer, table_of

# What speaks against the words of a match is asked before any form is looked up.
_OF_WORDS = (*places.GUARDS, *controllers.GUARDS)
_OF_SUBJECTS = (
    *subjects.GUARDS,
    *company.GUARDS,
    *clauses.SUBJECT_GUARDS,
    *objects.GUARDS,
    *exchanges.GUARDS,
    *adverbials.GUARDS,
)
GUARDS = (
    *_OF_WORDS,
    *ambiguity.GUARDS,
    *governed.GUARDS,
    *government.GUARDS,
    *forms.GUARDS,
    *hapaxes.GUARDS,
    *places.LATE_GUARDS,
    *readings.GUARDS,
    *bare_cases.GUARDS,
    *attested.GUARDS,
    *syncretism.GUARDS,
    *cells.GUARDS,
    *rivals.GUARDS,
    *owners.GUARDS,
    *_OF_SUBJECTS,
    *clauses.GUARDS,
    *modifiers.GUARDS,
    *concord.GUARDS,
    *forms.LATE_GUARDS,
    *neighbours.GUARDS,
    *sounds.GUARDS,
)
_OF_ARCS = (*arcs.GUARDS, *arcs.LATE_GUARDS, *arcs.FORM_GUARDS)
ALL_GUARDS = (*GUARDS, *_OF_ARCS, *changes.GUARDS, *signs.IN_SENTENCE, *signs.OF_FORM)

_VERDICTS = """
    create temp table verdicts (row bigint, name varchar, rank int, reason varchar, detail varchar)
"""
# Of what is said of a condition, or of a match, the first counts.
_JUDGE = """
    insert into verdicts
    select row, name, first.rank, first.reason, first.detail
    from (
        -- A window would sort each of them, and they are many.
        select row, name, min({{'rank': rank, 'detail': detail, 'reason': reason}}) as first
        from ({verdicts}) group by row, name
    )
"""
_UNJUDGED = """
    insert into verdicts select row, null, $rank, $reason, detail from unjudged
"""
_SPARE = """
    delete from {table} where row in (select row from verdicts)
"""
# The sentences of matches that are given up are looked at no more.
_NEARBY = """
    select * from tokens where sent in (
        select sent from tokens join bound on bound.token = tokens.node where row in (select row from cells)
    ) order by node
"""

# A match is given up where a guard speaks of all of it or of what is grammatical, where sets are to be complete, and
# where no starred condition is sound.
_PROBLEMS = """
    create temp table problems as
    with given_up as (
        select row from verdicts where name is null
        union
        select row from (select distinct row, name, starred, complete from cells join completeness using (construction))
            left join verdicts using (row, name)
        group by row
        having bool_or(reason is not null and (complete or not starred)) or bool_and(reason is not null or not starred)
    )
    select row, reason, detail from verdicts semi join given_up using (row)
    qualify row_number() over (partition by row order by rank, detail) = 1
"""

_LEFT_OUT = """
    create temp table left_out as
    select row, name, reason, detail from verdicts anti join problems using (row)
"""


def judge_words(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon) -> None:
    """Make the table `verdicts` of what speaks against the words of matches, and leave `cells` of the other matches.

    The connection has `words`, `controllers`, `governors`, `cells` and `against`, which `starbank.sets` makes.
    """
    connection.execute(_VERDICTS)
    controllers.judge_controllers(connection, constructions, lexicon)
    connection.execute(_JUDGE.format(verdicts=verdicts(_OF_WORDS)))
    _spare(connection)


def judge_ambiguity(
    connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon
) -> None:
    """Add to `verdicts` what other words' forms speak against, and leave `cells` of the other matches, and `tokens`.

    Matches that are `unjudged`, which `starbank.sets` tells, are rejected as that.
    """
    connection.execute(_UNJUDGED, {"rank": len(_OF_WORDS), "reason": BEYOND})
    _spare(connection)
    ambiguity.find_elsewhere(connection, constructions, lexicon)
    connection.execute(_JUDGE.format(verdicts=verdicts(ambiguity.GUARDS, len(_OF_WORDS))))
    _spare(connection)
    connection.register("tokens", answer(connection, _NEARBY))


def _spare(connection: duckdb.DuckDBPyConnection) -> None:
    """Leave `cells` and `against` of matches without a verdict."""
    for table in ("cells", "against"):
        connection.execute(_SPARE.format(table=table))


def judge(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon) -> None:
    """Make the tables `problems` and `left_out` of the tables of suites: what guards say first, and why.

    `problems` has a row for each match that is rejected, `left_out` one for each condition (`name`) that an item does
    without. The connection has also what `judge_words` makes, and `filled` and `conditions`, which `starbank.sets`
    makes.
    """
    cells.find_undetermined(connection, constructions)
    forms.compare_forms(connection, lexicon)
    hapaxes.find_hapaxes(connection, constructions, lexicon)
    readings.read_forms(connection, constructions, lexicon)
    bare_cases.find_bare_cases(connection)
    syncretism.find_alike(connection)
    rivals.find_rivals(connection, constructions)
    owners.find_owners(connection)
    kinds = {upos for (upos,) in connection.execute("select distinct upos from words").fetchall()}
    idle = {guard for guard in GUARDS if guard.upos and kinds.isdisjoint(guard.upos)}
    if any(construction.governor for construction in constructions):
        government.judge_government(connection, constructions, lexicon)
    else:
        idle.update((*government.GUARDS, *governed.GUARDS))
    clauses.find_inside(connection)
    if subjects.find_subjects(connection, constructions):
        company.find_company(connection, constructions[0].language)
        clauses.find_clauses(connection)
        objects.find_objects(connection)
        exchanges.find_exchanges(connection)
        adverbials.find_adverbials(connection)
    else:
        idle.update(_OF_SUBJECTS)
    if not modifiers.compare_modifiers(connection):
        idle.update(modifiers.GUARDS)
    first = len(_OF_WORDS) + len(ambiguity.GUARDS)
    judging = [guard for guard in GUARDS[first:] if guard not in idle]
    connection.execute(_JUDGE.format(verdicts=verdicts(judging, first)))
    conclude(connection, constructions)


def conclude(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction]) -> None:
    """Make the tables `problems` and `left_out` of all `verdicts`."""
    complete = [(number, construction.complete) for number, construction in enumerate(constructions)]
    connection.register("completeness", table_of(complete, construction=int, complete=bool))
    connection.execute(_PROBLEMS)
    connection.execute(_LEFT_OUT)


def judge_rewritten(
    connection: duckdb.DuckDBPyConnection,
    construction: Construction,
    lexicon: Lexicon,
    occurrences: pa.Table,
    changed: Treebank | None,
) -> None:
    """Make `problems` and `left_out` as `judge` does, of conditions that commands made.

    `occurrences` is what `count_occurrences` counts, and `changed` has the graphs that `unless` asks about. The
    connection has the tables of `starbank.sets.rewritten`, and `texts`, those of the treebanks of the language.
    """
    changes.judge_changes(connection, construction, lexicon, occurrences, changed)
    connection.execute(_VERDICTS)
    connection.execute(_JUDGE.format(verdicts=verdicts(changes.GUARDS)))
    conclude(connection, [construction])
