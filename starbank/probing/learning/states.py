"""A model that has learnt a task, as something that probes can be put to: what its layers have for words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.checksums import read_sealed_json
from starbank.errors import ModelError
from starbank.files import sha256
from starbank.probing.datasets import UNLABELLED
from starbank.probing.learning.network import make_batch
from starbank.probing.learning.recipes import Learning
from starbank.probing.learning.run import load_network
from starbank.probing.learning.train import CONFIG, VOCABULARY, WEIGHTS
from starbank.probing.learning.vocabulary import read_vocabulary
from starbank.probing.questions import Questions
from starbank.scoring.loading import find_device, torch
from starbank.scoring.sources import Source
from starbank.treebanks.arrays import code, integers, numbers

# No kind of language model.
KIND = "learned"
_ROWS = 64


def find_learned(folder: str | Path) -> Source:
    """Return the model in a folder that `train` wrote."""
    folder = Path(folder)
    name = folder.resolve().name
    return Source(name, folder, KIND, None, f"{sha256(folder / WEIGHTS)} {sha256(folder / VOCABULARY)}")


class Learned:
    """A model that has learnt a task and learns no more."""

    def __init__(self, source: Source, device: str | None = None) -> None:
        """Load it; raises `ModelError` where its folder is not as it was written."""
        about = read_sealed_json(source.folder / CONFIG)
        known = {field.name for field in fields(Learning)}
        recipe = Learning(**{key: value for key, value in about["recipe"].items() if key in known})
        self.device = find_device(device)
        self._vocabulary = read_vocabulary(source.folder / VOCABULARY, recipe)
        try:
            network = load_network(source.folder / WEIGHTS, recipe, self._vocabulary, about["questions"])
        except Exception as error:  # What safetensors and PyTorch raise for what does not fit.
            raise ModelError(f"cannot load the weights: {error}", file=source.folder / WEIGHTS) from error
        self._network = network.to(self.device)

    @torch.inference_mode()
    def encode(self, questions: Sequence[Questions]) -> tuple[np.ndarray, np.ndarray]:
        """Return what all layers have for the places of all `questions`, and which row of it each place has.

        The first array is float16, of shape (layers, rows, width); a layer that is narrower than others ends in zeros.
        The second is int64.
        """
        tokens = pa.concat_arrays([task.words for task in questions])
        lemmas = pa.concat_arrays([task.lemmas for task in questions])
        # Questions about the same rows are told apart by their texts only.
        text, known = code(pc.binary_join(tokens, " "))
        _, first = np.unique(text, return_index=True)
        tokens, lemmas = (rows.take(integers(first)) for rows in (tokens, lemmas))
        sizes = np.cumsum([0, *(len(task.words) for task in questions)])
        place = np.concatenate([text[begin + task.text] for begin, task in zip(sizes, questions, strict=False)])
        borders = np.append(0, np.cumsum(numbers(pc.list_value_length(tokens)).astype(np.int64)))
        words = self._vocabulary.read(tokens, lemmas)
        row = borders[place] + np.concatenate([task.place for task in questions])
        store = np.zeros((0, 0, 0), np.float16)
        labels = np.zeros((1, borders[-1]), np.int64)
        for part in np.array_split(np.arange(len(known)), range(_ROWS, len(known), _ROWS)):
            batch = make_batch(words, labels, borders, part, self.device)
            inside = batch.labels[0] != UNLABELLED
            layers = [layer[inside].cpu().numpy() for layer in self._network.layers(batch)]
            if not store.size:
                store = np.zeros((len(layers), borders[-1], max(layer.shape[1] for layer in layers)), np.float16)
            for number, layer in enumerate(layers):
                store[number, borders[part[0]] : borders[part[-1] + 1], : layer.shape[1]] = layer
        return store, row
