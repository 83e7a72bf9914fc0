"""Every architecture of `transformers` for language modelling, tiny and random, beside a reference of single tokens.

    python benchmarks/architectures.py [NAME ...] [--page docs/architectures.md]

builds each (or those named), scores sentences that cross its windows, chunks and positions as `starbank score` does,
and computes some of the same numbers by one plain pass for each token: what stands before it, cut as docs/metrics.md
says, and nothing else. With `--page` the table is put into that page, between its two marks.
"""

from __future__ import annotations

import argparse
import math
import re
import tempfile
import textwrap
import warnings
from ast import literal_eval
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, decoders, pre_tokenizers, processors, trainers
from tokenizers.models import BPE
from transformers.models.auto import modeling_auto as auto

from starbank.errors import StarbankError
from starbank.scoring.conditions import Text
from starbank.scoring.language_models import LanguageModel
from starbank.scoring.probes import TOLERANCE, Way
from starbank.scoring.sources import CAUSAL, ENCODER_DECODER, MASKED, Settings, find_model

HEADS = {
    CAUSAL: auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MASKED: auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    ENCODER_DECODER: auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
}
AUTO = {
    CAUSAL: transformers.AutoModelForCausalLM,
    MASKED: transformers.AutoModelForMaskedLM,
    ENCODER_DECODER: transformers.AutoModelForSeq2SeqLM,
}
MARK = "<!-- benchmarks/architectures.py -->"
WAYS = {"shared": "as trees", "padded": "in padded batches", "equal": "in batches of equal length", "alone": "alone"}
EXACT, REFUSED, WRONG, UNBUILT = "exact", "refused", "wrong", "not built"
TITLES = {EXACT: "Exact", REFUSED: "Refused", WRONG: "Wrong", UNBUILT: "Not compared"}
# What a model can read at once, and how far its windows and chunks reach: sentences cross all of them.
LIMIT, WINDOW, VOCABULARY = 96, 8, 400
# Log-probabilities that spread less could hide what is wrong.
ALIKE = 0.05
SPECIAL = ["<pad>", "<s>", "</s>", "<unk>", "<mask>", "<extra_id_0>"]
BEGIN = "The keys to the cabinet near the old windows are on the table, and the child who saw them "
TEXTS = [
    "The",
    "The keys to the cabinet are on the table.",
    "The keys to the cabinet is on the table.",
    "კაცმა სახლი.",
    f"{BEGIN}smiles.",
    f"{BEGIN}smile.",
    f"{BEGIN}thinks that the man who built the house near the lake has never opened a book that anyone else has read, "
    "nor looked through a window at the trees that grow on the other side of the water, where the cats sleep all day.",
]
# Sizes by the names that configurations have for them. An index of few heads would have many scores that tie at 0, and
# then any of them may be looked at; weights have to be wide enough that those at random do not make all tokens alike.
SIZES = f"""
4 num_hidden_layers n_layer n_layers num_layers encoder_layers decoder_layers num_decoder_layers
4 num_encoder_layers num_blocks num_attention_heads n_head n_heads num_heads attention_heads
4 encoder_attention_heads decoder_attention_heads num_experts num_local_experts n_routed_experts
4 moe_num_experts mamba_n_heads mamba_num_heads
32 hidden_size d_model n_embd emb_dim dim embedding_size word_embed_proj_dim emb_size attention_hidden_size
32 lru_width true_hidden_size d_latents moe_intermediate_size expert_ffn_hidden_size shared_intermediate_size
32 shared_expert_intermediate_size moe_shared_expert_intermediate_size hidden_size_global
64 intermediate_size ffn_dim n_inner dff d_ff d_inner hidden_dim dim_ff encoder_ffn_dim decoder_ffn_dim
64 ffn_hidden_size intermediate_size_mlp
16 q_lora_rank kv_lora_rank o_lora_rank mamba_headdim mamba_head_dim index_n_heads
8 head_dim d_kv v_head_dim qk_nope_head_dim qk_rope_head_dim kv_channels attention_head_size rotary_dim
8 index_head_dim dim_head linear_key_head_dim linear_value_head_dim linear_head_dim mamba_d_head state_size
8 ssm_state_size mamba_d_state time_step_rank mamba_dt_rank hidden_size_per_layer_input
2 num_key_value_heads num_kv_heads kv_n_heads num_experts_per_tok num_experts_per_token moe_k moe_topk
2 type_vocab_size linear_num_key_heads linear_num_value_heads linear_num_heads mamba_n_groups
2 decoder_start_token_id eos_token_id
1 n_group topk_group num_expert_group n_shared_experts first_k_dense_replace n_groups mamba_ngroups
1 bos_token_id
0 pad_token_id
{WINDOW} sliding_window attention_window_size window_size sliding_window_size local_attention attention_chunk_size
{WINDOW} keep_window_size mamba_chunk_size chunk_size local_radius global_block_size block_size attention_window
{WINDOW} index_topk
{LIMIT} max_position_embeddings n_positions max_seq_len context_length n_ctx max_target_positions
{LIMIT} max_source_positions max_decoder_position_embeddings max_encoder_position_embeddings
{VOCABULARY} vocab_size vocab_size_per_layer_input
0.3 initializer_range init_std embed_init_std
"""
SMALL: dict[str, Any] = {
    name: literal_eval(size) for size, *names in map(str.split, SIZES.strip().splitlines()) for name in names
}
# What says that an encoder reads from left to right.
LEFT_TO_RIGHT = ("is_decoder", "causal")
INDEX = {"n_heads": 16, "kv_heads": 1, "head_dim": 8, "budget": 32, "compress_ratio": 4}
INDEXER = {f"indexer_{name}": size for name, size in INDEX.items()}
DOTS_HEADS = {"num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 16, "qk_nope_head_dim": 8}
DOTS_SLIDING = DOTS_HEADS | {"v_head_dim": 8, "q_lora_rank": 16, "kv_lora_rank": 16}
# What the names do not tell.
OWN: dict[str, dict[str, Any]] = {
    "bamba": {"mamba_d_head": 16},
    "falcon_h1": {"mamba_d_head": 16, "mamba_d_ssm": 64},
    "granitemoehybrid": {"mamba_d_head": 16},
    "blt": {"encoder_hash_byte_group_vocab": VOCABULARY},
    "cohere_compass_text": {
        "layer_types": ["sliding_attention", "full_attention"] * 2,
        "rope_parameters": {
            kind: {"rope_type": "default", "rope_theta": 10000.0} for kind in ("sliding_attention", "full_attention")
        },
    },
    "dbrx": {"attn_config": {"rope_theta": 10000.0, "kv_n_heads": 2, "clip_qkv": 8.0}},
    "dots3_note_text": {f"swa_{name}": size for name, size in DOTS_SLIDING.items()},
    "dots3_note": {
        "text_config": {f"swa_{name}": size for name, size in DOTS_SLIDING.items()},
        "vision_config": {"mlp_layer_types": ["dense"] * 4, "adapter_in_dim": 32, "adapter_out_dim": 32},
        "audio_config": {"adapter_input_size": 32, "adapter_out_dim": 32},
    },
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 2},
    "perceiver": {"num_latents": 16, "num_self_attends_per_block": 2},
    "neomme": {"head_dim": 16},
    "phi4_multimodal": {"audio_config": {"ext_pw_out_channel": 32}},
    "qwen4_exp_text": INDEXER,
    "qwen4_exp": {"text_config": INDEXER},
    "zamba": {"layers_block_type": ["mamba", "hybrid"] * 2, "attention_hidden_size": 64, "attention_head_dim": 16},
    "encoder-decoder": {"decoder": {"is_decoder": True, "add_cross_attention": True}},
    "esmc": {"num_key_value_heads": 4},
    "gemma3n_text": {"num_kv_shared_layers": 0},
    "gpt_neo": {"attention_types": [[["global", "local"], 2]]},
    "mamba2": {"head_dim": 16},
    "mobilebert": {"intra_bottleneck_size": 32},
    "reformer": {
        "attn_layers": ["local", "lsh"] * 2,
        "axial_pos_shape": [8, 12],
        "axial_pos_embds_dim": [16, 16],
        "num_buckets": 4,
        "lsh_attn_chunk_length": 16,
        "local_attn_chunk_length": 16,
    },
    "roc_bert": {"pronunciation_vocab_size": VOCABULARY, "shape_vocab_size": VOCABULARY},
    "luke": {"entity_vocab_size": 10, "entity_emb_size": 32},
    "xmod": {"default_language": "en_XX"},
    "hrm_text": {"initializer_range": 0.1},
    "zamba2": {"layers_block_type": ["mamba", "hybrid"] * 2, "n_mamba_heads": 4, "attention_hidden_size": 64},
    "zaya": {"num_experts_per_tok": 1},
}


@dataclass(frozen=True)
class Row:
    """What was found of one architecture: `way` is how its texts are computed, the fastest that is exact."""

    name: str
    head: str
    kind: str
    verdict: str
    way: str = ""
    apart: float = math.nan
    reason: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare every architecture with a reference of one token at a time.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="model types (default: all)")
    parser.add_argument("--kind", choices=HEADS, nargs="+", default=list(HEADS))
    parser.add_argument("--page", type=Path, help="the page that the table goes into")
    arguments = parser.parse_args()
    quieten()
    rows = []
    for kind, name in product(arguments.kind, sorted(transformers.CONFIG_MAPPING)):
        if name in HEADS[kind] and (not arguments.names or name in arguments.names) and reads_text(name, kind):
            rows.append(examine(name, kind))
            print(rows[-1], flush=True)
    if arguments.page:
        write_page(rows, arguments.page)


def reads_text(name: str, kind: str) -> bool:
    """Tell whether it is a model of texts of that kind: among encoder–decoders `transformers` also counts those that
    only listen, and among masked models those with a decoder."""
    both = getattr(transformers.CONFIG_MAPPING[name], "is_encoder_decoder", False)
    return kind == CAUSAL or bool(both) == (kind == ENCODER_DECODER)


def quieten() -> None:
    """Keep libraries from talking of what is tiny and random on purpose."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(1)


def examine(name: str, kind: str) -> Row:
    """Build an architecture, score `TEXTS` with it, and compare."""
    head = HEADS[kind][name]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / name
        try:
            build(name, kind, folder)
            reference = Reference(folder, kind)
            reference.logprob([5, 6, 7], 2, None)
        except Exception as error:  # Whatever a library makes of sizes that it has not met.
            return Row(name, head, kind, UNBUILT, reason=shorten(error))
        try:
            return compare(name, head, kind, folder, reference)
        except StarbankError as error:
            return Row(name, head, kind, REFUSED, reason=shorten(error.message))


def shorten(error: object) -> str:
    return textwrap.shorten(" ".join(str(error).split()), 160) or type(error).__name__


def build(name: str, kind: str, folder: Path) -> None:
    """Save a tiny model with random weights, and a tokenizer."""
    torch.manual_seed(0)
    config = transformers.CONFIG_MAPPING[name]
    decoder: dict[str, Any] = {name: True for name in LEFT_TO_RIGHT if kind == CAUSAL and hasattr(config, name)}
    if kind == ENCODER_DECODER:
        decoder = {"decoder_start_token_id": SMALL["decoder_start_token_id"]}
    config = shrink(config, OWN.get(name, {}) | decoder)
    model = AUTO[kind].from_config(config)
    fill_zeros(model)
    model.eval().save_pretrained(folder)
    make_tokenizer(kind).save_pretrained(folder)


@torch.no_grad()
def fill_zeros(model: Any) -> None:
    """Make random what is 0 until a model is trained, such as what attention adds in some: it would do nothing."""
    for weights in model.parameters():
        if weights.dim() > 1 and not weights.any():
            weights.normal_(std=SMALL["initializer_range"])


def shrink(config: type, own: Mapping[str, Any]) -> Any:
    """Return a configuration of small sizes, and of small ones in it."""
    default = config()
    names = set(default.to_dict()) | set(getattr(config, "attribute_map", {}))
    sizes = {name: size for name, size in SMALL.items() if name in names}
    if "kv_lora_rank" in names:  # Every head has keys of its own, from what all share.
        sizes["num_key_value_heads"] = SMALL["num_attention_heads"]
    parts = {name: getattr(default, name, None) for name in getattr(config, "sub_configs", {})}
    parts = {name: shrink(type(part), own.get(name, {})).to_dict() for name, part in parts.items() if part is not None}
    mapped = getattr(config, "attribute_map", {})
    # One size under two names is said once.
    sizes = {name: value for name, value in sizes.items() if mapped.get(name) not in sizes}
    return config(**{**sizes, **own, **parts})


def make_tokenizer(kind: str) -> Any:
    """Return a byte-level tokenizer with few merges."""
    tokenizer = Tokenizer(BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    around = {CAUSAL: "<s> $A", MASKED: "<s> $A </s>", ENCODER_DECODER: "$A </s>"}[kind]
    pairs = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(single=around, special_tokens=pairs)
    names = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    mask = {"mask_token": "<mask>"} if kind == MASKED else {}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names, **mask)


class Reference:
    """ln p of a token by one pass of the bare model over what it may see."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.kind = kind
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = AUTO[kind].from_pretrained(folder, dtype=torch.float32).eval()

    def reads(self, texts: list[str], limit: int | None) -> Iterator[tuple[int, int, float]]:
        """Yield (text, token, ln p) of the tokens at the borders of windows, and of every seventh other."""
        for number, text in enumerate(texts):
            ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
            borders = {place for border in (WINDOW, LIMIT, LIMIT * 3 // 2) for place in range(border - 2, border + 2)}
            for place in range(len(ids)):
                if place % 7 == 0 or place in borders:
                    yield number, place, self.logprob(ids, place, limit)

    def logprob(self, ids: list[int], place: int, limit: int | None) -> float:
        """Return ln p of the token at `place` of the text `ids`."""
        find = self.tokenizer.convert_tokens_to_ids
        if self.kind == MASKED:
            shown = [*ids[:place], find("<mask>"), *ids[place + 1 :]]
            room = len(ids) if limit is None else min(len(ids), limit - 2)
            start = min(max(place - room // 2, 0), len(ids) - room)
            inputs = {"input_ids": [find("<s>"), *shown[start : start + room], find("</s>")]}
            return self.ask(inputs, place - start + 1, ids[place])
        first = find("<s>") if self.kind == CAUSAL else self.model.config.decoder_start_token_id
        before = [first, *ids[:place]]
        # A window ends where it is full, and the next begins half a window before that.
        end = limit or len(before) + 1
        while len(before) + 1 > end:
            end += (limit or 0) - (limit or 0) // 2
        seen = before[max(0, end - (limit or end)) :]
        if self.kind == CAUSAL:
            return self.ask({"input_ids": seen}, -1, ids[place])
        return self.ask({"input_ids": [find("</s>")], "decoder_input_ids": seen}, -1, ids[place])

    @torch.inference_mode()
    def ask(self, inputs: dict[str, list[int]], position: int, token: int) -> float:
        tensors = {name: torch.tensor([ids]) for name, ids in inputs.items()}
        return self.model(**tensors, use_cache=False).logits[0, position].double().log_softmax(-1)[token].item()


def compare(name: str, head: str, kind: str, folder: Path, reference: Reference) -> Row:
    """Score `TEXTS` and hold the scores against the reference. Raises `StarbankError` where they are refused."""
    level = "sentence-original" if kind == MASKED else "sentence"
    model = LanguageModel(find_model(str(folder)), Settings())
    scores = model.token_scores([Text(text, (len(text),), None) for text in TEXTS], [level])[level]
    network = model._network
    first = np.searchsorted(scores.text, np.arange(len(TEXTS)))
    try:
        text, place, expected = map(np.array, zip(*reference.reads(TEXTS, network.frame.limit), strict=True))
    except Exception as error:
        return Row(name, head, kind, UNBUILT, reason=f"the reference fails: {shorten(error)}")
    difference = np.abs(scores.logprob[first[text] + place] - expected)
    apart = float(difference.max())
    if np.std(expected) < ALIKE:
        return Row(name, head, kind, UNBUILT, reason="its random weights make all tokens alike")
    ways = {way for (way, _), holds in network._holding.items() if holds}
    way = max(ways, default=Way.ALONE).name.lower()
    close = bool((difference < TOLERANCE * np.maximum(1, np.abs(expected) / 10)).all())
    return Row(name, head, kind, EXACT if close else WRONG, way, apart)


def write_page(rows: list[Row], page: Path) -> None:
    """Put the tables between the marks of `page`."""
    before, _, after = re.split(MARK, page.read_text(encoding="utf-8"))
    tables = [f"Compared with transformers {transformers.__version__} and PyTorch {torch.__version__.split('+')[0]}."]
    for verdict in TITLES:
        some = [row for row in rows if row.verdict == verdict]
        tables.append(f"## {TITLES[verdict]}\n\n{len(some) or 'None'} of {len(rows)}.")
        if some:
            last = ["reason"] if verdict in (REFUSED, UNBUILT) else ["inputs run", "largest difference, nats"]
            head = ["architecture", "class", "kind", *last]
            tables.append("\n".join([to_cells(head), to_cells(["---"] * len(head)), *map(to_line, some)]))
    middle = "\n\n".join(tables)
    page.write_text(f"{before}{MARK}\n{middle}\n{MARK}{after}", encoding="utf-8")


def to_line(row: Row) -> str:
    """Return the row as Markdown."""
    last = [WAYS[row.way], f"{row.apart:.0e}"] if row.way else [re.sub(r"([|<>*_])", r"\\\1", row.reason)]
    return to_cells([f"`{row.name}`", row.head, row.kind, *last])


def to_cells(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def read_page(page: Path) -> dict[str, list[tuple[str, str]]]:
    """Return (architecture, kind) of the rows of `page` by the title of their table."""
    listed: dict[str, list[tuple[str, str]]] = {}
    for section in page.read_text(encoding="utf-8").split("\n## ")[1:]:
        rows = re.findall(r"^\| `(.+?)` \| \w+ \| ([\w-]+) \|", section, re.MULTILINE)
        listed[section.splitlines()[0]] = rows
    return listed


if __name__ == "__main__":
    main()
