"""What a small model learns of agreement when: the curve of docs/metrics.md, from templates to the image, in minutes.

Two seeds of a GPT-2 of 2 layers and width 64 learn from sentences of templates of CLAMS, less those that are tested; 20
checkpoints of each score the suites, of which one is of a template that they did not learn from.

    python benchmarks/training.py FOLDER

leaves suites, checkpoints, scores and results in FOLDER; the curve is in FOLDER/results/figures/.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Sequence, Set
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers, trainers
from tokenizers.models import BPE
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

from starbank.analysis import results
from starbank.models import read_models, read_range
from starbank.pipeline.generate import generate
from starbank.scoring import score

TEMPLATES = Path(__file__).resolve().parent.parent / "queries/eng"
TESTED = ("simple", "prepositional-phrase", "subject-relative")
LEARNT = ("simple", "prepositional-phrase", "verb-coordination", "object-relative")
SENTENCES = 8000
REVISIONS = ["step0", "step1 … step2048 times 2", "step96 … step384 times 2", "step768 … step1792 by 256"]
END = "<|endoftext|>"


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a small model, and draw what it learns when.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    # Threads that share cores with other work wait for one another longer than such small matrices take.
    torch.set_num_threads(1)
    generate([TEMPLATES / f"clams/{name}.template" for name in TESTED], [], folder / "tested")
    templates = [TEMPLATES / f"clams/{name}.template" for name in LEARNT]
    make_more(templates, SENTENCES, folder / "learnt", seed=7)
    tested = read_sentences(folder / "tested")
    sentences = sorted(read_sentences(folder / "learnt") - tested)
    print(f"{len(sentences)} sentences to learn from; {len(tested)} others are tested")
    saved = {int(revision.removeprefix("step")) for revision in read_range(REVISIONS)}
    for seed in (0, 1):
        train(sentences, seed, folder / f"seed{seed}", saved)
    models = read_models([{"model": str(folder / f"seed{seed}"), "revisions": REVISIONS} for seed in (0, 1)], {})
    scores = [folder / "scores" / f"{name}.parquet" for name in models]
    for path, entry in zip(scores, models.values(), strict=True):
        score([folder / "tested"], entry["model"], path, revision=entry["revision"], levels=["sentence"])
    results(scores, folder / "results", suites=[folder / "tested"])


def make_more(templates: Sequence[Path], limit: int, output: Path, seed: int) -> None:
    """Make suites of templates in `output`, with as many items as `limit` says."""
    with TemporaryDirectory() as copies:
        # Lexicons lie beside the folder that the templates are in.
        shutil.copytree(templates[0].parent.parent, copies, dirs_exist_ok=True)
        copied = [Path(copies) / template.parent.name / template.name for template in templates]
        for template in copied:
            text = template.read_text(encoding="utf-8")
            template.write_text(re.sub(r"(?m)^limit: \d+$", f"limit: {limit}", text), encoding="utf-8")
        generate(copied, [], output, seed=seed)


def read_sentences(folder: Path) -> set[str]:
    """Return the grammatical sentences of the suites in a folder."""
    rows = (row for path in folder.glob("*/items.parquet") for row in pq.read_table(path)["conditions"].to_pylist())
    return {"".join(condition["regions"]) for row in rows for condition in row if condition["grammatical"]}


def train(sentences: list[str], seed: int, folder: Path, saved: Set[int], layers: int = 2, width: int = 64) -> None:
    """Train a GPT-2 and save it after so many steps as `saved` has, in folders of their names."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=[END], initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(sentences, trainer)
    wrap: Any = PreTrainedTokenizerFast
    wrapped = wrap(tokenizer_object=tokenizer, bos_token=END, eos_token=END, pad_token=END)
    batch = wrapped([END + sentence for sentence in sentences], padding=True, return_tensors="pt")
    ids, labels = batch["input_ids"], batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    shape: dict[str, Any] = {"n_embd": width, "n_layer": layers, "n_head": 2, "bos_token_id": 0, "eos_token_id": 0}
    model: Any = GPT2LMHeadModel(GPT2Config(vocab_size=400, n_positions=64, **shape)).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(max(saved) + 1):
        if step in saved:
            model.save_pretrained(folder / f"step{step}")
            wrapped.save_pretrained(folder / f"step{step}")
        drawn = torch.from_numpy(draw.integers(0, len(sentences), 16))
        loss = model(input_ids=ids[drawn], labels=labels[drawn]).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{folder.name}: loss {loss.item():.2f} nats per token after {step} steps")


if __name__ == "__main__":
    main()
