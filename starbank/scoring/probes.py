"""Inputs that show what a network can compute together, and what only apart.

What neighbours, padding and branches do to a model is not written in its configuration: it is tried, on inputs as long
as those that are to be scored, since a model may look no further than a window.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from starbank.errors import ModelError
from starbank.scoring.packing import MOST_TOKENS, ROW_TOKENS
from starbank.scoring.plans import Frame, Plan
from starbank.scoring.sources import ENCODER_DECODER, MASKED, Source

# Lengths that are tried. Longer inputs run alone.
SIZES = (16, 32, 64, 128, 256, 512, 1024)
SMALLEST = 32
# How far what is computed together may be from what is computed apart: each token's nats (float32 has seven digits, so
# more where there are more than ten), or, where numbers are coarse, their mean over an input.
TOLERANCE, COARSE = 1e-4, 0.05


class Way(IntEnum):
    """How inputs are computed: one by one, in batches of equal length, in padded ones, or as branches of trees."""

    ALONE = 0
    EQUAL = 1
    PADDED = 2
    SHARED = 3


@dataclass(frozen=True)
class Probe:
    """Inputs of which the first two begin alike for `stem` tokens, and `reads` (input, position, token), which are the
    same for what they have in common."""

    plan: Plan
    reads: np.ndarray
    stem: int


def probe(size: int, kind: str, frame: Frame, vocabulary: np.ndarray) -> Probe:
    """Return inputs for a model of that `kind`, of ordinary tokens from `vocabulary`, the longest of `longest(size)`
    tokens: one or more with the same beginning that are `size` tokens as a tree, the last of them short, and two more.
    """
    before, after = frame.prompt if kind == ENCODER_DECODER else frame.before, frame.after
    if kind == ENCODER_DECODER:
        after = after[:0]
    special = len(before) + len(after)
    most = min(longest(size), frame.limit or size) - special
    stem = max(1, min(size // 8, -(-most // 4)))
    ids = np.random.default_rng(0).choice(vocabulary, 4 * size)
    shared = ids[:stem].copy()
    if kind == MASKED:
        shared[-1] = frame.mask
    # The branches stand in a tree in the order of their first tokens; what is short comes last, far from the root.
    room, branches = size - special - 2 * stem, []
    while room > 0:
        new = min(room, max(1, most - stem))
        branches.append(np.concatenate([shared, vocabulary[:1], ids[stem + room : stem + room + new - 1]]))
        room -= new
    branches.append(np.concatenate([shared, vocabulary[-1:], ids[size : size + stem - 1]])[:most])
    first_two = [branches[0], branches[-1], *branches[1:-1]]
    bodies = [*first_two, ids[2 * size : 2 * size + stem], ids[3 * size : 3 * size + 3][:most]]
    inputs = [np.concatenate([before, body, after]).astype(np.int64) for body in bodies]
    plan = Plan(inputs, _sources(len(first_two), size, frame, ids) if kind == ENCODER_DECODER else [])
    row = np.repeat(np.arange(len(inputs)), [len(tokens) for tokens in inputs])
    position = np.concatenate([np.arange(len(tokens)) for tokens in inputs])
    # Not all are read, so that it shows where a part of the model cannot be left to those that are.
    read = (position - len(before) - stem) % 3 != 0
    reads = np.stack([row, position, ids[position]])[:, read]
    return Probe(plan, reads, len(before) + stem)


def _sources(branches: int, size: int, frame: Frame, ids: np.ndarray) -> list[np.ndarray]:
    """Return what the encoder sees: the same long text for all branches, and two short ones."""
    most = min(longest(size), frame.limit or size) - len(frame.before) - len(frame.after)
    texts = [ids[-most:]] * branches + [ids[: max(1, size // 4)][:most], ids[:2]]
    return [np.concatenate([frame.before, text, frame.after]).astype(np.int64) for text in texts]


def longest(size: int) -> int:
    """Return how long inputs are at most of which a probe of `size` tokens tells."""
    return size - size // 8


def sizes(way: Way, length: int) -> Iterator[int]:
    """Yield the sizes at which `way` is to be tried for inputs of up to `length` tokens, until one holds: the longest
    first."""
    # Trees are longer than what is in them.
    needed, most = (max(ROW_TOKENS, 2 * length), MOST_TOKENS) if way == Way.SHARED else (length, SIZES[-1])
    enough = next((size for size in SIZES if longest(size) >= needed or size >= most), most)
    yield from (size for size in reversed(SIZES) if size <= enough)


def alike(first: np.ndarray, second: np.ndarray, row: np.ndarray, exact: bool) -> bool:
    """Tell whether two results for tokens of the inputs `row` are the same, but for the rounding of float32 (`exact`)
    or of 16 bits."""
    if (np.isnan(first) != np.isnan(second)).any():
        return False
    apart = ~((first == second) | np.isnan(first))
    difference = np.zeros(len(first))
    difference[apart] = np.abs(first[apart] - second[apart])
    if exact:
        return bool((difference < TOLERANCE * np.maximum(1, np.abs(first) / 10))[apart].all())
    return bool((np.bincount(row, difference) < COARSE * np.bincount(row)).all()) or not len(row)


def check_kind(trial: Probe, logprob: np.ndarray, source: Source, *, exact: bool) -> None:
    """Raise `ModelError` where the results for a probe, one input at a time, are not those of the source's kind: what
    follows a token must tell a masked model something, and any other nothing."""
    row, position, _ = trial.reads
    # What was read where the first two inputs are alike.
    first, second = (logprob[(position < trial.stem) & (row == number)] for number in (0, 1))
    same = alike(first, second, np.zeros(len(first), np.int64), exact)
    if same and source.kind == MASKED:
        message = (
            f"the model {source.name} is no masked model: what it says of a mask does not depend on what follows it"
        )
        hint = "It reads from left to right: ask for --kind causal, or `kind: causal` in config.yaml."
    elif not same and source.kind != MASKED:
        message = f"the model {source.name} is not causal: what it says of a token depends on what follows it"
        hint = "It has seen what it is asked for. If it has a mask: --kind masked, or `kind: masked` in config.yaml."
    else:
        return
    raise ModelError(message, file=source.folder, hint=hint)
