"""One training: weights, optimisers, epochs, and a state on disk that a killed run goes on from."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from safetensors.torch import load_file, save_file

from starbank.errors import ModelError
from starbank.files import atomic
from starbank.probing.datasets import UNLABELLED
from starbank.probing.learning.network import Batch, Network, make_batch
from starbank.probing.learning.reading import Rows, labels_of
from starbank.probing.learning.recipes import Learning
from starbank.probing.learning.vocabulary import Vocabulary, count_vocabulary
from starbank.progress import progress
from starbank.scoring.loading import find_device, torch
from starbank.treebanks.arrays import numbers, whole

STATE = "state.pt"
# The state is noted after a stretch of rows, at most so often.
_SECONDS = 60
# So many batches are of rows that were sorted by length, so that few places are empty.
_POOL = 50


class Run:
    """A model that is learning, or has learnt."""

    def __init__(
        self, rows: Rows, recipe: Learning, seed: int, device: str | None, folder: Path, asked: Mapping[str, Any]
    ) -> None:
        """Begin, or go on with what the `folder` has of the run that was `asked` for."""
        self.rows, self.recipe, self.seed = rows, recipe, seed
        self.device = find_device(device)
        if self.device.type == "cpu":
            # Threads wait for one another longer than such small matrices take.
            torch.set_num_threads(1)
        self._file, self._asked = folder / STATE, repr(asked)
        self.vocabulary = count_vocabulary(rows.stretches("train"), recipe)
        torch.manual_seed(seed)
        self.network = Network(recipe, self.vocabulary, rows.questions).to(self.device)
        sparse = self.network.embeddings()
        dense = [weight for weight in self.network.parameters() if not any(weight is table for table in sparse)]
        self._optimisers = [
            torch.optim.SparseAdam(sparse, lr=recipe.learning_rate),
            torch.optim.Adam(dense, lr=recipe.learning_rate),
        ]
        self._history: list[dict[str, Any]] = []
        self._done, self._total = 0, 0.0
        self._best: dict[str, torch.Tensor] = {}
        self._noted = time.monotonic()
        self._recall()

    @property
    def parameters(self) -> int:
        """How many numbers the model has learnt."""
        return sum(weight.numel() for weight in self.network.parameters())

    def learn(self) -> list[dict[str, Any]]:
        """Learn until dev gets no better; return the losses of each epoch, and leave the weights of the best."""
        count = self.rows.count("train")
        with progress(self.recipe.epochs * count, f"{self.rows.task}, {self.rows.treebank}", "row") as bar:
            bar.update(len(self._history) * count)
            while not self._is_over():
                epoch = len(self._history) + 1
                for number, rows in enumerate(self.rows.stretches("train")):
                    if number >= self._done:
                        self._learn_from(rows, (self.seed, epoch, number), bar)
                        self._done = number + 1
                        self._note()
                loss = self.loss("dev")
                if not math.isfinite(loss):
                    message = f"the loss is no number after epoch {epoch}"
                    raise ModelError(message, hint="Learn more slowly: --option learning_rate=0.0003")
                losses = {"train_loss": self._total / count, "dev_loss": loss}
                if loss < min((row["dev_loss"] for row in self._history), default=math.inf):
                    self._best = {name: weight.clone() for name, weight in self.network.state_dict().items()}
                self._history.append({"epoch": epoch, **losses})
                self._done, self._total = 0, 0.0
                bar.set_postfix(dev=f"{loss:.3f}")
                self._note()
        self.network.load_state_dict(self._best)
        return self._history

    def _is_over(self) -> bool:
        losses = [row["dev_loss"] for row in self._history]
        waited = len(losses) - 1 - int(np.argmin(losses)) if losses else 0
        return len(losses) >= self.recipe.epochs or waited >= self.recipe.patience

    def _learn_from(self, rows: pa.Table, key: tuple[int, ...], bar: Any) -> None:
        # What is drawn depends on the place only, so that a run that goes on draws the same.
        draw = np.random.default_rng(key)
        torch.manual_seed(int(draw.integers(1 << 62)))
        self.network.train()
        for batch, which in self.batches(rows, draw):
            loss = self._loss(batch)
            for optimiser in self._optimisers:
                optimiser.zero_grad()
            torch.autograd.backward(loss)
            for optimiser in self._optimisers:
                optimiser.step()
            self._total += loss.item() * len(which)
            bar.update(len(which))

    def _loss(self, batch: Batch) -> torch.Tensor:
        """Return the sum over questions of their mean losses, where a question without a label has none."""
        answers, labels = self.network(batch)
        sums = [
            torch.nn.functional.cross_entropy(logits, label, ignore_index=UNLABELLED, reduction="sum")
            for logits, label in zip(answers, labels, strict=True)
        ]
        loss: torch.Tensor = (torch.stack(sums) / (labels != UNLABELLED).sum(1).clamp_min(1)).sum()
        return loss

    def batches(self, rows: pa.Table, draw: np.random.Generator | None = None) -> Iterator[tuple[Batch, np.ndarray]]:
        """Yield batches of rows and the numbers of their rows: in an order that is drawn, or the longest first."""
        tokens, lemmas = (whole(rows[name]) for name in ("tokens", "lemmas"))
        words, labels = self.vocabulary.read(tokens, lemmas), labels_of(rows, list(self.rows.columns))
        lengths = numbers(pc.list_value_length(tokens)).astype(np.int64)
        borders = np.append(0, np.cumsum(lengths))
        for which in _parts(lengths, self.recipe.batch, draw):
            yield make_batch(words, labels, borders, which, self.device), which

    @torch.inference_mode()
    def loss(self, split: str) -> float:
        """Return the mean loss on the rows of a split, in nats: the sum over questions."""
        self.network.eval()
        total = torch.zeros(())
        for rows in self.rows.stretches(split):
            for batch, which in self.batches(rows):
                total += self._loss(batch).cpu() * len(which)
        return float(total) / self.rows.count(split)

    def write(self, weights: Path, vocabulary: Path) -> None:
        """Write the weights and the vocabulary."""
        with atomic(weights) as temporary:
            save_file({name: weight.contiguous() for name, weight in self.network.state_dict().items()}, temporary)
        self.vocabulary.write(vocabulary)

    def forget(self) -> None:
        """Remove the state that is there to go on from."""
        self._file.unlink(missing_ok=True)

    def _note(self) -> None:
        """Write down the state, unless that was done just now."""
        if time.monotonic() - self._noted < _SECONDS:
            return
        state = {
            "asked": self._asked, "network": self.network.state_dict(), "best": self._best, "done": self._done,
            "optimisers": [optimiser.state_dict() for optimiser in self._optimisers], "history": self._history,
            "total": self._total,
        }  # fmt: skip
        with atomic(self._file) as temporary:
            torch.save(state, temporary)
        self._noted = time.monotonic()

    def _recall(self) -> None:
        """Take up the state that is noted, where it is one of the same run."""
        if not self._file.is_file():
            return
        state = torch.load(self._file, map_location=self.device, weights_only=True)
        if state["asked"] != self._asked:
            return
        self.network.load_state_dict(state["network"])
        for optimiser, saved in zip(self._optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)
        self._best, self._history, self._done = state["best"], state["history"], state["done"]
        self._total = state["total"]


def _parts(lengths: np.ndarray, size: int, draw: np.random.Generator | None) -> list[np.ndarray]:
    """Return rows by number in parts of `size`, those of a part about equally long."""
    if draw is None:
        return np.array_split(np.argsort(-lengths, kind="stable"), range(size, len(lengths), size))
    order = draw.permutation(len(lengths))
    pools = np.array_split(order, range(size * _POOL, len(order), size * _POOL))
    ordered = [pool[np.argsort(lengths[pool], kind="stable")] for pool in pools]
    parts = [part for pool in ordered for part in np.array_split(pool, range(size, len(pool), size))]
    return [parts[number] for number in draw.permutation(len(parts))]


def load_network(weights: Path, recipe: Learning, vocabulary: Vocabulary, questions: Mapping[str, Any]) -> Network:
    """Return a network that has learnt, to be asked."""
    network = Network(recipe, vocabulary, questions)
    network.load_state_dict(load_file(weights))
    return network.eval()
