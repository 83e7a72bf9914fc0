"""A construction that a treebank seems to have, with the counts that speak for it."""

from __future__ import annotations

from dataclasses import dataclass

from starbank.guards.requests import Clause

AGREEMENT, GOVERNMENT, CASE = "agreement", "government", "case"
PHENOMENA = (AGREEMENT, GOVERNMENT, CASE)


def kappa(holds: float, chance: float) -> float:
    """Return by how much of what is possible a share exceeds chance, as Cohen's kappa has it."""
    return (holds - chance) / (1 - chance) if chance < 1 else 0.0


def exceeds_chance(holds: float, chance: float, least: float) -> bool:
    """Tell whether a share exceeds chance by at least so much; of what nearly all words share nobody can tell."""
    return chance <= 0.99 and kappa(holds, chance) >= least


@dataclass(frozen=True)
class Proposal:
    """One construction, as counts suggest it.

    - `upos`: that of the target; `feature` varies over `values`, where None is a word without the feature;
    - `relax`: features that come and go with the values;
    - `controller`: the node that the target agrees with; `decides`: the node, this or another, that decides its value;
    - `pattern`, `without`: the clauses of the request;
    - `cases`: how many pairs of words the counts are about, `holds` the share in which the regularity holds, and
      `chance` the share in which it would hold by chance;
    - `matches`: how many the request has, `attested` in how many of them the treebank attests the target's lemma with
      all the values, all other features equal but those of `relax`.
    """

    name: str
    title: str
    phenomenon: str
    target: str
    upos: str
    feature: str
    values: tuple[str | None, ...]
    controller: str | None
    decides: str
    pattern: tuple[Clause, ...]
    without: tuple[Clause, ...]
    cases: int
    holds: float
    chance: float
    example: str = ""
    relax: tuple[str, ...] = ()
    matches: int = 0
    attested: int = 0

    @property
    def worth(self) -> float:
        """What proposals are ranked by: matches that will likely give items, if the regularity is one."""
        return self.attested * kappa(self.holds, self.chance)

    @property
    def request(self) -> str:
        """The request without comments."""
        return "\n".join([self.bare_request, *(f"without {{ {clause.text} }}" for clause in self.without)])

    @property
    def bare_request(self) -> str:
        """The pattern alone, without comments."""
        return "pattern { " + "; ".join(clause.text for clause in self.pattern) + " }"
