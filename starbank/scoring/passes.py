"""One batch through a model: rows of tokens to the probabilities that are read of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from starbank.scoring.loading import torch
from starbank.scoring.packing import Rows, pad
from starbank.scoring.properties import Loaded
from starbank.scoring.sources import CAUSAL

# Logits at once, in numbers, whatever the size of the vocabulary: 1 GiB of float32 of a batch, or, where the head can
# be left to slices of what is read, less, on a processor and on a GPU.
MOST_LOGITS = 2**28
SLICE_CPU, SLICE = 2**26, 2**27
# Logits that are normalised at once, in numbers: what a processor's cache holds.
PIECE_CPU = 2**19


class Passes(Loaded):
    """A loaded model that runs batches. `_reading` is the part of it that can be left to the positions that are read,
    `_body` what is left of it without its head, where that can be left to slices of them; each None where none can."""

    _reading: Any = None
    _body: Any = None
    vocabulary: int

    @torch.inference_mode()
    def _forward(self, rows: Rows, batch: np.ndarray, sources: list[np.ndarray], reads: np.ndarray) -> torch.Tensor:
        """Return ln p (double) of the `reads` of the rows `batch`, which run as one right-padded batch; the head runs
        only at the positions that are read."""
        row, position, token = reads
        longest = int(rows.lengths[batch].max())
        inputs = self._inputs(rows, batch, sources)
        places, read = np.unique(row * longest + position, return_inverse=True)
        size = len(places)
        if self._body is not None:
            size = max(1, (SLICE_CPU if self.device.type == "cpu" else SLICE) // self.vocabulary)
        order = np.argsort(read, kind="stable")
        borders = np.searchsorted(read[order], np.arange(0, len(places) + size, size))
        columns = (places // longest, places % longest, read[order] % size, token[order], np.argsort(order))
        at, column, read_at, tokens, back = map(self._put, columns)
        parts = [
            _logprobs(logits, read_at[start:stop], tokens[start:stop])
            for logits, (start, stop) in zip(self._logits(inputs, at, column, size), pairwise(borders), strict=True)
        ]
        logprob = torch.cat(parts)
        return logprob[back.to(logprob.device)]

    def _logits(self, inputs: dict[str, Any], rows: Any, columns: Any, size: int) -> Iterator[torch.Tensor]:
        """Yield the logits at (`rows`, `columns`), those of `size` positions at a time: (positions, vocabulary)."""
        with _only_at(self._reading, rows, columns):
            output = (self._model if self._body is None else self._body)(**inputs)
        states = output.logits if self._body is None else output[0]
        if states.dim() == 3:
            states = states[rows.to(states.device), columns.to(states.device)]
        if self._body is None:
            yield states
            return
        name = next(iter(output))
        for part in states.split(size):
            # What the model does with the states of its body, it does with a slice of them.
            with _instead(self._body, type(output)(**{**output, name: part[None]})):
                yield self._model(**inputs).logits[0]

    def _inputs(self, rows: Rows, batch: np.ndarray, sources: list[np.ndarray]) -> dict[str, Any]:
        lengths = rows.lengths[batch]
        flat = ranges(rows.first[batch], lengths)

        def padded(column: np.ndarray, filling: int | np.ndarray) -> torch.Tensor:
            return self._put(pad(column[flat], lengths, filling))

        ids = padded(rows.ids, self._padding)
        if sources:
            return {"decoder_input_ids": ids, **self._encode(sources)}
        if not rows.shared and self._kind == CAUSAL:
            # Nothing sees what is filled up on its right, and attention without a mask has the fastest kernels.
            return {"input_ids": ids}
        if not rows.shared:
            return {"input_ids": ids, "attention_mask": padded(np.ones_like(rows.ids), 0)}
        place = torch.arange(ids.shape[1], device=self.device)
        # A token sees its ancestors: those before it that are not over yet where it stands. Padding sees itself.
        end = padded(rows.end, np.arange(ids.shape[1]) + 1)[:, None, None, :]
        visible = (place <= place[:, None]) & (place[:, None] < end)
        mask = torch.zeros(visible.shape, dtype=self._model.dtype, device=self.device)
        mask.masked_fill_(~visible, torch.finfo(mask.dtype).min)
        return {"input_ids": ids, "attention_mask": mask, "position_ids": padded(rows.depth, 0)}

    def _encode(self, sources: list[np.ndarray]) -> dict[str, Any]:
        """Run the encoder once for each different source."""
        numbers: dict[bytes, int] = {}
        which = self._put(np.array([numbers.setdefault(source.tobytes(), len(numbers)) for source in sources]))
        batch = self._pad([np.frombuffer(source, np.int64) for source in numbers])
        encoded = self._model.get_encoder()(**batch)
        encoded.last_hidden_state = encoded.last_hidden_state[which]
        # FSMT masks what follows in its decoder only where it sees what its encoder saw.
        return {"encoder_outputs": encoded, **{name: tensor[which] for name, tensor in batch.items()}}


def ranges(first: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return `first[0]`, `first[0] + 1`, … (`counts[0]` of them), `first[1]`, …"""
    return np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())


def _logprobs(logits: Any, rows: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Return ln p (double) of `tokens` by the `rows` of `logits`; the softmax is in float32."""
    piece = PIECE_CPU if logits.device.type == "cpu" else SLICE
    parts = logits.split(max(1, piece // logits.shape[-1]))
    totals = torch.cat([part.float().logsumexp(-1) for part in parts])
    rows, tokens = rows.to(logits.device), tokens.to(logits.device)
    logprob: torch.Tensor = logits[rows, tokens].float() - totals[rows]
    return logprob.double()


@contextlib.contextmanager
def _instead(part: Any, output: Any) -> Iterator[None]:
    """Let `part` answer `output`, whatever it is asked."""
    own = vars(part).get("forward")
    part.forward = lambda *_, **__: output
    try:
        yield
    finally:
        del part.forward
        if own is not None:
            part.forward = own


@contextlib.contextmanager
def _only_at(part: Any, rows: Any, columns: Any) -> Iterator[None]:
    """Let `part` and what comes after it see the states at (`rows`, `columns`) only: of shape (positions, width)."""

    def select(_: Any, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        where = inputs[0].device
        return tuple(states[rows.to(where), columns.to(where)] for states in inputs)

    handle = part.register_forward_pre_hook(select) if part is not None else contextlib.nullcontext()
    with handle:
        yield
