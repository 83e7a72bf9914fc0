"""Where a changed sentence differs from what it was: all that is written outside is as it was."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starbank.grew.sentence import Node, Sentence

if TYPE_CHECKING:
    from starbank.sets.rewritten.text import Original

# A word is written as the words beside it ask for, and what asks is itself written so.
_BESIDE = 2


@dataclass(frozen=True)
class Window:
    """The words of a changed sentence that differ, with two on either side that do not, and the words `before`.

    These stand in the text from its token `first` to before its token `end`.
    """

    words: Sequence[Node]
    before: Sequence[Node]
    first: int
    end: int


def find_window(sentence: Sentence, before: Sentence, original: Original) -> Window:
    """Return where a changed sentence differs; all of it where the text does not show each word in its place."""
    new, old = sentence.order, before.order
    if not original.is_shown or not new or not new[0].is_as(old[0]):
        return Window(new, old, 0, len(original.order))
    shared = _shared(new, old, min(len(new), len(old)))
    shared_last = _shared(new[::-1], old[::-1], min(len(new), len(old)) - shared)
    left, right = _outside(old, shared), _outside(old[::-1], shared_last)
    first = _place(old[left], original) if left else 0
    end = _place(old[len(old) - right - 1], original) + 1 if right else len(original.order)
    return Window(new[left : len(new) - right], old[left : len(old) - right], first, end)


def _shared(new: Sequence[Node], old: Sequence[Node], longest: int) -> int:
    """Return with how many words both begin, `longest` at most."""
    for place, (node, other) in enumerate(zip(new[:longest], old, strict=False)):
        if node is not other and not node.is_as(other):
            return place
    return longest


def _outside(words: Sequence[Node], shared: int) -> int:
    """Return how many of the first `shared` words are neither beside the others nor of a multiword token that is."""
    if shared < len(words):
        shared = _beginning(words, shared)
    for _ in range(_BESIDE):
        while shared and words[shared - 1].is_empty:
            shared -= 1
        shared = _beginning(words, shared - 1) if shared else 0
    return shared


def _beginning(words: Sequence[Node], place: int) -> int:
    """Return where the multiword token begins of which a word is, or its own place."""
    token = words[place].token
    while token is not None and place and words[place - 1].token == token:
        place -= 1
    return place


def _place(node: Node, original: Original) -> int:
    """Return the place of a word among the tokens of the text."""
    return bisect_left(original.order, original.spans[node.token or node.source or ""])
