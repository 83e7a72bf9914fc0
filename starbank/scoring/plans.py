"""What has to be asked of a network to score texts: which inputs it sees, and which probabilities are read from them.

One function per metric; the formulas are in `docs/metrics.md`. Nothing here computes a probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from starbank.scoring.regions import TokenScores, overlaps


@dataclass(frozen=True)
class Tokens:
    """The tokens of one text, without special ones: `ids`, their characters `start` and `end` (from the first visible
    one), and `word`, the number of the word that each belongs to. All int64."""

    ids: np.ndarray
    start: np.ndarray
    end: np.ndarray
    word: np.ndarray


@dataclass(frozen=True)
class Frame:
    """What a model wants around a text: special tokens before and after it, its mask, and the most tokens it reads.

    Of an encoder–decoder, `prompt` is what its decoder begins with, and `fills` tells that it answers a mask with that
    mask and what belongs there (T5), not with the whole text (BART).
    """

    before: np.ndarray
    after: np.ndarray
    mask: int | None
    limit: int | None
    prompt: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    fills: bool = False


@dataclass
class Plan:
    """Distinct inputs, and reads: ln p of `token` at `position` of input `row` is what token (`text`, `start`, `end`)
    gets. A token that nothing predicts has row -1. Inputs of a decoder have a source, what the encoder sees."""

    inputs: list[np.ndarray] = field(default_factory=list)
    sources: list[np.ndarray] = field(default_factory=list)
    _rows: dict[bytes, int] = field(default_factory=dict)
    _reads: list[tuple[np.ndarray, ...]] = field(default_factory=list)

    def read(
        self,
        number: int,
        tokens: Tokens,
        which: slice,
        ids: np.ndarray | None,
        positions: np.ndarray | int,
        source: np.ndarray | None = None,
    ) -> None:
        """Read the tokens `which` of text `number` at `positions` of the input `ids`, or of one input each: the rows of
        `ids`; None says that nothing predicts them. Equal inputs run once."""
        row: np.ndarray | int = -1
        if ids is not None:
            row = self._row(ids, source) if ids.ndim == 1 else np.array([self._row(body) for body in ids], np.int64)
        shape = tokens.ids[which].shape
        columns = (row, positions, tokens.ids[which], number, tokens.start[which], tokens.end[which])
        self._reads.append(tuple(np.broadcast_to(column, shape) for column in columns))

    def _row(self, ids: np.ndarray, source: np.ndarray | None = None) -> int:
        key = ids.tobytes() if source is None else ids.tobytes() + b"/" + source.tobytes()
        row = self._rows.setdefault(key, len(self.inputs))
        if row == len(self.inputs):
            self.inputs.append(ids)
            if source is not None:
                self.sources.append(source)
        return row

    def columns(self) -> tuple[np.ndarray, ...]:
        """Return `row`, `position`, `token`, `text`, `start`, `end` of all reads, as int64 arrays."""
        if not self._reads:
            return tuple(np.empty(0, np.int64) for _ in range(6))
        return tuple(np.concatenate(column) for column in zip(*self._reads, strict=True))

    def run(self, network: Callable[[Plan, np.ndarray, np.ndarray, np.ndarray], np.ndarray]) -> TokenScores:
        """Ask `network` (plan, row, position, token -> ln p) for all reads. A text with a NaN has no other number."""
        row, position, token, text, start, end = self.columns()
        logprob = np.full(len(row), np.nan)
        predicted = row >= 0
        logprob[predicted] = network(self, row[predicted], position[predicted], token[predicted])
        broken = np.unique(text[predicted & np.isnan(logprob)])
        logprob[np.isin(text, broken)] = np.nan
        return TokenScores(text, start, end, logprob, broken)


def causal(texts: Sequence[Tokens], frame: Frame) -> Plan:
    """Each token given all before it. The first is read only where something stands before the text."""
    return _left_to_right(texts, frame.before, frame.limit, None)


def decoder_sentence(texts: Sequence[Tokens], frame: Frame) -> Plan:
    """Each token given all before it, by a decoder whose encoder sees an empty text."""
    return _left_to_right(texts, frame.prompt, frame.limit, np.concatenate([frame.before, frame.after]))


def decoder_word(texts: Sequence[Tokens], spans: Sequence[tuple[int, int]], frame: Frame) -> Plan:
    """The tokens that touch `spans`, by a decoder whose encoder sees the text with one mask in their place."""
    plan = Plan()
    for number, tokens, target in _targets(texts, spans):
        preceding, following = _context(tokens, target, frame)
        source = np.concatenate([frame.before, preceding, [frame.mask], following, frame.after])
        opening = [frame.mask] if frame.fills else preceding
        ids = np.concatenate([frame.prompt, opening, tokens.ids[target]]).astype(np.int64)[:-1]
        if target.stop > target.start:
            positions = np.arange(target.stop - target.start) + len(frame.prompt) + len(opening) - 1
            plan.read(number, tokens, target, ids, positions, source.astype(np.int64))
    return plan


def masked_sentence(texts: Sequence[Tokens], frame: Frame) -> Plan:
    """Pseudo-log-likelihood, within-word left to right: each token is masked with all later tokens of its word."""
    stops = [np.searchsorted(tokens.word, tokens.word, side="right") for tokens in texts]
    return _masked_each(texts, stops, frame)


def masked_original(texts: Sequence[Tokens], frame: Frame) -> Plan:
    """Pseudo-log-likelihood as it was first told: each token is masked alone."""
    return _masked_each(texts, [np.arange(len(tokens.ids)) + 1 for tokens in texts], frame)


def masked_word(texts: Sequence[Tokens], spans: Sequence[tuple[int, int]], frame: Frame) -> Plan:
    """The tokens that touch `spans`, left to right: each at one mask that stands for the later ones as well.

    The first input is the same for all conditions that differ in the target alone, so it runs once.
    """
    plan = Plan()
    for number, tokens, target in _targets(texts, spans):
        for place in range(target.start, target.stop):
            body = np.concatenate([tokens.ids[:place], [frame.mask], tokens.ids[target.stop :]])
            columns, middle = _around(np.array([place]), len(body), frame)
            plan.read(number, tokens, slice(place, place + 1), *_frame(body[columns], middle, frame))
    return plan


def masked_together(texts: Sequence[Tokens], spans: Sequence[tuple[int, int]], frame: Frame) -> Plan:
    """The tokens that touch `spans`, all masked at once, each with a mask of its own."""
    plan = Plan()
    for number, tokens, target in _targets(texts, spans):
        body = tokens.ids.copy()
        body[target] = frame.mask
        places = np.arange(target.start, target.stop)
        columns, middles = _around(places, len(body), frame)
        plan.read(number, tokens, target, *_frame(body[columns], middles, frame))
    return plan


def _left_to_right(texts: Sequence[Tokens], before: np.ndarray, limit: int | None, source: np.ndarray | None) -> Plan:
    plan = Plan()
    for number, tokens in enumerate(texts):
        ids = np.concatenate([before, tokens.ids])
        if not len(before):
            plan.read(number, tokens, slice(0, 1), None, 0)
        for start, first, stop in _windows(len(ids), max(len(before), 1), limit):
            which = slice(first - len(before), stop - len(before))
            # The last token of a window predicts nothing that is read.
            plan.read(number, tokens, which, ids[start : stop - 1], np.arange(first, stop) - 1 - start, source)
    return plan


def _masked_each(texts: Sequence[Tokens], stops: Sequence[np.ndarray], frame: Frame) -> Plan:
    """Read each token at its place in an input where it is masked, and all after it up to its stop."""
    plan = Plan()
    for number, (tokens, stop) in enumerate(zip(texts, stops, strict=True)):
        places = np.arange(len(tokens.ids))
        columns, middles = _around(places, len(places), frame)
        bodies = tokens.ids[columns]
        bodies[(columns >= places[:, None]) & (columns < stop[:, None])] = frame.mask
        plan.read(number, tokens, slice(None), *_frame(bodies, middles, frame))
    return plan


def _targets(texts: Sequence[Tokens], spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, Tokens, slice]]:
    """Yield each text with its number and the tokens that touch its span."""
    for number, (tokens, span) in enumerate(zip(texts, spans, strict=True)):
        places = np.flatnonzero(overlaps(tokens.start, tokens.end, span))
        yield number, tokens, slice(int(places[0]), int(places[-1]) + 1) if len(places) else slice(0, 0)


def _context(tokens: Tokens, target: slice, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens before and after `target`: all, or as many as fit, as evenly as they are there."""
    preceding, following = tokens.ids[: target.start], tokens.ids[target.stop :]
    if frame.limit is None:
        return preceding, following
    # A decoder that repeats the text reads the target, too.
    room = max(0, frame.limit - len(frame.before) - len(frame.after) - 1 - (target.stop - target.start))
    before = min(len(preceding), max(room // 2, room - len(following)))
    return preceding[len(preceding) - before :], following[: room - before]


def _around(places: np.ndarray, length: int, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Return for each of `places` in a text of `length` tokens those that fit around it, with it in the middle, and
    where it is among them."""
    room = length if frame.limit is None else min(length, frame.limit - len(frame.before) - len(frame.after))
    start = np.clip(places - room // 2, 0, length - room)
    return start[:, None] + np.arange(room), places - start


def _frame(bodies: np.ndarray, places: np.ndarray, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Put the special tokens around each row of `bodies`; return these inputs, and where in them `places` are."""
    before, after = (np.tile(special, (len(bodies), 1)) for special in (frame.before, frame.after))
    return np.concatenate([before, bodies, after], axis=1), len(frame.before) + places


def _windows(length: int, first: int, limit: int | None) -> Iterator[tuple[int, int, int]]:
    """Yield (start, first read, stop) of the windows of `limit` tokens that read all of `length` tokens from `first`.

    All but the first window begin half a window before what they read.
    """
    start = 0
    while first < length:
        stop = length if limit is None else min(length, start + limit)
        yield start, first, stop
        first, start = stop, stop - (limit or 0) // 2
