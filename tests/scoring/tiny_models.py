"""Tiny language models, built and really trained in seconds."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

TEXT = [
    "კაცმა სახლი ააშენა.",
    "კაცი სახლს აშენებს.",
    "ბავშვმა წიგნი წაიკითხა.",
    "ბავშვი წიგნს კითხულობს.",
    "ქალმა კაცი დაინახა და გაიცინა.",
    "ქალს კაცი უყვარს, მაგრამ კაცს ქალი არ უყვარს.",
    "लड़के ने किताब पढ़ी।",
    "लड़का किताब पढ़ता है।",
    "लड़की ने लड़के को देखा।",
    "The keys to the cabinet are on the table.",
    "The key to the cabinets is on the table.",
    "The man's dog doesn't bark, but the cats do.",
    "Mutilak liburua irakurri du.",
    "Mutilak liburuak irakurri ditu.",
]


def build_all(folder: Path) -> None:
    """Build all models below `folder`."""
    for build in (byte_level_gpt, _pieces_gpt, wordpiece_bert, pieces_roberta, _pieces_t5, _byte_level_bart):
        build(folder)


def byte_level_gpt(folder: Path) -> None:
    """Build `causal` and `causal-without-beginning` below `folder`."""
    from tokenizers import Tokenizer, decoders, pre_tokenizers, processors, trainers
    from tokenizers.models import BPE
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    tokenizer.decoder = decoders.ByteLevel()
    # So few merges that Georgian and Hindi letters are in several tokens each.
    trainer = trainers.BpeTrainer(
        vocab_size=360,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXT, trainer)
    config = GPT2Config(vocab_size=360, n_positions=256, n_embd=32, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
    _train(GPT2LMHeadModel, config, tokenizer, folder / "causal", bos_token="<|endoftext|>", eos_token="<|endoftext|>")
    shutil.copytree(folder / "causal", folder / "causal-without-beginning")
    _wrap(tokenizer, eos_token="<|endoftext|>").save_pretrained(folder / "causal-without-beginning")


def _pieces_gpt(folder: Path) -> None:
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = _pieces(["<unk>", "<pad>"])
    config = GPT2Config(vocab_size=tokenizer.get_vocab_size(), n_positions=64, n_embd=32, n_layer=2, n_head=2)
    config.bos_token_id = config.eos_token_id = None
    _train(GPT2LMHeadModel, config, tokenizer, folder / "causal-pieces", unk_token="<unk>", pad_token="<pad>")


def wordpiece_bert(folder: Path) -> None:
    """Build `masked` below `folder`."""
    from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors, trainers
    from tokenizers.models import WordPiece
    from transformers import BertConfig, BertForMaskedLM

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(
        TEXT, trainers.WordPieceTrainer(vocab_size=200, special_tokens=special, show_progress=False)
    )
    pairs = [(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=pairs)
    size = tokenizer.get_vocab_size()
    config = BertConfig(
        vocab_size=size, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    _train(BertForMaskedLM, config, tokenizer, folder / "masked", **dict(zip(names, special, strict=True)))


def pieces_roberta(folder: Path) -> None:
    """Build `masked-pieces` below `folder`."""
    from tokenizers import processors
    from transformers import XLMRobertaConfig, XLMRobertaForMaskedLM

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer = _pieces(special)
    pairs = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=pairs)
    size = tokenizer.get_vocab_size()
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    # As in RoBERTa itself, two positions more than tokens: counting begins after the padding.
    config = XLMRobertaConfig(vocab_size=size, pad_token_id=1, max_position_embeddings=66, type_vocab_size=1, **shape)
    names = dict(zip(("cls_token", "pad_token", "sep_token", "unk_token", "mask_token"), special, strict=True))
    _train(XLMRobertaForMaskedLM, config, tokenizer, folder / "masked-pieces", **names)


def _pieces_t5(folder: Path) -> None:
    from tokenizers import processors
    from transformers import T5Config, T5ForConditionalGeneration

    tokenizer = _pieces(["<pad>", "</s>", "<unk>", "<extra_id_0>"])
    end = [("</s>", tokenizer.token_to_id("</s>"))]
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=end)
    shape = {"d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 2, "num_heads": 2}
    config = T5Config(vocab_size=tokenizer.get_vocab_size(), decoder_start_token_id=0, dropout_rate=0, **shape)
    names = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    _train(T5ForConditionalGeneration, config, tokenizer, folder / "encoder-decoder", **names)


def _byte_level_bart(folder: Path) -> None:
    from tokenizers import Tokenizer, processors
    from transformers import BartConfig, BartForConditionalGeneration

    special = ["<s>", "<pad>", "</s>", "<mask>"]
    tokenizer = Tokenizer.from_file(str(folder / "causal" / "tokenizer.json"))
    tokenizer.add_special_tokens(special)
    pairs = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=pairs)
    names = dict(zip(("bos_token", "pad_token", "eos_token", "mask_token"), special, strict=True))
    ids = {f"{name}_id": tokenizer.token_to_id(token) for name, token in names.items() if name != "mask_token"}
    shape = {"d_model": 32, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 256}
    layers = dict.fromkeys(("encoder_layers", "decoder_layers"), 2)
    heads = dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 2)
    size, start = tokenizer.get_vocab_size(), ids["eos_token_id"]
    config = BartConfig(vocab_size=size, decoder_start_token_id=start, **ids, **shape, **layers, **heads)
    _train(BartForConditionalGeneration, config, tokenizer, folder / "encoder-decoder-bart", **names)


def _pieces(special: list[str]) -> Any:
    from tokenizers import Tokenizer, pre_tokenizers, trainers
    from tokenizers.models import Unigram

    tokenizer = Tokenizer(Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=150, special_tokens=special, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(TEXT, trainer)
    return tokenizer


def _wrap(tokenizer: Any, **names: str) -> Any:
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def _train(architecture: Callable[[Any], Any], config: Any, tokenizer: Any, folder: Path, **names: str) -> None:
    """Train a few steps, so that probabilities depend on the context, and save model and tokenizer."""
    import torch

    torch.manual_seed(0)
    wrapped = _wrap(tokenizer, **names)
    wrapped.save_pretrained(folder)
    padding = {} if wrapped.pad_token_id is not None else {"pad_token": "<|endoftext|>"}
    batch = _wrap(tokenizer, **names, **padding)(TEXT, padding=True, return_tensors="pt", return_token_type_ids=False)
    labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
    model = architecture(config).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for _ in range(10):
        inputs = batch["input_ids"].clone()
        if wrapped.mask_token_id is not None:
            inputs[torch.rand(inputs.shape) < 0.3] = wrapped.mask_token_id
        loss = model(input_ids=inputs, attention_mask=batch["attention_mask"], labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
