"""Probing all layers at once beside one layer at a time, on the same model and the same labels, in one run.

The labels are those of a task that `starbank tasks` wrote, for instance

    starbank tasks UD_Hindi-PUD -o TASKS
    python benchmarks/probing.py TASKS/UD_Hindi-PUD [--task pos] [--sentences N] [--layers N] [--width N] [--threads N]

The model is a BERT with random weights. Both ways train, for each layer, a probe per seed for the task and one for its
control task, for the same number of epochs with the same batches. One layer at a time means: the model runs over all
sentences, 32 at a time as they come, what one layer has is kept in memory, and one `torch.nn.Linear` after another is
trained. That is measured for some of the layers. Times are seconds of CPU per layer.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from starbank.probing.questions import Questions, read_questions
from starbank.probing.recipes import Recipe
from starbank.probing.representations import Encoder, read_places
from starbank.probing.run import task_and_controls
from starbank.probing.training import Layers, train_probes
from starbank.scoring.sources import Settings, find_model

SPECIAL = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
SENTENCES = 32


def main() -> None:
    parser = argparse.ArgumentParser(description="Time probes of all layers at once beside one layer at a time.")
    parser.add_argument("tasks", type=Path, help="a folder that `starbank tasks` wrote")
    parser.add_argument("--task", default="pos", help="a task about words (default: %(default)s)")
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--alone", type=int, default=2, help="layers that are measured one at a time")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    torch.set_num_threads(arguments.threads)
    (asked,) = read_questions([arguments.tasks], [arguments.task])
    asked = asked.keep(asked.text < arguments.sentences)
    recipe = Recipe(epochs=arguments.epochs, patience=arguments.epochs)
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), asked.texts[: arguments.sentences], arguments.layers, arguments.width)
        together = np.array(ours(asked, Path(folder), recipe)) / (arguments.layers + 1)
        parts = [alone(asked, Path(folder), recipe, layer + 1) for layer in range(arguments.alone)]
    apart = np.mean(parts, axis=0)
    print(f"{len(asked.label)} labels, {arguments.layers} layers of {arguments.width}, {len(recipe.seeds)} seeds")
    for name, (model, probes) in (("all layers at once", together), ("one layer at a time", apart)):
        print(f"{name:<20} {model + probes:8.2f} s of CPU per layer (model {model:.2f}, probes {probes:.2f})")
    print(f"{'ratio':<20} {apart.sum() / together.sum():8.1f}")


def build(folder: Path, texts: tuple[str, ...], layers: int, width: int) -> None:
    """Write a BERT with random weights and a tokenizer that knows the texts."""
    from tokenizers import Tokenizer, pre_tokenizers, processors, trainers
    from tokenizers.models import WordPiece
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    special = [*SPECIAL.values(), "[MASK]"]
    tokenizer.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=4000, special_tokens=special))
    ends = [(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, mask_token="[MASK]", **SPECIAL).save_pretrained(folder)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=width, num_hidden_layers=layers,
        num_attention_heads=width // 64, intermediate_size=4 * width,
    )  # fmt: skip
    torch.manual_seed(0)
    BertForMaskedLM(config).save_pretrained(folder)


def ours(asked: Questions, folder: Path, recipe: Recipe) -> tuple[float, float]:
    """Return seconds for what all layers have, and for all probes."""
    encoder = Encoder(find_model(str(folder)), Settings("cpu"))
    begin = time.process_time()
    store, row = encoder.encode(*read_places([asked]), folder / "cache")
    middle = time.process_time()
    train_probes(
        Layers(store, row, encoder.device), task_and_controls(asked, recipe), asked.split, len(asked.classes), recipe
    )
    return middle - begin, time.process_time() - middle


def alone(asked: Questions, folder: Path, recipe: Recipe, layer: int) -> tuple[float, float]:
    """Return seconds for what one layer has, and for its probes."""
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    begin = time.process_time()
    found = []
    for first in range(0, int(asked.text.max()) + 1, SENTENCES):
        texts = [text.split(" ") for text in asked.texts[first : first + SENTENCES]]
        encoded = tokenizer(texts, is_split_into_words=True, padding=True, return_tensors="pt")
        with torch.inference_mode():
            states = model(**encoded, output_hidden_states=True).hidden_states[layer]
        for number, words in enumerate(texts):
            ids = encoded.word_ids(number)
            found.append(states[number, [ids.index(word) for word in range(len(words))]])
    rows = torch.cat(found).clone()[: len(asked.label)]
    middle = time.process_time()
    for place, seed in enumerate(recipe.seeds):
        for label in task_and_controls(asked, replace(recipe, seeds=(seed,)))[0]:
            train_alone(rows, torch.from_numpy(label.copy()), asked, recipe, place)
    return middle - begin, time.process_time() - middle


def train_alone(rows: torch.Tensor, label: torch.Tensor, asked: Questions, recipe: Recipe, seed: int) -> None:
    """Train one probe as one would, looking at dev after each epoch."""
    torch.manual_seed(seed)
    train, dev, test = (torch.from_numpy(np.flatnonzero(asked.split == number)) for number in range(3))
    probe = torch.nn.Linear(rows.shape[1], len(asked.classes))
    optimiser = torch.optim.AdamW(probe.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay)
    for _ in range(recipe.epochs):
        for batch in train[torch.randperm(len(train))].split(recipe.batch):
            loss = torch.nn.functional.cross_entropy(probe(rows[batch]), label[batch])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        with torch.no_grad():
            torch.nn.functional.cross_entropy(probe(rows[dev]), label[dev])
    with torch.no_grad():
        probe(rows[test]).argmax(-1)


if __name__ == "__main__":
    main()
