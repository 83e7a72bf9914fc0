"""What a guard is, and how guards judge: the first that speaks against a match counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import duckdb
import pyarrow as pa

from starbank.treebanks.arrays import answer


class Certainty(Enum):
    """How sure a guard is: a hard one rejects the match, a soft one makes its item suspicious in `starbank check`."""

    HARD = "hard"
    SOFT = "soft"


@dataclass(frozen=True)
class Guard:
    """A reason why a sentence is not starred, or why the star deserves a second look; `examples/` shows one.

    - `name`: a short fixed phrase to count by, the `reason` of rejected matches;
    - `why`: what could be right about the starred sentence;
    - `query`: SQL over the tables that `starbank/sets/__init__.py` and the modules of the guards name. A hard guard's
      has a row for each match that it rejects, `row` and `detail` (the case in words), or, where it speaks of one
      condition (`by_condition`), `row`, the condition's `name` and `detail`; a soft guard's has a row for each starred
      condition that it suspects, `item_id`, the condition's `name`, a weight, and the reason in words;
    - `upos`: the parts of speech of which it speaks, none for all: it is asked only where such a word changes.
    """

    name: str
    why: str
    query: str
    certainty: Certainty = Certainty.HARD
    by_condition: bool = False
    upos: tuple[str, ...] = ()


_PROBLEMS = """
    select row, reason, detail from ({verdicts})
    qualify row_number() over (partition by row order by rank, detail) = 1
"""


def find_problems(connection: duckdb.DuckDBPyConnection, guards: Iterable[Guard]) -> pa.Table:
    """Return `row`, `reason` and `detail` of the first of some hard guards that rejects a row."""
    return answer(connection, _PROBLEMS.format(verdicts=verdicts(guards)))


def verdicts(guards: Iterable[Guard], first: int = 0) -> str:
    """Return the query for what hard guards say: `row`, `name`, `rank` (counted from `first`), `reason`, `detail`.

    Without a name the verdict is on the whole match.
    """
    columns = {True: ("name", "row, name, detail"), False: ("null::varchar", "row, detail")}
    return " union all ".join(
        f"select row, {columns[guard.by_condition][0]} as name, {rank} as rank, '{guard.name}' as reason, detail"
        f" from ({guard.query}) as verdict({columns[guard.by_condition][1]})"
        for rank, guard in enumerate(guards, first)
    )
