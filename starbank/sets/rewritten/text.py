"""A changed sentence as text: everything that did not change stays character for character as it was."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.sentence import RewriteError
from starbank.languages import Language, language_of
from starbank.morphology.words import covering
from starbank.sets.rewritten.units import JOINING, Span, Unit
from starbank.sets.rewritten.window import Window
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import filled, mask, numbers, texts, truths, whole

_OPENING, _CLOSING = "([{«“„‘‹¿¡", ")]}»”’›"
# Marks after which a clause goes on.
_GOES_ON = ",;،؛、·"
_OPEN, _CLOSE = ("Ps", "Pi"), ("Pe", "Pf")


class Original:
    """The text of a sentence as it was, with the span of each token by its ID, and its language.

    It `is_shown` where the text has each of its words, in their order.
    """

    def __init__(self, text: str, spans: Mapping[str, Span], language: Language, is_shown: bool) -> None:
        self.text = text
        self.spans = spans
        self.language = language
        self.is_shown = is_shown
        self.order = sorted(spans.values())

    @cached_property
    def after(self) -> dict[Span, Span]:
        """The token after each but the last."""
        return dict(pairwise(self.order))

    @cached_property
    def before(self) -> dict[Span, Span]:
        """The token before each but the first."""
        return {second: first for first, second in pairwise(self.order)}

    @cached_property
    def blank(self) -> str:
        """What stands between words: nothing where all words that stand side by side touch."""
        touch = (
            left[1] == right[0]
            for left, right in pairwise(self.order)
            if all(any(map(str.isalnum, self.text[slice(*span)])) for span in (left, right))
        )
        return "" if next(touch, False) and all(touch) else " "

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The words of the text and what stands between them, in turns, beginning with a word."""
        _, *borders = (border for span in self.order for border in span)
        return tuple(self.text[start:end] for start, end in pairwise([0, *borders, len(self.text)]))

    def beginnings(self, window: Window) -> Iterator[tuple[Span | None, Span]]:
        """Yield the words of a window that have a capital because they are the first, or stand after a mark, each after
        that mark."""
        first, end = window.first, window.end
        marks = [self.order[first - 1] if first else None, *self.order[first:end]]
        for mark, word in zip(marks, self.order[first:end], strict=False):
            if self._begins(mark, word):
                yield mark, word

    def marks(self, tokens: Sequence[Span]) -> str:
        """Return those of some tokens that have no letter or digit, as one text."""
        texts = (self.text[slice(*span)] for span in tokens)
        return "".join(text for text in texts if not any(map(str.isalnum, text)))

    def _begins(self, mark: Span | None, word: Span) -> bool:
        text = self.text[slice(*word)]
        if not text[0].isupper() or (len(text) > 1 and text.isupper()):
            return False
        return mark is None or not any(letter.isalnum() or letter in _GOES_ON for letter in self.text[slice(*mark)])

    def written(self, number: str) -> str | None:
        """Return a token as the text has it, None where the text does not show it."""
        return self.text[slice(*self.spans[number])] if number in self.spans else None

    def gap_after(self, span: Span) -> str | None:
        """Return what stands between a token and the next, None after the last."""
        return self.text[span[1] : self.after[span][0]] if span in self.after else None

    def gap_before(self, span: Span) -> str | None:
        """Return what stands between a token and the one before it, None before the first."""
        return self.text[self.before[span][1] : span[0]] if span in self.before else None

    def is_new(self, left: Unit, right: Unit) -> bool:
        """Tell whether two units did not stand beside each other as they do now."""
        if left.is_changed or right.is_changed or left.span is None or right.span is None:
            return True
        return self.after.get(left.span) != right.span


def originals_of(treebank: Treebank, language: str | None) -> Iterator[Original]:
    """Yield the text and the places of the tokens of each sentence."""
    known, sentences = language_of(language), treebank.sentences
    tokens = treebank.tokens.filter(truths(covering(treebank.tokens) < 0))
    shown = _shown(tokens)
    tokens = tokens.filter(tokens["start"].is_valid())
    ids, starts, ends = (tokens[name].to_pylist() for name in ("id", "start", "end"))
    borders = np.searchsorted(numbers(tokens["sent"]), numbers(sentences["sent"])).tolist()
    columns = (sentences[name].to_pylist() for name in ("sent", "text"))
    for sent, text, first, end in zip(*columns, borders, [*borders[1:], len(ids)], strict=True):
        spans = zip(starts[first:end], ends[first:end], strict=True)
        yield Original(text, dict(zip(ids[first:end], spans, strict=True)), known, sent in shown)


def _shown(tokens: pa.Table) -> set[int]:
    """Return the sentences whose text has each of their words, in their order."""
    sent, start, end = numbers(tokens["sent"]), filled(tokens["start"], -1), filled(tokens["end"], -1)
    form, is_empty = pc.fill_null(tokens["form"], "_"), mask(whole(pc.match_substring(tokens["id"], ".")))
    lacking = mask(whole(pc.is_in(form, texts(["", "_"])))) | (start < 0)
    crossing = np.append(False, (start[1:] < end[:-1]) & (sent[1:] == sent[:-1]))
    strange = np.where(is_empty, start >= 0, lacking | crossing)
    return set(np.setdiff1d(sent, sent[strange]).tolist())


def write(units: Sequence[Unit], window: Window, original: Original) -> tuple[str, ...]:
    """Return the text of a changed sentence: its words and what stands between them in turns, beginning with a word.

    `units` are the words of its `window`. Raises `RewriteError` where it is not sure how the sentence is written.
    """
    if "_" in original.text:
        raise RewriteError("the text has words joined by _, as nobody writes them")
    units = _capitalised(list(units), window, original)
    if not units or (window.first == 0 and units[0].is_punctuation and units[0].span != original.order[0]):
        raise RewriteError("nothing but punctuation would stand at the beginning")
    _check_pairs(units, window, original)
    pieces = [*original.pieces[: 2 * window.first], units[0].form] if window.first else [units[0].form]
    for left, right in pairwise(units):
        pieces += [_gap(left, right, original), right.form]
    if window.first == 0:
        pieces[0] = original.text[: original.order[0][0]] + pieces[0]
    if window.end < len(original.order):
        return (*pieces, *original.pieces[2 * window.end - 1 :])
    last = units[-1].span
    return (*pieces, original.text[last[1] :] if last == original.order[-1] else "")


def _gap(left: Unit, right: Unit, original: Original) -> str:
    """Return what stands between two units: what stood there, or what the marks and words beside the place ask for."""
    if left.span and right.span and original.after.get(left.span) == right.span:
        gap = original.gap_after(left.span) or ""
        if left.form.endswith(JOINING) and not original.text[slice(*left.span)].endswith(JOINING):
            return ""
        return gap or (original.blank if _has_let_go(left, right, original) else "")
    _check_touching(left, right, original)
    if left.is_punctuation and right.is_punctuation:
        raise RewriteError(f"two marks would stand side by side: {left.form} {right.form}")
    if _joins(left, original, to_next=True) or _joins(right, original, to_next=False):
        return ""
    return original.blank


def _check_touching(left: Unit, right: Unit, original: Original) -> None:
    """Raise `RewriteError` where a word has lost one that it was written together with, without an apostrophe."""
    for unit, gap in ((left, original.gap_after), (right, original.gap_before)):
        if not original.blank or unit.span is None or gap(unit.span) != "" or unit.is_punctuation:
            continue
        beside = original.after if unit is left else original.before
        place = unit.span[1] if unit is left else unit.span[0]
        if original.text[place - 1 : place + 1].isalnum():
            other = original.text[slice(*beside[unit.span])]
            raise RewriteError(f"{unit.form} is written together with {other}")


def _has_let_go(left: Unit, right: Unit, original: Original) -> bool:
    """Tell whether one of two words that touched was joined to the other by its form, and has another form now."""
    first, second = (original.text[slice(*unit.span)] if unit.span else "" for unit in (left, right))
    return (first.endswith(JOINING) and not left.form.endswith(JOINING)) or (
        second.startswith(JOINING) and not right.form.startswith(JOINING)
    )


def _joins(unit: Unit, original: Original, *, to_next: bool) -> bool:
    """Tell whether a unit touches whatever comes after it, or before it: brackets, full stops, *l'* and *'s* do."""
    after, before = (original.gap_after(unit.span), original.gap_before(unit.span)) if unit.span else (None, None)
    if not unit.is_punctuation:
        mark = unit.form.endswith(JOINING) if to_next else unit.form.startswith(JOINING)
        return mark and (unit.is_changed or (after if to_next else before) == "")
    kind = _category(unit, original)
    if to_next:
        return after == "" and kind not in _CLOSE and (before != "" or kind in _OPEN or kind == "Pd")
    return before == "" and kind not in _OPEN


def _category(unit: Unit, original: Original) -> str:
    """Return the Unicode category of a mark; of a quotation mark, that of the side on which it touches a word.

    German “ and « close what Unicode, with English and French, lets them open.
    """
    kind = unicodedata.category(unit.form[-1])
    if unit.span is None or kind not in ("Pi", "Pf"):
        return kind
    start, end = unit.span
    behind_word, before_word = original.text[start - 1 : start].isalnum(), original.text[end : end + 1].isalnum()
    if behind_word == before_word:
        return kind
    return "Pf" if behind_word else "Pi"


def _check_pairs(units: Sequence[Unit], window: Window, original: Original) -> None:
    """Raise `RewriteError` where a bracket or quotation mark has lost its other half."""
    before = original.marks(original.order[window.first : window.end])
    after = "".join(unit.form for unit in units if not any(map(str.isalnum, unit.form)))
    if before == after:
        return
    around = original.marks([*original.order[: window.first], *original.order[window.end :]])
    before, after = around + before, around + after
    for opening, closing in zip(_OPENING, _CLOSING, strict=False):
        whole = before.count(opening) == before.count(closing)
        if whole and after.count(opening) != after.count(closing):
            raise RewriteError(f"a mark would lose its other half: {opening}")
    if before.count('"') % 2 == 0 and after.count('"') % 2:
        raise RewriteError('a mark would lose its other half: "')


def _capitalised(units: list[Unit], window: Window, original: Original) -> list[Unit]:
    """Let the first word of a sentence, or of what a mark begins, have the capital, and take it from where it goes."""
    places = {unit.span: place for place, unit in enumerate(units) if unit.span}
    for mark, word in original.beginnings(window):
        place = 0 if mark is None else places.get(mark, len(units)) + 1
        if place >= len(units) or (units[place].span == word and units[place].form[:1].isupper()):
            continue
        moved = places.get(word)
        if moved not in (None, place) and units[moved].nodes[0].features.get("upos") != "PROPN":
            units[moved] = units[moved].spelt(_small(units[moved], original))
        if not units[place].is_punctuation:
            units[place] = units[place].spelt(original.language.capital(units[place].form))
    return units


def _small(unit: Unit, original: Original) -> str:
    """Return a word that stood first as it is written elsewhere: as its lemma is, if that begins alike."""
    lemma = unit.nodes[0].features.get("lemma", "")
    return unit.form if lemma[:1] == unit.form[0] else original.language.small(unit.form[0]) + unit.form[1:]
