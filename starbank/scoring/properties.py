"""What a loaded model is made of: how many tokens it knows and reads, and which parts need not see everything."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from starbank.scoring.loading import load, torch
from starbank.scoring.packing import pad
from starbank.scoring.precision import FLOAT32, settle
from starbank.scoring.sources import MASKED, Settings, Source
from starbank.scoring.tokens import find_frame

# What caches of a processor hold; larger batches only wait for memory.
CPU_TOKENS = 1024
# What configurations call the most tokens that a model reads.
LIMITS = ("max_position_embeddings", "max_target_positions", "max_decoder_position_embeddings", "max_seq_len")


class Loaded:
    """A model with its tokenizer on a `device`. `frame` is what it wants around a text."""

    def __init__(self, source: Source, settings: Settings) -> None:
        """Load `source` as `settings` say. Raises `ModelError`."""
        settings = settle(source, settings)
        self._model, self._tokenizer, self.device = load(source, settings)
        self._kind = source.kind
        # Whether it calculates in float32, with all its bits.
        self._exact = settings.dtype == FLOAT32 and not getattr(self._model, "is_quantized", False)
        self._config = self._model.config.get_text_config(decoder=True)
        # RoBERTa counts positions by what is not padding, so it must be the model's own where it has one.
        padding = (self._tokenizer.pad_token_id, getattr(self._config, "pad_token_id", None))
        self._padding = next((token for token in padding if token is not None), 0)
        limit = find_limit(self._model, self._config, self._tokenizer)
        start = getattr(self._model.config, "decoder_start_token_id", None)
        frame = find_frame(self._tokenizer, source.name, source.kind, limit, start)
        self.frame = frame if settings.beginning else replace(frame, before=frame.before[:0])
        self._ordinary = sorted(set(self._tokenizer.get_vocab().values()) - set(self._tokenizer.all_special_ids))
        self._batch_tokens = settings.batch_tokens
        if self.device.type == "cpu":
            self._batch_tokens = min(self._batch_tokens, CPU_TOKENS)

    def _put(self, array: np.ndarray) -> torch.Tensor:
        tensor = torch.from_numpy(array)
        if self.device.type == "cuda":
            return tensor.pin_memory().to(self.device, non_blocking=True)
        return tensor.to(self.device)

    def _pad(self, inputs: list[np.ndarray]) -> dict[str, torch.Tensor]:
        """Return inputs as one batch."""
        ids, lengths = np.concatenate(inputs), np.array([len(ids) for ids in inputs])
        mask = pad(np.ones_like(ids), lengths, 0)
        return {"input_ids": self._put(pad(ids, lengths, self._padding)), "attention_mask": self._put(mask)}


def find_parts(model: Any, kind: str) -> list[Any]:
    """Return the modules of `model` that may see only what is read, the one that saves most first."""
    layers = [part for name, part in model.named_modules() if name.endswith("attention.output")]
    embeddings = model.get_output_embeddings()
    heads = [
        part
        for part in model.children()
        if embeddings is not None and any(module is embeddings for module in part.modules())
    ]
    return [*(layers[-1:] if kind == MASKED else []), *heads[:1]]


def find_limit(model: Any, config: Any, tokenizer: Any) -> int | None:
    """Return the most tokens that the model reads at once; None where nothing says."""
    limits = [tokenizer.model_max_length, *(getattr(config, name, None) for name in LIMITS)]
    for module in model.modules():
        table: Any = getattr(module, "position_embeddings", None)
        # RoBERTa and its like begin to count after the padding.
        if getattr(table, "padding_idx", None) is not None:
            limits.append(len(table.weight) - table.padding_idx - 1)
    # XLNet says -1, tokenizers a number beyond all use.
    return min((limit for limit in limits if limit and 0 < limit < 10**9), default=None)
