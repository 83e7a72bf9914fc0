"""Whatever a model's positions and its attention are, what is computed once is what would be computed apart."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from starbank.scoring import plans
from starbank.scoring.sources import Settings, find_model

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("models")]

SHAPE = {"vocab_size": 360, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
WIDE = SHAPE | {"intermediate_size": 64, "num_key_value_heads": 2}
# Wide enough that weights at random do not make all tokens alike.
SPREAD = {"initializer_range": 0.3, "bos_token_id": 0, "eos_token_id": 0}
TEXTS = [
    "The keys to the cabinet are on the table.",
    "The keys to the cabinet is on the table.",
    "The key to the cabinets is on the table.",
    "The",
    "კაცმა სახლი ააშენა.",
    "კაცმა სახლს ააშენა, მაგრამ ქალი არ დაინახა.",
]


def build(folder: Path, models: Path, name: str) -> Any:
    """Save a tiny model with random weights and the tokenizer of `causal`, and return it."""
    import torch
    import transformers

    configs = {
        "Llama": transformers.LlamaConfig(**WIDE, **SPREAD),
        "Mistral": transformers.MistralConfig(**WIDE, **SPREAD, sliding_window=8),
        "Bloom": transformers.BloomConfig(vocab_size=360, hidden_size=32, n_layer=2, n_head=2, **SPREAD),
        "Mamba": transformers.MambaConfig(vocab_size=360, hidden_size=32, num_hidden_layers=2, **SPREAD),
    }
    torch.manual_seed(1)
    model = getattr(transformers, f"{name}ForCausalLM")(configs[name]).eval()
    model.save_pretrained(folder)
    for path in models.joinpath("causal").glob("tokenizer*"):
        shutil.copy(path, folder)
    return model


@pytest.mark.parametrize(("name", "shares"), [("Llama", True), ("Mistral", True), ("Bloom", False), ("Mamba", False)])
def test_shared_scores_are_those_of_each_text_alone(models: Path, tmp_path: Path, name: str, shares: bool) -> None:
    import torch

    from starbank.scoring.network import Network

    model = build(tmp_path, models, name)
    network = Network(find_model(str(tmp_path)), Settings(batch_tokens=200))
    assert network.shares is shares
    tokens = network.tokenise(TEXTS)
    scores = plans.causal(tokens, network.frame).run(network.logprobs)
    for number, own in enumerate(tokens):
        ids = torch.tensor([[0, *own.ids]])
        with torch.no_grad():
            logits = model(input_ids=ids, use_cache=False).logits[0].log_softmax(-1)
        expected = logits[torch.arange(len(own.ids)), ids[0, 1:]].double().numpy()
        assert scores.logprob[scores.text == number] == pytest.approx(expected, abs=1e-4)


def test_half_the_precision_is_half_as_exact(models: Path) -> None:
    from starbank.scoring.network import Network

    scores = []
    for dtype in ("float32", "bfloat16"):
        network = Network(find_model(str(models / "causal")), Settings(dtype=dtype))
        scores.append(plans.causal(network.tokenise(TEXTS), network.frame).run(network.logprobs).logprob)
    assert 1e-4 < np.abs(scores[0] - scores[1]).max() < 0.5


@pytest.mark.parametrize(("name", "narrow"), [("masked", True), ("masked-pieces", True), ("causal", False)])
def test_a_last_layer_that_only_masks_go_through_changes_nothing(models: Path, name: str, narrow: bool) -> None:
    from starbank.scoring.network import Network

    network = Network(find_model(str(models / name)), Settings())
    assert (network._narrow is not None) is narrow
    if narrow:
        plan = plans.masked_original(network.tokenise(TEXTS), network.frame)
        narrowed = plan.run(network.logprobs).logprob
        network._narrow = None
        assert narrowed == pytest.approx(plan.run(network.logprobs).logprob, abs=1e-5)
