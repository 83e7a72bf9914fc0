"""What a loaded model is made of: how many tokens it knows and reads, and which parts need not see everything."""

from __future__ import annotations

from typing import Any

from starbank.scoring.loading import torch
from starbank.scoring.sources import MASKED


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


def find_padding(tokenizer: Any, config: Any) -> int:
    """Return the token that fills up shorter texts of a batch."""
    # RoBERTa counts positions by what is not padding, so it must be the model's own where it has one.
    known = (tokenizer.pad_token_id, getattr(config, "pad_token_id", None))
    return next((pad for pad in known if pad is not None), 0)


def find_vocabulary(model: Any, config: Any) -> int:
    """Return how many tokens the model knows."""
    return getattr(model.get_input_embeddings(), "num_embeddings", None) or config.vocab_size


def find_limit(model: Any, config: Any, tokenizer: Any) -> int | None:
    """Return the most tokens that the model reads at once; None where nothing says."""
    limits = [tokenizer.model_max_length, getattr(config, "max_position_embeddings", None)]
    for module in model.modules():
        table = getattr(module, "position_embeddings", None)
        # RoBERTa and its like begin to count after the padding.
        if isinstance(table, torch.nn.Embedding) and table.padding_idx is not None:
            limits.append(table.num_embeddings - table.padding_idx - 1)
    # XLNet says -1, tokenizers a number beyond all use.
    known = [limit for limit in limits if limit and 0 < limit < 10**9]
    return min(known, default=None)
