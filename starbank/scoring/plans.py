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
    """What a model wants around a text: special tokens before and after it, its mask, and the most tokens it reads."""

    before: np.ndarray
    after: np.ndarray
    mask: int | None
    limit: int | None


@dataclass
class Plan:
    """Distinct inputs, and reads: ln p of `token` at `position` of input `row` is what token (`text`, `start`, `end`)
    gets. A token that nothing predicts has row -1."""

    inputs: list[np.ndarray] = field(default_factory=list)
    _rows: dict[bytes, int] = field(default_factory=dict)
    _reads: list[tuple[np.ndarray, ...]] = field(default_factory=list)

    def read(self, number: int, tokens: Tokens, which: slice, ids: np.ndarray, positions: np.ndarray | int) -> None:
        """Read the tokens `which` of text `number` from the input `ids`, at `positions`. Equal inputs run once."""
        row = self._rows.setdefault(ids.tobytes(), len(self.inputs))
        if row == len(self.inputs):
            self.inputs.append(ids)
        self._add(number, tokens, which, row, positions)

    def skip(self, number: int, tokens: Tokens, which: slice) -> None:
        """Note that nothing predicts the tokens `which` of text `number`."""
        self._add(number, tokens, which, -1, 0)

    def _add(self, number: int, tokens: Tokens, which: slice, row: int, positions: np.ndarray | int) -> None:
        ids = tokens.ids[which]
        columns = (row, positions, ids, number, tokens.start[which], tokens.end[which])
        self._reads.append(tuple(np.broadcast_to(column, ids.shape) for column in columns))

    def columns(self) -> tuple[np.ndarray, ...]:
        """Return `row`, `position`, `token`, `text`, `start`, `end` of all reads, as int64 arrays."""
        if not self._reads:
            return tuple(np.empty(0, np.int64) for _ in range(6))
        return tuple(np.concatenate(column) for column in zip(*self._reads, strict=True))

    def run(self, network: Callable[[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray], np.ndarray]) -> TokenScores:
        """Ask `network` (inputs, row, position, token -> ln p) for all reads."""
        row, position, token, text, start, end = self.columns()
        logprob = np.full(len(row), np.nan)
        asked = row >= 0
        logprob[asked] = network(self.inputs, row[asked], position[asked], token[asked])
        return TokenScores(text, start, end, logprob)


def causal(texts: Sequence[Tokens], frame: Frame) -> Plan:
    """Each token given all before it. The first is read only where something stands before the text."""
    plan = Plan()
    for number, tokens in enumerate(texts):
        ids = np.concatenate([frame.before, tokens.ids])
        before = len(frame.before)
        if not before:
            plan.skip(number, tokens, slice(0, 1))
        for start, first, stop in _windows(len(ids), max(before, 1), frame.limit):
            positions = np.arange(first, stop) - 1 - start
            plan.read(number, tokens, slice(first - before, stop - before), ids[start:stop], positions)
    return plan


def masked_sentence(texts: Sequence[Tokens], frame: Frame) -> Plan:
    """Pseudo-log-likelihood, within-word left to right: each token is masked with all later tokens of its word."""
    plan = Plan()
    for number, tokens in enumerate(texts):
        stops = np.searchsorted(tokens.word, tokens.word, side="right")
        for place, stop in enumerate(stops):
            body = tokens.ids.copy()
            body[place:stop] = frame.mask
            ids, position = _frame(body, int(place), frame)
            plan.read(number, tokens, slice(place, place + 1), ids, position)
    return plan


def masked_word(texts: Sequence[Tokens], spans: Sequence[tuple[int, int]], frame: Frame) -> Plan:
    """The tokens that touch `spans`, left to right: each at one mask that stands for the later ones as well.

    The first input is the same for all conditions that differ in the target alone, so it runs once.
    """
    plan = Plan()
    for number, (tokens, span) in enumerate(zip(texts, spans, strict=True)):
        target = np.flatnonzero(overlaps(tokens.start, tokens.end, span))
        for place in target:
            body = np.concatenate([tokens.ids[:place], [frame.mask], tokens.ids[target[-1] + 1 :]])
            ids, position = _frame(body, int(place), frame)
            plan.read(number, tokens, slice(place, place + 1), ids, position)
    return plan


def _frame(body: np.ndarray, place: int, frame: Frame) -> tuple[np.ndarray, int]:
    """Put the special tokens around `body`, or around what fits of it with `place` in the middle."""
    start, stop = 0, len(body)
    if frame.limit is not None:
        room = frame.limit - len(frame.before) - len(frame.after)
        start = max(0, min(place - room // 2, len(body) - room))
        stop = min(len(body), start + room)
    ids = np.concatenate([frame.before, body[start:stop], frame.after])
    return ids, len(frame.before) + place - start


def _windows(length: int, first: int, limit: int | None) -> Iterator[tuple[int, int, int]]:
    """Yield (start, first read, stop) of the windows of `limit` tokens that read all of `length` tokens from `first`.

    All but the first window begin half a window before what they read.
    """
    start = 0
    while first < length:
        stop = length if limit is None else min(length, start + limit)
        yield start, first, stop
        first, start = stop, stop - (limit or 0) // 2
