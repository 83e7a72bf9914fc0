"""Scoring beside minicons and lm-evaluation-harness, on the same sentences with the same models, in one run.

The items are the published Georgian ones (three conditions each) and pairs of a suite of your own, for instance

    starbank generate queries/universal/subject-verb-number.grew --treebank UD_Spanish-PUD UD_Hindi-PUD -o SUITES

The models have random weights and the vocabularies of real ones: 8,000 and 250,000 tokens. The programs take turns, on
one thread; of each the quickest of several rounds counts, in seconds of CPU time (and of wall time, which other work on
the machine makes longer). Minicons is called with 32 sentences at a time, for masked sentences
with 8, or with 1 where the vocabulary is large (its logits fill the memory); the harness has batches of 32.

    python benchmarks/scoring.py SUITES/subject-verb-number [--items N] [--masked-items N] [--rounds N] [--threads N]
        [--vocabulary 8k 250k] [--shape LAYERSxWIDTH ...] [--only causal original within_word_l2r words]

`sentences alone` is ours without what variants share: what sorting by length gives. Operations are those of matrix
products and attention, counted in a run of their own, and how long they would take at the speed of one large product:
no program that does as many can be quicker than that.
"""

from __future__ import annotations

import argparse
import csv
import logging
import random
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from starbank.scoring.conditions import Text, read_conditions, to_texts
from starbank.scoring.probes import SIZES, Way

ROOT = Path(__file__).resolve().parent.parent
GEORGIAN = ROOT.parent / "shared/published/georgian"
VOCABULARIES = {"8k": 8_000, "250k": 250_000}
# Layers and width: half the width and a third of the depth of the usual base models.
SHAPE = (4, 384)
BATCH_TOKENS = 1024
SPECIAL = {"unk_token": "<unk>", "pad_token": "<pad>", "cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"}
Item = list[Text]


def main() -> None:
    parser = argparse.ArgumentParser(description="Time scoring beside minicons and lm-evaluation-harness.")
    parser.add_argument("suite", type=Path, nargs="?", help="a suite of pairs")
    parser.add_argument("--georgian", type=Path, default=GEORGIAN, help="the published items (default: %(default)s)")
    parser.add_argument("--items", type=int, default=100, help="items for causal models")
    parser.add_argument("--masked-items", type=int, default=12, help="items for masked models")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--vocabulary", choices=VOCABULARIES, nargs="+", default=list(VOCABULARIES))
    parser.add_argument("--shape", type=to_shape, nargs="+", default=[SHAPE], metavar="LAYERSxWIDTH")
    parser.add_argument("--only", choices=TASKS, nargs="+", default=TASKS)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    import torch

    torch.set_num_threads(arguments.threads)
    sets = {}
    if arguments.georgian.is_dir():
        sets["Georgian"] = read_published(arguments.georgian)
    if arguments.suite:
        sets["universal"] = read_suite(arguments.suite)
    for (layers, width), vocabulary in product(arguments.shape, arguments.vocabulary):
        with tempfile.TemporaryDirectory() as folder:
            texts = [text.text for items in sets.values() for item in items for text in item]
            models = build_models(Path(folder), VOCABULARIES[vocabulary], layers, width, texts)
            speed = product_speed(width)
            for (name, items), task in product(sets.items(), arguments.only):
                programs = PROGRAMS[task](models, vocabulary)
                count = arguments.masked_items if task in MASKED_METRICS else arguments.items
                title = f"{layers}x{width}, {vocabulary}, {name}, {TITLES[task]}"
                some = random.Random(0).sample(items, min(count, len(items)))
                compare(title, programs, some, arguments.rounds, speed, same=task != "words")


def to_shape(text: str) -> tuple[int, int]:
    """Return layers and width."""
    layers, width = map(int, text.split("x"))
    return layers, width


def read_published(folder: Path) -> list[Item]:
    """Return the published items, each with its three forms."""
    items: dict[tuple[str, str], Item] = {}
    for path in sorted(folder.glob("ntp-*sentence-level.csv")):
        with path.open(encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                prefix, suffix = row["masked_text"].split("[MASK]")
                forms = [value for key, value in row.items() if key.startswith("form_")]
                items[row["sentence_id"], row["match_id"]] = [to_text(prefix, form, suffix) for form in forms]
    return list(items.values())


def read_suite(folder: Path) -> list[Item]:
    """Return the items of a suite."""
    conditions = read_conditions([folder])
    items: dict[int, Item] = {}
    for item, text in zip(conditions["item"].to_pylist(), to_texts(conditions), strict=True):
        items.setdefault(item, []).append(text)
    return list(items.values())


def to_text(prefix: str, form: str, suffix: str) -> Text:
    ends = np.cumsum([len(prefix), len(form), len(suffix)]).tolist()
    return Text(prefix + form + suffix, tuple(ends), 1)


def build_models(folder: Path, vocabulary: int, layers: int, width: int, texts: list[str]) -> Path:
    """Save a causal and a masked model with random weights; the tokenizer learns from `texts`, as far as they reach."""
    import torch
    from tokenizers import Tokenizer, pre_tokenizers, processors, trainers
    from tokenizers.models import BPE
    from transformers import BertConfig, BertForMaskedLM, GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    torch.manual_seed(0)
    tokenizer = Tokenizer(BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = list(SPECIAL.values())
    trainer = trainers.BpeTrainer(vocab_size=min(vocabulary, 30_000), special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", bos_token="<s>", eos_token="</s>"
    ).save_pretrained(folder / "causal")
    pairs = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=pairs)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **SPECIAL).save_pretrained(folder / "masked")
    heads = max(1, width // 64)
    config = GPT2Config(
        vocab_size=vocabulary, n_embd=width, n_layer=layers, n_head=heads, bos_token_id=2, eos_token_id=3
    )
    GPT2LMHeadModel(config).save_pretrained(folder / "causal")
    shape = {"hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads}
    config = BertConfig(vocab_size=vocabulary, pad_token_id=1, intermediate_size=4 * width, **shape)
    BertForMaskedLM(config).save_pretrained(folder / "masked")
    return folder


Program = Callable[[list[Item]], Iterable[float]]


def causal(models: Path, _: str) -> dict[str, Program]:
    """Sums over sentences, with a beginning."""
    programs = {"starbank": ours(models / "causal", "sentence"), "sentences alone": alone(models / "causal")}
    minicons = load_minicons("IncrementalLMScorer", models / "causal")
    if minicons:
        programs["minicons"] = in_batches(
            32, lambda batch: minicons.sequence_score(batch, reduction=total, bos_token=True)
        )
    try:
        from lm_eval.api.instance import Instance
        from lm_eval.models.huggingface import HFLM
    except ImportError:
        return programs
    harness = HFLM(str(models / "causal"), device="cpu", dtype="float32", batch_size=32)

    def run(items: list[Item]) -> list[float]:
        requests = [
            Instance("loglikelihood", {}, ("", text.text), number)
            for number, text in enumerate(text for item in items for text in item)
        ]
        return [value for value, _ in harness.loglikelihood(requests, disable_tqdm=True)]

    return programs | {"lm-eval": run}


def masked(metric: str, models: Path, vocabulary: str) -> dict[str, Program]:
    """Pseudo-log-likelihoods."""
    programs = {"starbank": ours(models / "masked", MASKED_METRICS[metric])}
    size = 8 if vocabulary == "8k" else 1
    if minicons := load_minicons("MaskedLMScorer", models / "masked"):
        programs["minicons"] = in_batches(
            size, lambda batch: minicons.sequence_score(batch, reduction=total, PLL_metric=metric)
        )
    return programs


def words(models: Path, _: str) -> dict[str, Program]:
    """The target in its sentence: ours with one mask for the rest of it, minicons' with one for each token."""
    programs = {"starbank": ours(models / "masked", "word")}
    if minicons := load_minicons("MaskedLMScorer", models / "masked"):

        def run(items: list[Item]) -> list[float]:
            texts = [text for item in items for text in item]
            scores: list[float] = []
            for first in range(0, len(texts), 32):
                parts = [split(text) for text in texts[first : first + 32]]
                prefixes, forms, suffixes = map(list, zip(*parts, strict=True))
                scores += minicons.conditional_score(
                    prefixes, forms, suffixes, reduction=total, PLL_metric="within_word_l2r"
                )
            return scores

        programs["minicons"] = run
    return programs


def split(text: Text) -> list[str]:
    assert text.target is not None
    start, end = (text.ends[text.target - 1] if text.target else 0), text.ends[text.target]
    return [part.strip() for part in (text.text[:start], text.text[start:end], text.text[end:])]


def ours(folder: Path, level: str) -> Program:
    from starbank.scoring.language_models import LanguageModel
    from starbank.scoring.regions import by_region
    from starbank.scoring.sources import Settings, find_model

    model = LanguageModel(find_model(str(folder)), Settings(batch_tokens=BATCH_TOKENS))

    def run(items: list[Item]) -> list[float]:
        texts = [text for item in items for text in item]
        scores = model.token_scores(texts, [level])[level]
        return [sum(filter(None, regions)) for regions in by_region(texts, scores, level)[0].to_pylist()]

    run.network = model._network  # type: ignore[attr-defined]
    return run


def alone(folder: Path) -> Program:
    run = ours(folder, "sentence")
    run.network._holding |= dict.fromkeys(product([Way.SHARED], SIZES), False)  # type: ignore[attr-defined]
    return run


def load_minicons(kind: str, folder: Path) -> Any:
    try:
        from minicons import scorer
    except ImportError:
        return None
    model = getattr(scorer, kind)(str(folder))
    # Version 0.3.39 calls a method that transformers 5 no longer has.
    model.tokenizer.batch_encode_plus = lambda text, **options: model.tokenizer(text, **options)
    return model


def in_batches(size: int, score: Callable[[list[str]], list[float]]) -> Program:
    def run(items: list[Item]) -> list[float]:
        texts = [text.text for item in items for text in item]
        return [value for first in range(0, len(texts), size) for value in score(texts[first : first + size])]

    return run


def total(scores: Any) -> float:
    return scores.sum(0).item()


TASKS = ["causal", "original", "within_word_l2r", "words"]
MASKED_METRICS = {"original": "sentence-original", "within_word_l2r": "sentence"}
TITLES = {"causal": "causal sentences", "words": "masked words"} | {name: f"masked {name}" for name in MASKED_METRICS}
PROGRAMS = {"causal": causal, "words": words} | {name: partial(masked, name) for name in MASKED_METRICS}


def product_speed(width: int) -> float:
    """Return the operations in a second of one product as large as those of a batch."""
    import torch

    states, weights = torch.randn(BATCH_TOKENS, width), torch.randn(width, 4 * width)
    states @ weights
    begin = time.process_time()
    for _ in range(100):
        states @ weights
    return 100 * 2 * BATCH_TOKENS * width * 4 * width / (time.process_time() - begin)


def count_operations(program: Program, items: list[Item]) -> int:
    """Return the operations of matrix products and attention that `program` does for `items`."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        list(program(items))
    return counter.get_total_flops()


def compare(
    title: str, programs: dict[str, Program], items: list[Item], rounds: int, speed: float, same: bool = True
) -> None:
    """Print how long each program takes for `items`, how much it computes, and how far its scores are from ours."""
    best: dict[str, tuple[float, float]] = {}
    scores: dict[str, np.ndarray] = {}
    for number in range(rounds + 1):
        for name, program in programs.items():
            chosen = items if number else items[:2]  # The first round warms up.
            cpu, wall = time.process_time(), time.perf_counter()
            scores[name] = np.array(list(program(chosen)))
            spent = (time.process_time() - cpu, time.perf_counter() - wall)
            if number:
                best[name] = min(best.get(name, spent), spent)
    operations = {name: count_operations(program, items) for name, program in programs.items()}
    print(f"\n{title}: {len(items)} items, {sum(map(len, items))} sentences")
    for name, (cpu, wall) in best.items():
        apart = f"largest difference {np.abs(scores[name] - scores['starbank']).max():.1e}" if same else ""
        print(
            f"  {name:16} {cpu:8.2f} s CPU {wall:8.2f} s wall {cpu / best['starbank'][0]:6.2f} x  "
            f"{operations[name] / 1e9:8.1f} G operations {operations[name] / operations['starbank']:6.2f} x  "
            f"products alone {operations[name] / speed:6.2f} s  {apart}",
            flush=True,
        )


if __name__ == "__main__":
    main()
