"""How many bits a label costs somebody who knows what a layer has.

Voita & Titov 2020, Information-Theoretic Probing with Minimum Description Length, EMNLP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from starbank.probing.recipes import Recipe
from starbank.probing.training import Layers, train_probes

# After which shares of the training rows a probe is trained anew.
_SHARES = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2)
_NATS = np.log(2)


def code_lengths(
    layers: Callable[[], Layers], labels: np.ndarray, split: np.ndarray, classes: int, recipe: Recipe
) -> np.ndarray:
    """Return the online codes of the training labels, in bits per label: float64 of shape (layers, 2).

    The first rows, in an order that the first seed of `recipe` draws, are told with log2 `classes` bits each; what
    comes then is told by a probe that was trained on all rows before. A layer that has what is asked, and has it where
    it is easily found, needs few. `labels` and `split` are as for `train_probes`; the second code is the control's.
    """
    order = np.random.default_rng(recipe.seeds[0]).permutation(np.flatnonzero(split == 0))
    sizes = np.unique([max(1, int(len(order) * share)) for share in _SHARES] + [len(order)])
    bits: np.ndarray = np.array(sizes[0] * np.log2(classes))
    for known, end in pairwise(sizes.tolist()):
        asked = np.where(split == 1, 1, -1)
        asked[order[:known]], asked[order[known:end]] = 0, 2
        trained = train_probes(layers(), labels[:1], asked, classes, replace(recipe, seeds=recipe.seeds[:1]))
        bits = bits + (end - known) * trained.loss[:, 0].astype(np.float64) / _NATS
    return bits / len(order)
