"""Representations and labels -> probes: those of all layers and seeds, and of the control task, at once.

A probe never sees another one's weights, so what is trained together comes out as if it were trained alone: the loss is
a sum with a term for each probe, AdamW treats each weight by itself, and each probe stops early for itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from starbank.probing.recipes import Recipe
from starbank.scoring.loading import torch

# Rows of all layers that are looked at together where nothing is learnt.
CHUNK = 1024
TINY = 1e-5


@dataclass(frozen=True)
class Trained:
    """What probes guess: `dev` and `test` (int64), of shape (layers, seeds, 2, rows), first the task, then its control;
    their mean `loss` on test (float32, nats), and in which of the `epochs` (int64), counted from 1, each was best on
    dev, both of shape (layers, seeds, 2)."""

    dev: np.ndarray
    test: np.ndarray
    loss: np.ndarray
    epochs: np.ndarray


class Layers:
    """What all layers have for the rows of a task, on the device where there is room."""

    def __init__(self, store: np.ndarray, rows: np.ndarray, device: torch.device) -> None:
        """Take `rows` (int64) of `store`, of shape (layers, rows, width)."""
        self._store, self._rows, self._device = torch.from_numpy(store), torch.from_numpy(rows), device
        self.layers, self.width = store.shape[0], store.shape[2]
        self._mean, self._scale = torch.zeros(1, device=device), torch.ones(1, device=device)
        if device.type != "cpu":
            try:
                self._store = self._store.index_select(1, self._rows).to(device)
                self._rows = torch.arange(len(rows), device=device)
            except torch.OutOfMemoryError:
                torch.cuda.empty_cache()

    def __call__(self, which: torch.Tensor) -> torch.Tensor:
        """Return the rows `which` (int64) as float32, of shape (layers, len(which), width)."""
        rows = self._rows[which.to(self._rows.device)]
        return self._store.index_select(1, rows).to(self._device, torch.float32).sub_(self._mean).mul_(self._scale)

    def standardise(self, which: torch.Tensor) -> None:
        """From now on, return rows less the mean of the rows `which`, divided by their standard deviation."""
        total = torch.zeros(self.layers, 1, self.width, dtype=torch.float64, device=self._device)
        squares = torch.zeros_like(total)
        for part in torch.split(which, CHUNK):
            rows = self(part).double()
            total += rows.sum(1, keepdim=True)
            squares += rows.square().sum(1, keepdim=True)
        mean = total / len(which)
        spread = (squares / len(which) - mean.square()).clamp_min(0).sqrt()
        # What does not vary says nothing, and must not be blown up.
        self._mean, self._scale = mean.float(), torch.where(spread > TINY, 1 / spread, 0).float()


def train_probes(layers: Layers, labels: np.ndarray, split: np.ndarray, classes: int, recipe: Recipe) -> Trained:
    """Train a probe for each layer and seed of `recipe`, and one for its control task.

    `labels` (int64) is of shape (seeds, 2, rows): a task and its control; `split` (int64, by row) is 0 for training, 1
    for dev, 2 for test, and anything else for none; each of the three has rows. The same input gives the same guesses
    on the same machine.
    """
    device = layers._mean.device
    train, dev, test = (torch.from_numpy(np.flatnonzero(split == number)) for number in range(3))
    label = torch.from_numpy(labels).to(device)
    if recipe.standardise:
        layers.standardise(train)
    generators = [torch.Generator().manual_seed(seed) for seed in recipe.seeds]
    probes = _begin(layers, (layers.width, *recipe.hidden, classes), generators, device)
    if recipe.standardise:
        # From no weights and the frequencies of the classes it is a short way; that of linear probes is convex.
        probes[-2].data.zero_()
        probes[-1].data[:] = _frequencies(label[:, :, train.to(device)], classes).log()[:, None]
    optimiser = torch.optim.AdamW(probes, lr=recipe.learning_rate, weight_decay=recipe.weight_decay)
    best = torch.full((layers.layers, len(recipe.seeds), 2), math.inf, device=device)
    best_probes = [numbers.detach().clone() for numbers in probes]
    epochs, waited = torch.zeros_like(best, dtype=torch.int64), torch.zeros_like(best, dtype=torch.int64)
    for epoch in range(1, recipe.epochs + 1):
        orders = torch.stack([train[torch.randperm(len(train), generator=generator)] for generator in generators])
        for batch in torch.split(orders, recipe.batch, dim=1):
            rows = layers(batch.reshape(-1)).reshape(layers.layers, *batch.shape, layers.width)
            rows = _drop(rows, recipe.dropout, generators)
            loss = _losses(_logits(rows, probes), _take(label, batch.to(device))).mean(-1).sum()
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            optimiser.step()
        loss = _loss_on(layers, dev, label, probes)
        better = (loss < best) & (waited < recipe.patience)
        best = torch.where(better, loss, best)
        epochs = torch.where(better, epoch, epochs)
        # A probe that has waited long enough is over, whatever becomes of it.
        waited = torch.where(better, 0, torch.where(waited < recipe.patience, waited + 1, waited))
        for current, best_probe in zip(probes, best_probes, strict=True):
            best_probe.copy_(torch.where(better[:, :, None, :, None], current.detach(), best_probe))
        if (waited >= recipe.patience).all():
            break
    loss = _loss_on(layers, test, label, best_probes)
    on_dev, on_test = (_guess(layers, which, best_probes) for which in (dev, test))
    return Trained(on_dev, on_test, loss.cpu().numpy(), epochs.cpu().numpy())


def _begin(
    layers: Layers, sizes: tuple[int, ...], generators: list[torch.Generator], device: torch.device
) -> list[torch.Tensor]:
    """Return weights, of shape (layers, seeds, size, 2, next size), and bias, the same with a size of 1, of each layer
    of a probe: `sizes` are those of what goes in, of hidden layers, and the number of classes."""
    probes = []
    for size, after in pairwise(sizes):
        shape = (layers.layers, size + 1, 2, after)
        parts = [(2 * torch.rand(shape, generator=generator) - 1) * size**-0.5 for generator in generators]
        drawn = torch.stack(parts, dim=1).to(device)
        probes += [drawn[:, :, :-1].clone().requires_grad_(), drawn[:, :, -1:].clone().requires_grad_()]
    return probes


def _frequencies(label: torch.Tensor, classes: int) -> torch.Tensor:
    """Return how often `label`, (seeds, 2, rows), has each class, smoothed: (seeds, 2, classes)."""
    counts = torch.stack([torch.bincount(probe, minlength=classes) for probe in label.flatten(0, 1)]) + 0.5
    return (counts / counts.sum(-1, keepdim=True)).reshape(*label.shape[:2], classes)


def _drop(rows: torch.Tensor, share: float, generators: list[torch.Generator]) -> torch.Tensor:
    """Drop a share of the numbers in `rows`, of shape (layers, seeds, rows, width), and make up for it."""
    if not share:
        return rows
    size = (rows.shape[0], *rows.shape[2:])
    stays = torch.stack([torch.rand(size, generator=generator) >= share for generator in generators], dim=1)
    return rows * stays.to(rows.device) / (1 - share)


def _logits(rows: torch.Tensor, probes: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return logits of shape (layers, seeds, rows, 2, classes); `rows` is (layers, seeds or 1, rows, width)."""
    weights, bias, *rest = probes
    if rows.shape[1] == 1:
        logits = torch.einsum("lbd,lsdkc->lsbkc", rows[:, 0], weights) + bias
    else:
        logits = torch.einsum("lsbd,lsdkc->lsbkc", rows, weights) + bias
    for weights, bias in zip(rest[::2], rest[1::2], strict=True):
        logits = torch.einsum("lsbkd,lsdkc->lsbkc", logits.relu(), weights) + bias
    return logits


def _take(label: torch.Tensor, which: torch.Tensor) -> torch.Tensor:
    """Return the labels of the rows `which` of each seed: (seeds, rows, 2)."""
    return label.gather(2, which[:, None].expand(-1, 2, -1)).transpose(1, 2)


def _losses(logits: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
    """Return cross entropies in nats, of shape (layers, seeds, 2, rows)."""
    label = label.expand(logits.shape[0], *label.shape)
    right = logits.gather(-1, label[..., None]).squeeze(-1)
    return (logits.logsumexp(-1) - right).transpose(2, 3)


@torch.no_grad()
def _loss_on(layers: Layers, which: torch.Tensor, label: torch.Tensor, probes: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the mean loss of each probe on the rows `which`: (layers, seeds, 2)."""
    total = torch.zeros(*probes[0].shape[:2], 2, device=probes[0].device)
    for part in torch.split(which, CHUNK):
        logits = _logits(layers(part)[:, None], probes)
        total += _losses(logits, _take(label, part.to(label.device).expand(len(label), -1))).sum(-1)
    return total / len(which)


@torch.no_grad()
def _guess(layers: Layers, which: torch.Tensor, probes: Sequence[torch.Tensor]) -> np.ndarray:
    """Return the classes that each probe gives the rows `which`: (layers, seeds, 2, rows)."""
    parts = [_logits(layers(part)[:, None], probes).argmax(-1).cpu() for part in torch.split(which, CHUNK)]
    return torch.cat(parts, dim=2).transpose(2, 3).numpy()
