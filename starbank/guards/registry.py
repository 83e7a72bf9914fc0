"""What a guard is, and how guards judge: the first that speaks against a match counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import duckdb
import pyarrow as pa


class Certainty(Enum):
    """How sure a guard is: a hard one rejects the match, a soft one makes its item suspicious in `starbank check`."""

    HARD = "hard"
    SOFT = "soft"


@dataclass(frozen=True)
class Example:
    """A sentence that a guard speaks against, in a treebank and by a construction as small as can be.

    - `sentence`: a line of text, then a line for each word, ID FORM LEMMA UPOS FEATS HEAD DEPREL [MISC];
    - `starred`: what would be starred without the guard, and `gloss`, what it means or what else there is to say;
    - `detail`: what the guard says of it;
    - `beside`: what more the treebank has, sentences of the same kind;
    - `language` (ISO 639-3), `pattern`, `target`, `settings`: the construction; `files`: those that its settings name.
    """

    sentence: str
    starred: str
    gloss: str
    detail: str
    beside: tuple[str, ...] = ()
    language: str = "eng"
    pattern: str = "V [upos=VERB]; V -[nsubj]-> S"
    target: str = "V"
    settings: str = "vary: {Number: [Sing, Plur]}"
    files: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The sentence as text."""
        return self.sentence.splitlines()[0]

    @property
    def construction(self) -> str:
        """The text of the construction file."""
        settings = [f"language: {self.language}", "treebanks: [UD_Example]", f"target: {self.target}"]
        comments = "\n".join(f"% {line}" for line in ["---", *settings, *self.settings.splitlines(), "---"])
        return f"{comments}\npattern {{ {self.pattern} }}\n"


# Verbs that suffice to learn how English inflects; none ends in d.
VERBS = """
    ask beat beg bet bite blame boast boil bow call cheat claim climb come cook cope cough crawl creep cut dance dig
    draw dream drink drive drop eat fail fall feel fight float flow frown fume gain get give grin grow hear help hike
    hope howl hum hunt joke jump keep kick knit knock laugh lean leap limp live look make meet moan move nap paint peel
    pick plot pour pull run sail shake shout sing sink sit skip sleep slip smile smoke sneak snore speak spit stop swim
""".split()  # noqa: SIM905


@dataclass(frozen=True)
class Guard:
    """A reason why a sentence is not starred, or why the star deserves a second look.

    - `name`: a short fixed phrase to count by, the `reason` of rejected matches;
    - `why`: what could be right about the starred sentence;
    - `query`: SQL over the tables that it `needs`. A hard guard's has a row for each match that it rejects, `row` and
      `detail` (the case in words); a soft guard's a row for each starred condition that it suspects, `item_id`, the
      condition's `name`, a weight, and the reason in words. Which tables there are say `starbank/sets/__init__.py`
      and the modules of the guards.
    """

    name: str
    why: str
    needs: tuple[str, ...]
    query: str
    example: Example
    certainty: Certainty = Certainty.HARD


_PROBLEMS = """
    select row, reason, detail from ({verdicts})
    qualify row_number() over (partition by row order by rank, detail) = 1
"""


def find_problems(connection: duckdb.DuckDBPyConnection, guards: Iterable[Guard]) -> pa.Table:
    """Return `row`, `reason` and `detail` of the first of some hard guards that rejects a row."""
    verdicts = " union all ".join(
        f"select row, {rank} as rank, '{guard.name}' as reason, detail from ({guard.query}) as verdicts(row, detail)"
        for rank, guard in enumerate(guards)
    )
    return connection.sql(_PROBLEMS.format(verdicts=verdicts)).to_arrow_table()
