"""Which of the proposals is meant."""

from __future__ import annotations

from collections.abc import Sequence

from starbank.errors import UsageError, nearest
from starbank.pipeline.proposals.proposal import Proposal


def choose(
    proposals: Sequence[Proposal],
    *,
    name: str | None = None,
    phenomenon: str | None = None,
    upos: str | None = None,
    feature: str | None = None,
) -> list[Proposal]:
    """Return the proposals of that name, phenomenon, UPOS of the target and varied feature, in their order.

    Raises `UsageError` that names what there is where none is left.
    """
    for key, value in {"name": name, "phenomenon": phenomenon, "upos": upos, "feature": feature}.items():
        matching = [proposal for proposal in proposals if value in (None, getattr(proposal, key))]
        if not matching:
            verb = {"name": "is named", "upos": "has a target with the UPOS", "feature": "varies"}.get(key, "is about")
            values = list(dict.fromkeys(getattr(proposal, key) for proposal in proposals))
            raise UsageError(f"no proposal {verb} {value}", hint=nearest(str(value), values))
        proposals = matching
    return list(proposals)
