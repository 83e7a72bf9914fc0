"""How fast large causal models score minimal pairs on this machine, beside lm-evaluation-harness and minicons.

    python benchmarks/gpu.py [--shape tiny 160m 1b 7b] [--items N] [--others N] [--gpus N] [--peak TERAFLOPS]

Models of these shapes (Pythia 160M, Llama 3.2 1B, Llama 2 7B) get random weights in bfloat16, and score pairs of
made-up sentences of some 20 tokens. Ours is all that `starbank score` does after the model is loaded: tokens, plans,
the network, regions, the journal; with several GPUs also the loading of the copies. The others get as many of the pairs
as `--others` says, in batches of 64. Tokens are those of all sentences in full, whoever computes how many of them;
operations are those that were really done, counted by PyTorch on some pairs, and the share of the peak is theirs. 7b
needs 14 GB on the disk for temporary files and at most 45 GB on the GPU; at 40% of the peak of an H100 its 100,000
pairs take three minutes. Without a GPU, or with `--shape tiny`, it shows that it works; a program that is not
installed, or breaks, is said to, and the others go on.
"""

from __future__ import annotations

import argparse
import gc
import logging
import random
import re
import tempfile
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers, trainers
from tokenizers.models import BPE
from torch.utils.flop_counter import FlopCounterMode
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from starbank.scoring.chunks import compute, make_key
from starbank.scoring.conditions import SENTENCE, Text
from starbank.scoring.journal import RESULTS, Journal, look_up
from starbank.scoring.language_models import LanguageModel
from starbank.scoring.sources import BATCH_TOKENS, Settings, find_model


@dataclass(frozen=True)
class Shape:
    """A model's size."""

    layers: int
    width: int
    heads: int
    shared_heads: int
    inner: int
    vocabulary: int


SHAPES = {
    "tiny": Shape(2, 64, 4, 2, 128, 1_000),
    "160m": Shape(12, 768, 12, 12, 3_072, 50_304),
    "1b": Shape(16, 2_048, 32, 8, 8_192, 128_256),
    "7b": Shape(32, 4_096, 32, 32, 11_008, 32_000),
}
# Dense products in 16 bits, in TFLOP/s, as the makers say.
PEAKS = {
    **{"B200": 2250, "GH200": 989, "H200": 989, "H100 PCIe": 756, "H100 NVL": 835, "H100": 989},
    **{"A100": 312, "A40": 150, "A30": 165, "L40S": 362, "L40": 181, "L4": 121, "RTX 4090": 165},
}
COUNTED = 64
BATCH = 64
Pair = tuple[str, str]
Program = Callable[[Sequence[Pair]], Sequence[float]]


@dataclass(frozen=True)
class Row:
    """What a program did: pairs, seconds, and operations; how far its sums are from ours, in nats."""

    program: str
    pairs: int
    seconds: float
    tokens: int
    operations: float
    apart: float


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Time large causal models beside other programs.")
    parser.add_argument("--shape", choices=SHAPES, nargs="+", default=["160m", "1b", "7b"])
    parser.add_argument("--items", type=int, default=100_000, help="pairs for ours (default: %(default)s)")
    parser.add_argument("--others", type=int, default=2_000, help="pairs for the others (default: %(default)s)")
    parser.add_argument("--batch-tokens", type=int, default=BATCH_TOKENS)
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--peak", type=float, help="of the chip, in TFLOP/s (default: as its maker says, or measured)")
    options = parser.parse_args(arguments)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    peak, source = find_peak(device, options.peak)
    print(f"{describe(device)}, peak {peak / 1e9:.0f} GFLOP/s ({source}), PyTorch {torch.__version__}")
    for name in options.shape:
        print(f"\n{name}: {SHAPES[name]}")
        for row in compare(SHAPES[name], device, options):
            say(row, peak * (options.gpus if row.program == "starbank" else 1))


def describe(device: str) -> str:
    return torch.cuda.get_device_name() if device == "cuda" else f"a processor, {torch.get_num_threads()} threads"


def find_peak(device: str, given: float | None) -> tuple[float, str]:
    """Return operations in a second, and who says so."""
    if given:
        return given * 1e12, "as given"
    published = next((peak for name, peak in PEAKS.items() if re.search(rf"\b{name}\b", describe(device))), None)
    return (published * 1e12, "its maker's") if published else (product_speed(device), "a product of this size")


def product_speed(device: str) -> float:
    """Return the operations in a second of one large product."""
    width, dtype = (8192, torch.bfloat16) if device == "cuda" else (1024, torch.float32)
    left, right = (torch.randn(width, width, device=device, dtype=dtype) for _ in range(2))
    seconds = min(timed(partial(torch.matmul, left, right))[1] for _ in range(5))
    return 2 * width**3 / seconds


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what `work` gives, and the seconds that it takes, those of the GPU included."""
    begin = time.perf_counter()
    result = work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return result, time.perf_counter() - begin


def compare(shape: Shape, device: str, options: argparse.Namespace) -> Iterator[Row]:
    """Yield how fast each program is with a model of that shape."""
    pairs = list(make_pairs(options.items))
    some = random.Random(0).sample(pairs, min(options.others, len(pairs)))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "model"
        tokenizer = build(shape, folder, device, pairs[:1000])
        expected: np.ndarray | None = None
        for name, load in (("starbank", ours), ("lm-eval", harness), ("minicons", minicons)):
            chosen = pairs if name == "starbank" else some
            try:
                seconds, operations, sums = measure(partial(load, folder, device, options), chosen, some)
            except Exception as error:  # Of programs as they are today nobody knows how.
                reason = f"{textwrap.shorten(str(error), 200)} ({type(error).__name__})"
                print(f"  {name:10} is left out: {reason}", flush=True)
                continue
            finally:
                # One model at a time, the broken ones too.
                gc.collect()
                torch.cuda.empty_cache()
            expected = sums if expected is None else expected
            tokens = sum(map(len, tokenizer([text for pair in chosen for text in pair])["input_ids"]))
            yield Row(name, len(chosen), seconds, tokens, operations, float(np.abs(sums - expected).max()))


def measure(
    load: Callable[[], Program], chosen: Sequence[Pair], some: Sequence[Pair]
) -> tuple[float, float, np.ndarray]:
    """Return how many seconds a program takes for the `chosen` pairs, how many operations, and what it gives `some`."""
    program = load()
    program(some[:BATCH])  # What is done once is done now.
    sums, seconds = timed(partial(program, chosen))
    operations = count(partial(program, some[:COUNTED])) * len(chosen) / len(some[:COUNTED])
    return seconds, operations, np.array(sums if chosen is some else program(some))


def make_pairs(count: int) -> Iterator[Pair]:
    """Yield pairs of sentences of made-up words that differ in one word."""
    draw = random.Random(0)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "is")]
    words = ["".join(draw.choices(syllables, k=draw.randint(1, 3))) for _ in range(4000)]
    for _ in range(count):
        sentence = draw.choices(words, k=draw.randint(6, 18))
        place = draw.randrange(1, len(sentence))
        changed = [*sentence[:place], draw.choice(words), *sentence[place + 1 :]]
        yield " ".join(sentence).capitalize() + ".", " ".join(changed).capitalize() + "."


def build(shape: Shape, folder: Path, device: str, pairs: Sequence[Pair]) -> Any:
    """Save a model with random weights; return its tokenizer."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=min(shape.vocabulary, 2000), special_tokens=["<s>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([text for pair in pairs for text in pair], trainer)
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="<s>", pad_token="<s>")
    wrapped.save_pretrained(folder)
    config = LlamaConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.width,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.shared_heads,
        intermediate_size=shape.inner,
        bos_token_id=0,
        eos_token_id=0,
        pad_token_id=0,
        dtype="bfloat16",
    )
    torch.manual_seed(0)
    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device(device):
            LlamaForCausalLM(config).save_pretrained(folder)
    finally:
        torch.set_default_dtype(torch.float32)
    return wrapped


def ours(folder: Path, device: str, options: argparse.Namespace) -> Program:
    scorer = LanguageModel(find_model(str(folder)), Settings(batch_tokens=options.batch_tokens))
    if options.gpus == 1:
        scorer.token_scores([Text("Ba.", (3,), None)], [SENTENCE])

    def run(pairs: Sequence[Pair]) -> Sequence[float]:
        texts = [Text(text, (len(text),), None) for pair in pairs for text in pair]
        keys = [{SENTENCE: make_key(scorer, SENTENCE, text)} for text in texts]
        item = np.repeat(np.arange(len(pairs)), 2)
        with tempfile.TemporaryDirectory() as place:
            journal = Journal(Path(place) / "scores.parquet", {"model": scorer.name})
            nothing = RESULTS.empty_table()
            results = compute(scorer, texts, keys, item, nothing, journal, options.batch_tokens, options.gpus)
        given = look_up(results, pa.array([by_level[SENTENCE] for by_level in keys]))
        return [sum(filter(None, regions)) for regions in given["logprobs"].to_pylist()]

    return run


def harness(folder: Path, device: str, options: argparse.Namespace) -> Program:
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    model = HFLM(str(folder), device=device, dtype=dtype_on(device), batch_size=BATCH)

    def run(pairs: Sequence[Pair]) -> Sequence[float]:
        texts = [text for pair in pairs for text in pair]
        requests = [Instance("loglikelihood", {}, ("", text), number) for number, text in enumerate(texts)]
        return [value for value, _ in model.loglikelihood(requests, disable_tqdm=True)]

    return run


def minicons(folder: Path, device: str, options: argparse.Namespace) -> Program:
    from minicons import scorer

    model = scorer.IncrementalLMScorer(str(folder), device, dtype=getattr(torch, dtype_on(device)))
    # Version 0.3.39 calls a method that transformers 5 no longer has.
    model.tokenizer.batch_encode_plus = lambda text, **options: model.tokenizer(text, **options)

    def run(pairs: Sequence[Pair]) -> Sequence[float]:
        texts = [text for pair in pairs for text in pair]
        batches = (texts[first : first + BATCH] for first in range(0, len(texts), BATCH))
        sums = partial(model.sequence_score, reduction=lambda scores: scores.sum(0).item(), bos_token=True)
        return [value for batch in batches for value in sums(batch)]

    return run


def dtype_on(device: str) -> str:
    return "bfloat16" if device == "cuda" else "float32"


def count(work: Callable[[], Any]) -> int:
    """Return the operations of products and attention that `work` does."""
    with FlopCounterMode(display=False) as counter:
        work()
    return int(counter.get_total_flops())


def say(row: Row, peak: float) -> None:
    rate = row.operations / row.seconds
    print(
        f"  {row.program:10} {row.pairs:8} pairs {row.seconds:9.2f} s {2 * row.pairs / row.seconds:10.0f} sentences/s "
        f"{row.tokens / row.seconds:11.0f} tokens/s {rate / 1e9:9.1f} GFLOP/s {rate / peak:6.1%} of the peak  "
        f"largest difference {row.apart:.1e} nats",
        flush=True,
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    main()
