"""A loaded model as a function: inputs to probabilities, in batches."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from starbank.errors import ModelError
from starbank.scoring.loading import load, torch
from starbank.scoring.packing import Rows, pack
from starbank.scoring.plans import Plan, Tokens
from starbank.scoring.sources import CAUSAL, MASKED, Settings, Source
from starbank.scoring.tokens import find_frame, tokenise

# Logits of one batch, in numbers: 1 GiB of float32, whatever the size of the vocabulary.
MOST_LOGITS = 2**28
# What caches of a processor hold; larger batches only wait for memory.
CPU_TOKENS = 1024
# Logits that are normalised at once, in numbers: what a processor's cache holds, or what keeps a GPU busy.
PIECE_CPU, PIECE = 2**19, 2**27
# How far sharing may be from computing apart, in nats.
TOLERANCE = {"float32": 1e-4}
COARSE = 0.05


class Network:
    """A model with its tokenizer on a device. `frame` is what it wants around a text, and `shares` tells
    whether inputs that begin alike can be computed together."""

    def __init__(self, source: Source, settings: Settings) -> None:
        """Load `source` as `settings` say. Raises `ModelError`."""
        self._name, self._kind = source.name, source.kind
        self._batch_tokens, self._dtype = settings.batch_tokens, settings.dtype
        self._model, self._tokenizer, self._device = load(source, settings)
        self._config = self._model.config.get_text_config(decoder=True)
        if self._device.type == "cpu":
            self._batch_tokens = min(self._batch_tokens, CPU_TOKENS)
        self._head, self._narrow = _find_head(self._model), None
        self._padding = find_padding(self._tokenizer, self._config)
        limit = find_limit(self._model, self._config, self._tokenizer)
        start = getattr(self._model.config, "decoder_start_token_id", None)
        self.frame = find_frame(self._tokenizer, source.name, source.kind, limit, start)
        self.shares = source.kind == CAUSAL and self._can_share()
        self._narrow = self._find_narrow() if source.kind == MASKED else None

    def tokenise(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of each of `texts`, without special ones."""
        return tokenise(self._tokenizer, texts)

    def logprobs(self, plan: Plan, row: np.ndarray, position: np.ndarray, token: np.ndarray) -> np.ndarray:
        """Return ln p (float64) of each `token` at `position` of the plan's input `row`; the softmax is in float32.

        Batches halve where the device's memory is too small. Raises `ModelError` where one input alone is too large,
        or where the model gives no numbers.
        """
        if not len(row):
            return np.empty(0)
        self._check_vocabulary([*plan.inputs, *plan.sources])
        result = self._logprobs(plan, row, position, token)
        if np.isnan(result).any():
            raise ModelError(f"the model {self._name} gives no probabilities (NaN): its weights are broken")
        return result

    def _logprobs(self, plan: Plan, row: np.ndarray, position: np.ndarray, token: np.ndarray) -> np.ndarray:
        window = _find_window(self._config)
        # Beyond its window, a token does not see all of its ancestors.
        shares = self.shares and (window is None or max(map(len, plan.inputs)) <= window)
        rows = pack(plan.inputs, shares)
        place = rows.places[row, position]
        row = np.searchsorted(rows.first, place, side="right") - 1
        position = place - rows.first[row]
        order = np.argsort(row, kind="stable")
        first = np.searchsorted(row[order], np.arange(len(rows.first)))
        result = np.empty(len(row))
        lengths = rows.lengths + (np.fromiter(map(len, plan.sources), np.int64) if plan.sources else 0)
        batches = deque(self._batches(lengths, np.diff(first)))
        while batches:
            batch = batches.popleft()
            counts = first[batch + 1] - first[batch]
            reads = order[_ranges(first[batch], counts)]
            local = np.repeat(np.arange(len(batch)), counts)
            sources = [plan.sources[number] for number in batch] if plan.sources else []
            try:
                result[reads] = self._forward(rows, batch, sources, local, position[reads], token[reads])
            except torch.OutOfMemoryError as error:
                if len(batch) == 1:
                    message = f"a text of {lengths[batch[0]]} tokens is too much for the memory of {self._device}"
                    hint = "Use another device (for example --device cpu) or a smaller model."
                    raise ModelError(message, hint=hint) from error
                batches.extendleft(reversed(np.array_split(batch, 2)))
        return result

    def _check_vocabulary(self, inputs: list[np.ndarray]) -> None:
        known, largest = self._model.get_input_embeddings().num_embeddings, max(map(np.max, inputs), default=0)
        if largest >= known:
            message = f"the tokenizer of {self._name} gives token {largest}, but the model knows only {known} tokens"
            raise ModelError(message, hint="Are tokenizer and weights those of one model?")

    def _batches(self, lengths: np.ndarray, reads: np.ndarray) -> Iterator[np.ndarray]:
        """Yield numbers of rows, longest first, as many at once as the budgets of tokens and of logits allow."""
        order = np.argsort(-lengths, kind="stable")
        most_reads = MOST_LOGITS // self._config.vocab_size
        read = np.concatenate([[0], np.cumsum(reads[order])])
        first = 0
        while first < len(order):
            fitting = np.searchsorted(read, read[first] + most_reads, side="right") - 1 - first
            rows = max(1, min(self._batch_tokens // int(lengths[order[first]]), int(fitting)))
            yield order[first : first + rows]
            first += rows

    @torch.inference_mode()
    def _forward(
        self,
        rows: Rows,
        batch: np.ndarray,
        sources: list[np.ndarray],
        row: np.ndarray,
        position: np.ndarray,
        token: np.ndarray,
    ) -> np.ndarray:
        """Run the rows `batch` as one right-padded batch; the head runs only at the positions that are read."""
        lengths = rows.lengths[batch]
        longest = int(lengths.max())
        filled = np.arange(longest) < lengths[:, None]
        flat = _ranges(rows.first[batch], lengths)
        inputs = self._inputs(rows, flat, filled, sources)
        places, read = np.unique(row * longest + position, return_inverse=True)
        at, columns, read_at, tokens = map(self._put, (places // longest, places % longest, read, token))
        with _only_at(self._narrow or self._head, at, columns):
            logits = self._model(**inputs).logits
        if logits.dim() == 3:
            logits = logits[at, columns]
        read_at, tokens = read_at.to(logits.device), tokens.to(logits.device)
        piece = PIECE_CPU if logits.device.type == "cpu" else PIECE
        parts = logits.split(max(1, piece // logits.shape[-1]))
        totals = torch.cat([part.float().logsumexp(-1) for part in parts])
        return (logits[read_at, tokens].float() - totals[read_at]).double().cpu().numpy()

    def _inputs(self, rows: Rows, flat: np.ndarray, filled: np.ndarray, sources: list[np.ndarray]) -> dict[str, Any]:
        ids = np.full(filled.shape, self._padding)
        ids[filled] = rows.ids[flat]
        if sources:
            return {"decoder_input_ids": self._put(ids), **self._encode(sources)}
        if not rows.shared:
            return {"input_ids": self._put(ids), "attention_mask": self._put(filled.astype(np.int64))}
        depth, end = np.zeros(filled.shape, np.int64), np.tile(np.arange(filled.shape[1]) + 1, (len(filled), 1))
        depth[filled], end[filled] = rows.depth[flat], rows.end[flat]
        place = torch.arange(filled.shape[1], device=self._device)
        # A token sees its ancestors: those before it that are not over yet where it stands. Padding sees itself.
        seen = (place <= place[:, None]) & (place[:, None] < self._put(end)[:, None, None, :])
        mask = torch.zeros(seen.shape, dtype=self._model.dtype, device=self._device)
        mask.masked_fill_(~seen, torch.finfo(mask.dtype).min)
        return {"input_ids": self._put(ids), "attention_mask": mask, "position_ids": self._put(depth)}

    def _encode(self, sources: list[np.ndarray]) -> dict[str, Any]:
        """Run the encoder once for each different source."""
        numbers: dict[bytes, int] = {}
        which = [numbers.setdefault(source.tobytes(), len(numbers)) for source in sources]
        different = [np.frombuffer(source, np.int64) for source in numbers]
        lengths = np.array([len(source) for source in different])
        filled = np.arange(lengths.max()) < lengths[:, None]
        ids = np.full(filled.shape, self._padding)
        ids[filled] = np.concatenate(different)
        mask, of = self._put(filled.astype(np.int64)), self._put(np.array(which))
        encoded = self._model.get_encoder()(input_ids=self._put(ids), attention_mask=mask)
        encoded.last_hidden_state = encoded.last_hidden_state[of]
        return {"encoder_outputs": encoded, "attention_mask": mask[of]}

    def _can_share(self) -> bool:
        """Try whether the model gives each branch of a tree what it gives it alone.

        Models that count positions from the mask, or that read a text step by step, do not.
        """
        results = []
        for self.shares in (False, True):
            results.append(self._try())
        return self._alike(*results)

    def _find_narrow(self) -> Any:
        """Return where the last layer can be left to what is read, after its attention; None where it cannot.

        BERT and its like have a module there that adds what attention gives to what it got.
        """
        modules = [part for name, part in self._model.named_modules() if name.endswith("attention.output")]
        before = self._try()
        self._narrow = modules[-1] if modules else None
        return self._narrow if modules and self._alike(before, self._try()) else None

    def _try(self) -> np.ndarray | None:
        """Return what the model gives a few inputs that begin alike; None where it does not know how."""
        known = min(self._config.vocab_size, 64)
        inputs = [np.arange(length) * step % known for length, step in ((7, 1), (9, 1), (9, 3))]
        inputs = [np.concatenate([np.arange(5) * 7 % known, ids]) for ids in inputs]
        row, position = np.nonzero(np.ones((len(inputs), 12), bool))
        try:
            return self._logprobs(Plan(inputs), row, position, (row * 5 + position) % known)
        except Exception:  # A model that does not know such masks raises whatever happens to break.
            return None

    def _alike(self, one: np.ndarray | None, other: np.ndarray | None) -> bool:
        if one is None or other is None:
            return False
        return bool(np.abs(one - other).max() < TOLERANCE.get(self._dtype, COARSE))

    def _put(self, array: np.ndarray) -> Any:
        tensor = torch.from_numpy(array)
        if self._device.type == "cuda":
            return tensor.pin_memory().to(self._device, non_blocking=True)
        return tensor.to(self._device)


def _ranges(first: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return `first[0]`, `first[0] + 1`, … (`counts[0]` of them), `first[1]`, …"""
    done = np.cumsum(counts) - counts
    return np.arange(counts.sum()) + np.repeat(first - done, counts)


def _find_head(model: Any) -> Any:
    """Return the direct part of `model` that turns hidden states into logits, or None where it does not say."""
    embeddings = model.get_output_embeddings()
    for part in model.children():
        if embeddings is not None and any(module is embeddings for module in part.modules()):
            return part
    return None


@contextlib.contextmanager
def _only_at(part: Any, rows: Any, columns: Any) -> Iterator[None]:
    """Let `part` and what comes after it see the states at (`rows`, `columns`) only: of shape (positions, width)."""

    def select(_: Any, inputs: tuple) -> tuple:
        where = inputs[0].device
        return tuple(states[rows.to(where), columns.to(where)] for states in inputs)

    handle = part.register_forward_pre_hook(select) if part is not None else contextlib.nullcontext()
    with handle:
        yield


def _find_window(config: Any) -> int | None:
    """How far back a token sees where not all layers see everything; None where they do."""
    windows = [getattr(config, name, None) for name in ("sliding_window", "attention_chunk_size")]
    return min((window for window in windows if window), default=None)


def find_padding(tokenizer: Any, config: Any) -> int:
    """Return the token that fills up shorter texts of a batch."""
    # RoBERTa counts positions by what is not padding, so it must be the model's own where it has one.
    known = (tokenizer.pad_token_id, getattr(config, "pad_token_id", None))
    return next((pad for pad in known if pad is not None), 0)


def find_limit(model: Any, config: Any, tokenizer: Any) -> int | None:
    """Return the most tokens that the model reads at once; None where nothing says."""
    limits = [tokenizer.model_max_length, getattr(config, "max_position_embeddings", None)]
    for module in model.modules():
        table = getattr(module, "position_embeddings", None)
        # RoBERTa and its like begin to count after the padding.
        if isinstance(table, torch.nn.Embedding) and table.padding_idx is not None:
            limits.append(table.num_embeddings - table.padding_idx - 1)
    known = [limit for limit in limits if limit and limit < 10**9]
    return min(known, default=None)
