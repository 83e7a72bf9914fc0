"""Why a sentence is not starred, or why its star deserves a second look: one registry for all generators.

A starred sentence must really be wrong. A hard guard rejects the match, with its name as the reason; a soft one makes
the item suspicious in `starbank check`. docs/guards.md, which `python -m starbank.guards.page` writes, has them all.
"""

from starbank.guards.judge import ALL_GUARDS, GUARDS, judge, judge_ambiguity, judge_rewritten, judge_words
from starbank.guards.occurrences import count_occurrences
from starbank.guards.registry import Certainty, Guard, find_problems
from starbank.guards.suspicion import Suspicion, find_suspicious

__all__ = [
    "ALL_GUARDS",
    "GUARDS",
    "Certainty",
    "Guard",
    "Suspicion",
    "count_occurrences",
    "find_problems",
    "find_suspicious",
    "judge",
    "judge_ambiguity",
    "judge_rewritten",
    "judge_words",
]
