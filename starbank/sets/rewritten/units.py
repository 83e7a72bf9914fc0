"""The words of a changed sentence as they are written: alone, or several as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from starbank.grew.sentence import ROOT, Node, RewriteError, Sentence
from starbank.sets.rewritten.window import Window

if TYPE_CHECKING:
    from starbank.sets.rewritten.text import Original

Span = tuple[int, int]
_EMPTY = "__EMPTY__"
# What joins a word to its neighbour.
JOINING = ("'", "’", "ʼ", "-", "‐", "‑", "־")


@dataclass(slots=True)
class Unit:
    """A word, or a multiword token, as it is written; `span` is where it stood in the text, None for what is new."""

    form: str
    nodes: tuple[Node, ...]
    span: Span | None
    is_changed: bool = False
    # A command gave it its form, which stands.
    is_given: bool = False
    # How a word that was written as one with others is written where it is not: *not* for *n't*.
    alone: str | None = None

    @property
    def is_punctuation(self) -> bool:
        """Whether it is a mark, not a word."""
        return self.nodes[0].features.get("upos") == "PUNCT"

    def spelt(self, form: str) -> Unit:
        """Return the unit with another spelling."""
        return replace(self, form=form)


def find_units(
    sentence: Sentence,
    window: Window,
    forms: Mapping[Node, str],
    original: Original,
    alone: Mapping[Node, str],
    given: Container[Node] = (),
) -> list[Unit]:
    """Return the words of a window in their order; those of a multiword token that is whole as one.

    `forms` has the new form of each word that has another one, which for those of `given` stands whatever is beside
    them; `alone` has how each of `torn_words` is written by itself. Raises `RewriteError` where it is not known how a
    word is written.
    """
    if sentence.loose:
        raise RewriteError("a word is left without a place in the sentence")
    if not sentence.order or sentence.order[0].source != ROOT:
        raise RewriteError("the root of the sentence is not before all words")
    units: list[Unit] = []
    for group, is_whole in _groups(window, forms):
        node = group[0]
        if node.token and is_whole:
            units.append(Unit(_written(original, node.token, node), group, original.spans[node.token]))
            continue
        form = forms.get(node) or node.features.get("form", "")
        if not form or form == "_":
            raise RewriteError("a word has no form")
        if node.token and node not in forms and node not in alone:
            raise RewriteError(f"{form} is a part of a word that is written as one with others")
        if node.source and not node.token and node not in forms:
            form = _written(original, node.source, node)
        span, is_changed = original.spans.get(node.source or ""), bool(node.token) or node in forms
        units.append(Unit(form, (node,), span, is_changed, node in given, alone.get(node)))
    return units


def torn_words(window: Window, forms: Container[Node]) -> list[Node]:
    """Return the words of multiword tokens that are not whole, because one has a new form, is gone or elsewhere."""
    if not any(node.token for node in window.words):
        return []
    return [group[0] for group, is_whole in _groups(window, forms) if group[0].token and not is_whole]


def _groups(window: Window, forms: Container[Node]) -> Iterator[tuple[tuple[Node, ...], bool]]:
    """Yield the words in their order, those of a multiword token that is whole together; the second tells whether."""
    words = [node for node in window.words if node.source != ROOT and node.features.get("wordform") != _EMPTY]
    sizes = Counter(node.token for node in window.before if node.token)
    place = 0
    while place < len(words):
        token = words[place].token
        group = tuple(words[place : place + sizes.get(token or "", 1)])
        is_whole = token is not None and _is_whole(group, token, sizes[token], forms)
        yield (group if is_whole else group[:1]), is_whole
        place += len(group) if is_whole else 1


def _written(original: Original, number: str, node: Node) -> str:
    form = original.written(number)
    if form is None:
        raise RewriteError(f"the text does not show {node.features.get('form')}")
    return form


def _is_whole(group: Sequence[Node], token: str, size: int, forms: Container[Node]) -> bool:
    """Tell whether all words of a multiword token stand together as they were."""
    first, last = (int(end) for end in token.split("-"))
    return (
        len(group) == size
        and [node.source for node in group] == [str(number) for number in range(first, last + 1)]
        and not any(node in forms for node in group)
    )
