"""Whatever a model is made of, what is computed together is what would be computed apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from starbank.errors import ModelError
from starbank.scoring import plans
from starbank.scoring.packing import pack
from starbank.scoring.plans import Frame, Plan
from starbank.scoring.probes import SIZES, Way, longest, probe
from starbank.scoring.sources import CAUSAL, MASKED, Settings, find_model

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("models")]

SHAPE = {"vocab_size": 360, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
WIDE = SHAPE | {"intermediate_size": 64, "num_key_value_heads": 2}
# Wide enough that weights at random do not make all tokens alike.
SPREAD = {"initializer_range": 0.3, "bos_token_id": 0, "eos_token_id": 0}
BERT = SHAPE | {"intermediate_size": 64, "initializer_range": 0.3, "pad_token_id": 1, "max_position_embeddings": 512}
OLD = {"vocab_size": 360, "hidden_size": 32, "n_layer": 2, "n_head": 2}
NEO = {"vocab_size": 360, "hidden_size": 32, "num_layers": 2, "num_heads": 2, "intermediate_size": 64}
LONG = {"rope_type": "longrope", "rope_theta": 10000.0, "short_factor": [1.0] * 8, "long_factor": [4.0] * 8}
CONFIGS: dict[str, dict[str, Any]] = {
    "Llama": WIDE | SPREAD,
    # A token sees no further than eight tokens back.
    "Mistral": WIDE | SPREAD | {"sliding_window": 8},
    # A branch of a row is further from its root in the row than in its text; the window counts in the row.
    "GPTNeo": NEO | SPREAD | {"attention_types": [[["global", "local"], 1]], "window_size": 40},
    # Positions are stretched where the longest text of a batch has more than so many tokens.
    "Phi3": WIDE
    | SPREAD
    | {"pad_token_id": 1, "original_max_position_embeddings": 32, "max_position_embeddings": 4096}
    | {"rope_parameters": LONG | {"original_max_position_embeddings": 32}},
    "Bloom": OLD | SPREAD,
    "Mamba": {key: SHAPE[key] for key in ("vocab_size", "hidden_size", "num_hidden_layers")} | SPREAD,
    "Bert": BERT,
    # Fourier transforms, convolutions and neighbours' embeddings take in the padding.
    "FNet": {"vocab_size": 360, "hidden_size": 32, "num_hidden_layers": 2, "initializer_range": 0.3, "pad_token_id": 1},
    "ConvBert": BERT | {"embedding_size": 32, "head_ratio": 1, "conv_kernel_size": 3},
    "MobileBert": BERT | {"embedding_size": 32, "intra_bottleneck_size": 32},
}
TEXTS = [
    "The keys to the cabinet are on the table.",
    "The keys to the cabinet is on the table.",
    "The key to the cabinets is on the table.",
    "The",
    "კაცმა სახლი ააშენა.",
    "კაცმა სახლს ააშენა, მაგრამ ქალი არ დაინახა.",
    "კაცმა სახლი ააშენა, მაგრამ ქალი არ დაინახა, ბავშვმა კი წიგნი წაიკითხა და გაიცინა.",
    "კაცმა სახლი ააშენა, მაგრამ ქალი არ დაინახა, ბავშვმა კი წიგნი წაიკითხა და იტირა.",
]


@pytest.fixture
def build(models: Path, tmp_path: Path) -> Callable[..., Path]:
    """Saves a tiny model with random weights and the tokenizer of `causal`, with a mask where it is masked."""

    def save(name: str, head: str, **changes: Any) -> Path:
        import torch
        import transformers

        torch.manual_seed(1)
        config = getattr(transformers, f"{name}Config")(**CONFIGS.get(name, {}) | changes)
        folder = tmp_path / name
        getattr(transformers, f"{name}{head}")(config).eval().save_pretrained(folder)
        tokenizer = transformers.AutoTokenizer.from_pretrained(models / "causal")
        if head == "ForMaskedLM":
            tokenizer = transformers.AutoTokenizer.from_pretrained(models / "encoder-decoder-bart")
        tokenizer.save_pretrained(folder)
        return folder

    return save


def apart(model: Any, plan: Plan) -> np.ndarray:
    """What a plain loop gives: each input by itself, without padding."""
    import torch

    row, position, token = plan.columns()[:3]
    result = np.empty(len(row))
    for number, ids in enumerate(plan.inputs):
        reads = np.flatnonzero(row == number)
        with torch.no_grad():
            logits = model(input_ids=torch.tensor(ids)[None]).logits[0].log_softmax(-1)
        result[reads] = logits[position[reads], token[reads]].double().numpy()
    return result


def networks(folder: Path) -> list[Any]:
    """The model, read in large batches and in small ones."""
    from starbank.scoring.network import Network

    return [Network(find_model(str(folder)), Settings(batch_tokens=most)) for most in (8192, 300)]


def fastest(network: Any) -> tuple[Way, int]:
    """The fastest way that was found exact, and for how many tokens."""
    return max(key for key, holds in network._holding.items() if holds)


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("Llama", (Way.SHARED, 256)),
        ("Mistral", (Way.PADDED, 64)),
        ("GPTNeo", (Way.SHARED, 32)),
        ("Phi3", (Way.SHARED, 32)),
        ("Bloom", (Way.PADDED, 64)),
        ("Mamba", (Way.PADDED, 64)),
    ],
)
def test_causal_scores_are_those_of_each_text_alone(build: Callable, name: str, way: tuple[Way, int]) -> None:
    import transformers

    folder = build(name, "ForCausalLM")
    reference = transformers.AutoModelForCausalLM.from_pretrained(folder, use_cache=False).eval()
    for network in networks(folder):
        plan = plans.causal(network.tokenise(TEXTS), network.frame)
        scores = plan.run(network.logprobs)
        assert scores.logprob == pytest.approx(apart(reference, plan), abs=1e-4)
        assert fastest(network) == way


@pytest.mark.parametrize(
    ("name", "way"),
    [("Bert", Way.PADDED), ("FNet", Way.EQUAL), ("ConvBert", Way.EQUAL), ("MobileBert", Way.EQUAL)],
)
def test_masked_scores_are_those_of_each_text_alone(build: Callable, name: str, way: Way) -> None:
    import transformers

    folder = build(name, "ForMaskedLM", vocab_size=364)
    reference = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    for network in networks(folder):
        plan = plans.masked_sentence(network.tokenise(TEXTS[:5]), network.frame)
        scores = plan.run(network.logprobs)
        assert scores.logprob == pytest.approx(apart(reference, plan), abs=1e-4)
        assert fastest(network)[0] is way


@pytest.mark.parametrize("size", [size for size in SIZES if size >= 128])
@pytest.mark.parametrize("limit", [None, 1024, 256, 64])
def test_a_probe_is_as_long_as_what_it_vouches_for(size: int, limit: int | None) -> None:
    nothing = np.empty(0, np.int64)
    asked = probe(size, CAUSAL, Frame(np.array([0]), nothing, None, limit), np.arange(1, 400))
    lengths = [len(ids) for ids in asked.plan.inputs]
    assert max(lengths) == min(longest(size), limit or size)
    assert pack(asked.plan.inputs, share=True, most=size).lengths.max() >= size - size // 16
    first, second = (ids[: asked.stem].tolist() for ids in asked.plan.inputs[:2])
    assert first == second


def test_half_the_precision_is_half_as_exact(models: Path) -> None:
    from starbank.scoring.network import Network

    scores = []
    for dtype in ("float32", "bfloat16"):
        network = Network(find_model(str(models / "causal")), Settings(dtype=dtype))
        scores.append(plans.causal(network.tokenise(TEXTS[:6]), network.frame).run(network.logprobs).logprob)
    assert 1e-4 < np.abs(scores[0] - scores[1]).max() < 0.5


@pytest.mark.parametrize(("name", "narrow"), [("masked", True), ("masked-pieces", True), ("causal", False)])
def test_a_last_layer_that_only_masks_go_through_changes_nothing(models: Path, name: str, narrow: bool) -> None:
    from starbank.scoring.network import Network

    network = Network(find_model(str(models / name)), Settings())
    layers = [part for path, part in network._model.named_modules() if path.endswith("attention.output")]
    assert (network._reading in layers) is narrow
    if narrow:
        plan = plans.masked_original(network.tokenise(TEXTS[:6]), network.frame)
        narrowed = plan.run(network.logprobs).logprob
        network._reading = None
        assert narrowed == pytest.approx(plan.run(network.logprobs).logprob, abs=1e-5)


class TestKinds:
    """A model is what it does, not what it is called."""

    def load(self, folder: Path, kind: str | None = None) -> Any:
        from starbank.scoring.network import Network

        return Network(find_model(str(folder), kind=kind), Settings())

    @pytest.mark.parametrize("name", ["masked", "masked-pieces"])
    def test_a_model_that_sees_what_follows_is_not_causal(self, models: Path, name: str) -> None:
        with pytest.raises(ModelError, match=f"the model {name} is not causal: .* depends on what follows it\nIt has"):
            self.load(models / name, CAUSAL)

    def test_xlnet_sees_what_follows(self, build: Callable) -> None:
        folder = build("XLNet", "LMHeadModel", vocab_size=360, d_model=32, n_layer=2, n_head=2, d_inner=64)
        with pytest.raises(ModelError, match="the model XLNet is not causal"):
            self.load(folder)

    def test_a_decoder_is_not_masked(self, build: Callable) -> None:
        folder = build("Bert", "ForMaskedLM", vocab_size=364, is_decoder=True)
        with pytest.raises(ModelError, match=r"the model Bert is no masked model[^\n]*\nIt reads from left to right"):
            self.load(folder, MASKED)

    def test_a_model_without_a_mask_is_not_masked(self, models: Path) -> None:
        with pytest.raises(ModelError, match="cannot load the model of causal"):
            self.load(models / "causal", MASKED)

    def test_a_model_that_draws_at_random_is_refused(self, build: Callable) -> None:
        hashing = {"attn_layers": ["local", "lsh"], "num_buckets": 4, "axial_pos_embds": False, "is_decoder": True}
        chunks = {"lsh_attn_chunk_length": 16, "local_attn_chunk_length": 16, "max_position_embeddings": 512}
        sizes = {"vocab_size": 360, "hidden_size": 32, "attention_head_size": 16, "num_attention_heads": 2}
        folder = build("Reformer", "ModelWithLMHead", **hashing, **chunks, **sizes, initializer_range=0.3)
        network = self.load(folder, CAUSAL)
        with pytest.raises(ModelError, match="the model Reformer gives a text other probabilities each time"):
            plans.causal(network.tokenise(TEXTS), network.frame).run(network.logprobs)
