"""Proposals as a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from starbank.pipeline.proposals.proposal import Proposal


def to_lines(proposals: Sequence[Proposal]) -> Iterator[str]:
    """Yield a line for each proposal, under headings: its name, its counts, its values and an example."""
    width = max([len(proposal.name) for proposal in proposals], default=0)
    yield f"{'':{width}}  matches  attested   holds  chance"
    for proposal in proposals:
        values = ", ".join(value or "none" for value in proposal.values)
        yield (
            f"{proposal.name:{width}}  {proposal.matches:7}  {proposal.attested:8}  {proposal.holds:6.1%}"
            f"  {proposal.chance:6.1%}  {proposal.upos} {proposal.feature}: {values}  ({proposal.example})"
        )
