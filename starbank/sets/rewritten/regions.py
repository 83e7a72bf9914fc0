"""Sentences whose words differ -> the regions that they share, and what differs between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def cut_regions(texts: Sequence[Sequence[str]]) -> list[tuple[str, str, str]]:
    """Cut sentences, each its words and what stands between them, into what they share at both ends and what differs.

    What differs has a word in each of them, so that each has all regions.
    """
    if not texts:
        return []
    shortest = min(map(len, texts))
    # The last word of the shortest is left for what differs.
    first = _shared(texts, shortest - 2)
    first -= first % 2
    last = _shared([text[::-1] for text in texts], shortest - first)
    last -= 1 - last % 2 if last else 0
    return [
        ("".join(text[:first]), "".join(text[first : len(text) - last]), "".join(text[len(text) - last :]))
        for text in texts
    ]


def _shared(texts: Sequence[Sequence[str]], longest: int) -> int:
    """Return how many pieces all texts begin with alike."""
    sizes = range(1, longest + 1)
    return bisect_left(sizes, True, key=lambda size: any(text[:size] != texts[0][:size] for text in texts))
