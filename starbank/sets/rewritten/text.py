"""A changed sentence as text: everything that did not change stays character for character as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from starbank.grew.sentence import Node, RewriteError, Sentence
from starbank.languages import language_of

Span = tuple[int, int]
_OPENING, _CLOSING = "([{«“„‘‹¿¡", ")]}»”’›"
_APOSTROPHES = ("'", "’", "ʼ", "-", "‐", "‑", "־")
_EMPTY = "__EMPTY__"


@dataclass(frozen=True)
class Unit:
    """A word, or a multiword token, as it is written; `span` is where it stood in the text, None for what is new."""

    form: str
    nodes: tuple[Node, ...]
    span: Span | None

    @property
    def is_punctuation(self) -> bool:
        """Whether it is a mark, not a word."""
        return all(node.features.get("upos") == "PUNCT" for node in self.nodes)


class Original:
    """The text of a sentence as it was, with the span of each token by its ID, and its language."""

    def __init__(self, text: str, spans: Mapping[str, Span], language: str | None) -> None:
        self.text = text
        self.spans = spans
        self.language = language
        order = sorted(spans.values())
        self.after = dict(pairwise(order))
        self.before = {second: first for first, second in self.after.items()}
        self.blank = " " if " " in text or len(order) < 2 else ""

    def gap_after(self, span: Span) -> str | None:
        """Return what stands between a token and the next, None after the last."""
        return self.text[span[1] : self.after[span][0]] if span in self.after else None

    def gap_before(self, span: Span) -> str | None:
        """Return what stands between a token and the one before it, None before the first."""
        return self.text[self.before[span][1] : span[0]] if span in self.before else None

    @property
    def first(self) -> Span:
        """The place of the first token."""
        return min(self.spans.values())

    @property
    def last(self) -> Span:
        """The place of the last token."""
        return max(self.spans.values())


def write(
    sentence: Sentence, before: Sentence, forms: Mapping[Node, str], original: Original, free: Container[str]
) -> list[str]:
    """Return the text of a changed sentence, its words and what stands between them in turns, beginning with a word.

    `forms` has the new form of each word that has another one, `free` those that stand by themselves. Raises
    `RewriteError` where it is not sure how the sentence is written.
    """
    if sentence.loose:
        raise RewriteError("a word is left without a place in the sentence")
    units = _capitalised(_units(sentence, before, forms, original, free), original)
    if not units or (units[0].is_punctuation and units[0].span != original.first):
        raise RewriteError("nothing but punctuation would stand at the beginning")
    _check_pairs(units, original)
    pieces = [units[0].form]
    for left, right in pairwise(units):
        pieces += [_gap(left, right, original), right.form]
    pieces[0] = original.text[: original.first[0]] + pieces[0]
    last = units[-1].span
    return [*pieces, original.text[last[1] :] if last == original.last else ""]


def _units(
    sentence: Sentence, before: Sentence, forms: Mapping[Node, str], original: Original, free: Container[str]
) -> list[Unit]:
    """Return the words in their order; those of a multiword token that is whole as one.

    Of one that is not whole a word may be left that is written by itself elsewhere.
    """
    words = [node for node in sentence.order[1:] if node.features.get("wordform") != _EMPTY]
    sizes = Counter(node.token for node in before.order if node.token)
    left = Counter(node.token for node in words if node.token)
    units: list[Unit] = []
    place = 0
    while place < len(words):
        node = words[place]
        group = tuple(words[place : place + sizes.get(node.token or "", 1)])
        if node.token and _is_whole(group, node.token, sizes[node.token], forms):
            units.append(Unit(_written(original, node.token, node), group, original.spans[node.token]))
            place += len(group)
            continue
        form = forms.get(node) or node.features.get("form", "")
        if not form or form == "_":
            raise RewriteError("a word has no form")
        if node.token and (left[node.token] > 1 or form not in free):
            raise RewriteError(f"{form} is a part of a word that is written as one with others")
        span = original.spans.get(node.source or "")
        if node.source and not node.token and node not in forms:
            form = _written(original, node.source, node)
        units.append(Unit(form, (node,), span))
        place += 1
    return units


def _written(original: Original, number: str, node: Node) -> str:
    """Return a token as the text has it."""
    if number not in original.spans:
        raise RewriteError(f"the text does not show {node.features.get('form')}")
    return original.text[slice(*original.spans[number])]


def _is_whole(group: Sequence[Node], token: str, size: int, forms: Mapping[Node, str]) -> bool:
    """Tell whether all words of a multiword token stand together as they were."""
    first, last = (int(end) for end in token.split("-"))
    return (
        len(group) == size
        and [node.source for node in group] == [str(number) for number in range(first, last + 1)]
        and not any(node in forms for node in group)
    )


def _gap(left: Unit, right: Unit, original: Original) -> str:
    """Return what stands between two units: what stood there, or what the marks and words beside the place ask for."""
    if left.span and right.span and original.after.get(left.span) == right.span:
        return original.gap_after(left.span) or ""
    after = original.gap_after(left.span) if left.span else None
    ahead = original.gap_before(right.span) if right.span else None
    if left.is_punctuation and right.is_punctuation:
        raise RewriteError(f"two marks would stand side by side: {left.form} {right.form}")
    if (left.is_punctuation and after == "") or (right.is_punctuation and ahead == ""):
        return ""
    if (after == "" and left.form.endswith(_APOSTROPHES)) or (ahead == "" and right.form.startswith(_APOSTROPHES)):
        return ""
    return original.blank


def _check_pairs(units: Sequence[Unit], original: Original) -> None:
    """Raise `RewriteError` where a bracket or quotation mark has lost its other half."""
    marks = "".join(unit.form for unit in units if unit.is_punctuation)
    for opening, closing in zip(_OPENING, _CLOSING, strict=False):
        if original.text.count(opening) == original.text.count(closing) and marks.count(opening) != marks.count(
            closing
        ):
            raise RewriteError(f"a mark would lose its other half: {opening}")
    if original.text.count('"') % 2 == 0 and marks.count('"') % 2:
        raise RewriteError('a mark would lose its other half: "')


def _capitalised(units: list[Unit], original: Original) -> list[Unit]:
    """Let the first word begin as the first word did, and that one, where it is elsewhere now, with a small letter."""
    words = [place for place, unit in enumerate(units) if not unit.is_punctuation]
    spans = sorted(original.spans.values())
    first = next((span for span in spans if original.text[slice(*span)][:1].isalpha()), None)
    if not words or first is None or (units[words[0]].span == first and units[words[0]].form[:1].isupper()):
        return units
    letters = language_of(original.language).capitals
    if not original.text[first[0]].isupper() or (original.text[slice(*first)].isupper() and first[1] - first[0] > 1):
        return units
    for place, unit in enumerate(units):
        if unit.span == first and place != words[0] and unit.nodes[0].features.get("upos") != "PROPN":
            units[place] = Unit(_small(unit, letters), unit.nodes, unit.span)
    head = units[words[0]]
    capital = letters.get(head.form[0], head.form[0].upper())
    units[words[0]] = Unit(capital + head.form[1:], head.nodes, head.span)
    return units


def _small(unit: Unit, letters: Mapping[str, str]) -> str:
    """Return a word that stood first as it is written elsewhere: as its lemma is, if that begins alike."""
    initial = unit.form[0]
    small = {large: small for small, large in letters.items()}.get(initial, initial.lower())
    lemma = unit.nodes[0].features.get("lemma", "")
    return (initial if lemma[:1] == initial and lemma[:1] != small else small) + unit.form[1:]
